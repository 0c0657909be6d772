"""Confidence: more evidence makes a finding surer, and more rows that disagree less sure."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mdbench.diagnosis.confidence import weigh_definition, weigh_evidence, weigh_rows
from mdbench.linting.checker import check
from mdbench.rules.confidences import RULE_CONFIDENCES
from mdbench.rules.findings import Finding
from mdbench.rules.loading import RULES
from mdbench.source import Source

BITS = st.floats(-50, 500)
ROWS = st.integers(0, 200)


def ratios(rows: int, wrong: int = 1, digits: int = 2) -> str:
    """A table of ratios, of which the last ones are wrong."""
    lines = ["| Case | Before (ms) | After (ms) | Speedup |", "|--|--|--|--|"]
    for at in range(rows):
        before, after = 31.7 + 7.3 * at, 11.9 + 1.7 * (at * at % 7)
        ratio = before / after * (1.21 if at >= rows - wrong else 1)
        lines.append(
            f"| case {at} | {before:.{digits}f} | {after:.{digits}f} | {ratio:.{digits}f} |"
        )
    return "\n".join(lines) + "\n"


def find(text: str) -> list[Finding]:
    return [one for one in check(Source("a.md", text)) if one.code == "MB301"]


@given(BITS, ROWS, ROWS, BITS)
def test_it_is_a_probability(extra: float, holding: int, failing: int, lead: float) -> None:
    assert 0 <= weigh_evidence(extra, holding, failing, lead) <= 1
    assert 0 <= weigh_rows(holding, failing) <= weigh_definition(holding, failing) <= 1


@given(BITS, ROWS, ROWS, BITS)
def test_it_follows_the_evidence(extra: float, holding: int, failing: int, lead: float) -> None:
    sure = weigh_evidence(extra, holding, failing, lead)
    assert weigh_evidence(extra + 1, holding, failing, lead) >= sure
    assert weigh_evidence(extra, holding + 1, failing, lead) >= sure
    assert weigh_evidence(extra, holding, failing + 1, lead) < sure
    assert weigh_evidence(extra, holding, failing, lead + 1) >= sure


def test_it_grows_with_the_rows_that_agree() -> None:
    found = [find(ratios(rows))[0].confidence for rows in (4, 6, 9, 14)]
    assert found == sorted(set(found))


def test_it_grows_with_the_digits() -> None:
    few, many = (find(ratios(6, digits=digits))[0].confidence for digits in (1, 3))
    assert few < many


def test_it_falls_with_the_rows_that_disagree() -> None:
    found = [find(ratios(12, wrong))[0].confidence for wrong in (1, 2, 3)]
    assert found == sorted(set(found), reverse=True)


def test_a_known_relation_in_a_few_rows_is_less_sure_than_in_many() -> None:
    header = "| GBS | Sec/it | Samples/s |\n|--|--|--|\n"
    right = ["| 512 | 2.31 | 221.6 |", "| 256 | 1.07 | 239.3 |", "| 128 | 0.61 | 209.8 |"]
    right += ["| 96 | 0.44 | 218.2 |", "| 64 | 0.29 | 220.7 |", "| 32 | 0.17 | 188.2 |"]
    wrong = "| 1024 | 4.11 | 294.1 |"
    few, many = ("\n".join((*right[:rows], wrong, "")) for rows in (1, 6))
    assert find(header + few)[0].confidence < find(header + many)[0].confidence


def test_only_rules_that_exist_have_a_confidence() -> None:
    assert RULE_CONFIDENCES.keys() <= RULES.keys()
    assert all(0 < one <= 1 for one in RULE_CONFIDENCES.values())
