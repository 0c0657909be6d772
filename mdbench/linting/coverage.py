"""How much of a report could be checked."""

from __future__ import annotations

from collections import Counter

from mdbench.linting.results import Content, Coverage, Reach
from mdbench.markdown.long_tables import Part
from mdbench.rules.context import Context
from mdbench.source import Span


def measure_reach(context: Context, part: Part | None = None) -> Reach:
    """What is in a report, or in the rows of a part, and how many numbers were checked.

    Numbers are counted only if a rule has asked for the diagnosis: it takes most of the time.
    """
    if not context.sheets:
        return Reach(Content.TEXT if context.source.text.strip() else Content.EMPTY)
    if not context.is_diagnosed:
        return Reach(Content.TABLES)
    try:
        checked = context.diagnosis.checked | context.compared
    except Exception:  # noqa: BLE001 - the rules that need it have failed and say so
        return Reach(Content.TABLES)
    numbers = {
        one.cell.span
        for sheet in context.sheets
        for column in sheet.columns
        for one in column.numbers
        if part is None or part.owns(one.cell.span)
    }
    return Reach(Content.TABLES, len(numbers), len(numbers & checked))


def measure_coverage(context: Context) -> Coverage:
    """How much of a report could be recomputed, by which laws, and which settings were missing."""
    # Only statistics need it.
    from mdbench.diagnosis.told_laws import list_laws  # noqa: PLC0415

    numbers = _find_numbers(context)
    diagnosis = context.diagnosis
    compared = context.compared.intersection(numbers) - diagnosis.checked
    known = diagnosis.checked | compared
    left = Counter(name for span, name in numbers.items() if span not in known)
    verified = len(diagnosis.verified.intersection(numbers))
    contradicted = len(numbers) - left.total() - verified - len(compared)
    return Coverage(
        len(numbers),
        verified,
        contradicted,
        tuple(left.items()),
        diagnosis.lacking,
        list_laws(diagnosis),
        len(compared),
    )


def _find_numbers(context: Context) -> dict[Span, str]:
    """The cells with a number, and the quantity or header of each."""
    return {
        one.cell.span: one.quantity.name if one.quantity is not None else one.header.text
        for sheet in context.sheets
        for column in sheet.columns
        for one in column.numbers
    }
