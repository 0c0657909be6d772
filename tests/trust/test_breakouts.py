"""No name and no cell breaks out of a format: each output is parsed by a reader of its format."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import jsonschema
import pytest
from junitparser import JUnitXml

from mdbench.cli.main import main

CaptureBytes = pytest.CaptureFixture[bytes]

NAMES = [
    b"plain.md",
    b"two words.md",
    b" .md",
    b"100%.md",
    b"a%0A::error::b.md",
    b"a:b,c=d;e.md",
    b"::error file=x::y.md",
    b"##[error]z.md",
    b"##vso[task.complete]z.md",
    b"x\n::error::y.md",
    b"x\r::error::y.md",
    b"tab\tbell\x07.md",
    b"esc\x1b[2J.md",
    b"]]>.md",
    b"\"'<x>&amp;.md",
    b"{0}[1](2).md",
    b"#fragment?query.md",
    b"back\\slash.md",
    "量\u202e\u2028\ufffe.md".encode(),
    *([] if sys.platform == "darwin" else [b"caf\xe9.md", b"\xff\n::error::\xfe.md"]),
]
# A byte that is not UTF-8 is escaped: JSON and XML only have text.
SPELLED = {name.decode("utf-8", "backslashreplace") for name in NAMES}
SAID = [
    "::error::x",
    "x ::stop-commands::y",
    "%0A::error::x%0D%25",
    "##[error]x ##teamcity[x]",
    "]]></failure><failure>",
    "<![CDATA[ &lt; &nope; <!-- --",
    "\x01\x0b\x1f\x7f\x9b\ufffe\uffff",
    '"}],"x":[{"',
    "${{ secrets.X }} ${0} [a](1)",
]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files with hostile names and hostile cells."""
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"| {at} | 5 | {said} |\n::error::row {at}\n" for at, said in enumerate(SAID))
    text = f"# ::error::t\n\n| Nodes | Sec/it |\n|--|--|\n{rows}\n## ::error::s\n"
    for name in NAMES:
        (tmp_path / os.fsdecode(name)).write_text(text, encoding="utf-8")
    return tmp_path


def lint(capsysbinary: CaptureBytes, kind: str) -> str:
    assert main(["lint", ".", "--no-cache", "--format", kind]) == 1
    out, err = capsysbinary.readouterr()
    assert b"Traceback" not in err
    return out.decode("utf-8")


def count(capsysbinary: CaptureBytes) -> int:
    """The number of findings."""
    return len(json.loads(lint(capsysbinary, "json")))


class Order(NamedTuple):
    """A command for the runner of a workflow."""

    name: str
    properties: dict[str, str]
    message: str


def read_orders(log: str) -> Iterator[Order]:
    """The workflow commands in a log, as GitHub documents and runs them."""
    for line in re.split(r"\r\n|\r|\n", log):
        if line.lstrip().startswith("::"):
            words, _, message = line.lstrip()[2:].partition("::")
            name, _, listed = words.partition(" ")
            pairs = (entry.partition("=") for entry in listed.split(",") if entry)
            values = {key.strip(): unescape(value) for key, _, value in pairs}
            yield Order(name, values, unescape(message))
        elif match := re.search(r"##\w*\[(?P<name>[^\]]*)\](?P<message>.*)", line):
            yield Order(match["name"], {}, match["message"])


def unescape(text: str) -> str:
    codes = {"%25": "%", "%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ","}
    return re.sub("%(?:25|0D|0A|3A|2C)", lambda match: codes[match[0]], text)


def test_json_names_the_existing_files(capsysbinary: CaptureBytes) -> None:
    found = json.loads(lint(capsysbinary, "json"))
    assert {one["path"] for one in found} == SPELLED
    messages = "".join(one["message"] for one in found)
    # Messages contain the words of a cell, without its markup.
    said = ("::error::x", "%0A::error::x%0D%25", "##[error]x ##teamcity[x]", '"}],"x":[{"')
    assert [one for one in said if one not in messages] == []


def test_sarif_is_valid_and_names_the_existing_files(
    capsysbinary: CaptureBytes, published_schema: Callable[[str], dict[str, Any]]
) -> None:
    log = json.loads(lint(capsysbinary, "sarif"))
    schema = published_schema("https://json.schemastore.org/sarif-2.1.0.json")
    jsonschema.Draft7Validator(schema).validate(log)
    results = log["runs"][0]["results"]
    places = [one["locations"][0]["physicalLocation"]["artifactLocation"] for one in results]
    assert {unquote(one["uri"]) for one in places} == SPELLED
    assert all(re.fullmatch(r"[\w./~%-]+", one["uri"], re.ASCII) for one in places)
    assert len(results) == count(capsysbinary)


def test_gitlab_names_the_existing_files(capsysbinary: CaptureBytes) -> None:
    issues = json.loads(lint(capsysbinary, "gitlab"))
    assert {one["location"]["path"] for one in issues} == SPELLED
    assert len({one["fingerprint"] for one in issues}) == len(issues) == count(capsysbinary)


def test_junit_is_xml_with_a_test_for_each_file(capsysbinary: CaptureBytes) -> None:
    document = JUnitXml.fromstring(lint(capsysbinary, "junit").encode())
    cases = [case for suite in document for case in suite]
    assert (document.tests, document.failures) == (len(NAMES), len(NAMES))
    assert [[type(one).__name__ for one in case.result] for case in cases] == [["Failure"]] * len(
        NAMES
    )
    readable = {name for name in SPELLED if name.isprintable() and name[:2] not in ("::", "##")}
    assert len(readable) > len(NAMES) / 2
    assert {case.name for case in cases} >= readable


def test_github_has_a_command_for_each_finding_and_no_other(capsysbinary: CaptureBytes) -> None:
    orders = list(read_orders(lint(capsysbinary, "github")))
    assert len(orders) == count(capsysbinary)
    assert {one.name for one in orders} <= {"error", "warning", "notice"}
    assert {frozenset(one.properties) for one in orders} <= {
        frozenset(("file", "line", "endLine", "title")),
        frozenset(("file", "line", "endLine", "col", "endColumn", "title")),
    }
    told = {one.properties["file"] for one in orders}
    assert {"two words.md", "100%.md", "a%0A::error::b.md", "a:b,c=d;e.md", "]]>.md"} <= told
    # Both kinds of line ends are shown as a space.
    assert len(told) == len(NAMES) - 1


LOGGED = {
    "full": "lint .",
    "concise": "lint . --format concise",
    "json": "lint . --format json",
    "sarif": "lint . --format sarif",
    "gitlab": "lint . --format gitlab",
    "junit": "lint . --format junit",
    "statistics": "lint . --statistics",
    "check": "render . --check",
    "columns": "columns .",
    "table": "normalize . --format table",
    "jsonl": "normalize . --format jsonl",
}


@pytest.mark.parametrize("asked", LOGGED.values(), ids=LOGGED)
def test_log_output_contains_no_workflow_commands(asked: str, capsysbinary: CaptureBytes) -> None:
    assert main(asked.split()) in (0, 1)
    out, err = capsysbinary.readouterr()
    assert out
    assert list(read_orders((out + b"\n" + err).decode("utf-8"))) == []


def test_the_parser_of_workflow_commands_finds_them() -> None:
    log = "x\n  ::error file=a%2Cb,line=2::c%0Ad\r##[group]e\nf ::no::\n"
    assert list(read_orders(log)) == [
        Order("error", {"file": "a,b", "line": "2"}, "c\nd"),
        Order("group", {}, "e"),
    ]
