"""Find the arithmetic of a report's tables: which lines follow from which others.

Everything that a person would try is tried, and what the rows agree on is believed as far as their
agreement is unlikely by chance. What the headers say counts as evidence too.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from mdbench.diagnosis.arithmetic.bases import Bases
from mdbench.diagnosis.arithmetic.belief import believe
from mdbench.diagnosis.arithmetic.candidates import candidates
from mdbench.diagnosis.arithmetic.constants import some_of
from mdbench.diagnosis.arithmetic.evidence import Evidence, sharpen, weigh
from mdbench.diagnosis.arithmetic.found import Found, Place, Tried, place_of
from mdbench.diagnosis.arithmetic.glance import Glance
from mdbench.diagnosis.arithmetic.grid import Grid, Line, Name
from mdbench.diagnosis.arithmetic.laws import Law
from mdbench.diagnosis.arithmetic.proportional_settings import find_odd_settings
from mdbench.diagnosis.arithmetic.reach import out_of_reach
from mdbench.diagnosis.arithmetic.reading import Grids
from mdbench.diagnosis.arithmetic.totals import find_lone_totals
from mdbench.diagnosis.arithmetic.witnesses import Witnesses
from mdbench.diagnosis.arithmetic.words import Wanted, is_by_tool, is_of_tool
from mdbench.diagnosis.checks import Stand
from mdbench.diagnosis.thresholds import (
    BITS_IF_NAMED,
    BITS_IF_TWICE,
    MOST_LAW_ROWS,
    MOST_LOOSE,
    MOST_READINGS,
    ROWS_IF_UNNAMED,
)
from mdbench.sheets.sheet import Sheet


def find_arithmetic(
    sheets: Iterable[Sheet], witnesses: Witnesses | None = None, read: Grids | None = None
) -> tuple[Found, ...]:
    """The laws that the lines of the tables follow, with what the text around them says."""
    tables = read if read is not None else Grids()
    grids = [grid for sheet in sheets for grid in tables.of(sheet)]
    hopeless = out_of_reach(grids)
    compared = [Bases(grid) for grid in grids]
    tried = [one for bases in compared for one in try_lines(bases, hopeless)]
    pooled: dict[tuple[object, ...], list[Tried]] = defaultdict(list)
    for one in tried:
        pooled[one.law.signature(one.grid)].append(one)
    by_name: dict[_Named, list[Bases]] = defaultdict(list)
    for bases in compared:
        for line in bases.grid.lines:
            by_name[bases.grid.by_rows, line.name].append(bases)
    believed: list[Found] = []
    for members in pooled.values():
        sisters = _in_sister_tables(members, by_name[_named_result(members[0])])
        together = _judge_alike([*members, *sisters])
        members[:] = together[: len(members)]
        # Tables in which another law holds must not hide what these rows show.
        believed += [*believe(together, witnesses)] or believe(_judge_alike(members), witnesses)
    explaining: dict[Place, list[Evidence]] = defaultdict(list)
    for one in chain.from_iterable(pooled.values()):
        if not (one.law.free or one.law.part or one.evidence.failing):
            explaining[place_of(one)].append(one.evidence)
    sure = [one for one in believed if not _is_explained(one, explaining[place_of(one)])]
    known = {place_of(one) for one in believed}
    return (*_leave_out_weak(sure), *_find_slips(grids, witnesses, known))


def _find_slips(
    grids: Sequence[Grid], witnesses: Witnesses | None, known: Collection[Place]
) -> Iterator[Found]:
    """The totals of a single column and the settings that are mistyped."""
    for grid in grids:
        for law in chain(find_lone_totals(grid), find_odd_settings(grid, witnesses)):
            how = weigh(grid, law, [*grid.lines[law.result].numbers])
            held = how.holding, how.failing
            found = Found(grid, law, how, BITS_IF_NAMED, True, *held, is_best=True)
            if place_of(found) not in known:
                yield found


def _judge_alike(members: Sequence[Tried]) -> list[Tried]:
    """The same law in several tables, its rows judged by how exactly all of them follow it."""
    judged = sharpen([one.evidence for one in members])
    return [
        one if one.evidence is how else one._replace(evidence=how)
        for one, how in zip(members, judged, strict=True)
    ]


def _is_explained(found: Found, others: Iterable[Evidence]) -> bool:
    """Whether a law blames rows of which another law explains as many, and contradicts none.

    If all rows but one follow both to the last digit, that row is wrong in what only one of
    them uses: what is measured twice does not agree so well.
    """
    mine = found.evidence
    if is_by_tool(found.grid, found.law):
        # How a tool computes is known.
        return False
    if mine.failing == 1 and mine.bits >= BITS_IF_TWICE and mine.holding >= ROWS_IF_UNNAMED:
        return False
    return bool(mine.failing) and any(
        sum(test.is_explained for test in other.tests) >= mine.holding
        and len(other.tests) >= len(mine.tests)
        and _is_as_exact(other, mine)
        for other in others
    )


def _is_as_exact(other: Evidence, mine: Evidence) -> bool:
    """Whether a law says nearly as exactly what the rows should be that another one blames.

    What fits anything, as whole numbers for what was rounded do, explains nothing.
    """
    if 2 * other.bits >= mine.bits:
        return True
    widths = {test.row: test.width for test in other.tests}
    return all(
        widths.get(test.row, 0.0) <= MOST_LOOSE * test.width
        for test in mine.tests
        if test.stand is Stand.FAILS
    )


_Named = tuple[bool, Name]
"""What a line is called, and whether it is a row."""


def _named_result(one: Tried) -> _Named:
    return one.grid.by_rows, one.grid.lines[one.law.result].name


def _in_sister_tables(members: Sequence[Tried], sisters: Sequence[Bases]) -> Iterator[Tried]:
    """The same law in the tables with the same headers where it did not look promising."""
    first = members[0]
    if first.law.free or first.law.part is not None or len(sisters) == 1:
        return
    known = {one.grid.sheet.number for one in members}
    if len(sisters) == len(known):
        return
    for bases in sisters:
        grid = bases.grid
        law = _move(first, bases) if grid.sheet.number not in known else None
        if law is not None:
            rows = [*grid.lines[law.result].numbers][:MOST_LAW_ROWS]
            evidence = weigh(grid, law, rows)
            if evidence.tests:
                yield Tried(grid, law, evidence, first.cost, first.wanted)


def _move(one: Tried, bases: Bases) -> Law | None:
    """A law of one table as that of another one that has every line of it.

    If no header says that there is such a law, the tables must have all lines in common.
    """
    law, lines, grid = one.law, one.grid.lines, bases.grid
    places = bases.places
    if not one.wanted.derived and [*places] != [line.name for line in lines]:
        return None
    if any(lines[term.line].name not in places for term in law.terms):
        return None
    terms = tuple(term._replace(line=places[lines[term.line].name]) for term in law.terms)
    moved = law._replace(result=places[lines[law.result].name], terms=terms)
    if law.base is None:
        return moved
    source = grid.lines[next(term.line for term in terms if term.at_base)]
    for base in bases.find(grid.lines[moved.result], source):
        if base.kind == law.base.kind:
            return moved._replace(base=base)
    return None


def _leave_out_weak(believed: Iterable[Found]) -> Iterator[Found]:
    """The laws of each line without those that others explain better."""
    lines: dict[tuple[int, bool, int], list[Found]] = defaultdict(list)
    for one in believed:
        lines[one.grid.sheet.number, one.grid.by_rows, one.law.result].append(one)
    for several in lines.values():
        ranked = sorted(several, key=lambda one: -one.bits)
        ranked = [one for one in ranked if not any(_explains_more(each, one) for each in ranked)]
        best = ranked[0]
        yield best._replace(is_best=True)
        for one in ranked[1:MOST_READINGS]:
            # Two readings that blame different rows: what one explains, the other must not blame.
            apart = not _lines_of(one.law) & _lines_of(best.law)
            alike = one.law.shape is best.law.shape and one.law.constant == best.law.constant
            if apart and alike and one.bits >= best.bits / 2:
                yield one
        if best.law.part is not None:
            beside = (one for one in ranked[1:] if one.law.part is not None)
            yield from (
                one._replace(is_best=True)
                for one in beside
                if _lines_of(one.law) == _lines_of(best.law)
            )


def _explains_more(one: Found, other: Found) -> bool:
    """Whether a law compares the same numbers as another one, and more rows follow it."""
    if one.law.part is not None or _lines_of(one.law) != _lines_of(other.law):
        return False
    mine, theirs = one.evidence, other.evidence
    return mine.holding >= theirs.holding and mine.failing < theirs.failing


def _lines_of(law: Law) -> frozenset[int]:
    return frozenset(term.line for term in law.terms)


def try_lines(bases: Bases, hopeless: Collection[Name]) -> Iterator[Tried]:
    """The laws that may give a line, and that some of its rows follow."""
    grid = bases.grid
    for at, line in enumerate(grid.lines):
        wanted = bases.wanted[at]
        chosen = line.is_setting and not _has_fractions(line)
        if chosen or not line.title or (grid.by_rows and not wanted.derived):
            continue
        if not line.is_numbering and (grid.by_rows or line.name not in hopeless):
            yield from _try_line(grid, at, wanted, bases)


def _has_fractions(line: Line) -> bool:
    """Whether most numbers of a setting are no round ones, as if they had been computed."""
    numerals = [number.source.numeral for number in line.numbers.values()]
    fine = sum(one.quantum is not None and one.quantum < 1 for one in numerals)
    return 2 * fine > len(numerals)


def _try_line(grid: Grid, at: int, wanted: Wanted, bases: Bases) -> Iterator[Tried]:
    rows = [*grid.lines[at].numbers][:MOST_LAW_ROWS]
    glance, of_tool = Glance(grid, at, some_of(rows)), is_of_tool(grid)
    count = 0
    promising: list[Law] = []
    for family in candidates(grid, at, wanted, bases):
        count += len(family.ways)
        if family.ways[0].part is not None:
            promising.append(family.ways[0])
        elif wanted.shapes and family.ways[0].shape in wanted.shapes:
            promising.extend(map(family.law, family.ways))
        elif of_tool and is_by_tool(grid, plain := family.law(family.ways[0])):
            promising.append(plain)
        else:
            promising.extend(glance.promising(family))
    cost = math.log2(max(count, 1))
    for law in promising:
        first = [law.baseline.source.run] if law.baseline is not None else []
        evidence = weigh(grid, law, [*(one for one in first if one not in rows), *rows])
        known = law.part is not None or is_by_tool(grid, law)
        if evidence.holding or (evidence.failing and known):
            yield Tried(grid, law, evidence, cost, wanted)
