"""MB404: days, hours or costs that do not follow from the text."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from mdbench.markdown.document import BlockKind
from mdbench.numerals.formatting import write_like, write_number
from mdbench.numerals.intervals import Interval, meets_cut, meets_printed, printed
from mdbench.prose.changes import Change, find_changes
from mdbench.prose.estimates import Estimate, NumberInText, find_estimates
from mdbench.prose.totals import Total, find_totals
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Fix, Safety, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.source import Edit, Source

_NEARLY = (Fraction(9, 10), Fraction(11, 10))
_HOUR = 3600
_PROSE = frozenset((BlockKind.PARAGRAPH, BlockKind.ITEM))


@rule("MB404", "claim-mismatch", Severity.WARNING)
def claim_mismatch(context: Context) -> Iterator[Violation]:
    """A number in the text does not match the numbers next to it or the table.

    Plans and budgets are based on such lines. mdbench recomputes them from the numbers in the line
    or in the list item above it: steps times seconds per step, devices times hours, hours times
    price. A result may be rounded or truncated to the digits shown; `≈` and `takes` allow ten
    percent. If a required number is stated twice, or not at all, the line is ignored.

    A sentence about a table of its section must agree with it, to the digits of the sentence: what
    a run has (`HAProxy reached 52,100 req/s`, `6.2x speedup on 8 threads`), the largest, smallest
    and average number of a column (`up to 8x faster`), totals, ranges, what holds in every row,
    which row is the best, how two rows compare (`Pool is 2.6x faster than DLL`), and how many rows
    pass (`5 of 6 targets are met`) or are beyond a limit (`four servers exceed 600k QPS`). A
    sentence is only reported if its words name the column and the rows, and no table of the report
    explains it. If the text says that bold numbers are the best of their columns, they must be. A
    change must follow from its two numbers: `403 ms → 902 ms (124 % increase)`,
    `65 % less memory (325 kB → 113 kB)`, and so must a total of what it adds up:
    `412 + 460 + 204 h, 1,076 h in total`.

    ```bad
    - 1.3B model (362k steps)
      - 1 Sec/it ==> 4.18 days
      - 2 Sec/it ==> «8.36 days»
    ```
    ```good
    - 1.3B model (362k steps)
      - 1 Sec/it ==> 4.18 days
      - 2 Sec/it ==> 8.38 days
    ```
    """
    for estimate in find_estimates(context.document):
        worked_out = _work_out(estimate)
        if worked_out is not None and not _holds(worked_out, estimate):
            yield _violation(estimate, worked_out, context.source)
    changes = [
        one
        for block in context.document.blocks
        for line in (block.lines if block.kind in _PROSE else ())
        for one in find_changes(line)
        if not one.holds()
    ]
    yield from map(_wrong_change, changes)
    for block in context.document.blocks:
        for line in block.lines if block.kind in _PROSE else ():
            yield from (_wrong_total(one) for one in find_totals(line) if one.is_wrong())
    if context.sheets:
        from mdbench.diagnosis.claims.bold import find_wrong_bold  # noqa: PLC0415
        from mdbench.diagnosis.claims.wrong import find_wrong_claims  # noqa: PLC0415

        known = {one.span.start for one in changes}
        claims = find_wrong_claims(context.report, context.diagnosis.grids)
        for wrong in (*claims, *find_wrong_bold(context.report)):
            if wrong.span.start not in known:
                cells = (Evidence(cell.numeral.text, cell.cell.span) for cell in wrong.cells)
                yield Violation(wrong.span, wrong.message, tuple(cells))


def _wrong_change(change: Change) -> Violation:
    ratio = float(change.after.middle) / float(change.before.middle)
    unit = "%" if change.percent else "×"
    up = ratio > 1
    wanted = abs(ratio - 1) * 100 if change.percent else ratio if up else 1 / ratio
    said, shown = f"{change.stated}", f"{wanted:.3g}"
    return Violation(
        change.span, f"{change.text} is a change of {shown}{unit}, not of {said}{unit}"
    )


def _wrong_total(total: Total) -> Violation:
    wanted = float(total.sum.middle)
    return Violation(total.span, f"{total.text} is {wanted:.10g}, not {total.stated}")


def _work_out(estimate: Estimate) -> Interval | None:
    """Compute the result in its own unit."""
    product = Interval(Fraction(1), Fraction(1))
    for mention, power in estimate.factors:
        product = product * _base(mention) if power > 0 else product / _base(mention)
    if estimate.result.unit.dimension == "usd":
        # Prices are per hour, durations in seconds.
        product = product / _HOUR
    return product / _scale(estimate.result)


def _base(mention: NumberInText) -> Interval:
    held = printed(mention.value, mention.quantum, exact=mention.counted, kind=Fraction)
    return held * _scale(mention)


def _scale(mention: NumberInText) -> Fraction:
    return Fraction(mention.multiplier) * Fraction(mention.unit.scale)


def _holds(worked_out: Interval, estimate: Estimate) -> bool:
    value, quantum = estimate.result.value, _coarsest(estimate.result)
    if meets_printed(worked_out, value, quantum) or meets_cut(worked_out, value, quantum):
        return True
    less, more = (Fraction(value) * share for share in _NEARLY)
    return estimate.about and worked_out.meets(Interval(less, more))


def _coarsest(result: NumberInText) -> Decimal:
    """The place of the last significant digit: two trailing zeros come from rounding."""
    digits = str(result.value)
    zeros = len(digits) - len(digits.rstrip("0"))
    return Decimal((0, (1,), zeros)) if result.quantum == 1 and zeros > 1 else result.quantum


def _violation(estimate: Estimate, worked_out: Interval, source: Source) -> Violation:
    result = estimate.result
    said = source.cut(result.span)
    unit = source.text[result.number.end : result.span.end]
    written = source.cut(result.number)
    answer = write_like(worked_out.middle, result.quantum, written)
    money = source.text[result.span.start : result.number.start]
    steps = " ".join(_spell(place, *factor) for place, factor in enumerate(estimate.factors))
    shown = f"{money}{write_number(worked_out.middle)}{unit}"
    elsewhere = tuple(
        Evidence(source.cut(mention.span), mention.span) for mention, _ in estimate.factors
    )
    return Violation(
        result.span,
        f"{steps} is {money}{answer}{unit}, not {said}",
        (Evidence(f"{steps} = {shown}"), *elsewhere),
        (Fix(f"write {answer}", (Edit(result.number, answer),), Safety.UNSAFE),),
    )


def _spell(place: int, mention: NumberInText, power: int) -> str:
    value = write_number(Fraction(mention.value * mention.multiplier))
    dollars = mention.unit.text.startswith("$")
    spelled = f"${value}{mention.unit.text[1:]}" if dollars else f"{value} {mention.unit.text}"
    sign = "" if not place else "× " if power > 0 else "/ "
    return sign + spelled
