"""Headers whose form says what they hold: `# of GPUs`, `Recall@10`, `% of peak`, `memory ×`."""

import re

from mdbench.numerals.units import parse_unit
from mdbench.regex import lazy
from mdbench.vocabulary.quantities import Quantity, Vocabulary, quantity

_COUNTS_OF = {
    "core": "cpu_cores",
    "device": "devices",
    "node": "nodes",
    "layer": "layers",
    "epoch": "epochs",
}
_HOW_MANY = lazy(
    r"(?:#|(?:total )?(?:num|number|no\.?|count))(?: of)?[ -]*(?P<what>\w{1,20})|"
    r"(?P<that>\w{1,20}) (?:count|number|num|nr|no)",
    re.IGNORECASE,
)
# `Recall@10`, `Val R@5`: the score of the first so many answers.
_AT_K = lazy(
    r"(?<![\w@])Pr?@ ?\(|(?<![\w@])(?:(?:R|P|Pr|Recall|Precision|Hits?|Acc|m?AP|NDCG|MRR|pass|top)|"
    r"(?:val|dev|test|train)\w? )@\d{1,4}(?!\w)",
    re.IGNORECASE,
)
# `% of wall time`; `Pass rate (%)` and `Executable rate of code (%)` are parts of a whole too.
_PART_OF = lazy(r"(?:%|percent|percentage|share|fraction) of \S", re.IGNORECASE)
_RATE_IN_PERCENT = lazy(
    r"(?<!error )(?<!learning )\brate\b(?: of [a-z ]{1,30})?\s?[(\[] ?%|[率율]\s?[(（\[] ?[%％]",
    re.IGNORECASE,
)
# `总能耗 energy_j` gives the name of the frame's column as well.
_OWN_NAME = lazy(r"(?<![\w-])[a-z]{3,20}(?:_[a-z0-9]{1,12}){1,4}$")
_FACTOR = lazy(r"(?P<of>.*\w) ?[(\[]?×[)\]]?")


def factor_of(plain: str) -> str:
    """What a header says how many times as much it is of: `mem` for `mem ×`; else nothing."""
    match = _FACTOR.fullmatch(plain) if "×" in plain[-2:] else None
    return match["of"] if match is not None else ""


def named_kind(plain: str, vocabulary: Vocabulary) -> tuple[Quantity, ...]:
    """The quantity that `# HPU` or `Number of chips` counts, or the score that `Recall@10` is."""
    if "@" in plain and _AT_K.search(plain):
        return (quantity("score"),)
    in_percent = "%" in plain or "％" in plain
    if _PART_OF.match(plain) or (in_percent and _RATE_IN_PERCENT.search(plain)):
        return (quantity("share"),)
    own = _OWN_NAME.search(plain) if "_" in plain else None
    if own is not None and own[0] in vocabulary.quantities:
        return (vocabulary.quantities[own[0]],)
    match = _HOW_MANY.fullmatch(plain)
    if match is None:
        return ()
    what = match["what"] or match["that"]
    unit = parse_unit(what)
    name = _COUNTS_OF.get(unit.dimension) if unit is not None else None
    if name is not None:
        return (quantity(name),)
    counted = vocabulary.find(f"Num {what}") or vocabulary.find(f"Num {what}s")
    return counted if len(counted) == 1 and counted[0].integer else ()
