"""Words in a header that name a statistic: the mean, a percentile, the spread."""

from __future__ import annotations

import re
from functools import lru_cache

from mdbench.regex import lazy

SPREADS = frozenset({"std", "error", "ci", "iqr", "mad", "variance"})
"""Statistics that tell how far values differ; none of them is a value of the quantity."""

_WORDS = {
    word: name
    for name, words in {
        "mean": """mean avg average averaged ave 平均 均值 平均值 平均値 평균 평균값 mittel
            mittelwert durchschnitt moyenne moy media promedio среднее средний средняя""",
        "geomean": "geomean gmean geo-mean 几何平均 幾何平均 기하평균",
        "median": """median 中位数 中位數 中央値 중앙값 médiane mediane mediana медиана""",
        "max": """max maximum peak highest 最大 最高 峰值 最大值 ピーク 最大値 최대 최대값 최댓값
            maximal maximale máximo maximo máx макс максимум""",
        "min": """min minimum lowest 最小 最低 最小值 最小値 최소 최소값 최솟값 minimal minimale
            mínimo minimo мин минимум""",
        "std": """std stdev stddev std.dev std-dev sd \u03c3 sigma 标准差 標準差 標準偏差 표준편차
            standardabweichung écart-type ecart-type desviación desviacion""",
        "error": "stderr sem",
        "ci": "ci ci95 ±ci 置信区间 信頼区間 신뢰구간",
        "iqr": "iqr",
        "mad": "mad",
        "variance": "variance 方差 分散",
        "predicted": "pred predicted est estimated expected theoretical projected 预测 理论 推定",
        "total": """total sum cumulative 总 合计 总计 合計 합계 gesamt summe somme suma
            итого сумма всего""",
    }.items()
    for word in words.split()
}
_PHRASES = {
    "geometric mean": "geomean",
    "geo mean": "geomean",
    "arithmetic mean": "mean",
    "harmonic mean": "mean",
    "standard deviation": "std",
    "std dev": "std",
    "std. dev": "std",
    "std deviation": "std",
    "standard error": "error",
    "std err": "error",
    "confidence interval": "ci",
    "95% ci": "ci",
    "99% ci": "ci",
    "interquartile range": "iqr",
}
# `Error` beside a mean is how far that may be off; alone it is more often a share of failures.
BESIDE_A_MEAN = {
    "error": "error",
    "err": "error",
    "±": "ci",
    "+/-": "ci",
    "range": "ci",
    "med": "median",
    "fastest": "min",
    "slowest": "max",
}
"""Words that name a statistic only where a mean stands beside them."""
_PERCENTILE = lazy(
    r"(?<![\w.])(?:t?p[- ]?(?:\((?=[\d.]+\)))?(100|\d{2}(?:\.\d{1,2})?)\)?|"
    r"(100|\d{1,2}(?:\.\d{1,2})?) ?(?:%(?:-?ile)?|percentile|th(?: percentile| %ile)?))(?![\w%])",
    re.IGNORECASE,
)
_PERCENTILES = frozenset("2.5 50 75 80 90 95 97 97.5 98 99 99.5 99.9 99.95 99.99".split())
_QUARTILES = {"25": "p25", "10": "p10"}
_SHORT = {"med": "median", "ø": "mean", "médio": "mean", "média": "mean", "moyen": "mean"}
_CJK = lazy("^(平均|最大|最小|峰值|总|最高|最低|평균|최대|최소)(?=..)|(平均|평균)(?=..)")


def take_statistic(text: str) -> tuple[str, str]:
    """Split off the statistic: `Latency P90`, `Avg Power`. Return the rest and the statistic."""
    found = _take_percentile(text) or _take_word(text.split())
    if found is not None:
        return found
    within = _CJK.search(text) if not text.isascii() else None
    if within is not None:
        return text[: within.start()] + text[within.end() :], _WORDS[within[0]]
    return text, ""


def _take_percentile(text: str) -> tuple[str, str] | None:
    for match in _PERCENTILE.finditer(text) if any(map(str.isdigit, text)) else ():
        rest = _without(text, match)
        if name := _percentile(match):
            return rest, name
        # Nothing is above 100 % of the runs; alone, it may be 100 % of anything.
        if rest and "100" in match.groups():
            return rest, "max"
    return None


def _take_word(words: list[str]) -> tuple[str, str] | None:
    if len(words) > 2:
        for place in range(len(words) - 1):
            phrase = _PHRASES.get(" ".join(words[place : place + 2]).casefold())
            if phrase is not None:
                return " ".join(words[:place] + words[place + 2 :]), phrase
    total: tuple[str, str] | None = None
    for place, word in enumerate(words):
        plain = word.casefold().strip(".-_:#")
        known = _WORDS.get(plain) or _SHORT.get(plain)
        if known is None or len(words) == 1:
            continue
        taken = " ".join(words[:place] + words[place + 1 :]), known
        if known != "total":
            return taken
        # The median of the total is a median.
        total = total or taken
    return total


# The labels of rows are asked for it by several, and many tables have the same.
@lru_cache(maxsize=4096)
def statistic_of(text: str) -> str:
    """The statistic that a text is the name of: `avg` is the mean; `max length` is none."""
    match = _PERCENTILE.fullmatch(text) if any(map(str.isdigit, text)) else None
    if match is not None:
        return _percentile(match)
    plain = text.casefold().strip(" .-_:")
    return _WORDS.get(plain) or _PHRASES.get(plain.replace("_", " ").replace("-", " "), "")


def _percentile(match: re.Match[str]) -> str:
    number = match[1] or match[2]
    if "." in number:
        number = number.rstrip("0").rstrip(".")
    if number in _PERCENTILES:
        return f"p{number}"
    return _QUARTILES.get(number, "") if match[1] else ""


def _without(text: str, match: re.Match[str]) -> str:
    return " ".join(f"{text[: match.start()]} {text[match.end() :]}".split())
