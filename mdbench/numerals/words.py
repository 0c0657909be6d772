"""Words in place of a number: missing, out of memory, failed, yes or no."""

from __future__ import annotations

import re
from enum import StrEnum

from mdbench.regex import lazy


class Status(StrEnum):
    """The outcome of a measurement."""

    OK = "ok"
    OOM = "oom"
    FAILED = "failed"
    MISSING = "missing"


_BLANKS = "-–—―_=.…·/?~# "
_MISSING = lazy(
    r"\*+|[-–—]{1,5} ?[*†‡§]{1,2}|x+\.x+|n\.?[/\\]?a\.?|tbd|tba|todo|wip|pending|null|nil|unknown|"
    r"skip(?:ped)?|"
    r"not (?:available|applicable|measured|tested|run|reported|provided|supported|yet run)|"
    r"unavailable|unsupported|untested|no data|coming soon|to be (?:done|added|determined)|"
    r"暂无|未测试|未测|不支持|待测|待测试|待补充|未知|未対応|未計測",
    re.IGNORECASE,
)
_OOM = lazy(
    r"(?<![a-z])(?:c?oom|oom'?(?:s|ed|d)|o\.o\.m|"
    r"out[ -]?of[ -]?(?:gpu |cuda |host |device )?mem(?:ory)?(?:error)?)(?![a-z])"
    r"|显存不足|爆显存|显存溢出|内存不足|内存溢出|メモリ不足",
    re.IGNORECASE,
)
_NO_OOM = lazy(
    r"(?<![a-z])(?:borderline|no|not|without|near(?:ly)?|almost|close to|avoids?|non|never|w/o|if|"
    r"may|might|risk of|before|prevents?)[ -](?:[a-z]+ )?(?:oom|out[ -]of)|^(?:if|when) |"
    r"メモリ不足(?:の|を|に)|(?:避免|防止)(?:显存|内存)|(?:显存|内存)不足时",
    re.IGNORECASE,
)
# Late in a note, out of memory is rarely about this run.
_EARLY = 20
_FAILED = lazy(
    r"nan\b|-?inf\b|#(?:value!|n/?a|ref!|div/0!|name\?|num!|null!)|#{2,}$|"
    r"fail(?:s|ed|ure)?\b|crash(?:ed|es)?\b|time[d]?[ -]?out\b|segfault|segmentation fault|"
    r"killed\b|diverge[sd]?\b|hang(?:s|ed)?\b|hung\b|(?:runtime|cuda|nccl) ?error|"
    r"(?:err|error|errors|exception|did not finish|dnf|did not converge)$|"
    r"失败|报错|超时|崩溃|エラー|失敗",
    re.IGNORECASE,
)
# What every failure in Latin letters begins with.
_FAILING = tuple(
    "nan inf -inf # fail crash time seg kill diverge hang hung runtime cuda nccl err exception did "
    "dnf".split()
)
_DITTO = frozenset(('"', "''", "″", "”", "〃"))
_YES = frozenset(
    """yes y true on enabled enable ✓ ✔ ✅ ☑ √ 是 有 開 开 有り あり はい ○ \u3007
    :white_check_mark: :heavy_check_mark: [x] [√] [✓] [✔]""".split()
)
_NO = frozenset(
    """no n false off disabled disable ✗ ✘ ✖ ❌ ❎ × 否 无 無 关 なし いいえ ☐
    :x: :negative_squared_cross_mark:""".split()
).union(("[ ]",))


def read_flag(text: str) -> bool | None:
    """Whether a cell means yes or no; None if it is neither."""
    word = text.strip().lower()
    if word in _YES:
        return True
    return False if word in _NO else None


def says_missing(text: str) -> bool:
    """Whether the text just marks a missing number."""
    return is_ditto(text) or not text.strip(_BLANKS) or _MISSING.fullmatch(text) is not None


def is_ditto(text: str) -> bool:
    """Whether the text just refers to the cell above."""
    return text in _DITTO


def read_status(text: str) -> Status:
    """The status of a run according to a note or a cell without a number."""
    found = _OOM.search(text) if _may_say_oom(text) else None
    if found is not None and found.start() <= _EARLY and _NO_OOM.search(text) is None:
        return Status.OOM
    if text.isascii() and not text.casefold().startswith(_FAILING):
        return Status.OK
    return Status.FAILED if _FAILED.match(text) is not None else Status.OK


def _may_say_oom(text: str) -> bool:
    folded = text.casefold()
    return not text.isascii() or "oom" in folded or "mem" in folded or "o.o.m" in folded


def is_crossed_out(text: str) -> bool:
    """Whether the cell is just `x` or `xxxx`, which means out of memory."""
    return bool(text) and not text.strip("xX")


def is_bare_status(text: str) -> bool:
    """Whether the text is a status and nothing else."""
    found = _OOM.fullmatch(text) or _FAILED.match(text)
    return found is not None and found.end() == len(text)
