"""The fixes of every rule converge, and safe fixes keep every measurement."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdbench.linting.checker import check
from mdbench.linting.fixer import Fixed, fix
from mdbench.rules.examples import find_examples
from mdbench.rules.findings import Safety
from mdbench.rules.loading import RULES
from mdbench.sheets.equality import differences
from mdbench.sheets.report import read_report
from mdbench.source import Source, SourceError
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()

PROJECT = Path(__file__).resolve().parent.parent.parent
FILES = [
    *sorted((PROJECT / "reports").glob("*.md")),
    *sorted((PROJECT.parent / "shared" / "corpus").glob("*.md")),
]
EXAMPLES = [
    pytest.param(example.text, id=f"{rule.code}-{number}")
    for rule in RULES.values()
    for number, example in enumerate(find_examples(rule.text))
]


def fix_twice(source: Source, allowed: Safety) -> Fixed:
    fixed = fix(source, allowed=allowed)
    assert fixed.refused == ()
    assert fixed.converged, [(one.code, one.message) for one in fixed.findings if one.remedy]
    if fixed.source.text != source.text:
        again = fix(fixed.source, allowed=allowed)
        assert again.source.text == fixed.source.text
        assert again.findings == fixed.findings
    return fixed


def hold_safe(source: Source) -> None:
    fixed = fix_twice(source, Safety.SAFE)
    assert (
        differences(
            read_report(source, STANDARD),
            read_report(fixed.source, STANDARD),
        )
        == ()
    )


def hold_unsafe(source: Source) -> None:
    """A fix must not replace one finding with a new one."""
    fixed = fix_twice(source, Safety.UNSAFE)
    before = {(one.severity, one.code) for one in check(source)}
    assert {(one.severity, one.code) for one in fixed.findings} <= before


@pytest.mark.parametrize("text", EXAMPLES)
def test_the_fixes_of_an_example_converge(text: str) -> None:
    hold_safe(Source("example.md", text))
    fix_twice(Source("example.md", text), Safety.UNSAFE)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_fixes_of_a_report_converge(path: Path) -> None:
    try:
        source = Source.from_bytes(path.name, path.read_bytes())
    except SourceError:
        pytest.skip("not a text in UTF-8")
    hold_safe(source)
    hold_unsafe(source)
