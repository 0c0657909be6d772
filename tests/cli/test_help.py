"""What can be read on a terminal, and how much is told along the way."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from mdbench.cli import main as cli
from mdbench.cli.topics import read_topic, topics
from mdbench.config.settings import DEFAULTS
from mdbench.rules.loading import RULES
from tests.conftest import Result, Run

COMMANDS = cli.make_parser().commands
WARNED = "| Nodes | Sec/it |\n|--|--|\n| 2 | 47.1 |\n| 2 | 47.1 |\n"


@pytest.fixture(autouse=True)
def report(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(WARNED, encoding="utf-8")


def test_help_lists_every_command_and_topic(run: Run) -> None:
    result = run("help")
    assert result.code == 0
    listed = {line.split()[0] for line in result.out.splitlines() if line.startswith("  ")}
    assert {*COMMANDS, *topics()} <= listed


@pytest.mark.parametrize(
    "topic", ["suppression", "configuration", "exit-codes", "formats", "rules", "fixes"]
)
def test_a_topic_is_printed(run: Run, topic: str) -> None:
    result = run("help", topic)
    assert (result.code, result.out) == (0, read_topic(topic))
    assert result.out.startswith(f"# {topics()[topic]}\n")


@pytest.mark.parametrize("words", [("exit", "codes"), ("Exit-Codes",)])
def test_a_topic_is_found_as_people_write_it(run: Run, words: tuple[str, ...]) -> None:
    assert run("help", *words).out == read_topic("exit-codes")


def test_help_of_a_command_is_what_its_option_prints(
    run: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["lint", "--help"])
    shown = capfd.readouterr().out
    assert ended.value.code == 0
    assert run("help", "lint").out == shown


@pytest.mark.parametrize("asked", ["MB302", "mb302", "shifted-row"])
def test_help_of_a_rule_is_its_page(run: Run, asked: str) -> None:
    assert run("help", asked).out == run("explain", "MB302").out


@pytest.mark.parametrize(
    ("asked", "hint"),
    [("supression", "suppression"), ("lnt", "lint"), ("shifted-rows", "shifted-row")],
)
def test_what_there_is_nothing_about_gets_a_hint(run: Run, asked: str, hint: str) -> None:
    result = run("help", asked)
    assert (result.code, result.out) == (2, "")
    assert result.err.count("\n") == 1
    assert f"did you mean {hint}?" in result.err


@pytest.mark.parametrize("name", topics())
def test_a_topic_fits_a_terminal(name: str) -> None:
    assert max(map(len, read_topic(name).splitlines())) <= 110


@pytest.mark.parametrize("name", topics())
def test_a_topic_names_only_what_there_is(name: str) -> None:
    page = read_topic(name)
    for topic in re.findall(r"mdbench help ([a-z-]+)", page):
        assert topic in topics()
    for code in re.findall(r"\bMB\d{3}\b", page):
        assert code in RULES
    options = {
        option
        for command in COMMANDS.values()
        for option in re.findall(r"--[a-z-]+", command.format_help())
    }
    assert set(re.findall(r"--[a-z][a-z-]+", page)) <= options


def test_the_topic_of_the_configuration_has_every_setting() -> None:
    page = read_topic("configuration")
    keys = re.findall(r"^\| ([a-z-]+(?:, [a-z-]+)*) \|", page, re.MULTILINE)
    listed = {key for entry in keys for key in entry.split(", ")} - {"key"}
    assert listed == set(DEFAULTS)


def examples(name: str) -> list[str]:
    lines = COMMANDS[name].format_help().partition("\nexamples:\n")[2].splitlines()
    return [line.strip() for line in lines]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_examples_that_can_be_copied(name: str) -> None:
    shown = examples(name)
    assert shown
    for line in shown:
        plain = line.removeprefix('eval "$(').removesuffix(')"')
        words = shlex.split(plain.partition(" > ")[0])
        assert words[:2] == ["mdbench", name]
        assert cli.parse(words[1:]).command == name


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_what_it_does(name: str) -> None:
    assert COMMANDS[name].summary
    assert COMMANDS[name].description


def test_quiet_is_findings_and_nothing_else(run: Run) -> None:
    loud = run("lint", "a.md", "--format", "concise")
    quiet = run("lint", "a.md", "--format", "concise", "--quiet")
    assert quiet.out == "a.md:4:1 MB103 warning: duplicate of the row on line 3\n"
    assert loud.out.startswith(quiet.out)
    assert (quiet.code, quiet.err) == (loud.code, "") == (1, "")


def test_quiet_of_a_clean_report_is_silence(run: Run) -> None:
    assert run("lint", "a.md", "--select", "MB5", "-q") == Result(0, "", "")


def test_quiet_fixing_is_silent_about_the_fixes(run: Run) -> None:
    result = run("lint", "a.md", "--fix", "--unsafe-fixes", "--quiet", "--select", "MB1")
    assert result == Result(0, "", "")
    assert Path("a.md").read_text(encoding="utf-8").count("47.1") == 1


def test_quiet_does_not_hide_a_problem(run: Run) -> None:
    result = run("lint", "missing.md", "--quiet")
    assert result.code == 2
    assert "missing.md" in result.err


def test_verbose_tells_the_steps_on_standard_error(run: Run) -> None:
    plain, verbose = run("lint", "a.md"), run("lint", "a.md", "--verbose")
    assert verbose.out == plain.out
    assert plain.err == ""
    steps = verbose.err.splitlines()
    assert steps[0] == "mdbench: searched a.md: 1 reports"
    assert re.fullmatch(r"mdbench: cache .*\.mdbench_cache: 1 of 1 known", steps[1])
    assert re.fullmatch(r"mdbench: a\.md: [12] findings", steps[2])
    assert re.fullmatch(r"mdbench: lint: done in \d+\.\d\d s, exit code 1", steps[-1])


@pytest.mark.parametrize("options", [("-q", "lint"), ("lint", "-q")], ids=["before", "behind"])
def test_it_may_stand_before_the_command_or_behind_it(run: Run, options: tuple[str, ...]) -> None:
    assert "in 1 file" not in run(*options, "a.md").out


def test_a_command_is_as_loud_as_it_was_asked_to_be_not_as_the_last(run: Run) -> None:
    run("lint", "a.md", "--quiet")
    assert "in 1 file" in run("lint", "a.md").out


def test_quiet_and_verbose_exclude_each_other(run: Run) -> None:
    with pytest.raises(SystemExit) as ended:
        run("lint", "-q", "-v")
    assert ended.value.code == 2
