"""A table understood: its columns as quantities, its rows as runs."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

from mdbench.markdown.document import Table
from mdbench.numerals.cell import Form, read_cell
from mdbench.prose.facts import Fact, conditions_met
from mdbench.prose.legends import Legend, Legends, explain, moved_notes
from mdbench.sheets.blanks import inherit
from mdbench.sheets.caption_texts import Around
from mdbench.sheets.columns import Column, read_columns
from mdbench.sheets.layout import Layout, lay_out
from mdbench.sheets.meaning import which_batch
from mdbench.sheets.measurements import Measurement, Run, StatedSetting
from mdbench.sheets.named_sizes import sizes_in_names
from mdbench.sheets.noted_settings import may_note, with_noted
from mdbench.sheets.pivots import Pivot, Settings, Variant, find_pivot
from mdbench.sheets.summaries import find_summaries
from mdbench.sheets.variants import pick_cells, split_cells
from mdbench.source import Span
from mdbench.vocabulary.amounts import NUMERIC
from mdbench.vocabulary.headers import read_header
from mdbench.vocabulary.qualifiers import take_settings
from mdbench.vocabulary.quantities import Role, Vocabulary, quantity

__all__ = ["NUMERIC", "Measurement", "Run", "Sheet", "read_sheet"]

_Members = tuple[tuple[int, int], list[Measurement], list[Measurement]]
# So many labels show whether a table tells models or devices apart itself.
_MOST_LABELS = 200
_NO_RUN = frozenset((Role.MEASUREMENT, Role.SCORE, Role.NOTE))


class Sheet(NamedTuple):
    """A table, understood."""

    table: Table
    layout: Layout
    columns: tuple[Column, ...]
    runs: tuple[Run, ...]
    facts: tuple[Fact, ...]
    legends: Mapping[str, Legend]
    vocabulary: Vocabulary
    """What it was read with."""

    @property
    def number(self) -> int:
        """Its place among the sheets of its report, counted from 0."""
        return self.table.number

    @property
    def measurements(self) -> tuple[Measurement, ...]:
        """Everything that its cells say, column by column."""
        entries = chain.from_iterable(column.entries for column in self.columns)
        return tuple(chain.from_iterable(entries))

    @property
    def tells_something(self) -> bool:
        """Whether the table measures or configures anything: glossaries and link lists do not."""
        pivoted = sum(bool(column.header.settings) for column in self.columns) > 1
        return any(_tells_something(one, pivoted, self.vocabulary) for one in self.measurements)


def _tells_something(one: Measurement, pivoted: bool, vocabulary: Vocabulary) -> bool:
    if one.quantity is not None:
        return one.amount is not None and one.quantity.role is not Role.NOTE
    if one.numeral.form not in NUMERIC:
        return False
    left_open = one.header.candidates or (pivoted and one.header.settings)
    return bool(left_open) or vocabulary.quantity_of_unit(one.numeral.unit) is not None


def read_sheet(
    table: Table,
    facts: Sequence[Fact],
    legends: Legends,
    around: Around,
    vocabulary: Vocabulary,
) -> Sheet:
    """Understand a table in the light of what the report states around it."""
    layout = lay_out(table, vocabulary, around.captions[0] if around.captions else "")
    columns = read_columns(table, layout, around, moved_notes(legends), vocabulary)
    if layout.transposed:
        stated = tuple(_keep_facts(facts, columns, layout.titles[1:], Pivot(()), vocabulary))
        runs = _read_transposed(columns, layout, stated, vocabulary)
    else:
        headers = [column.header for column in columns]
        found = find_pivot(headers, [column.has_numbers for column in columns])
        pivot = split_cells(found, columns, vocabulary)
        stated = tuple(_keep_facts(facts, columns, (), pivot, vocabulary))
        told = sizes_in_names(columns, inherit(columns), vocabulary)
        runs = _read_rows(columns, pivot, told, stated, vocabulary)
    entries = chain.from_iterable(column.entries for column in columns)
    marked = [one.numeral.markers for entry in entries for one in entry if one.numeral.markers]
    markers = sorted(frozenset().union(*marked))
    explained = ((mark, explain(mark, table, legends)) for mark in markers)
    known = {mark: legend for mark, legend in explained if legend is not None}
    return Sheet(table, layout, columns, tuple(runs), stated, known, vocabulary)


def _keep_facts(
    facts: Sequence[Fact],
    columns: Sequence[Column],
    titles: Sequence[str],
    pivot: Pivot,
    vocabulary: Vocabulary,
) -> Iterator[Fact]:
    """The facts that the table does not overrule: by a column, a header or, for names, a label."""
    told = {one.header.quantity.name for one in columns if one.header.quantity is not None}
    told.update(name for variant in pivot.variants for name, _ in variant.settings)
    meant = which_batch(told.union(fact.quantity.name for fact in facts))
    labels: set[str] = set()
    if any(fact.named for fact in facts):
        texts = dict.fromkeys(chain(titles, *(column.labels() for column in columns)))
        labels.update(islice(texts, _MOST_LABELS))
    labelled = {name for text in labels for name, _ in take_settings(text, vocabulary)[1]}
    if "model" in labelled:
        # Another model has another size.
        labelled.add("params")
    for stated in facts:
        fact = stated
        if meant and fact.quantity.name == "batch":
            fact = fact._replace(quantity=quantity(meant))
        name = fact.quantity.name
        if name not in told and not (fact.named and name in labelled):
            yield fact


def _read_rows(
    columns: Sequence[Column],
    pivot: Pivot,
    inherited: Mapping[int, tuple[StatedSetting, ...]],
    facts: tuple[Fact, ...],
    vocabulary: Vocabulary,
) -> Iterator[Run]:
    left_out, noted = find_summaries(columns), may_note(columns)
    stated = [_state(variant.settings, vocabulary) for variant in pivot.variants]
    for (number, at), members, own in _list_members(columns, pivot):
        if number not in left_out:
            told = (*stated[at], *inherited.get(number, ()))
            if noted:
                told = with_noted(told, members, vocabulary)
            yield _make_run((number, at), members, own, ("", told), facts)


def _list_members(columns: Sequence[Column], pivot: Pivot) -> Iterator[_Members]:
    """For each row and each of its variants, what its cells say, and what of it is its own."""
    if len(pivot.variants) == 1 and not pivot.shared and not pivot.variants[0].picks:
        yield from (((number, 0), members, members) for number, members in _by_run(columns))
        return
    rows: dict[int, dict[int, tuple[Measurement, ...]]] = {}
    for column in columns:
        for entry in column.entries:
            rows.setdefault(entry[0].run, {})[column.index] = entry
    orders = [
        sorted({*variant.columns, *pivot.shared, *(at for at, _ in variant.picks)})
        for variant in pivot.variants
    ]
    for number, row in sorted(rows.items()):
        for at, (variant, order) in enumerate(zip(pivot.variants, orders, strict=True)):
            cells = pick_cells(row, variant)
            own = [one for column in variant.columns for one in cells.get(column, ())]
            if not _is_left_over(variant, own, len(orders)):
                members = [one for column in order for one in cells.get(column, ())]
                yield (number, at), members, own


def _is_left_over(variant: Variant, own: Sequence[Measurement], variants: int) -> bool:
    """Whether columns that belong to no variant of a pivot are empty in a row, and so no run."""
    alone = variants > 1 and not variant.settings
    return not own or (alone and all(one.numeral.form is Form.NOTHING for one in own))


def _read_transposed(
    columns: Sequence[Column],
    layout: Layout,
    facts: tuple[Fact, ...],
    vocabulary: Vocabulary,
) -> Iterator[Run]:
    for number, members in _by_run(columns):
        label = layout.titles[number] if number < len(layout.titles) else ""
        header = read_header(label, vocabulary)
        meant = header.quantity
        if meant is not None and meant.role in _NO_RUN and meant.name != "value":
            # A column of differences or remarks is about the runs beside it, and is none itself.
            continue
        heading = label, with_noted(_state(header.settings, vocabulary), members, vocabulary)
        yield _make_run((number, 0), members, members, heading, facts)


def _by_run(columns: Sequence[Column]) -> list[tuple[int, list[Measurement]]]:
    """What the cells of each row say, or of each column of a transposed table."""
    runs: dict[int, list[Measurement]] = {}
    for column in columns:
        for entry in column.entries:
            runs.setdefault(entry[0].run, []).extend(entry)
    return sorted(runs.items())


def _state(settings: Settings, vocabulary: Vocabulary) -> tuple[StatedSetting, ...]:
    known = vocabulary.quantities
    return tuple(
        StatedSetting(known[name], read_cell(text)[0], text)
        for name, text in settings
        if name in known
    )


def _make_run(
    key: tuple[int, int],
    members: Sequence[Measurement],
    own: Sequence[Measurement],
    heading: tuple[str, tuple[StatedSetting, ...]],
    facts: tuple[Fact, ...],
) -> Run:
    label, settings = heading
    cells = tuple(members)
    holding = facts
    if any(fact.conditions for fact in facts):
        values = {one.quantity.name: one.numeral for one in settings}
        for one in members:
            if one.quantity is not None and one.single:
                values[one.quantity.name] = one.numeral
        holding = tuple(fact for fact in facts if conditions_met(fact, values))
    return Run(
        number=key[0],
        variant=key[1],
        span=Span(members[0].cell.span.start, members[-1].cell.span.end),
        label=label,
        settings=settings,
        measurements=cells,
        own=cells if len(own) == len(cells) else tuple(own),
        # Nearly always all of them: then all runs share one list.
        facts=facts if len(holding) == len(facts) else holding,
    )
