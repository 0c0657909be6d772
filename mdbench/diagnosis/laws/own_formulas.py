"""A report's own formulas as relations over its columns.

Names are bound by the vocabulary. A one-liner that only prints a number is bound by trying: to the
column that it reproduces, with one of its example values standing for another column.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mdbench.diagnosis.laws.computed import compute
from mdbench.diagnosis.laws.constants import ONE, agree
from mdbench.diagnosis.laws.instances import apply
from mdbench.diagnosis.laws.verdicts import Verdict, compare
from mdbench.diagnosis.run_numbers import RunNumbers, by_sheet
from mdbench.diagnosis.thresholds import (
    FEWEST_STATED_ROWS,
    FORMULA_SCALES,
    MOST_FORMULA_COLUMNS,
    NEAR_FACTOR,
)
from mdbench.prose.expressions import Equation, Expression, Name, Negation, NumberLiteral, names
from mdbench.prose.formulas import Formula, bind, quantity_named
from mdbench.relations.catalogue import Relation
from mdbench.sheets.report import Report
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.quantities import Role

_Powers = dict[str, int]


class Written(NamedTuple):
    """A law: a formula of the report that is no product, `Total = Load + Compute`."""

    relation: Relation
    equation: Equation
    sheet: Sheet

    def test(self, row: RunNumbers) -> Verdict | None:
        """How a row stands to the law; None where it lacks a number."""
        sides = Name(self.equation.left), self.equation.right
        instance = compute(self.relation, sides, row.variables, {})
        return None if instance is None else compare(instance, ONE)


def find_written(
    report: Report, formulas: Sequence[Formula], rows: Sequence[RunNumbers]
) -> Iterator[Written]:
    """The formulas of the report that are no products, for each sheet whose rows follow them."""
    sheets = by_sheet(rows)
    for formula in formulas:
        equation = bind(formula, report.vocabulary)
        if equation is None or not equation.left or equation.left in names(equation.right):
            continue
        line = report.source.line(formula.span.start)
        if _make_relation(equation, line) is not None:
            continue
        stated = Relation(f"the formula on line {line}", f"{equation.left} = …", printed=True)
        for members in sheets.values():
            law = Written(stated, equation, members[0].sheet)
            verdicts = [one for row in members if (one := law.test(row)) is not None]
            held = sum(not one.fails for one in verdicts)
            if held >= FEWEST_STATED_ROWS and 2 * held > len(verdicts):
                yield law


def own_relations(
    report: Report, formulas: Sequence[Formula], rows: Sequence[RunNumbers]
) -> Iterator[Relation]:
    """The relations that the report itself states, one for each formula that its columns fit."""
    for formula in formulas:
        line = report.source.line(formula.span.start)
        equation = bind(formula, report.vocabulary)
        if equation is not None and equation.left:
            relation = _make_relation(equation, line)
        elif formula.left is None and formula.bindings:
            relation = _bind_by_example(report, formula, line, rows)
            relation = relation or _bind_by_trying(report, formula, line, rows)
        else:
            relation = None
        if relation is not None:
            yield relation


def _make_relation(
    equation: Equation, line: int, tables: frozenset[int] | None = None
) -> Relation | None:
    powers: _Powers = {}
    factor = _collect(equation.right, 1, powers)
    if factor is None or not powers or equation.left in powers:
        return None
    above = [name for name, power in powers.items() for _ in range(power)]
    below = [name for name, power in powers.items() for _ in range(-power)]
    right = " * ".join([f"{factor!r}", *above]) + "".join(f" / {name}" for name in below)
    return Relation(
        f"the formula on line {line}",
        f"{equation.left} = {right}",
        family=equation.left,
        printed=True,
        tables=tables,
    )


def _collect(expression: Expression, power: int, powers: _Powers) -> float | None:
    """Add the names of a product to `powers` and give its number; None for what is no product."""
    if isinstance(expression, NumberLiteral):
        value = float(expression.value)
        return value**power if value > 0 else None
    if isinstance(expression, Name):
        powers[expression.text] = powers.get(expression.text, 0) + power
        return 1.0
    if isinstance(expression, Negation) or expression.sign not in ("*", "/"):
        return None
    left = _collect(expression.left, power, powers)
    right = _collect(expression.right, power if expression.sign == "*" else -power, powers)
    return None if left is None or right is None else left * right


def _bind_by_example(
    report: Report, formula: Formula, line: int, rows: Sequence[RunNumbers]
) -> Relation | None:
    # Few reports have a formula without a left side.
    from mdbench.diagnosis.laws.worked_examples import find_example  # noqa: PLC0415

    example = find_example(formula, rows, report.vocabulary)
    if example is None:
        return None
    equation = bind(formula, report.vocabulary, example.meanings)
    if equation is None:
        return None
    relation = _make_relation(Equation(example.left, equation.right), line)
    return relation._replace(units=example.units) if relation is not None else None


def _bind_by_trying(
    report: Report, formula: Formula, line: int, rows: Sequence[RunNumbers]
) -> Relation | None:
    table = table_of(report, formula)
    tried = [row for row in rows if row.sheet.table.span.start == table]
    columns = _measured_columns(tried)
    vocabulary = report.vocabulary
    unknown = [
        name for name in names(formula.expression) if not quantity_named(formula, name, vocabulary)
    ]
    best: Relation | None = None
    most = FEWEST_STATED_ROWS - 1
    for name in unknown:
        for column in columns:
            meanings: Mapping[str, str] = {name: column}
            equation = bind(formula, vocabulary, meanings)
            for left in columns if equation is not None else ():
                if equation is None or left == column:
                    continue
                relation = _make_relation(Equation(left, equation.right), line, frozenset((table,)))
                held = _count_holding(relation, tried) if relation is not None else 0
                if held > most:
                    best, most = relation, held
    return best


def _measured_columns(rows: Sequence[RunNumbers]) -> list[str]:
    found = dict.fromkeys(
        name
        for row in rows
        for name, one in row.run.values.items()
        if one.quantity is not None and one.quantity.role is Role.MEASUREMENT
    )
    return list(found)[:MOST_FORMULA_COLUMNS]


def _count_holding(relation: Relation, rows: Sequence[RunNumbers]) -> int:
    """How many rows a relation holds for."""
    instances = [one for row in rows if (one := apply(relation, row.variables)) is not None]
    held = sum(not compare(one, ONE).fails for one in instances)
    if not held and len(instances) >= FEWEST_STATED_ROWS:
        # A whole column in another unit is still what the formula is about.
        agreed = agree([one.constant() for one in instances])
        ratio = agreed.low if agreed is not None and agreed.support == len(instances) else 0.0
        return (
            FEWEST_STATED_ROWS
            if ratio and any(_is_near(ratio, one) for one in FORMULA_SCALES)
            else 0
        )
    return held


def _is_near(ratio: float, factor: float) -> bool:
    return abs(ratio / factor - 1) < NEAR_FACTOR or abs(ratio * factor - 1) < NEAR_FACTOR


def table_of(report: Report, formula: Formula) -> int:
    """The table that a one-liner computes: the one above it in its section, else the one below."""
    section = formula.block.section
    starts = [one.span.start for one in report.document.tables if one.section == section]
    above = [start for start in starts if start < formula.span.start]
    below = [start for start in starts if start > formula.span.start]
    return above[-1] if above else below[0] if below else -1
