"""Names of what was used, each on a line of its own: `Precision: bf16`, `**GPU:** 8x A100`."""

import re

from mdbench.prose.mentions import Mention
from mdbench.regex import lazy
from mdbench.source import Span
from mdbench.vocabulary.qualifiers import names_precision, take_settings
from mdbench.vocabulary.quantities import Quantity, Vocabulary, quantity

_LABELLED = lazy(
    r"[ \t*_`]*(?P<name>[^\W\d_][^\n:：=|*_`]{1,30}?)[*_`]{0,3}[ \t]?[:：][ \t*_`]*"
    r"(?P<value>[^\s*_`:：=|?!](?:[^\n:：=|?!]{0,46}[^\s*_`:：=|?!.;,。])?)[ \t*_`.;,。]*",
)
_READABLE = ("device", "framework", "model", "precision")
# Other processors and other networks than those that were measured.
_OF_ANOTHER = lazy(
    r"cpu|process|处理器|プロセッサ|teacher|student|encoder|backbone|checkpoint", re.IGNORECASE
)
# What is left beside a name is part of it only if it has no words of a sentence; and a list names
# several.
_WORDS = lazy(r"(?<![\w.-])(?!(?:mixed|precision)\b)[a-z]{2,}(?![\w-])")
_PLACED = lazy(r" ?(?:per|/|in each|on each|a) ?(?:node|machine|server|host)$", re.IGNORECASE)
_COUNT = lazy(r"^\d{1,5} ?[x×*] ?(?=\D)|(?<=\D) ?[x×*] ?\d{1,5}$")
_LISTED = lazy(r"[,/+&<>≤≥~;，、]")


def may_label(text: str) -> bool:
    """Whether a line could be a name, a colon and a short value."""
    return (":" in text or "：" in text) and _LABELLED.fullmatch(text) is not None


def find_labelled(text: str, vocabulary: Vocabulary) -> Mention | None:
    """Find the setting that a whole line is: a header's name and one known device, model, …

    Only values that are known are read, as any other may be a remark.
    """
    match = _LABELLED.fullmatch(text) if ":" in text or "：" in text else None
    named = None if match is None else _named(match["name"], vocabulary)
    if match is None or named is None:
        return None
    raw = _COUNT.sub("", _PLACED.sub("", match["value"])).strip()
    if not _is_one(raw, named.name, vocabulary):
        return None
    return Mention(named, raw, Span(match.start("name"), match.end("value")))


def _named(name: str, vocabulary: Vocabulary) -> Quantity | None:
    if _OF_ANOTHER.search(name):
        return None
    meant = {one.name for one in vocabulary.find(name)}
    found = [one for one in _READABLE if one in meant]
    return quantity(found[0]) if len(found) == 1 else None


def _is_one(value: str, name: str, vocabulary: Vocabulary) -> bool:
    """Whether a value is one known device, framework, model or precision."""
    rest, settings = take_settings(value, vocabulary)
    found = [said for one, said in settings if one == name]
    if name == "precision" and not found:
        return names_precision(value) and " " not in value
    if len(found) != 1 or _WORDS.search(rest) or _LISTED.search(value):
        return False
    return all(one != name for one, _ in take_settings(rest, vocabulary)[1])
