"""Settings in the notes of a row's cells, which are settings of its run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mdbench.markdown.inline import plain_text
from mdbench.prose.facts import facts_of_note
from mdbench.sheets.columns import Column
from mdbench.sheets.measurements import Measurement, StatedSetting
from mdbench.vocabulary.quantities import Vocabulary


def with_noted(
    stated: tuple[StatedSetting, ...], cells: Iterable[Measurement], vocabulary: Vocabulary
) -> tuple[StatedSetting, ...]:
    """The settings of a run: what its notes say overrules what the table states for it.

    Two notes that contradict each other say nothing.
    """
    noted: dict[str, StatedSetting | None] = {}
    for text in filter(None, map(_note, cells)):
        for fact in facts_of_note(text, vocabulary):
            name, known = fact.quantity.name, noted.get(fact.quantity.name)
            said = StatedSetting(fact.quantity, fact.numeral, fact.raw)
            agree = name not in noted or (known is not None and known.raw == said.raw)
            noted[name] = said if agree else None
    if not noted:
        return stated
    kept = _without(stated, noted)
    return (*kept, *filter(None, noted.values()))


def may_note(columns: Iterable[Column]) -> bool:
    """Whether any cell of a table has a note: most tables have none."""
    return any(
        (column.header.quantity is not None and column.header.quantity.name == "notes")
        or any(one.numeral.note for one in column.mains)
        for column in columns
    )


def _without(stated: Sequence[StatedSetting], noted: Iterable[str]) -> tuple[StatedSetting, ...]:
    names = frozenset(noted)
    return tuple(one for one in stated if one.quantity.name not in names)


def _note(one: Measurement) -> str:
    """The note in a cell; all of a cell of notes is one."""
    if one.part:
        return ""
    if one.header.quantity is not None and one.header.quantity.name == "notes":
        return plain_text(one.cell.raw)
    return one.numeral.note
