"""Parse units into a dimension and an exact scale."""

import re
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from mdbench.regex import lazy

LONGEST_UNIT = 48

_BASES = {
    "s": """s sec secs second seconds 秒 秒钟 秒鐘 sekunde sekunden sek seconde secondes segundo
        segundos с сек секунд секунду 초""",
    "token": "token tokens tok toks tkn tkns トークン 토큰 токен токены токенов",
    "sample": """sample samples samp smp image images img imgs im sequence sequences seq seqs
        request requests req reqs sentence sentences sent sents example examples ex video videos
        query queries frame frames inference inferences inf infer prompt prompts clip clips
        utterance utterances picture pictures bild bilder anfrage anfragen requête requêtes
        solicitud solicitudes petición peticiones запрос запросов кадр кадров 图 张图 图片
        样本 请求 条 句 サンプル 枚 件 문장""",
    "step": """step steps it its iter iters itr itrs iteration iterations batch batches
        update updates 步 迭代 次迭代 ステップ イテレーション 反復""",
    "device": """gpu gpus chip chips card cards rank ranks device devices npu npus tpu tpus xpu
        xpus hpu hpus ipu ipus gcd gcds accelerator accelerators worker workers 卡 张卡 张 块
        芯片 カード""",
    "node": "node nodes host hosts server servers machine machines 节点 个节点 台 机 机器 ノード",
    "core": "core cores cpu cpus vcpu vcpus thread threads 核 コア",
    "param": "param params parameter parameters 参数 パラメータ",
    "flop": "flop",
    "op": "op operation operations",
    "item": """item items row rows record records message messages msg msgs event events line lines
        file files doc docs document documents transaction transactions txn txns order orders
        object objects packet packets hash hashes entry entries element elements elem call calls
        page pages unit units 行 记录 消息 订单 건 zeile zeilen строк
        строки lignes""",
    "alloc": "alloc allocs allocation allocations",
    "cycle": "cycle cycles clk clks tick ticks",
    "instruction": "instruction instructions instr insn insns",
    "byte": "byte bytes 字节 octet octets байт",
    "bit": "bit bits",
    "W": "w watt watts 瓦 瓦特 ワット",
    "J": "joule joules 焦 焦耳 ジュール",
    "Hz": "hz hertz 赫兹",
    "usd": "$ usd us$ dollar dollars 美元 ドル",
    "eur": "€ eur euro euros",
    "cny": "¥ cny rmb 元 人民币",
    "epoch": "epoch epochs 轮",
    "layer": "layer layers 层 層",
    "user": "user users 用户",
    "word": "word words",
    "char": "char chars character characters 字 字符 文字",
    "degC": "℃ °c degc",
}
_MULTIPLES = (
    ("s", "60", "min mins minute minutes 分 分钟 分鐘 minuten minuto minutos мин"),
    ("s", "3600", "h hr hrs hour hours 小时 小時 時間 stunde stunden heure heures ч"),
    ("s", "86400", "d day days 天 日"),
    ("s", "604800", "week weeks 周"),
    ("s", "1e-3", "ms msec msecs 毫秒 ミリ秒 мс"),
    ("s", "1e-6", "us μs usec usecs μsec 微秒 マイクロ秒 мкс"),
    ("s", "1e-9", "ns nsec nsecs 纳秒 ナノ秒 нс"),
    ("ratio", "0.01", "% percent pct"),
    ("ratio", "0.001", "‰"),
    ("ratio", "1", "x × 倍 times"),
    ("byte", "1e3", "кб"),
    ("byte", "1e6", "мб"),
    ("byte", "1e9", "гб"),
    ("byte", "1e12", "тб"),
    ("J", "3600", "wh"),
    ("usd", "0.01", "¢ cent cents"),
)
_RATES = {
    "tps": ("token", "s"),
    "tgs": ("token", "s device"),
    "fps": ("sample", "s"),
    "ips": ("sample", "s"),
    "qps": ("sample", "s"),
    "rps": ("sample", "s"),
    "sps": ("sample", "s"),
    "wps": ("word", "s"),
    "flops": ("flop", "s"),
    "ops": ("op", "s"),
    "iops": ("op", "s"),
    "pps": ("item", "s"),
}
# Words that take a prefix without a space; in others, `m` or `t` is part of the word.
_PREFIXABLE = frozenset(
    """byte bytes bit bits flop flops op ops hz hertz watt watts joule joules wh
    token tokens tok toks sample samples param params second seconds tps qps rps pps
    elem elements req reqs rows msgs msg""".split()
)
_MONEY = frozenset({"usd", "eur", "cny"})
_COUNTABLE = frozenset("token sample param flop op item word char step usd eur cny".split())
_PREFIXES = {
    **{name: Decimal(10) ** (3 * i) for i, name in enumerate("kmgtpez", 1)},
    **{f"{name}i": Decimal(2) ** (10 * i) for i, name in enumerate("kmgtpe", 1)},
    **{
        name: Decimal(10) ** (3 * i)
        for i, name in enumerate("kilo mega giga tera peta exa".split(), 1)
    },
    **{
        name: Decimal(2) ** (10 * i) for i, name in enumerate("kibi mebi gibi tebi pebi".split(), 1)
    },
    **{name: Decimal(10) ** (-3 * i) for i, name in enumerate("milli micro nano".split(), 1)},
}
COUNTS: Mapping[str, Decimal] = {
    name: Decimal(10) ** power
    for power, names in (
        (3, "k 千 천 thousand тыс tsd"),
        (4, "万 萬 만"),
        (6, "m 百万 백만 million млн mio"),
        (8, "亿 億 억"),
        (9, "b bn g billion млрд mrd"),
        (12, "t trillion трлн"),
    )
    for name in names.split()
}
_PREFIXED = lazy(
    "(kilo|mega|giga|tera|peta|exa|kibi|mebi|gibi|tebi|pebi|milli|micro|nano|[kmgtpe]i|[kmgtpez])"
    r"[ -]?([a-z]+)"
)
_BYTES = lazy(r"([KkMmGgTtPpEe]?)(i?)([Bb])(ps)?")
_SMALL = frozenset("W J w j Wh wh WH".split())
_SMALL_SCALES = {
    "m": "1e-3", "u": "1e-6", "μ": "1e-6", "k": "1e3", "K": "1e3", "M": "1e6", "G": "1e9",
}  # fmt: skip
_PER = lazy(r"(?:(?<! ) +)?(?:/|÷|(?<![^\W\d_])(?:per|pro|par|por|в)(?![^\W\d_])|每)[ ]*")
_PER_WORDS = frozenset(("per", "pro", "par", "por"))
_ONCE = Decimal(1)
_ONE = lazy(r"1 ?(?=[A-Za-z])")
_WORD_PER = lazy(r"\bper\b", re.IGNORECASE)
_JOINED_COUNT = lazy(r"(?:[百백]?[万만]|[千천萬亿億억])(?=\S)")
# A deviation in any other place.
_GERMAN_HOURS = frozenset(("Std", "Std."))
_TIME_FIRST = lazy(r"[每毎](?P<time>秒|分钟|分|小时|時間|天|日)的? ?(?P<what>[^/]+)")
_PRODUCT = lazy(r" ?[-·⋅*×] ?| ")


class Unit(NamedTuple):
    """A unit as written. A number in it, times `scale`, is in base units of `dimension`."""

    text: str
    dimension: str
    scale: Decimal


RATIO = Unit("", "ratio", Decimal(1))
COUNT = Unit("", "count", Decimal(1))


class _Factor(NamedTuple):
    scale: Decimal
    over: tuple[str, ...]
    under: tuple[str, ...] = ()


def _atoms() -> dict[str, _Factor]:
    table: dict[str, _Factor] = {}
    for base, words in _BASES.items():
        factor = _Factor(Decimal(1), (base,))
        if base == "bit":
            factor = _Factor(Decimal("0.125"), ("byte",))
        table.update(dict.fromkeys(words.split(), factor))
    for base, scale, words in _MULTIPLES:
        table.update(dict.fromkeys(words.split(), _Factor(Decimal(scale), (base,))))
    for word, (over, under) in _RATES.items():
        table[word] = _Factor(Decimal(1), (over,), tuple(under.split()))
    return table


_ATOMS = _atoms()
_SHORT_ATOMS = {
    "J": _Factor(Decimal(1), ("J",)),
    "ps": _Factor(Decimal("1e-12"), ("s",)),
    "TF": _Factor(Decimal(10) ** 12, ("flop",), ("s",)),
    "GF": _Factor(Decimal(10) ** 9, ("flop",), ("s",)),
    "PF": _Factor(Decimal(10) ** 15, ("flop",), ("s",)),
    "Gi": _Factor(Decimal(2) ** 30, ("byte",)),
    "Mi": _Factor(Decimal(2) ** 20, ("byte",)),
    "Ki": _Factor(Decimal(2) ** 10, ("byte",)),
    # Octets; `Go` is more often a language.
    "Ko": _Factor(Decimal(10) ** 3, ("byte",)),
    "Mo": _Factor(Decimal(10) ** 6, ("byte",)),
}


@lru_cache(maxsize=4096)
def parse_unit(text: str) -> Unit | None:
    """Parse a unit, or return None. A single letter (K, M, B, G) is not a unit."""
    spelled = _tidy(text)
    if not spelled or len(spelled) > LONGEST_UNIT:
        return None
    factors = _read_factors(spelled)
    if factors is None:
        return None
    over, under = factors
    return Unit(text.strip(), *_compose(over, under))


def single_scale(unit: Unit) -> Decimal:
    """The scale of a unit without its thousands and prefixes: that of `M tokens/day` is a day's."""
    factors = _read_factors(_tidy(unit.text))
    if factors is None:
        return Decimal(1)
    over, under = factors
    single = [one if "s" in one.over else one._replace(scale=min(one.scale, _ONCE)) for one in over]
    dimension, scale = _compose(single, under)
    return scale if dimension == unit.dimension else Decimal(1)


def _tidy(text: str) -> str:
    tidy = text[: 4 * LONGEST_UNIT]
    if not tidy.isascii():
        import unicodedata  # noqa: PLC0415 - most reports need none of its tables

        tidy = unicodedata.normalize("NFKC", tidy)
    tidy = " ".join(tidy.replace("\\", "").split()).replace("(s)", "")
    return tidy.rstrip(".")


def _read_factors(spelled: str) -> tuple[list[_Factor], list[_Factor]] | None:
    lowered = _lower_per(spelled)
    timed_first = None if lowered.isascii() else _TIME_FIRST.fullmatch(lowered)
    if timed_first is not None:
        lowered = f"{timed_first['what']}/{timed_first['time']}"
    is_word = lowered.isascii() and lowered.isalpha() and lowered not in _PER_WORDS
    parts = [lowered] if is_word else _PER.split(lowered)
    under = [_read_denominator(part) for part in parts[1:]]
    known = [factor for factor in under if factor is not None]
    if len(known) < len(under):
        return None
    if not parts[0]:
        return ([], known) if known else None
    timed = any("s" in factor.over for factor in known)
    # A `B` alone may be billions; per operation it can only be bytes.
    first = "byte" if parts[0] == "B" and known else parts[0]
    over = _read_numerator(first, timed=timed)
    return None if over is None else (over, known)


def _read_denominator(text: str) -> _Factor | None:
    """Read what stands after the stroke: `s`, `GPU`, `1M tokens`."""
    bare = _ONE.sub("", text)
    atom = _read_atom(bare)
    head, _, tail = bare.partition(" ")
    if atom is None and "-" in bare:
        holders, _, time = bare.partition("-")
        product = _read_time_of_holders(holders, time)
        if product is not None:
            scale = product[0].scale * product[1].scale
            return _Factor(scale, (*product[0].over, *product[1].over))
    if atom is None and tail and head.lower() in COUNTS:
        rest = _read_atom(tail)
        if rest is not None and rest.scale == 1 and _COUNTABLE.issuperset(rest.over):
            return _Factor(COUNTS[head.lower()], rest.over, rest.under)
    return atom


def _lower_per(spelled: str) -> str:
    return _WORD_PER.sub("per", spelled)


def _read_numerator(text: str, *, timed: bool) -> list[_Factor] | None:
    atom = _read_numerator_word(text, timed=timed)
    if atom is not None:
        return [atom]
    joined = _JOINED_COUNT.match(text)
    words = [joined[0], text[joined.end() :]] if joined else _PRODUCT.split(text, maxsplit=1)
    if len(words) != 2:
        return None
    head, tail = words
    count = COUNTS.get(head.lower().rstrip("."))
    if count is not None:
        rest = _read_numerator_word(tail, timed=timed)
        countable = rest is not None and rest.scale == 1 and _COUNTABLE.issuperset(rest.over)
        return [_Factor(count, ()), rest] if rest is not None and countable else None
    return _read_time_of_holders(head, tail if "-" in text else tail.lower())


def _read_time_of_holders(head: str, tail: str) -> list[_Factor] | None:
    first, second = _read_atom(head), _read_atom("h" if tail in _GERMAN_HOURS else tail)
    # The only products in reports are such as `GPU hours` and `node-days`.
    if first is not None and second is not None and second.over == ("s",):
        # Nobody pays for `gpu_ms`: that is a time on the GPU.
        holders = {"device", "node", "core"} if second.scale >= 1 else set()
        return [first, second] if holders.intersection(first.over) else None
    return None


def _read_numerator_word(text: str, *, timed: bool) -> _Factor | None:
    if timed and text in {"t", "T"}:
        return _ATOMS["token"]
    if timed and text == "S":
        return _ATOMS["sample"]
    # By convention, Gb/s are bits on a wire and GB/s are bytes.
    if timed and re.fullmatch("[KMGT]b", text):
        return _Factor(_PREFIXES[text[0].lower()] / 8, ("byte",))
    return _read_atom(text)


def _read_atom(text: str) -> _Factor | None:
    if text in _SHORT_ATOMS:
        return _SHORT_ATOMS[text]
    if text[1:] in _SMALL and text[0] in _SMALL_SCALES:
        return _read_small(text[0], text[1:])
    # `GiBs` are several; a small `b` before the `s` may be bits per second.
    size = _BYTES.fullmatch(text[:-1] if text.endswith("Bs") else text)
    if size is not None and text not in {"B", "b", "Bs"}:
        return _read_size(size)
    word = text.lower()
    # A single capital letter is something else: 3D is not three days.
    if word in _ATOMS and (len(word) > 1 or text not in {"S", "D", "H"}):
        return _ATOMS[word]
    prefixed = _PREFIXED.fullmatch(word)
    if prefixed is not None and prefixed[2] in _PREFIXABLE:
        inner = _ATOMS[prefixed[2]]
        return _Factor(_PREFIXES[prefixed[1]] * inner.scale, inner.over, inner.under)
    return None


def _read_small(prefix: str, word: str) -> _Factor:
    lowered = word.lower()
    inner = _ATOMS["joule"] if lowered == "j" else _ATOMS[lowered]
    return _Factor(Decimal(_SMALL_SCALES[prefix]) * inner.scale, inner.over)


def _read_size(match: re.Match[str]) -> _Factor | None:
    prefix, binary, letter, rate = match.groups()
    if binary and not prefix:
        return None
    scale = _PREFIXES[prefix.lower() + binary] if prefix else Decimal(1)
    if rate:
        return _Factor(scale if letter == "B" else scale / 8, ("byte",), ("s",))
    return _Factor(scale, ("byte",))


def _compose(over: list[_Factor], under: list[_Factor]) -> tuple[str, Decimal]:
    scale = Decimal(1)
    for factor in over:
        scale *= factor.scale
    tops = [base for factor in over for base in factor.over]
    bottoms = [base for factor in over for base in factor.under]
    for factor in under:
        # Money is per hour, because per second has no exact decimal.
        hourly = "s" in factor.over and _MONEY.intersection(tops)
        scale = scale * 3600 / factor.scale if hourly else scale / factor.scale
        bottoms += ["h" if hourly and base == "s" else base for base in factor.over]
    if tops and tops[0] in {"flop", "op"}:
        # FLOPs means FLOP per second, even in FLOPs/s, except per token, sample or step.
        counted = {"token", "sample", "step"}.intersection(bottoms)
        bottoms = [base for base in bottoms if base != "s"] + ([] if counted else ["s"])
    bottoms.sort(key=lambda base: (base not in {"s", "h"}, base))
    return "/".join(["*".join(sorted(tops)) or "1", *bottoms]), scale
