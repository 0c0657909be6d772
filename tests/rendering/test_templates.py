"""Templates: their data, which one is used, and error messages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mdbench.cli.main import main
from mdbench.files.errors import ProblemError
from mdbench.files.reading import read_source
from mdbench.rendering.template_data import describe_report
from mdbench.rendering.templates import fill_template, template_names
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()

PROJECT = Path(__file__).resolve().parent.parent.parent
DOCS = (PROJECT / "docs" / "templates.md").read_text(encoding="utf-8")
REPORT = PROJECT / "reports" / "fugaku-30b.md"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a report and a folder for templates."""
    (tmp_path / "templates").mkdir()
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / REPORT.name).write_bytes(REPORT.read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fill(text: str, here: Path) -> str:
    (here / "mine.md.j2").write_text(text, encoding="utf-8")
    return fill_template(
        "mine.md.j2", describe_report(read_source(f"reports/{REPORT.name}"), STANDARD)
    )


def is_plain(value: object) -> bool:
    if isinstance(value, dict):
        return all(type(key) is str and is_plain(one) for key, one in value.items())
    if isinstance(value, list):
        return all(map(is_plain, value))
    return value is None or type(value) in (str, int, float, bool)


@pytest.mark.parametrize(
    "path", sorted((PROJECT / "reports").glob("*.md")), ids=lambda one: one.stem
)
def test_templates_get_plain_data(path: Path) -> None:
    assert is_plain(describe_report(read_source(str(path)), STANDARD))


def test_the_docs_list_all_template_data() -> None:
    data = describe_report(read_source(str(REPORT)), STANDARD)
    listed = set(re.findall(r"^\| `(\w+)` +\| ", DOCS, re.MULTILINE))
    assert listed == {*data, *template_names()}
    experiments = data["experiments"]
    assert isinstance(experiments, list)
    for name in experiments[0]:
        assert f"`{name}`" in DOCS


@pytest.mark.parametrize("name", template_names())
@pytest.mark.parametrize(
    "path", sorted((PROJECT / "reports").glob("*.md")), ids=lambda one: one.stem
)
def test_the_shipped_templates_work_on_all_reports(path: Path, name: str) -> None:
    assert fill_template(name, describe_report(read_source(str(path)), STANDARD))


def test_an_empty_report_can_be_rendered(here: Path) -> None:
    (here / "empty.md").write_bytes(b"")
    text = fill_template("report", describe_report(read_source("empty.md"), STANDARD))
    assert text.startswith("# empty\n")
    assert "The report has no tables with measurements." in text


def test_the_report_has_all_parts() -> None:
    text = fill_template("report", describe_report(read_source(str(REPORT)), STANDARD))
    for part in (
        "# 30B model benchmarking results\n",
        "| hidden  | 7168      |    8 |",
        "|   192 |       2.0 |   1 |   4 |  48 | yes ",
        "Best configuration: nodes 192, dp 1, tp 4, with tflops_per_device 1.1 (line 25).",
        "|  3072 |              0.82 |     0.7455 |   28 |",
        "- line 35: MB301 derived-mismatch (error): ",
    ):
        assert part in text


def test_a_project_template_wins(here: Path) -> None:
    (here / "templates" / "report.md.j2").write_text("mine: {{ report.name }}", encoding="utf-8")
    data = describe_report(read_source(f"reports/{REPORT.name}"), STANDARD)
    assert fill_template("report", data) == "mine: fugaku-30b"


def test_a_project_table_template_lays_out_tables(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "templates" / "table.md.j2").write_text(
        "{% macro lay_out(table) %}\n"
        "|{% for one in table.columns %}{{ one.title }}|{% endfor %}\n\n"
        "|{% for one in table.columns %}-:|{% endfor %}\n\n"
        "{% for row in table.rows %}\n|{{ row.cells | join('|') }}|\n{% endfor %}\n"
        "{% endmacro %}\n",
        encoding="utf-8",
    )
    (here / "a.md").write_text("| Nodes | Mem |\n|---|---|\n| 4 | 5 GB |\n", encoding="utf-8")
    assert main(["render", "a.md"]) == 0
    assert capsys.readouterr().out == "|Nodes|Mem (GB)|\n|-:|-:|\n|4|5|\n"


def test_a_table_template_that_loses_rows_is_an_error(here: Path) -> None:
    (here / "templates" / "table.md.j2").write_text(
        "{% macro lay_out(table) %}| a |{% endmacro %}", encoding="utf-8"
    )
    (here / "a.md").write_text("| Nodes | Mem |\n|---|---|\n| 4 | 5 GB |\n", encoding="utf-8")
    assert main(["render", "a.md"]) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("a\n\n{{ nothing }}", "mine.md.j2:3: 'nothing' is undefined", id="undefined"),
        pytest.param(
            "{{ report.tilte }}",
            "mine.md.j2:1: 'dict object' has no attribute 'tilte'",
            id="a missing key",
        ),
        pytest.param("\n{% for x %}", "mine.md.j2:2: expected token 'in'", id="syntax"),
        pytest.param("{{ 1 / 0 }}", "mine.md.j2:1: ZeroDivisionError: ", id="arithmetic"),
        pytest.param(
            "\n{% include 'no' %}", "mine.md.j2:2: template no does not exist", id="include"
        ),
        pytest.param("{{ report | nope }}", "mine.md.j2:1: No filter named 'nope'", id="filter"),
        pytest.param(
            "{{ report.__class__.__mro__ }}", "mine.md.j2:1: access to ", id="a sandbox escape"
        ),
        pytest.param("{{ runs.clear() }}", "mine.md.j2:1: ", id="a change to the data"),
        pytest.param(
            "{% include '../secret' %}",
            "mine.md.j2:1: template ../secret does not exist",
            id="a file above",
        ),
        pytest.param(
            "{% for x in range(10 ** 9) %}{% endfor %}", "mine.md.j2:1: ", id="an endless loop"
        ),
        pytest.param(
            "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "mine.md.j2:1: ", id="recursion"
        ),
    ],
)
def test_errors_have_file_and_line(text: str, message: str, here: Path) -> None:
    (here.parent / "secret").write_text("secret", encoding="utf-8")
    with pytest.raises(ProblemError) as problem:
        fill(text, here)
    said = str(problem.value)
    assert said.startswith(message)
    assert "\n" not in said


@pytest.mark.parametrize(
    ("name", "message"),
    [
        pytest.param("nope", "nope: no template with that name", id="a name"),
        pytest.param("no/such.md.j2", "no/such.md.j2: no such template file", id="a file"),
        pytest.param("../report", "../report: no such template file", id="a path without .j2"),
    ],
)
@pytest.mark.usefixtures("here")
def test_a_missing_template(name: str, message: str) -> None:
    with pytest.raises(ProblemError) as problem:
        fill_template(name, {})
    assert str(problem.value).startswith(message)


def test_a_cell_escapes_pipes_and_line_ends(here: Path) -> None:
    assert (
        fill("{{ 'a|b\nc' | cell }} {{ none | cell }} {{ true | cell }}", here) == r"a\|b c - yes"
    )
