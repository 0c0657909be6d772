"""MB404: days, hours and costs must follow from the text; ambiguous ones are ignored."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.rules.context import Context
from mdbench.rules.findings import Safety, Violation
from mdbench.rules.mb404_claim_mismatch import claim_mismatch
from mdbench.sheets.report import read_report
from mdbench.source import Source
from mdbench.vocabulary.quantities import standard_vocabulary

REPORTS = Path(__file__).resolve().parent.parent.parent / "reports"


def violations_on(source: Source) -> list[Violation]:
    report = read_report(source, standard_vocabulary())
    return list(claim_mismatch(Context(report)))


def violations_in(text: str) -> list[Violation]:
    return violations_on(Source("report.md", text))


@pytest.mark.parametrize(
    ("report", "lines"),
    [
        ("fugaku-1.3b.md", [12, 13]),
        ("fugaku-30b.md", []),
        ("bigscience-1b3.md", []),
        ("nanotron-nemo.md", []),
        ("fmengine.md", []),
    ],
)
def test_the_claims_of_the_reports(report: str, lines: list[int]) -> None:
    source = Source.from_bytes(report, (REPORTS / report).read_bytes())
    assert [source.line(remark.span.start) for remark in violations_on(source)] == lines


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        pytest.param("- {}\n  - 2 s/it => {}", ("100k steps", "9.9 days", "2.3 days"), id="item"),
        pytest.param(
            "Run {}:\n\n- 2 s/it -> {}", ("100k steps", "60 hours", "56 hours"), id="lead"
        ),
        pytest.param("{} at 2 it/s → {}", ("100k steps", "15.0 h", "13.9 h"), id="rate"),
        pytest.param("{} at 2 s/it takes {}", ("100k steps", "9.9 days", "2.3 days"), id="takes"),
        pytest.param("{} at 1M tokens/s ==> {}", ("1T tokens", "13 days", "12 days"), id="tokens"),
        pytest.param("{} for 3 days = {}", ("8 GPUs", "25 GPU days", "24 GPU days"), id="devices"),
        pytest.param("{} at $2/hour => {}", ("10 hours", "$25", "$20"), id="cost"),
    ],
)
def test_a_wrong_claim_is_found_and_fixed(wrong: str, right: tuple[str, str, str]) -> None:
    given_as, claimed, follows = right
    source = Source("report.md", wrong.format(given_as, claimed))
    (remark,) = violations_on(source)
    (fix,) = remark.fixes
    assert source.cut(remark.span) == claimed
    assert fix.safety is Safety.UNSAFE
    assert source.edited(fix.edits).text == wrong.format(given_as, follows)
    assert given_as in [evidence.label for evidence in remark.evidence]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("- 362k steps\n  - 0.5 Sec/it ==> 2.09 days", id="truncated"),
        pytest.param("- 362k steps\n  - 2 Sec/it ==> 8.38 days", id="rounded"),
        pytest.param("362k steps at 2 s/it takes 9 days", id="about ten percent"),
        pytest.param("147K GPU-hours at $2/hr => $300K", id="rounded to the zeros"),
        pytest.param("154 steps at 221 s/step = 9h30m", id="a time in parts"),
    ],
)
def test_a_correct_claim_is_not_reported(text: str) -> None:
    assert violations_in(text) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("2 s/it => 9 days", id="no steps"),
        pytest.param("- 100k steps, 5k steps\n  - 2 s/it => 9 days", id="two counts of steps"),
        pytest.param("# Run\n\n- 100k steps\n\n# Other\n\n- 2 s/it => 9 days", id="elsewhere"),
        pytest.param("- 100k steps\n- 2 s/it => 9 days", id="a sibling"),
        pytest.param("3 epochs, 10k steps at 2 s/it => 2 days", id="epochs"),
        pytest.param("100k steps at 4-5 steps/s → 33 hours", id="a range"),
        pytest.param("8 GPUs, 10 hours at $2/hour => $160", id="a price that may be per device"),
        pytest.param("2 nodes, 8 GPUs for 3 days = 48 GPU days", id="devices that may be per node"),
        pytest.param("* `188 node hours` per 100k steps.", id="no rate"),
        pytest.param("100k steps at 2 s/it. Then 9 days", id="another sentence"),
        pytest.param("100k steps at 2 s/it, saved in 9 days", id="nothing announces it"),
        pytest.param("100k steps × 2 s/it = 9 days", id="a calculation, which is MB401"),
        pytest.param("time: 13.9 hours -> 12 hours at 100k steps", id="a change"),
    ],
)
def test_an_ambiguous_claim_is_not_reported(text: str) -> None:
    assert violations_in(text) == []


def test_the_evidence_recomputes_it() -> None:
    (remark,) = violations_in("- 362k steps\n  - 2 Sec/it ==> 8.36 days")
    assert remark.evidence[0].label == "362000 steps × 2 Sec/it = 8.3796 days"
    assert remark.message == "362000 steps × 2 Sec/it is 8.38 days, not 8.36 days"


@given(st.integers(1, 10**6), st.integers(1, 1000), st.integers(0, 3), st.booleans())
def test_a_computed_claim_is_not_reported(steps: int, rate: int, places: int, cut: bool) -> None:
    hours = steps * rate * 10**places / 3600
    shown = int(hours) if cut else round(hours)
    text = f"{shown / 10**places:.{places}f}"
    assert violations_in(f"{steps} steps at {rate} s/it => {text} hours") == []
