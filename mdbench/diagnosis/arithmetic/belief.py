"""Which laws are believed: how much evidence their rows are, and how many rows may break them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from mdbench.diagnosis.arithmetic.bases import setting_texts
from mdbench.diagnosis.arithmetic.evidence import has_baseline, weigh
from mdbench.diagnosis.arithmetic.failures import is_miscounted, is_partly_stale, only_doubles
from mdbench.diagnosis.arithmetic.found import Found, Tried
from mdbench.diagnosis.arithmetic.laws import AVERAGES, Law
from mdbench.diagnosis.arithmetic.prior import prior
from mdbench.diagnosis.arithmetic.witnesses import Witness, Witnesses
from mdbench.diagnosis.arithmetic.words import is_by_tool
from mdbench.diagnosis.checks import Interval, meets
from mdbench.diagnosis.thresholds import (
    BITS_IF_FEW,
    BITS_IF_NAMED,
    BITS_IF_STALE,
    BITS_IF_UNNAMED,
    MOST_FAILING,
    NAMED_BITS,
    ROWS_IF_NAMED,
    ROWS_IF_STALE,
    ROWS_IF_UNNAMED,
    UNPRINTED_BITS,
)


def believe(members: Sequence[Tried], witnesses: Witnesses | None) -> Iterator[Found]:
    first = members[0]
    words = prior(first.grid, first.law, first.wanted)
    if not first.law.free:
        yield from _believe_all(members, words)
        return
    # Each table has a constant of its own, so each stands for itself.
    believed: list[Found] = []
    left: list[Tried] = []
    for one in members:
        said = witnesses.find(one.grid, one.law) if witnesses is not None else None
        if said is not None:
            found = [*_believe_all([_pin(one, said)], max(words, 0.0) + said.bits)]
        else:
            alone = not one.law.exact or len(one.law.terms) == 1
            found = [*_believe_all([one], words)] if alone else []
        believed += found
        left += [one] if not found else []
    yield from believed
    for one in left:
        same = next((each for each in believed if _have_same_constant(each.law, one.law)), None)
        if same is not None:
            pinned = _with_constant(one, same.law.constant)
            yield from _believe_all([pinned], max(words, 0.0) + NAMED_BITS)


def _have_same_constant(one: Law, other: Law) -> bool:
    """Whether two tables may have the same constant."""
    return one.constants is other.constants is None and meets(one.constant, other.constant)


def _with_constant(one: Tried, constant: Interval) -> Tried:
    """A law with the constant of another table."""
    law = one.law._replace(constant=constant)
    return one._replace(
        law=law, evidence=weigh(one.grid, law, [*one.grid.lines[law.result].numbers])
    )


def _pin(one: Tried, said: Witness) -> Tried:
    """A law with the constant that is stated."""
    if said.constant is None:
        return one
    law = one.law._replace(constant=(said.constant, said.constant))
    rows = [test.row for test in one.evidence.tests]
    return one._replace(law=law, evidence=weigh(one.grid, law, rows))


def _believe_all(members: Sequence[Tried], words: float) -> Iterator[Found]:
    holding = sum(one.evidence.holding for one in members)
    failing = sum(one.evidence.failing for one in members)
    first = members[0]
    bits = sum(one.evidence.bits for one in members) + words - first.cost
    if first.law.free and first.wanted.is_comparison:
        # A printed baseline is a simpler explanation than one that nobody printed.
        bits -= UNPRINTED_BITS
    named = words > 0
    enough = BITS_IF_NAMED if named else BITS_IF_UNNAMED
    rows = ROWS_IF_NAMED if named else ROWS_IF_UNNAMED
    if named and bits >= BITS_IF_FEW:
        # Where all rows follow, nobody is blamed.
        rows = ROWS_IF_NAMED - 1 if failing else 1
    by_tool = is_by_tool(first.grid, first.law)
    if by_tool or (first.grid.by_rows and first.law.shape in first.wanted.shapes):
        # How a tool computes is known, and that a total of many numbers holds is no chance. A
        # mean is near all of its parts, and one that holds is not enough to blame another.
        rows = 2 if failing and first.law.shape in AVERAGES else 1
    most = MOST_FAILING if not first.law.free else MOST_FAILING / 2
    if by_tool or (named and first.law.shape in first.wanted.shapes):
        most = 0.5
    lone = by_tool and holding + failing == 1 and len(setting_texts(first.grid)) == 1
    if lone:
        # Of two rows that differ in their name alone, one is the baseline.
        rows, most = 0, 1.0
    # Of three rows, one may be wrong.
    many = failing > most * (holding + failing) and not (failing == 1 and holding > 1)
    miscounted = (
        named
        and holding > 1
        and all(is_miscounted(one.grid, one.law, one.evidence) for one in members)
    )
    if (
        bits < enough
        or holding < rows
        or (not named and all(only_doubles(one.grid, one.law, one.evidence) for one in members))
    ):
        return
    if many and not miscounted:
        yield from _believe_stale(members, words)
        return
    if miscounted:
        # Who counted one too many made one mistake.
        failing = min(failing, 1)
    by_section = Counter[int]()
    for one in members:
        by_section[_section_of(one)] += one.evidence.holding - one.evidence.failing
    for one in members:
        alone = len(one.evidence.tests) == 1 and holding >= ROWS_IF_NAMED
        # A table that wholly disagrees with the others is one mistake, not many.
        tests = one.evidence.tests
        whole = one.evidence.failing == len(tests) > 1
        whole = whole and all(has_baseline(one.grid, one.law, test.row) for test in tests)
        stale = named and whole and holding >= ROWS_IF_STALE
        # Tables of one section may be one that was cut: what most of its rows contradict is not
        # what was meant in the others.
        agrees = one.evidence.failing <= one.evidence.holding and by_section[_section_of(one)] >= 0
        if alone or lone or stale or miscounted or agrees:
            yield Found(one.grid, one.law, one.evidence, bits, named, holding, failing)


def _section_of(one: Tried) -> int:
    return one.grid.sheet.table.section


def _believe_stale(members: Sequence[Tried], words: float) -> Iterator[Found]:
    """The tables in which few rows follow a law to the last digit, and all others nearly do.

    So many digits do not agree by chance, and nothing else is so near: the others were computed
    before something changed.
    """
    for one in members:
        how = one.evidence
        bits = how.bits + words - one.cost
        if words > 0 and bits >= BITS_IF_STALE and is_partly_stale(how) and not one.law.free:
            yield Found(one.grid, one.law, how, bits, True, how.holding, how.failing)
