"""`--format sarif`: valid by the published schema, with fixes that do what they say."""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mdbench
from mdbench.cli.main import main
from mdbench.linting.checker import check
from mdbench.linting.results import Checked, FileResult
from mdbench.output import FORMATS
from mdbench.rules.findings import Evidence, Finding, Fix, Safety, Severity
from mdbench.rules.loading import RULES
from mdbench.source import Edit, Source, Span

PROJECT = Path(__file__).resolve().parent.parent.parent
REPORTS = sorted((PROJECT / "reports").glob("*.md"))
SCHEMA_URL = "https://json.schemastore.org/sarif-2.1.0.json"
FIRST = Span(0, 1)
IGNORED = "<!-- mdbench: ignore MB103 -->\n\n| Nodes | s |\n|--|--|\n| 2 | 17.5 |\n| 2 | 17.5 |\n"
TABLE = "| Nodes | Mem |\n|--|--|\n| 2 | 17 GB |\n|  |  |\n"


def load(*reports: FileResult) -> dict[str, Any]:
    log: dict[str, Any] = json.loads("".join(FORMATS["sarif"].write(reports)))
    return log


def results(*reports: FileResult) -> list[dict[str, Any]]:
    (run,) = load(*reports)["runs"]
    found: list[dict[str, Any]] = run["results"]
    return found


def examine(text: str, path: str = "a.md") -> FileResult:
    source = Source(path, text)
    return Checked(source, check(source))


def finding(text: str = "wrong", span: Span = FIRST, **more: Any) -> Finding:
    return Finding("MB301", "derived-mismatch", Severity.ERROR, span, text, **more)


@pytest.fixture(scope="module")
def validator(
    published_schema: Callable[[str], dict[str, Any]],
) -> jsonschema.Draft7Validator:
    schema = published_schema(SCHEMA_URL)
    assert schema["properties"]["version"]["enum"] == ["2.1.0"]
    return jsonschema.Draft7Validator(schema)


@pytest.mark.slow
@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.name)
def test_the_log_of_a_report_is_valid(path: Path, validator: jsonschema.Draft7Validator) -> None:
    log = load(examine(path.read_text(encoding="utf-8"), f"reports/{path.name}"))
    assert log["runs"][0]["results"]
    validator.validate(log)


def test_the_log_of_nothing_is_valid(validator: jsonschema.Draft7Validator) -> None:
    log = load(examine("Words.\n"))
    validator.validate(log)
    assert log["runs"][0]["results"] == []


def test_the_schema_is_not_satisfied_by_anything(validator: jsonschema.Draft7Validator) -> None:
    log = load(examine(TABLE))
    log["runs"][0]["results"][0]["level"] = "info"
    assert not validator.is_valid(log)


@pytest.mark.slow
@given(st.text(), st.text(min_size=1))
def test_no_text_makes_it_invalid(said: str, path: str) -> None:
    fix = Fix(said, (Edit(Span(0, len(said)), said),), Safety.UNSAFE)
    one = finding(said, Span(0, len(said)), evidence=(Evidence(said, Span(0, 0)),), fixes=(fix,))
    (result,) = results(Checked(Source(path, said), (one,)))
    change = result["fixes"][0]["artifactChanges"][0]
    assert change["replacements"][0]["insertedContent"]["text"] == said
    assert unquote(change["artifactLocation"]["uri"]).endswith(path)


def test_the_tool_and_its_rules_are_described() -> None:
    driver = load()["runs"][0]["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("mdbench", mdbench.__version__)
    assert [one["id"] for one in driver["rules"]] == list(RULES)
    rule = driver["rules"][list(RULES).index("MB102")]
    assert rule["name"] == "BlankRow"
    assert rule["shortDescription"]["text"] == RULES["MB102"].summary
    assert rule["defaultConfiguration"]["level"] == "warning"
    assert rule["help"]["markdown"].startswith("# MB102 blank-row\n\nAll cells of a row are empty.")
    assert "Bad:\n\n```markdown\n|" in rule["help"]["markdown"]


def test_a_rule_has_a_title_a_description_and_a_page() -> None:
    driver = load()["runs"][0]["tool"]["driver"]
    for rule in driver["rules"]:
        title, text = rule["shortDescription"]["text"], rule["fullDescription"]["text"]
        assert " " in title
        assert title.endswith((".", "…"))
        assert text.startswith(title)
        assert rule["helpUri"].startswith(f"{driver['informationUri']}/blob/")
        assert (PROJECT / "docs" / "rules" / Path(rule["helpUri"]).name).is_file()


def test_the_repository_is_that_of_pyproject() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    home = project["urls"]["Repository"]
    assert load()["runs"][0]["tool"]["driver"]["informationUri"] == home
    assert all(address.startswith(home) for address in project["urls"].values())


def test_without_an_installed_package_there_is_no_address(
    monkeypatch: pytest.MonkeyPatch, validator: jsonschema.Draft7Validator
) -> None:
    def find(name: str) -> Any:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "metadata", find)
    log = load()
    validator.validate(log)
    driver = log["runs"][0]["tool"]["driver"]
    assert "informationUri" not in driver
    assert not any("helpUri" in rule for rule in driver["rules"])


def test_help_is_free_of_our_marks_and_its_text_free_of_markdown() -> None:
    for rule in load()["runs"][0]["tool"]["driver"]["rules"]:
        text, markdown = rule["help"]["text"], rule["help"]["markdown"]
        assert not {"«", "»"} & {*text, *markdown}
        assert "```bad" not in markdown
        # Lines of examples are indented; what they show may contain anything.
        said = [line for line in text.splitlines() if not line.startswith("    ")]
        assert not any("`" in line or line.startswith("#") for line in said)
        assert "\n\n    " in text or rule["id"] < "MB1" or rule["id"][:3] in ("MB6", "MB9")


def test_a_finding_that_a_comment_ignores_is_suppressed_in_the_source(
    validator: jsonschema.Draft7Validator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    log = lint_sarif(tmp_path, IGNORED)
    validator.validate(log)
    assert suppressions(log) == [("MB103", [{"kind": "inSource"}])]
    # The same from the cache, and beside a finding that nothing suppresses.
    assert lint_sarif(tmp_path, IGNORED) == log
    both = lint_sarif(tmp_path, f"{IGNORED}\n{TABLE}")
    assert suppressions(both) == [("MB102", []), ("MB103", [{"kind": "inSource"}])]
    assert "fixes" not in both["runs"][0]["results"][1]


def test_a_finding_of_the_baseline_is_suppressed_outside(
    validator: jsonschema.Draft7Validator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text(TABLE, encoding="utf-8")
    assert main(["lint", "a.md", "--write-baseline"]) == 0
    shown = [lint_sarif(tmp_path, TABLE, code=0) for _ in range(2)]
    validator.validate(shown[0])
    assert suppressions(shown[0]) == [("MB102", [{"kind": "external"}])]
    assert shown[0] == shown[1]


def test_what_is_left_after_fixes_has_its_suppressions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    log = lint_sarif(tmp_path, f"{IGNORED}\n{TABLE}", "--fix", code=0)
    assert suppressions(log) == [("MB103", [{"kind": "inSource"}])]


def lint_sarif(folder: Path, text: str, *options: str, code: int | None = None) -> dict[str, Any]:
    """The log of the command, which uses the cache."""
    (folder / "a.md").write_text(text, encoding="utf-8")
    found = main(["lint", "a.md", "--format", "sarif", "-o", "log.sarif", *options])
    assert code in (None, found)
    log: dict[str, Any] = json.loads((folder / "log.sarif").read_text(encoding="utf-8"))
    return log


def suppressions(log: dict[str, Any]) -> list[tuple[str, object]]:
    return [(one["ruleId"], one["suppressions"]) for one in log["runs"][0]["results"]]


def test_a_result_points_at_its_rule() -> None:
    (run,) = load(examine(TABLE))["runs"]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


@pytest.mark.parametrize(
    ("severity", "level"),
    [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "note")],
)
def test_levels_are_those_of_sarif(severity: Severity, level: str) -> None:
    one = Finding("MB301", "derived-mismatch", severity, Span(0, 1), "wrong")
    assert results(Checked(Source("a.md", "x"), (one,)))[0]["level"] == level


def test_regions_count_characters_and_lines_as_declared() -> None:
    text = "# 🚀\r🚀🚀 ab\r\nlast"
    start = text.index("ab")
    source = Source("a.md", text)
    (run,) = load(Checked(source, (finding(span=Span(start, start + 2)),)))["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["newlineSequences"] == ["\r\n", "\n", "\r"]
    location = run["results"][0]["locations"][0]["physicalLocation"]
    assert location["region"] == {"startLine": 2, "startColumn": 4, "endLine": 2, "endColumn": 6}


def test_evidence_is_told_where_it_is_and_remarks_are_in_the_message() -> None:
    evidence = (Evidence("the total", Span(2, 3)), Evidence("a remark"))
    (result,) = results(Checked(Source("a.md", "x\ny\n"), (finding(evidence=evidence),)))
    assert result["message"]["text"] == "wrong\na remark"
    (related,) = result["relatedLocations"]
    assert related["message"]["text"] == "the total"
    assert related["physicalLocation"]["region"]["startLine"] == 2


@pytest.mark.parametrize(
    ("said", "text"),
    [
        pytest.param("${0}$", "${{0}}$", id="a placeholder"),
        pytest.param("[a](1)", "[a] (1)", id="a link"),
    ],
)
def test_a_text_is_not_taken_for_more_than_a_text(said: str, text: str) -> None:
    assert results(Checked(Source("a.md", "x"), (finding(said),)))[0]["message"]["text"] == text


def test_its_fixes_do_what_those_of_the_findings_do() -> None:
    reports = [examine(path.read_text(encoding="utf-8"), path.name) for path in REPORTS]
    pairs = [(report.source, one) for report in reports for one in report.findings]
    applied = 0
    for (source, one), result in zip(pairs, results(*reports), strict=True):
        fixes = [fix for fix in one.fixes if fix.safety is not Safety.DISPLAY and fix.edits]
        shown = result.get("fixes", [])
        assert [fix["properties"]["safety"] for fix in shown] == [str(fix.safety) for fix in fixes]
        for fix, object_ in zip(fixes, shown, strict=True):
            assert apply(source, object_) == source.edited(fix.edits).text
            applied += 1
    assert applied > 5


def apply(source: Source, fix: dict[str, Any]) -> str:
    """What a viewer makes of the text by the fix alone: from the last place to the first."""
    (change,) = fix["artifactChanges"]
    text = source.text
    for one in sorted(change["replacements"], key=lambda one: place(source, one), reverse=True):
        start, end = place(source, one)
        text = text[:start] + one["insertedContent"]["text"] + text[end:]
    return text


def place(source: Source, replacement: dict[str, Any]) -> tuple[int, int]:
    region = replacement["deletedRegion"]
    starts = source.line_starts
    return (
        starts[region["startLine"] - 1] + region["startColumn"] - 1,
        starts[region["endLine"] - 1] + region["endColumn"] - 1,
    )


def test_what_is_only_to_be_shown_cannot_be_applied() -> None:
    fix = Fix("think again", (Edit(Span(0, 1), "y"),), Safety.DISPLAY)
    (result,) = results(Checked(Source("a.md", "x"), (finding(fixes=(fix,)),)))
    assert "fixes" not in result


def test_an_alert_survives_moved_lines() -> None:
    before, after = results(examine(TABLE)), results(examine(f"# Title\n\nWords.\n\n{TABLE}"))
    prints = [one["partialFingerprints"] for one in before]
    assert prints
    assert prints == [one["partialFingerprints"] for one in after]
    assert before[0]["locations"] != after[0]["locations"]


@pytest.mark.parametrize(
    ("path", "location"),
    [
        pytest.param(
            "my reports/日.md",
            {"uri": "my%20reports/%E6%97%A5.md", "uriBaseId": "%SRCROOT%"},
            id="relative",
        ),
        pytest.param("a:b#c?.md", {"uri": "a%3Ab%23c%3F.md", "uriBaseId": "%SRCROOT%"}, id="odd"),
        pytest.param("{here}/a.md", {"uri": "a.md", "uriBaseId": "%SRCROOT%"}, id="absolute"),
        pytest.param("/else where/a.md", {"uri": "file:///else%20where/a.md"}, id="elsewhere"),
    ],
)
def test_a_path_is_a_uri(
    path: str, location: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (result, *_) = results(examine(TABLE, path.format(here=tmp_path)))
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == location


@pytest.mark.slow
def test_a_format_is_loaded_only_if_it_is_chosen(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(TABLE, encoding="utf-8")
    formats = ("json", "sarif", "github", "gitlab", "junit")
    code = (
        "import sys\nfrom mdbench.cli.main import main\nmain(sys.argv[1:])\n"
        "print('LOADED', *(name for name in sys.modules if name.startswith('mdbench.')))"
    )
    for chosen in ("full", "sarif"):
        done = subprocess.run(
            [sys.executable, "-c", code, "lint", "a.md", "--format", chosen],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        loaded = set(done.stdout.rpartition("LOADED ")[2].split())
        found = {name for name in formats if f"mdbench.output.{name}" in loaded}
        assert found == ({"sarif", "json"} if chosen == "sarif" else set())
        assert ("mdbench.rules.examples" in loaded) is (chosen == "sarif")


def test_the_rank_is_the_confidence_in_per_cent() -> None:
    source = Source("a.md", "x\n")
    ranks = [one["rank"] for one in results(Checked(source, (finding(), finding(confidence=0.57))))]
    assert ranks == [100.0, 57.0]
