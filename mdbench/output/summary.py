"""The last lines: what was found in all, and how much of the numbers could be recomputed."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.findings import Severity
from mdbench.output.colour import PLAIN, Palette
from mdbench.reports import Totals

_MOST_SETTINGS = 10


def summarize(totals: Totals, palette: Palette = PLAIN) -> str:
    """One line: `3 errors, 5 warnings, 2 infos in 5 files`."""
    counts = [
        palette.severity(_count(number, str(severity)), severity)
        for severity in Severity
        if (number := totals.severities[severity])
    ]
    return f"{', '.join(counts) or 'no findings'} in {_count(totals.files, 'file')}"


def list_statistics(totals: Totals) -> Iterator[str]:
    """Findings by code, then how many numbers were verified, and what the others lack."""
    if totals.codes:
        width = len(str(max(totals.codes.values())))
        for (code, name), number in sorted(totals.codes.items()):
            yield f"{number:>{width}}  {code}  {name}"
        yield ""
    yield _count(totals.numbers, "number") + " in tables"
    yield f"  {totals.verified} verified by a relation{_share(totals.verified, totals.numbers)}"
    left = totals.numbers - totals.verified
    yield f"  {left} could not be verified{_share(left, totals.numbers)}"
    settings = sorted(totals.lacking.items(), key=lambda item: (-item[1], item[0]))
    if settings:
        yield "settings that are stated nowhere, and how many more numbers each would verify:"
    for name, number in settings[:_MOST_SETTINGS]:
        yield f"  {number:>6}  {name}"


def _share(part: int, whole: int) -> str:
    return f" ({100 * part / whole:.0f} %)" if whole else ""


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
