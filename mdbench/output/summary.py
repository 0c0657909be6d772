"""The summary: how many findings there are, and how many numbers were verified."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from mdbench.linting.results import Totals
from mdbench.output.terminal import PLAIN, Palette, show_text
from mdbench.rules.findings import Safety, Severity

_MOST_LISTED = 10
_MOST_LAWS = 20


def summarize(totals: Totals, palette: Palette = PLAIN) -> str:
    """One line: `3 errors, 5 warnings in 5 files; 212 of 391 numbers could be checked`."""
    counts = [
        palette.severity(_count(number, str(severity)), severity)
        for severity in Severity
        if (number := totals.severities[severity])
    ]
    found = f"{', '.join(counts) or 'no findings'} in {_count(totals.files, 'file')}"
    return found + _tell_reach(totals)


def _tell_reach(totals: Totals) -> str:
    """How many numbers could be checked, and which files have none: silence is no proof."""
    files, bare = totals.files, totals.without_tables
    if files and bare == files:
        if totals.empty == files:
            return f", which {_be(files)} empty"
        return f", which {_have(files)} no tables"
    told = ""
    if totals.checkable:
        numbers = _count(totals.checkable, "number")
        told = f"; {totals.checked} of {numbers} could be checked"
    elif totals.checkable == 0:
        told = "; there are no numbers to check"
    return f"{told}; {bare} of {files} files {_have(bare)} no tables" if bare else told


def offer_fixes(totals: Totals) -> Iterator[str]:
    """How many findings could be fixed, and with which option."""
    safe, unsafe = totals.remedies[Safety.SAFE], totals.remedies[Safety.UNSAFE]
    if safe:
        more = f", {unsafe} more with --fix --unsafe-fixes" if unsafe else ""
        yield f"{safe} of them can be fixed with --fix{more}"
    elif unsafe:
        yield f"{unsafe} of them can be fixed with --fix --unsafe-fixes"


def report_fixes(totals: Totals, *, written: bool) -> Iterator[str]:
    """How many findings were fixed, and how many were not and why."""
    if totals.fixed:
        done = "fixed" if written else "would fix"
        yield (f"{done} {_count(totals.fixed, 'finding')} in {_count(totals.fixed_files, 'file')}")
    held_back = totals.remedies[Safety.UNSAFE]
    if held_back:
        yield (
            f"{_count_fixes(held_back)} held back, as measurements may change: "
            "--fix --unsafe-fixes applies, --diff --unsafe-fixes shows"
        )
    if totals.undecided:
        yield (
            f"{_count(totals.undecided, 'finding')} with more than one possible fix: "
            "none was applied"
        )


def report_ignores(totals: Totals, *, written: bool) -> str:
    """How many findings have a comment now."""
    done = "ignored" if written else "would be ignored"
    files = f"{_count(totals.fixed_files, 'file')} {'rewritten' if written else 'to rewrite'}"
    left = totals.files - totals.fixed_files
    return f"{_count(totals.fixed, 'finding')} {done}; {files}, {left} unchanged"


def _count_fixes(number: int) -> str:
    return "1 fix is" if number == 1 else f"{number} fixes are"


def list_statistics(totals: Totals) -> Iterator[str]:
    """Findings by code, how many numbers were verified and by what, and what the others lack."""
    if totals.codes:
        width = len(str(max(totals.codes.values())))
        for (code, name), number in sorted(totals.codes.items()):
            yield f"{number:>{width}}  {code}  {name}"
        yield ""
    yield _count(totals.numbers, "number") + " in tables"
    yield f"  {totals.verified} verified by a relation{_share(totals.verified, totals.numbers)}"
    if totals.contradicted:
        share = _share(totals.contradicted, totals.numbers)
        yield f"  {totals.contradicted} contradicted by a relation{share}"
    if totals.compared:
        share = _share(totals.compared, totals.numbers)
        yield f"  {totals.compared} more compared with results{share}"
    left = totals.numbers - totals.verified - totals.contradicted - totals.compared
    colon = ":" if left else ""
    yield f"  {left} could not be checked{_share(left, totals.numbers)}{colon}"
    yield from _list_counts(totals.unverified)
    yield from _list_laws(totals.laws)
    if totals.lacking:
        yield "settings that are not stated, and how many more numbers each would verify:"
    for name, number in _most_common(totals.lacking):
        first, *more = totals.waiting[name]
        others = f", and {_count(len(more), 'other relation')}" if more else ""
        yield f"  {number:>6}  {show_text(f'{name}  by {first}')}{others}"


def _list_laws(laws: Mapping[tuple[str, str], tuple[int, int, int]]) -> Iterator[str]:
    """What the numbers were verified by, the most evidence first."""
    if laws:
        yield "laws that were found, how many rows follow them, and the evidence:"
    ranked = sorted(laws.items(), key=lambda item: (-item[1][2], -item[1][0], item[0]))
    for (law, across), (holding, count, bits) in ranked[:_MOST_LAWS]:
        yield f"  {show_text(law)}, {holding} of {_count(count, across)}, {_count(bits, 'bit')}"
    if len(ranked) > _MOST_LAWS:
        yield f"  and {len(ranked) - _MOST_LAWS} more"


def _list_counts(counts: Counter[str]) -> Iterator[str]:
    """The most frequent of them, and how many others there are."""
    for name, number in _most_common(counts):
        yield f"  {number:>6}  {show_text(name) or 'without a header'}"
    rest = sorted(counts.values(), reverse=True)[_MOST_LISTED:]
    if rest:
        yield f"  {sum(rest):>6}  of {_count(len(rest), 'other column')}"


def _most_common(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_MOST_LISTED]


def _be(number: int) -> str:
    return "is" if number == 1 else "are"


def _have(number: int) -> str:
    return "has" if number == 1 else "have"


def _share(part: int, whole: int) -> str:
    return f" ({100 * part / whole:.0f} %)" if whole else ""


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
