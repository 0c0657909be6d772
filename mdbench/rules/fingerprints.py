"""What makes a finding the same one tomorrow: its rule and its text, not its line number.

A fingerprint stays when lines are added or taken away elsewhere, when the table is laid out
anew, and when the wording of a message changes. It changes with the row that was found wrong.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256

from mdbench.rules.findings import Finding
from mdbench.source import Source

_LENGTH = 32


def fingerprint_findings(
    source: Source, findings: Iterable[Finding], path: str | None = None
) -> Iterator[str]:
    """A fingerprint for each finding of a report, in their order, no two of them alike."""
    place = portable_path(source.path) if path is None else path
    seen: Counter[tuple[str, ...]] = Counter()
    for finding in findings:
        subject = (place, finding.code, _context(source, finding), _words(source, finding))
        yield _digest(*subject, str(seen[subject]))
        seen[subject] += 1


def portable_path(path: str) -> str:
    """A path as another checkout would call it: relative to this folder if it lies in it."""
    if not os.path.isabs(path):
        return path
    relative = os.path.relpath(path).replace(os.sep, "/")
    return path if relative.startswith("..") else relative


def _context(source: Source, finding: Finding) -> str:
    """The row, the heading or the line of prose; of a column, its header row."""
    if not source.text:
        return ""
    return _squeeze(source.line_text(source.line(finding.span.start)))


def _words(source: Source, finding: Finding) -> str:
    """What is found wrong in it; of several lines only the first, as a column may grow."""
    return _squeeze(source.cut(finding.span).partition("\n")[0].partition("|")[0])


def _squeeze(text: str) -> str:
    """A text without the blanks that a table's layout puts around its cells."""
    cells = (" ".join(cell.split()) for cell in text.split("|"))
    return "|".join(cells).strip("|")


def _digest(*parts: str) -> str:
    whole = "\0".join(parts).encode("utf-8", "surrogatepass")
    return sha256(whole).hexdigest()[:_LENGTH]
