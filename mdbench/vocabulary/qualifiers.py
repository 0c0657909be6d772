"""Words in a header that do not name the quantity, but a setting, device or statistic."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

from mdbench.regex import lazy
from mdbench.vocabulary.quantities import Vocabulary, squash

Setting = tuple[str, str]

_ASSIGNMENT = lazy(r"(?<![\w.])([A-Za-z][\w.-]{0,40}) ?= ?([\w.,+~-]{1,24})")
_BEFORE_NUMBER = lazy(
    r"(?<![\w.])(bs|bsz|batch[ _]?size|batch|mbs|gbs|seq[_ -]?len(?:gth)?|sl|seq|context|ctx|input|"
    r"isl|osl|output|tg|pp|beam(?:[ _]?size)?|len|seed|threads|zero|ngl|tp|dp|ep|cp)"
    r"[ _-]?(\d[\d,]*k?)(?![\w.%])",
    re.IGNORECASE,
)
_BEHIND_NUMBER = lazy(
    r"(?<![\w.])(\d[\d,]{0,15}k?|single|one|two|four|eight)(?: ?[x×] ?|[ -]?)"
    r"(gpu|node|device|chip|card|npu|tpu|core|thread|step|iteration|iter|epoch|卡|节点)s?(?![\w/])",
    re.IGNORECASE,
)
_WAYS = lazy(
    r"(?<![\w.])(\d{1,4})-way (tp|pp|dp|ep|cp|tensor|pipeline|data|expert)"
    r"(?:[ -]parallel(?:ism)?)?(?!\w)",
    re.IGNORECASE,
)
_SPLIT = {"tensor": "tp", "pipeline": "pp", "data": "dp", "expert": "ep"}
_KV_CACHE = lazy(r"(?<!\w)kv(?:[ _-]?cache)?[ _-](u?int[48]|b?fp?(?:16|8|4))(?!\w)", re.IGNORECASE)
_WORDED = {"single": "1", "one": "1", "two": "2", "four": "4", "eight": "8"}
_NAMED = {
    "tg": "output_len", "input": "input_len", "isl": "input_len", "output": "output_len",
    "osl": "output_len", "sl": "seq_len", "len": "seq_len", "bs": "batch", "zero": "zero_stage",
    "card": "devices", "卡": "devices", "节点": "nodes", "gpu": "devices", "npu": "devices",
    "tpu": "devices", "chip": "devices", "device": "devices", "core": "cpu_cores",
    "thread": "threads", "node": "nodes", "step": "steps", "iteration": "steps", "iter": "steps",
    "epoch": "epochs",
}  # fmt: skip
# Longer texts are not names, and what they state is about something else.
_LONGEST = 400
# Fewer are pipeline stages, more are the prompt tokens of a speed test.
_SHORTEST_PROMPT = 64

_QUANTIZATION = lazy(
    r"(?<![\w.])(?:i?q\d_(?:k(?:_[sml])?|[01]|xx?s|nl|s|m)|[2-8][- ]?bits?|nf4|gptq|awq|"
    r"smoothquant|quarot|spinquant|omniquant|qoq|rtn|hqq|aqlm|bnb|exl[23])(?![\w.])",
    re.IGNORECASE,
)
_PRECISION = lazy(
    r"(?<![\w.])(?:(?:mixed|single|half|full|double)[- ]precision|amp|tf[- ]?32|mxfp[48]|nvfp4|"
    r"b?f(?:p|loat)?[- ]?(?:64|32|16|8|4)|u?int[- ]?(?:16|8|4)|w\d{1,2}a\d{1,2})(?![\w.])",
    re.IGNORECASE,
)
_PRECISION_VALUE = lazy(r"(?:4|8|16|32|64)(?:-\w+)?|mixed|single|half|full|double", re.IGNORECASE)
_PARAMS = lazy(r"(?<![\w.])\d{1,4}(?:\.\d{1,3})?[BM](?![\w./]| ?tok)", re.IGNORECASE)
_DEVICE = lazy(
    r"(?:(?<![a-z0-9.])|(?<=\d[x×]))(?:(?:nvidia|amd|intel|huawei|google|apple) )?"
    r"(?:(?:tesla|quadro|instinct|geforce) )?(?:"
    r"a(?:100|10g?|16|30|40|800|[456]000)|g?h(?:20|100|200|800)|gb[23]00|b[123]00|v100s?|"
    r"p(?:100|40|4)|t4|l(?:4|20|40s?)|k80|m40|[rg]tx ?a?\d{3,4}(?: ?ti)?(?: super)?|"
    r"[2345]0[5-9]0 ?ti|titan(?: \w{1,3})?|mi ?\d{2,3}[xa]?|rx ?\d{4}\w{0,3}|arc ?a\d{3}|"
    r"tpu ?v\d\w{0,2}|v[2-6][ep]?-\d{1,5}|ascend(?: ?\d{3}\w?)?|910[abc]|gaudi ?[23]?|"
    r"xeon\w{0,4}|epyc|ryzen|i[3579][- ]?\d{4,5}\w{0,2}|m[1-5] (?:pro|max|ultra)|graviton\d?|"
    r"jetson(?: \w+)?|orin|xavier|raspberry ?pi(?: ?\d\w?)?|rk[1-3]\d{3}|rdk ?x\d|snapdragon|"
    r"dgx(?! systems?\b)[- ]?\w{0,8}|trainium\d?|inferentia\d?|[pg][2-6]\w{0,3}\.\d{1,2}xlarge|"
    r"nd[ _-]\w{2,8}[ _-]v\d)"
    r"(?:[- ](?:sxm\d?|pcie|nvl\w{0,3}|hbm\d\w?))*s?(?![a-z0-9])",
    re.IGNORECASE,
)
# All other devices have a number in their names.
_DEVICE_WORDS = (
    *("titan", "ascend", "gaudi", "xeon", "epyc", "ryzen", "graviton", "jetson", "orin", "xavier"),
    *("raspberry", "snapdragon", "dgx", "trainium", "inferentia"),
)
# `8 V100s` is a plural; the L40S is a device of its own.
_PLURAL = lazy(r"(?<=[\dX])(?<![Ll]40)s$")
_SO_MANY = lazy(r"(?<![\w.])(\d{1,5}) $")
_QUANTIZED = ("gptq", "awq", "quant", "quarot", "qoq", "rtn", "hqq", "aqlm", "bnb")
_CLOCK = lazy(r"(?<![\w.])\d[\d.]* ?[MG]Hz(?![\w/])", re.IGNORECASE)
_POWER_LIMIT = lazy(r"(?<![\w.])\d[\d.]* ?W(?![\w/])", re.IGNORECASE)
_STATED: Mapping[str, tuple[re.Pattern[str], Sequence[str]]] = {
    "quantization": (_QUANTIZATION, _QUANTIZED),
    "precision": (_PRECISION, ("precision", "amp")),
    "clock_ghz": (_CLOCK, ()),
    "power_limit_w": (_POWER_LIMIT, ()),
}
"""How settings are spelled, and the words of which a text without digits has one."""
_DIGIT = lazy(r"\d")
_COUNT_OF = lazy(r"(?<![\w.])(\d{1,5}) ?[x×*] ?$|^ ?[x×*] ?(\d{1,5})(?![\w.])")
_CAPACITY = lazy(r"^[-_ (]*(\d{1,4} ?g(?:i?b)?)(?![a-z0-9/])\)?(?: hbm\d\w?)?", re.IGNORECASE)
_MODEL_WORD = lazy(r"(?:3d )?[a-z][-\w.]*", re.IGNORECASE)
_NUMBERED_FAMILY = lazy(r"[a-z]{1,8}\d(?!\d)")
_FAMILY_END = lazy(r"(?<=[a-z])(?=[-_.]?v?\d)|[-_](?!net|vit|bert)")


# Benchmarks whose names are words too: those are meant only in their own capitals.
_ALSO_WORDS = frozenset("arc copa drop needle pope quality race record ruler".split())
_ALSO_SHORT = frozenset(("opt",))
# `NVILA-8B`, `VILA-1.5-40B`: the name of a model ends in its size.
_SIZED = lazy(r"[a-z]{3}[a-z\d]*(?:-[\w.]{1,20}){0,4}-\d{1,4}(?:\.\d{1,3})?b", re.IGNORECASE)
_IDENTITIES = frozenset({"framework", "model", "device", "method"})
_BASELINES = frozenset(("baseline", "base", "基线", "ベースライン"))
_LISTS = {
    "benchmark": "benchmarks",
    "framework": "frameworks",
    "device": "systems",
    "method": "methods",
    "interconnect": "links",
}


def names_precision(text: str) -> bool:
    """Whether a text is a number format: `bf16`, `torch.float16`, `mixed`; not `is` or `0`."""
    word = text.rpartition(".")[2]
    return bool(_PRECISION.match(word) or _PRECISION_VALUE.fullmatch(word))


def take_settings(text: str, vocabulary: Vocabulary) -> tuple[str, tuple[Setting, ...]]:
    """Split off settings: `FP16`, `bs=16`, `256xA100 80GB`. Return the rest and the settings."""
    rest, settings = _take_settings(text[:_LONGEST], vocabulary)
    rest += text[_LONGEST:]
    return " ".join(rest.split()).strip(" -_/,"), settings


@lru_cache(maxsize=4096)
def _take_settings(text: str, vocabulary: Vocabulary) -> tuple[str, tuple[Setting, ...]]:
    found: list[Setting] = []
    rest = _take_assignments(text, found, vocabulary)
    if "-way" in rest or "kv" in rest.casefold():
        rest = _take_ways(rest, found)
    numbered, folded = _DIGIT.search(rest) is not None, rest.casefold()
    for name, (pattern, words) in _STATED.items():
        if numbered or any(map(folded.__contains__, words)):
            rest = _take(rest, name, pattern, found)
    if numbered or any(map(folded.__contains__, _DEVICE_WORDS)):
        rest = _take_device(rest, found)
    if numbered or any(map(folded.__contains__, _WORDED)):
        rest = _take_counts(rest, found, vocabulary)
    rest = _take_named(rest, found, vocabulary)
    return _take(rest, "params", _PARAMS, found) if numbered else rest, tuple(found)


def _take(text: str, name: str, pattern: re.Pattern[str], found: list[Setting]) -> str:
    taken = [(name, match[0].strip()) for match in pattern.finditer(text)]
    if not taken:
        return text
    found += taken
    return pattern.sub(" ", text)


def _take_ways(text: str, found: list[Setting]) -> str:
    """`2-way TP` is how the work is split, and the `int8` of `kv int8` is that of the cache."""
    for match in _WAYS.finditer(text):
        name = match[2].casefold()
        found.append((_SPLIT.get(name, name), match[1]))
    found += (("kv_cache", match[1]) for match in _KV_CACHE.finditer(text))
    return _KV_CACHE.sub(" ", _WAYS.sub(" ", text))


def _take_assignments(text: str, found: list[Setting], vocabulary: Vocabulary) -> str:
    if "=" not in text:
        return text
    for match in _ASSIGNMENT.finditer(text):
        named = vocabulary.lookup(match[1])
        name = _NAMED.get(match[1].casefold()) or (named.name if named else "")
        if name:
            # The first of several modes is not called `1`.
            numbered = name == "method" and match[2].isdigit()
            found.append((name, match[0] if numbered else match[2].rstrip(",.")))
    return _ASSIGNMENT.sub(" ", text)


def _take_counts(text: str, found: list[Setting], vocabulary: Vocabulary) -> str:
    kept = text
    for match in _BEHIND_NUMBER.finditer(text):
        value = match[1].casefold()
        found.append((_NAMED[match[2].casefold()], _WORDED.get(value, match[1])))
        kept = kept.replace(match[0], " ", 1)
    text = kept
    for match in _BEFORE_NUMBER.finditer(text) if any(map(str.isdigit, text)) else ():
        word, value = match[1].casefold(), match[2]
        named = vocabulary.lookup(word)
        name = _NAMED.get(word) or (named.name if named else "batch")
        if word == "pp" and int("".join(filter(str.isdigit, value))) >= _SHORTEST_PROMPT:
            name = "input_len"
        found.append((name, value))
        kept = kept.replace(match[0], " ", 1)
    return kept


def _take_device(text: str, found: list[Setting]) -> str:
    match = _DEVICE.search(text)
    if match is None:
        return text
    before, after = text[: match.start()], text[match.end() :]
    name = match[0].strip()
    single = _PLURAL.sub("", name)
    found.append(("device", single))
    if count := _COUNT_OF.search(before) or (single != name and _SO_MANY.search(before)):
        found.append(("devices", count[1]))
        before = before[: count.start()]
    if capacity := _CAPACITY.search(after):
        found.append(("device_memory_gb", capacity[1]))
        after = after[capacity.end() :]
    return f"{before} {after}"


def _take_named(text: str, found: list[Setting], vocabulary: Vocabulary) -> str:
    """Split off models, frameworks and benchmarks, which are known by name."""
    words = text.split()
    rest: list[str] = []
    place = 0
    while place < len(words):
        name, length = _name_at(words, place, vocabulary)
        if not name:
            rest.append(words[place])
            place += 1
            continue
        found.append((name, " ".join(words[place : place + length]).strip("-_/,")))
        place += length
    return " ".join(rest)


def _name_at(words: list[str], place: int, vocabulary: Vocabulary) -> tuple[str, int]:
    for length in range(min(3, len(words) - place), 0, -1):
        name = _named(" ".join(words[place : place + length]), vocabulary)
        if name:
            return name, length
    return "", 0


@cache
def _names(vocabulary: Vocabulary) -> dict[str, str]:
    words = vocabulary.words
    return {squash(word): kind for kind, listed in _LISTS.items() for word in words[listed]}


@lru_cache(maxsize=8192)
def _named(text: str, vocabulary: Vocabulary) -> str:
    key = squash(text)
    known = _names(vocabulary).get(key)
    if known is not None:
        spelled = key not in _ALSO_WORDS or text.strip("-_/,") in vocabulary.words["benchmarks"]
        return known if spelled else ""
    match = _MODEL_WORD.fullmatch(text)
    if match is None:
        return ""
    if key in _ALSO_SHORT and not text.isupper():
        # Short for an optimizer or what is optimized.
        return ""
    family = _FAMILY_END.split(text.casefold().removeprefix("3d "), maxsplit=1)[0]
    models = vocabulary.words["models"]
    # `T5` is a model, `T4` is none.
    numbered = _NUMBERED_FAMILY.match(key)
    known_family = squash(family) in models or (numbered is not None and numbered[0] in models)
    return "model" if known_family or ("-" in text and _SIZED.fullmatch(text)) else ""


def without_baseline(settings: Iterable[Setting]) -> tuple[Setting, ...]:
    """The settings of a comparison: the baseline is what it compares with, not how it was run."""
    return tuple(one for one in settings if one[0] != "method" or squash(one[1]) not in _BASELINES)


def undisputed(found: Iterable[Setting]) -> tuple[Setting, ...]:
    """Drop settings with two values, which are being compared; of two names, keep the first."""
    pairs = tuple(dict.fromkeys(found))
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    return tuple(
        (name, value)
        for name, value in pairs
        if len(values[name]) == 1 or (name in _IDENTITIES and value == values[name][0])
    )
