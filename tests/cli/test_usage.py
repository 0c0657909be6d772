"""A command line with a mistake in it gets the nearest right word, and the usage of its command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mdbench.cli import main as cli
from mdbench.rules.loading import RULES
from mdbench.rules.names import codes_by_name
from tests.conftest import Run

TABLE = "| Nodes | Sec/it |\n|--|--|\n| 2 | 47.1 |\n| 2 | 47.1 |\n"
TWICE, BLANK = "a.md:4:1 MB103", "a.md:5:1 MB102"


@pytest.fixture(autouse=True)
def report(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(f"{TABLE}| | |\n", encoding="utf-8")


def refused(capfd: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines about a command line that cannot be parsed."""
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 2
    out, err = capfd.readouterr()
    assert out == ""
    return err.splitlines()


def test_without_a_command_the_help_is_printed(run: Run) -> None:
    result = run()
    assert (result.code, result.err) == (2, "")
    assert result.out == cli.make_parser().format_help()


@pytest.mark.parametrize(
    ("arguments", "usage", "said"),
    [
        ("lnit", "mdbench COMMAND ...", "mdbench: error: unknown command lnit; did you mean lint?"),
        (
            "check",
            "mdbench COMMAND ...",
            "mdbench: error: unknown command check; did you mean lint?",
        ),
        (
            "zzz",
            "mdbench COMMAND ...",
            "mdbench: error: unknown command zzz; `mdbench help` lists them",
        ),
        (
            "lint --fromat=json",
            "mdbench lint [OPTION ...] [PATH ...]",
            "mdbench lint: error: no option --fromat; did you mean --format?",
        ),
        (
            "lint --zzz",
            "mdbench lint [OPTION ...] [PATH ...]",
            "mdbench lint: error: no option --zzz; `mdbench lint --help` lists them",
        ),
        (
            "diff --format jsn",
            "mdbench diff [OPTION ...] [VERSION ...]",
            (
                "mdbench diff: error: argument --format/--output-format: 'jsn' is not one of text, "
                "markdown, json; did you mean json?"
            ),
        ),
        (
            "rules MB301",
            "mdbench rules [OPTION ...]",
            "mdbench rules: error: unexpected argument MB301",
        ),
        (
            "table",
            "mdbench table [OPTION ...] RESULTS ...",
            "mdbench table: error: the following arguments are required: RESULTS",
        ),
    ],
)
def test_a_mistake_is_two_lines(
    capfd: pytest.CaptureFixture[str], arguments: str, usage: str, said: str
) -> None:
    assert refused(capfd, *arguments.split()) == [f"usage: {usage}", said]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("lint", "--select", "shifted-rows"),
            ("--select: shifted-rows: no such rule; did you mean shifted-row?"),
        ),
        (("lint", "--ignore", "MB999"), "--ignore: MB999: no such rule; did you mean MB901?"),
        (
            ("lint", "--extend-select", "E5"),
            ("--extend-select: E5: no such rule; `mdbench rules` lists all rules"),
        ),
        (
            ("explain", "derived_mismach"),
            ("derived_mismach: no such rule; did you mean derived-mismatch?"),
        ),
        (("explain", "MB3"), "MB3: several rules begin so; name one of them"),
        (("help", "supression"), "unknown help topic supression; did you mean suppression?"),
        (("help", "tflops"), "unknown help topic tflops; did you mean tflops_per_device?"),
        (("help", "memroy_mib"), "unknown help topic memroy_mib; did you mean memory_mib?"),
        (("help", "zzz"), "unknown help topic zzz; `mdbench help` lists all topics"),
    ],
)
def test_a_wrong_rule_topic_or_quantity(run: Run, arguments: tuple[str, ...], said: str) -> None:
    result = run(*arguments)
    assert (result.code, result.out, result.err) == (2, "", f"mdbench: {said}\n")


def test_paths_may_stand_on_both_sides_of_an_option(run: Run, tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text(TABLE, encoding="utf-8")
    both = run("lint", "a.md", "b.md", "--format", "concise")
    assert run("lint", "a.md", "--format", "concise", "b.md") == both
    quiet = run("lint", "-q", "a.md", "--format", "concise", "b.md").out
    assert {line.partition(":")[0] for line in quiet.splitlines()} == {"a.md", "b.md"}
    assert both.out.startswith(quiet)


def codes(run: Run, *options: str) -> list[str]:
    result = run("lint", "a.md", "--format", "json", *options)
    assert result.err == ""
    return [one["code"] for one in json.loads(result.out)]


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (("--select", "duplicate-row"), ["MB103"]),
        (("--select", "Duplicate_Row,MB102"), ["MB103", "MB102"]),
        (("--select", "ALL"), ["MB103", "MB102"]),
        (("--select", "all", "--ignore", "blank-row"), ["MB103"]),
        (("--ignore", "duplicate-row"), ["MB102"]),
        (("--select", "MB5", "--extend-select", "blank-row"), ["MB102"]),
        (("--extend-select", "MB5"), ["MB103", "MB102"]),
        (("--isolated",), ["MB103", "MB102"]),
    ],
)
def test_rules_are_chosen_by_code_or_name(
    run: Run, options: tuple[str, ...], found: list[str]
) -> None:
    assert codes(run, *options) == found
    assert codes(run, "--no-cache", *options) == found


def test_names_in_the_configuration(run: Run, tmp_path: Path) -> None:
    settings = tmp_path / "mdbench.toml"
    settings.write_text('ignore = ["duplicate-row"]\n', encoding="utf-8")
    assert codes(run) == codes(run) == ["MB102"]
    assert codes(run, "--extend-select", "MB103") == ["MB103", "MB102"]
    assert codes(run, "--isolated") == ["MB103", "MB102"]
    settings.write_text('per-file-ignores = { "a.md" = ["blank-row"] }\n', encoding="utf-8")
    assert codes(run) == ["MB103"]
    settings.write_text('select = ["ALL"]\nignore = ["MB102"]\n', encoding="utf-8")
    assert codes(run) == ["MB103"]
    shown = run("config", "--extend-select", "blank-row").out.splitlines()
    assert shown[-1].split() == ["extend-select", "=", '["MB102"]', "#", "--extend-select"]


def test_every_rule_has_the_name_of_its_file() -> None:
    assert codes_by_name() == {one.name: one.code for one in RULES.values()}


@pytest.mark.parametrize("option", [("--exit-zero",), ("--fail-on", "never")])
def test_findings_need_not_fail(run: Run, tmp_path: Path, option: tuple[str, ...]) -> None:
    usual = run("lint", "a.md")
    assert usual.code == 1
    assert run("lint", "a.md", *option) == usual._replace(code=0)
    assert run("lint", "a.md", "--diff", "--unsafe-fixes").code == 1
    assert run("lint", "a.md", "--diff", "--unsafe-fixes", *option).code == 0
    assert run("lint", "missing.md", *option).code == 2
    junit = run("lint", "a.md", "--format", "junit", *option).out
    assert 'failures="0"' in junit
    (tmp_path / "mdbench.toml").write_text('fail-on = "never"\n', encoding="utf-8")
    assert run("lint", "a.md").code == 0


def test_colors_are_asked_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = run("lint", "a.md").out
    assert "\x1b" not in plain
    assert "\x1b" in run("lint", "a.md", "--color", "always").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" in run("lint", "a.md", "--color", "auto").out
    assert run("lint", "a.md", "--color", "never").out == plain
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" in run("lint", "a.md", "--color", "always").out


def test_the_output_format_has_two_names(run: Run) -> None:
    assert run("lint", "a.md", "--output-format", "json") == run("lint", "a.md", "--format", "json")
    csv = run("normalize", "a.md", "--output-format", "csv")
    assert csv.out.startswith("report,")


def test_rules_as_json(run: Run) -> None:
    listed = json.loads(run("rules", "--format", "json").out)
    assert [one["code"] for one in listed] == list(RULES)
    by_code = {one["code"]: one for one in listed}
    assert by_code["MB302"]["name"] == "shifted-row"
    assert by_code["MB302"]["severity"] == "error"
    assert by_code["MB302"]["summary"] == RULES["MB302"].summary
    assert "```bad" in by_code["MB302"]["explanation"]
