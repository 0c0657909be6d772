"""Settings that contradict the work of a step, where another value that the report has fits.

A count of FLOPs is no identity: it is believed only far from the stated setting, and only if one
other value explains every run.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mdbench.diagnosis.laws.own_formulas import table_of
from mdbench.diagnosis.numbers import Number, stated_number
from mdbench.diagnosis.run_numbers import RunNumbers
from mdbench.diagnosis.setting_remedies import Remedy, rescale, restate
from mdbench.diagnosis.step_work import StepWork, expected_work, read_work, work_by_parameters
from mdbench.diagnosis.thresholds import FEWEST_STATED_ROWS, OFF_MODEL, SAME_WORK
from mdbench.diagnosis.typical import median
from mdbench.numerals.formatting import write_number
from mdbench.numerals.intervals import Interval
from mdbench.prose.expressions import Expression, Negation, NumberLiteral, Operation, names
from mdbench.prose.facts import Fact
from mdbench.prose.formulas import Formula
from mdbench.relations.models import PUBLISHED_SHAPES, PUBLISHED_VOCABULARY
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.report import Report
from mdbench.source import Span

_CHANGEABLE = ("global_batch", "seq_len", "layers", "hidden")
_RECOMPUTED = 4 / 3
_SHORTEST_SEQUENCE = 128
_Works = Mapping[int, Sequence[StepWork]]


class OddSetting(NamedTuple):
    """A setting that does not fit, where it stands, and what shows it."""

    message: str
    span: Span
    evidence: tuple[tuple[str, Span], ...]
    cells: tuple[Measurement, ...] = ()
    right: str = ""
    """What its cells should be."""
    remedies: tuple[Remedy, ...] = ()
    """Other ways to put it right."""


def find_odd_settings(
    report: Report, formulas: Sequence[Formula], rows: Sequence[RunNumbers]
) -> tuple[OddSetting, ...]:
    """The settings that the work of a step contradicts, in the order of the text."""
    read = [work for row in rows if (work := read_work(row)) is not None]
    works: _Works = by_sheet_of(read)
    if not works:
        return ()
    found = (
        *_by_statements(report, works),
        *_by_recomputation(report, works),
        *_by_formulas(report, formulas, works),
        *_by_sizes(report, works),
    )
    return tuple(sorted(found, key=lambda one: one.span))


def by_sheet_of(works: Sequence[StepWork]) -> dict[int, list[StepWork]]:
    """The works of each sheet, by its number."""
    found: dict[int, list[StepWork]] = {}
    for one in works:
        found.setdefault(one.row.sheet.number, []).append(one)
    return found


def _by_statements(report: Report, works: _Works) -> Iterator[OddSetting]:
    """The text right at a table states a setting, its column has another one: which one fits?"""
    for fact in report.facts:
        if fact.quantity.name not in _CHANGEABLE or fact.conditions or fact.named:
            continue
        stated = stated_number(fact.quantity, fact.numeral, fact)
        about = [sheet for sheet in report.sheets if _is_within(sheet.table.span, fact.scope)]
        if stated is None or len(about) != 1:
            continue
        members = works.get(about[0].number, ())
        cells = [one.row.variables.get(fact.quantity.name) for one in members]
        printed = [one.measurement for one in cells if one is not None and one.measurement]
        values = {one.value for one in cells if one is not None}
        if len(printed) != len(members) or len(values) != 1 or stated.value in values:
            continue
        if all(_explains(one, fact.quantity.name, stated.value) for one in members):
            yield _against_column(report, fact, printed, members)


def _is_within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _explains(one: StepWork, name: str, value: float) -> bool:
    """Whether a run's work fits another value of a setting, and not at all its own."""
    known = one.row.variables
    if name == "global_batch":
        other = one._replace(flops=one.flops * (known[name].value / value))
        expected = changed = (*expected_work(known, {}), *_by_parameters(one))
    else:
        other = one
        expected, changed = expected_work(known, {}), expected_work(known, {name: value})
    far = all(_is_off(one.ratio(each)) for each in expected)
    return bool(expected) and far and any(other.fits(each) for each in changed)


def _by_parameters(one: StepWork) -> tuple[Interval, ...]:
    length = one.row.variables.get("seq_len")
    return work_by_parameters(one.row.variables, length.value) if length is not None else ()


def _is_off(ratio: Interval) -> bool:
    return float(ratio.low) > OFF_MODEL or float(ratio.high) * OFF_MODEL < 1


def _against_column(
    report: Report, fact: Fact, cells: Sequence[Measurement], members: Sequence[StepWork]
) -> OddSetting:
    title, printed = cells[0].header.text, cells[0].numeral.text
    rate = _title(members[0].rate)
    line = report.source.line(fact.span.start)
    return OddSetting(
        f"{title} {printed} does not fit {rate}; {fact.raw} does, as line {line} says",
        Span(cells[0].cell.span.start, cells[-1].cell.span.end),
        ((f"{fact.raw} is stated here", fact.span), _shown(members[0])),
        tuple(cells),
        fact.raw,
    )


def _title(one: Number) -> str:
    return one.measurement.header.text if one.measurement is not None else one.quantity.name


def _text(one: Number) -> str:
    place = one.measurement or one.fact
    return place.numeral.text if place is not None else write_number(one.value)


def _shown(one: StepWork) -> tuple[str, Span]:
    """The numbers that the work of a run was computed from."""
    known = (one.row.variables[name] for name in ("step_time_s", "tflops_per_device"))
    told = [f"{_title(each)} {_text(each)}" for each in (*known, one.row.variables["global_batch"])]
    place = one.rate.measurement
    if place is None:
        raise ValueError("a rate without a cell")
    return f"{', '.join(told)}: {float(one.flops.middle):.3g} FLOPs a sample", place.cell.span


def _by_recomputation(report: Report, works: _Works) -> Iterator[OddSetting]:
    """A table says that activations are recomputed, or not, and does the work of the others."""
    groups: dict[tuple[float, ...], list[StepWork]] = {}
    for members in works.values():
        for one in members:
            groups.setdefault(_network(one), []).append(one)
    for sheet, members in works.items():
        said = {one.recomputes for one in members}
        facts = [
            fact
            for fact in members[0].row.run.facts
            if fact.quantity.name == "activation_checkpointing"
        ]
        if len(members) < FEWEST_STATED_ROWS or len(said) != 1 or None in said or not facts:
            continue
        (flag,) = said
        network = _network(members[0])
        if any(_network(one) != network for one in members) or not network:
            continue
        others = [one for one in groups[network] if one.row.sheet.number != sheet]
        alike = _agreed([one for one in others if one.recomputes is flag])
        unlike = _agreed([one for one in others if one.recomputes is (not flag)])
        if alike is None or unlike is None:
            continue
        more, less = (alike, unlike) if flag else (unlike, alike)
        steady = abs(more / less / _RECOMPUTED - 1) <= SAME_WORK
        if steady and all(_is_work(one, unlike) for one in members):
            yield _against_heading(report, facts[0], bool(flag), members, others)


def _network(one: StepWork) -> tuple[float, ...]:
    """What tells networks apart; nothing where that is not known."""
    known = one.row.variables
    wanted = ("layers", "hidden", "seq_len")
    return tuple(known[name].value for name in wanted) if known.keys() >= set(wanted) else ()


def _agreed(works: Sequence[StepWork]) -> float | None:
    """The work that all of several runs do."""
    if len(works) < FEWEST_STATED_ROWS:
        return None
    middle = median(float(one.flops.middle) for one in works)
    return middle if all(_is_work(one, middle) for one in works) else None


def _is_work(one: StepWork, flops: float) -> bool:
    return one.fits(Interval(flops, flops), SAME_WORK)


def _against_heading(
    report: Report, fact: Fact, flag: bool, members: Sequence[StepWork], others: Sequence[StepWork]
) -> OddSetting:
    rate = _title(members[0].rate)
    with_it = "without" if flag else "with"
    witness = next(one for one in others if one.recomputes is (not flag))
    same = next(one for one in others if one.recomputes is flag)
    place = report.source.line(_place(witness).start)
    said = "with" if flag else "without"
    return OddSetting(
        f"this says {said} activation checkpointing, but the {rate} below fit runs {with_it} it, "
        f"such as line {place}",
        fact.span,
        (_shown(members[0]), _shown(witness), _shown(same)),
    )


def _place(one: StepWork) -> Span:
    return _shown(one)[1]


def _by_formulas(
    report: Report, formulas: Sequence[Formula], works: _Works
) -> Iterator[OddSetting]:
    """A formula has a number where another sequence length is stated."""
    for sheet in report.sheets:
        members = works.get(sheet.number, ())
        near = [one for one in formulas if table_of(report, one) == sheet.table.span.start]
        for formula in near if members else ():
            length = members[0].row.variables.get("seq_len")
            if length is None or length.fact is None or _names_length(formula):
                continue
            fitting = [
                number
                for number in dict.fromkeys(_literals(formula.expression))
                if number >= _SHORTEST_SEQUENCE and not _converts(number)
                if all(_explains_length(one, length.value, number) for one in members)
            ]
            if len(fitting) == 1:
                alike = [one for one in near if fitting[0] in _literals(one.expression)]
                yield _against_rates(report, alike, length.fact, fitting[0], members)
                break


def _names_length(formula: Formula) -> bool:
    return any("seq" in name.lower() for name in names(formula.expression))


def _literals(expression: Expression) -> Iterator[float]:
    if isinstance(expression, NumberLiteral):
        yield float(expression.value)
    elif isinstance(expression, Negation):
        return
    elif isinstance(expression, Operation):
        yield from _literals(expression.left)
        yield from _literals(expression.right)


def _converts(number: float) -> bool:
    """Whether a number only turns a unit into another one: 1e3."""
    return f"{number:.0e}".startswith("1e") and number == float(f"{number:.0e}")


def _explains_length(one: StepWork, stated: float, other: float) -> bool:
    known = one.row.variables
    expected = work_by_parameters(known, stated)
    changed = work_by_parameters(known, other)
    far = all(_is_off(one.ratio(each)) for each in expected)
    return bool(expected) and far and any(one.fits(each, SAME_WORK) for each in changed)


def _against_rates(
    report: Report,
    formulas: Sequence[Formula],
    fact: Fact,
    number: float,
    members: Sequence[StepWork],
) -> OddSetting:
    formula = formulas[0]
    cells = [one.rate.measurement for one in members]
    known = [one for one in cells if one is not None]
    line = report.source.line(formula.span.start)
    stated = report.source.line(fact.span.start)
    text = write_number(number)
    return OddSetting(
        f"{_title(members[0].rate)} fits a sequence length of {text}, as the formula on line {line}"
        f" has it, but line {stated} says {fact.raw}",
        Span(known[0].cell.span.start, known[-1].cell.span.end),
        ((f"{text} in this formula", formula.span), (f"{fact.raw} is stated here", fact.span)),
        tuple(known),
        remedies=(
            *rescale(report, members, formulas, text, fact.raw),
            *restate(report, {fact: text}),
        ),
    )


def _by_sizes(report: Report, works: _Works) -> Iterator[OddSetting]:
    """Layers and hidden size are not those of the size that the work of the steps fits."""
    for members in works.values():
        known = members[0].row.variables
        shape = [known.get(name) for name in ("layers", "hidden")]
        if any(one is None or one.fact is None for one in shape) or "seq_len" not in known:
            continue
        if any(not _is_far(one) for one in members):
            continue
        for size, place in _sizes(report, members):
            layers, hidden = _published(size)
            instead = {"layers": layers, "hidden": hidden, "vocab": PUBLISHED_VOCABULARY}
            expected = [expected_work(one.row.variables, instead) for one in members]
            fits = zip(members, expected, strict=True)
            if layers and all(any(one.fits(each) for each in several) for one, several in fits):
                yield _against_shape(report, members, (size, place), (layers, hidden))
                break


def _is_far(one: StepWork) -> bool:
    expected = expected_work(one.row.variables, {})
    return bool(expected) and all(_is_off(one.ratio(each)) for each in expected)


def _sizes(report: Report, members: Sequence[StepWork]) -> Iterator[tuple[Number, Span]]:
    """The sizes that the table or the headings around it state."""
    cells: dict[float, tuple[Number, Span]] = {}
    for work in members:
        one = work.row.variables.get("params")
        if one is not None and one.measurement is not None:
            cells.setdefault(one.value, (one, one.measurement.cell.span))
    if len(cells) == 1:
        yield from cells.values()
    table = members[0].row.sheet.table.span
    for fact in report.facts:
        if fact.quantity.name == "params" and fact.named and _is_within(table, fact.scope):
            stated = stated_number(fact.quantity, fact.numeral, fact)
            if stated is not None:
                yield stated, fact.span


def _published(size: Number) -> tuple[int, int]:
    for params, layers, hidden in PUBLISHED_SHAPES:
        if abs(size.value / params - 1) <= SAME_WORK:
            return layers, hidden
    return 0, 0


def _against_shape(
    report: Report,
    members: Sequence[StepWork],
    size: tuple[Number, Span],
    shape: tuple[int, int],
) -> OddSetting:
    known = members[0].row.variables
    stated = [fact for name in ("layers", "hidden") if (fact := known[name].fact) is not None]
    layers, hidden = (write_number(known[name].value) for name in ("layers", "hidden"))
    rate, fitting = _title(members[0].rate), f"{shape[0]} layers × {shape[1]}"
    text = report.source.cut(size[1]).strip()
    line = report.source.line(size[1].start)
    cell = known.get("params")
    evidence = ((f"{text} is stated here", size[1]), _shown(members[0]))
    own = cell.measurement if cell is not None else None
    if own is not None and own.cell.span != size[1]:
        cells = [one.row.variables["params"].measurement for one in members]
        printed = [one for one in cells if one is not None]
        # Only the digits are replaced, so both must count in the same millions or billions.
        alike = own.numeral.text[-1:] == text[-1:]
        return OddSetting(
            f"{rate} fits {text}, which is {fitting}, as line {line} says, but "
            f"{own.header.text} is {own.numeral.text}",
            Span(printed[0].cell.span.start, printed[-1].cell.span.end),
            evidence,
            tuple(printed),
            text.rstrip("KMBT") if alike else "",
        )
    start, end = min(one.span.start for one in stated), max(one.span.end for one in stated)
    return OddSetting(
        f"{rate} fits {fitting}, as a network of {text} has it, not {layers} × {hidden}",
        Span(start, end),
        evidence,
        remedies=restate(report, dict(zip(stated, map(str, shape), strict=True))),
    )
