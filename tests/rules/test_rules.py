"""Rule documentation as tests: bad examples are reported, good ones are not, fixes are right."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdbench.linting.checker import check
from mdbench.output.rule_pages import all_pages
from mdbench.rules.examples import Example, find_examples
from mdbench.rules.findings import Finding, Safety
from mdbench.rules.loading import RULES, Rule
from mdbench.source import Edit, Source, Span

# Codes are never reused or renamed: people have them in their configurations and comments.
CATALOGUE = """
MB000 rule-crashed error
MB001 unreadable-file error
MB101 ragged-row error
MB102 blank-row warning
MB103 duplicate-row warning
MB104 duplicate-column warning
MB105 empty-section info
MB106 chart-without-data info
MB107 headless-rows warning
MB201 misplaced-unit error
MB202 unreadable-number warning
MB203 unit-without-value info
MB204 implausible-unit warning
MB205 mixed-units warning
MB206 mixed-missing-markers info
MB207 undefined-marker warning
MB208 value-in-notes info
MB209 note-in-number info
MB301 derived-mismatch error
MB302 shifted-row error
MB303 scaled-column error
MB304 truncated-value info
MB305 indivisible error
MB306 order-violation error
MB401 prose-arithmetic error
MB402 setting-mismatch error
MB403 conflicting-replicates info
MB404 claim-mismatch warning
MB501 superlinear-scaling info
MB502 above-peak warning
MB601 drifted-value error
MB602 unmatched-results warning
MB901 unused-ignore warning
"""
# These rules cannot have examples.
WITHOUT_EXAMPLES = {"MB000", "MB001"}


def examples(good: bool) -> list[object]:
    return [
        pytest.param(rule, example, id=f"{rule.code}-{number}")
        for rule in RULES.values()
        for number, example in enumerate(
            one for one in find_examples(rule.text) if one.good is good
        )
    ]


def found_by(rule: Rule, text: str) -> list[Finding]:
    return [one for one in check(Source("example.md", text)) if one.code == rule.code]


def apply_first_fixes(text: str, findings: list[Finding]) -> str | None:
    """Apply the first fix of each finding; None if a finding has no fix."""
    edits: list[Edit] = []
    for finding in findings:
        if not finding.fixes or finding.fixes[0].safety is Safety.DISPLAY:
            return None
        edits += finding.fixes[0].edits
    return Source("example.md", text).edited(edits).text


@pytest.mark.parametrize(("rule", "example"), examples(good=False))
def test_a_bad_example_is_found_exactly_where_it_is_marked(rule: Rule, example: Example) -> None:
    assert example.spans
    assert tuple(one.span for one in found_by(rule, example.text)) == example.spans


@pytest.mark.parametrize(("rule", "example"), examples(good=True))
def test_a_good_example_has_no_findings(rule: Rule, example: Example) -> None:
    assert found_by(rule, example.text) == []


@pytest.mark.parametrize(("rule", "example"), examples(good=False))
def test_fixing_the_bad_example_gives_the_good_one(rule: Rule, example: Example) -> None:
    fixed = apply_first_fixes(example.text, found_by(rule, example.text))
    if fixed is None:
        pytest.skip("this rule has no fix to apply")
    assert fixed in [one.text for one in find_examples(rule.text) if one.good]


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES.keys())
def test_a_rule_has_a_bad_and_a_good_example(rule: Rule) -> None:
    kinds = {example.good for example in find_examples(rule.text)}
    assert kinds == (set() if rule.code in WITHOUT_EXAMPLES else {True, False})


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES.keys())
def test_a_rule_keeps_its_code_name_and_severity(rule: Rule) -> None:
    assert f"{rule.code} {rule.name} {rule.severity}" in CATALOGUE.splitlines()


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES.keys())
def test_a_rule_is_in_the_file_of_its_name(rule: Rule) -> None:
    expected = f"{rule.code.lower()}_{rule.name.replace('-', '_')}"
    assert rule.check.__module__ == f"mdbench.rules.{expected}"


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES.keys())
def test_the_summary_of_a_rule_is_one_sentence(rule: Rule) -> None:
    assert rule.summary.endswith(".")
    assert rule.text.splitlines()[1] == ""


def test_subsumed_rules_exist() -> None:
    known = CATALOGUE.split()
    assert [code for rule in RULES.values() for code in rule.subsumes if code not in known] == []


def test_the_marks_of_an_example_become_spans() -> None:
    (example,) = find_examples("Text\n\n```bad\na «bc» d\n«»\n```\n")
    assert example.text == "a bc d\n\n"
    assert example.spans == (Span(2, 4), Span(7, 7))


def test_the_pages_of_the_rules_are_up_to_date(project: Path) -> None:
    folder = project / "docs" / "rules"
    written = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}
    assert written == all_pages(), "stale: run `python -m mdbench.output.rule_pages`"
