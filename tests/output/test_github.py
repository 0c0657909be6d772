"""`--format github`: one workflow command for each finding, whatever a cell says."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.linting.checker import check
from mdbench.linting.plan import Options
from mdbench.linting.results import Checked
from mdbench.linting.selection import Selection
from mdbench.output import FORMATS
from mdbench.rules.findings import Evidence, Finding, Fix, Safety, Severity
from mdbench.source import Edit, Source, Span

TEXT = "first line\nsecond line\n"
SECOND = Span(11, 17)


class Command(NamedTuple):
    """A workflow command as the runner of a workflow reads it."""

    name: str
    properties: dict[str, str]
    message: str


def read_commands(output: str) -> list[Command]:
    """What the runner makes of an output: `::name key=value,key=value::message`, unescaped."""
    commands = []
    for line in output.split("\n"):
        match = re.fullmatch(r"::(?P<name>\w+) (?P<listed>[^\r]*?)::(?P<message>[^\r]*)", line)
        if match is None:
            assert line == ""
            continue
        pairs = (entry.partition("=") for entry in match["listed"].split(","))
        values = {key: unescape(value) for key, _, value in pairs}
        commands.append(Command(match["name"], values, unescape(match["message"])))
    return commands


def unescape(text: str) -> str:
    for code, char in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(code, char)
    return text


def finding(span: Span = SECOND, message: str = "wrong", **more: object) -> Finding:
    values = {"severity": Severity.ERROR, "evidence": (), "fixes": ()} | more
    return Finding("MB301", "derived-mismatch", span=span, message=message, **values)  # type: ignore[arg-type]


def annotate(*findings: Finding, path: str = "a.md", text: str = TEXT) -> list[Command]:
    return read_commands("".join(FORMATS["github"].write([Checked(Source(path, text), findings)])))


def test_a_finding_is_an_annotation_of_its_place() -> None:
    shown = "".join(FORMATS["github"].write([Checked(Source("reports/a.md", TEXT), (finding(),))]))
    assert shown == (
        "::error file=reports/a.md,line=2,endLine=2,col=1,endColumn=7,"
        "title=MB301 derived-mismatch::wrong\n"
    )


@pytest.mark.parametrize(
    ("severity", "name"),
    [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "notice")],
)
def test_the_command_says_how_bad_it_is(severity: Severity, name: str) -> None:
    assert annotate(finding(severity=severity))[0].name == name


def test_a_stretch_of_several_lines_has_no_columns() -> None:
    (command,) = annotate(finding(Span(6, 17)))
    assert command.properties.keys() == {"file", "line", "endLine", "title"}
    assert (command.properties["line"], command.properties["endLine"]) == ("1", "2")


def test_evidence_and_fixes_are_in_the_message() -> None:
    evidence = (Evidence("the total", Span(0, 5)), Evidence("a remark"))
    fixes = (Fix("write 7", (Edit(Span(11, 17), "7"),), Safety.UNSAFE),)
    (command,) = annotate(finding(evidence=evidence, fixes=fixes))
    assert command.message.split("\n") == [
        "wrong",
        "line 1: the total",
        "a remark",
        "help: write 7",
    ]


def test_nothing_found_is_nothing_written() -> None:
    assert annotate() == []


@given(st.text(), st.text(min_size=1))
def test_no_text_breaks_out_of_its_command(message: str, path: str) -> None:
    (command,) = annotate(finding(message=message), path=path)
    assert command.properties.keys() == {"file", "line", "endLine", "col", "endColumn", "title"}
    assert len(command.properties["file"]) == len(path)


@pytest.mark.parametrize(
    "said",
    [
        "a::b",
        "100 %",
        "%0A::error::x",
        "a,b=c:d",
    ],
)
def test_what_is_said_is_read_back(said: str) -> None:
    (command,) = annotate(finding(message=said), path=f"{said}.md")
    assert (command.message, command.properties["file"]) == (said, f"{said}.md")


def test_a_cell_cannot_start_a_command_of_its_own() -> None:
    cell = "x ::stop-commands::t %0A::set-output name=a::b"
    source = Source("a.md", f"| Nodes | Sec/it |\n|--|--|\n| 2 | 5 | {cell} |\n")
    report = Checked(source, check(source, Options(Selection(("MB101",)))))
    shown = "".join(FORMATS["github"].write([report]))
    assert len(shown.splitlines()) == len(report.findings) == 1
    assert cell in read_commands(shown)[0].message
