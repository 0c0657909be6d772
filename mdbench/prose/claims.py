"""Measurements in prose: "llama-3b on 4x RTX 3090: ~6300 tokens per second".

It is only certain what was measured if subject, devices, number and unit are in one clause.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mdbench.markdown.document import Block, Document
from mdbench.markdown.found_lines import find_lines
from mdbench.numerals.cell import Numeral, read_cell
from mdbench.regex import lazy
from mdbench.source import Span
from mdbench.vocabulary.qualifiers import take_settings
from mdbench.vocabulary.quantities import Quantity, Vocabulary

_PER = r"(?:\s?/\s?|\s{1,3}(?:per|a|an|every|each)\s{1,3})"
_RATE = (
    rf"(?:tokens?|samples?|images?|sequences?){_PER}s(?:ec(?:ond)?)?\b"
    rf"(?:{_PER}(?:GPU|device|chip)\b)?|TFLOPS?{_PER}(?:GPU|device|chip)\b"
)
_CLAIM = lazy(
    r"(?:,?\s{1,3}(?:train|run|fine-?tun|measur|benchmark|test)\w*)?"
    r"\s{1,3}on\s{1,3}(?P<count>\d{1,6})\s?[x×]?\s?(?P<hardware>[A-Za-z][\w .-]{1,40}?)"
    r"(?:\s{0,3}[:,]\s{0,3}|"
    r"\s{1,3}(?:at|reach|achiev|run|train|get|process|deliver|manag|sustain)\w*\s{1,3})"
    r"(?P<number>(?:about |around |roughly |approximately |at )?[~≈]?\s?\d[\d,.]{0,15}[KkM]?)"
    rf"\s?\s?(?P<unit>{_RATE})",
    re.IGNORECASE,
)
# Every claim contains this; most lines do not.
_ON_DEVICES = lazy(r"\son\s{1,3}\d", re.IGNORECASE)
_SUBJECT_WORDS = 3
_REACH_BACK = 300
# These are not devices: each has several.
_HOLDS_SEVERAL = lazy(
    r"\b(?:nodes?|machines?|servers?|hosts?|instances?|pods?|slices?|systems?|[DH]GX|v\d\w?-\d+)\b|"
    r"\.\d+xlarge",
    re.IGNORECASE,
)
_UNCERTAIN = lazy(
    r"\b(?:expect|estimat|target|theor|should|would|could|up to|not|goal)\w*\b[^.]*$", re.IGNORECASE
)


class Claim(NamedTuple):
    """A measurement in prose."""

    quantity: Quantity
    numeral: Numeral
    model: str
    devices: int
    device: str
    section: int
    span: Span


def find_claims(document: Document, vocabulary: Vocabulary) -> Iterator[Claim]:
    """Find the unambiguous measurements in the prose of a report."""
    for block, line in find_lines(document, (" on ",)):
        likely = _ON_DEVICES.search(line.text) is not None
        for match in _CLAIM.finditer(line.text) if likely else ():
            claim = _read_claim(block, line.start, line.text, match, vocabulary)
            if claim is not None:
                yield claim


def _read_claim(
    block: Block, offset: int, text: str, match: re.Match[str], vocabulary: Vocabulary
) -> Claim | None:
    before = text[max(0, match.start() - _REACH_BACK) : match.start()]
    hardware = dict(take_settings(match["hardware"], vocabulary)[1])
    subject = before.split()[-_SUBJECT_WORDS:]
    model = dict(take_settings(" ".join(subject), vocabulary)[1]).get("model", "")
    unit = re.sub(_PER, "/", match["unit"], flags=re.IGNORECASE)
    quantity = vocabulary.quantity_of_unit(unit)
    named = before.rfind(model) if model and subject[-1].endswith(model.split()[-1]) else -1
    if named < 0 or quantity is None or _UNCERTAIN.search(before):
        return None
    if "device" not in hardware or _HOLDS_SEVERAL.search(match["hardware"]):
        return None
    start = match.start() - len(before) + named
    return Claim(
        quantity=quantity,
        numeral=read_cell(f"{match['number'].strip().rstrip('.,')} {unit}")[0],
        model=model,
        devices=int(match["count"]),
        device=hardware["device"],
        section=block.section,
        span=Span(offset + start, offset + match.end()),
    )
