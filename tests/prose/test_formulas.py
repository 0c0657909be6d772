"""A report's own formulas are found and bound to quantities by name."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

import pytest

from mdbench.markdown.parser import parse_document
from mdbench.prose.expressions import spell
from mdbench.prose.formulas import Formula, bind, collect_formulas
from mdbench.source import Source
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()

REPORTS = Path(__file__).resolve().parent.parent.parent / "reports"


def formulas_of(text: str) -> tuple[Formula, ...]:
    return collect_formulas(parse_document(Source("report.md", text)), STANDARD)


def spelled(formula: Formula) -> str:
    right = spell(formula.expression)
    return right if formula.left is None else f"{formula.left} = {right}"


PERL = "ms × {} × 2 × seqlen × gbs / (sp × ng × 1000)"
SHOWN = "TFLOPs × Nodes / 1024"


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        ("fugaku-1.3b.md", {20: f"Est. Aggr. PetaFLOPs = {SHOWN}"}),
        ("fugaku-30b.md", {16: f"Est. Aggr. PetaFLOPs = {SHOWN}"}),
        ("bigscience-1b3.md", {37: PERL.format(4), 55: PERL.format(3), 109: PERL.format(4)}),
        ("nanotron-nemo.md", {9: "micro_batch_size × batch_accumulation_per_replica × nodes"}),
        ("fmengine.md", {}),
    ],
)
def test_the_formulas_of_the_reports(report: str, expected: Mapping[int, str]) -> None:
    source = Source.from_bytes(report, (REPORTS / report).read_bytes())
    found = collect_formulas(parse_document(source), STANDARD)
    assert {source.line(one.span.start): spelled(one) for one in found} == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("- global bs = micro bs * DP", "global bs = micro bs × DP", id="a list item"),
        pytest.param("- **GBS** = MBS × DP", "GBS = MBS × DP", id="bold"),
        pytest.param("DP=GPUs", "DP = GPUs", id="one quantity equals another"),
        pytest.param("GBS = MBS \\* DP", "GBS = MBS × DP", id="an escaped star"),
        pytest.param("$GBS = MBS \\times DP$", "GBS = MBS × DP", id="TeX"),
        pytest.param(
            "Here GPUs = TP x PP x DP.", "GPUs = TP × PP × DP", id="words before the name"
        ),
        pytest.param("Note: GPUs = TP x PP x DP.", "GPUs = TP × PP × DP", id="an introduction"),
        pytest.param("GBS = MBS * DP, where DP = 8", None, id="two signs"),
        pytest.param("GBS = MBS * DP (no ZeRO)", "GBS = MBS × DP", id="a note after it"),
        pytest.param("Tokens/s = Samples/s * seqlen", "Tokens/s = Samples/s × seqlen", id="rates"),
        pytest.param("Use `mbs*dp*grad_accum` here", "mbs × dp × grad_accum", id="inline code"),
        pytest.param("```\ngbs = mbs * dp\n```", "gbs = mbs × dp", id="a line of a script"),
        pytest.param("```\nGBS=$((MBS * DP))\n```", "GBS = MBS × DP", id="a shell line"),
    ],
)
def test_a_formula_is_found(text: str, expected: str | None) -> None:
    assert [spelled(one) for one in formulas_of(text)] == ([] if expected is None else [expected])


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("- MBS = micro batch size", id="a definition"),
        pytest.param("- Sec/it = seconds per iteration", id="a definition of a rate"),
        pytest.param("GBS = 1024", id="a setting"),
        pytest.param("2 * 16 * 32 = 1024", id="a calculation"),
        pytest.param("see `models/llama/7b` and `a*b`", id="paths and unknown names"),
        pytest.param("```\nt24 = t3 / t4\n```", id="a script about something else"),
        pytest.param("good/bad = better than nothing", id="prose"),
        pytest.param("if a == b * c", id="a comparison"),
    ],
)
def test_other_text_is_not_a_formula(text: str) -> None:
    assert formulas_of(text) == ()


@pytest.mark.parametrize(
    ("line", "expected", "bindings"),
    [
        pytest.param("perl -le '$a=2; $b=; print $a*3/$b'", "a × 3 / b", {"a": 2}, id="perl"),
        pytest.param("perl -le '$a=3*4; print $a*2'", "a × 2", {"a": 12}, id="a product"),
        pytest.param("perl -e 'print $a * 3, \"\\n\"'", "a × 3", {}, id="perl with a newline"),
        pytest.param('python -c "n = 4; print(n * x / 2)"', "n × x / 2", {"n": 4}, id="python"),
        pytest.param("python3 -c 'print(round(a*b, 2))'", "a × b", {}, id="python that rounds"),
        pytest.param("python3 -c 'print(f\"{a*b:.2f}\")'", "a × b", {}, id="python that formats"),
        pytest.param("awk 'BEGIN { print 2*x }'", "2 × x", {}, id="awk"),
        pytest.param("echo 'x=3; x*4' | bc -l", "x × 4", {"x": 3}, id="bc"),
        pytest.param("$ bc -l <<< 'x*4'", "x × 4", {}, id="bc from a string"),
    ],
)
def test_a_one_liner_is_read(line: str, expected: str, bindings: Mapping[str, int]) -> None:
    (formula,) = formulas_of(f"```\n{line}\n```")
    assert spelled(formula) == expected
    assert dict(formula.bindings) == {name: Decimal(value) for name, value in bindings.items()}


def test_a_one_liner_without_a_calculation_is_ignored() -> None:
    assert formulas_of('```\npython -c "import time; time.sleep(100)" &\n```') == ()


def test_the_span_covers_the_formula() -> None:
    source = Source("report.md", "- **GBS** = MBS × DP (no ZeRO)\n")
    (formula,) = collect_formulas(parse_document(source), STANDARD)
    assert source.cut(formula.span) == "GBS** = MBS × DP"


def test_names_are_bound_to_quantities() -> None:
    (formula,) = formulas_of("Est. Aggr. PetaFLOPs = TFLOPs * Nodes / 1024")
    equation = bind(formula, STANDARD)
    assert equation is not None
    assert equation.left == "pflops_total"
    assert spell(equation.right) == "tflops_per_device × nodes / 1024"


def test_the_caller_can_override_the_meaning_of_a_name() -> None:
    (formula,) = formulas_of("```\nperl -le '$sp=29; $gbs=512; print $gbs / $sp'\n```")
    equation = bind(formula, STANDARD, {"sp": "step_time_s"})
    assert equation is not None
    assert equation.left == ""
    assert spell(equation.right) == "512 / step_time_s"
    assert formula.bindings["sp"] == Decimal(29)


def test_an_unknown_name_leaves_the_formula_unbound() -> None:
    (formula,) = formulas_of("```\nperl -le '$sp=; $gbs=512; print $gbs / $sp'\n```")
    assert bind(formula, STANDARD) is None
