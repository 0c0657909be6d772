"""What Python gets: findings, fixed and clean text, and the settings of a project."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import mdbench

REPORT = """\
| Nodes | Global batch | Step time (s) | Samples/s |
|------:|-------------:|--------------:|----------:|
| 2 | 512 | 1.62 | 316 |
| 4 | 512 | 0.83 | 617 |
| | | | |
| 8 | 512 | 0.44 | 1240 |
"""


def found(
    text: str, select: Sequence[str] = (), ignore: Sequence[str] = ()
) -> list[tuple[str, str]]:
    findings = mdbench.lint(text, select=select, ignore=ignore)
    return [(one.code, text[one.span.start : one.span.end]) for one in findings]


def test_lint_finds_what_is_wrong_and_where() -> None:
    assert found(REPORT) == [("MB102", "| | | | |"), ("MB301", "1240")]


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        ({"select": ["MB3"]}, ["MB301"]),
        ({"ignore": ["MB3"]}, ["MB102"]),
        ({"select": ["MB"], "ignore": ["MB102"]}, ["MB301"]),
    ],
)
def test_rules_are_chosen_as_on_the_command_line(
    options: dict[str, list[str]], codes: list[str]
) -> None:
    assert [code for code, _ in found(REPORT, **options)] == codes


@pytest.mark.parametrize("code", ["E501", "mb301", "MB3011", ""])
def test_what_is_no_code_is_refused(code: str) -> None:
    with pytest.raises(ValueError, match="neither a rule code"):
        mdbench.lint(REPORT, select=[code])


def test_a_safe_fix_changes_no_number() -> None:
    fixed = mdbench.fix(REPORT)
    assert "| | | | |" not in fixed
    assert "| 1240 |" in fixed
    assert found(fixed) == [("MB301", "1240")]


def test_an_unsafe_fix_does_if_it_is_asked_for() -> None:
    assert found(mdbench.fix(REPORT, unsafe=True)) == []


def test_render_lays_tables_out_and_can_be_told_how() -> None:
    clean = mdbench.render(REPORT)
    assert "|     8 |          512 |          0.44 |      1240 |" in clean
    assert mdbench.render(clean) == clean
    assert "[^MB301-1]" in mdbench.render(REPORT, annotate=True)


def test_a_configuration_counts_where_it_is_passed(tmp_path: Path) -> None:
    config = tmp_path / "mdbench.toml"
    config.write_text('relations = ["cost_usd = train_time_h * 2"]\n', encoding="utf-8")
    report = "| Train time (h) | Cost ($) |\n|--:|--:|\n| 3.5 | 9.00 |\n"
    assert [one.code for one in mdbench.lint(report, config=config)] == ["MB301"]
    assert "7.00" in mdbench.fix(report, unsafe=True, config=config)
    assert mdbench.lint(report) == ()


def test_a_wrong_setting_is_told(tmp_path: Path) -> None:
    config = tmp_path / "mdbench.toml"
    config.write_text("selct = []\n", encoding="utf-8")
    with pytest.raises(mdbench.ProblemError, match="selct"):
        mdbench.lint(REPORT, config=config)


@pytest.mark.parametrize(
    ("function", "report"),
    [
        *((name, one) for name in ("lint", "fix", "render", "parse") for one in (b"| a |", None)),
        *((name, Path("a.md")) for name in ("fix", "render", "parse")),
    ],
)
def test_a_report_that_is_no_text_is_refused(function: str, report: object) -> None:
    with pytest.raises(TypeError, match=f"not {type(report).__name__}"):
        getattr(mdbench, function)(report)


def test_a_path_is_not_taken_for_a_report() -> None:
    with pytest.raises(ValueError, match=r"is a path.*read_text"):
        mdbench.lint("reports/a.md")
    assert mdbench.lint("No table, see reports/a.md\n") == ()


def test_only_public_names_are_listed() -> None:
    assert dir(mdbench) == sorted(mdbench.__all__)


def test_every_name_is_there() -> None:
    assert all(getattr(mdbench, name) is not None for name in mdbench.__all__)
    with pytest.raises(AttributeError, match="no attribute 'linnt'"):
        _ = mdbench.linnt


def test_a_path_is_read_and_a_string_is_a_text(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(REPORT, encoding="utf-8")
    assert mdbench.lint(path) == mdbench.lint(REPORT) == mdbench.lint(text=REPORT)
    assert mdbench.lint(path)[0].path == str(path)
    assert mdbench.lint(text="reports/a.md") == ()
    with pytest.raises(mdbench.ProblemError, match=r"b\.md: cannot be read"):
        mdbench.lint(tmp_path / "b.md")
    with pytest.raises(TypeError, match="not both"):
        mdbench.lint(path, text=REPORT)
    with pytest.raises(TypeError, match="not NoneType"):
        mdbench.lint()
    with pytest.raises(TypeError, match="not bytes"):
        mdbench.lint(text=b"x")  # type: ignore[arg-type]


def test_a_finding_knows_its_line_and_is_a_line() -> None:
    blank, wrong = mdbench.lint(REPORT)
    assert (blank.line, wrong.line, wrong.column, wrong.end_column) == (5, 6, 20, 24)
    assert str(wrong).startswith("<text>:6:20 MB301 error: Samples/s 1240 should be ")
    assert pickle.loads(pickle.dumps(wrong)).line == 6
    assert isinstance(wrong, mdbench.Finding)


def test_findings_are_shown_in_notebooks_as_in_the_terminal() -> None:
    shown = mdbench.lint(REPORT)._repr_html_()
    assert "6 | | 8 | 512 | 0.44 | 1240 |" in shown
    assert "^^^^" in shown
    assert "help:" in shown
    assert "no findings" in mdbench.lint("Nothing\n")._repr_html_()


def test_nothing_of_a_report_becomes_html_in_a_notebook() -> None:
    attack = "<script>alert(1)</script>"
    rows = f"| 2 | 512 | 1.62 | 316 | {attack} |\n| 8 | 512 | 0.44 | 1240 | {attack} |\n"
    head = f"| Nodes | Global batch | Step time (s) | Samples/s | {attack} |\n|--|--|--|--|--|\n"
    findings = mdbench.lint(f"# {attack}\n\n{head}{rows}| 4 | 512 | 0.83 | 617 | {attack} |\n")
    assert findings
    shown = findings._repr_html_()
    assert "&lt;script&gt;" in shown
    assert "<script" not in shown


def test_findings_are_a_frame_if_asked_for() -> None:
    frame = mdbench.lint(REPORT).to_pandas()
    assert list(frame["code"]) == ["MB102", "MB301"]
    assert list(frame["line"]) == [5, 6]
    assert "1164" in frame["fix"].iloc[1]
    empty = mdbench.lint("").to_pandas()
    assert list(empty.dtypes) == list(frame.dtypes)


def test_lint_and_its_findings_do_not_load_pandas() -> None:
    code = (
        "import sys, mdbench; f = mdbench.lint(text='| a |\\n|--|\\n'); str(f); f._repr_html_();"
        "print(sorted({'pandas', 'numpy', 'pyarrow', 'jinja2'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
