"""The footnotes that mdbench itself writes: notes moved out of cells, computed cells, findings.

They have special labels: `[^note-1]`, `[^computed-1]`, `[^MB301-1]`. A moved note is read as if it
were still in brackets in its cell, and findings are not read at all, so that the meaning of a
report does not change.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from mdbench.regex import lazy

_NOTE = lazy(r"\[\^note-\d{1,6}\]")
_FINDING = lazy(r"\[\^MB\d{3}-\d{1,6}\]")
_DEFINITION = lazy(r"\s*(\[\^(?:note|computed|MB\d{3})-\d{1,6}\]):(?:\s|$)")


def is_definition(line: str) -> bool:
    """Whether a line is the text of a footnote by mdbench."""
    return "[^" in line and _DEFINITION.match(line) is not None


def is_finding(line: str) -> bool:
    """Whether a line is the text of a footnote about a finding."""
    label = _DEFINITION.match(line) if "[^" in line else None
    return label is not None and _FINDING.fullmatch(label[1]) is not None


def has_note(raw: str) -> bool:
    """Whether a note was moved out of a cell."""
    return "[^note-" in raw and _NOTE.search(raw) is not None


def finding_marks(raw: str) -> str:
    """The markers of findings in a cell."""
    return "".join(_FINDING.findall(raw)) if "[^MB" in raw else ""


def drop_findings(raw: str) -> str:
    """Remove the markers of findings from a cell."""
    return _FINDING.sub("", raw) if "[^MB" in raw else raw


def put_back(raw: str, notes: Mapping[str, str]) -> str:
    """Put moved notes back into a cell; `notes` has them by marker."""
    text = drop_findings(raw)
    if "[^note-" not in text:
        return text
    return _NOTE.sub(lambda mark: f" ({notes[mark[0]]})" if mark[0] in notes else mark[0], text)


def next_number(text: str, kind: str) -> int:
    """The first unused number for footnotes of a kind in a report."""
    used = re.findall(rf"\[\^{kind}-(\d{{1,6}})\]", text)
    return max(map(int, used), default=0) + 1
