"""`--format gitlab`: a code quality report as GitLab documents it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from mdbench.linting.checker import check
from mdbench.linting.plan import Options
from mdbench.linting.results import Checked
from mdbench.linting.selection import Selection
from mdbench.output import FORMATS
from mdbench.source import Source

TEXT = "| Nodes | Sec/it |\n|--|--|\n| 2 | 47.1 |\n| 2 | 47.1 |\n| 4 | 23.6 | 8 |\n\n## Later\n"

# What GitLab's documentation asks of an entry of a code quality report.
SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{32,64}$"},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": "^[^./]"},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {
                            "begin": {"type": "integer", "minimum": 1},
                            "end": {"type": "integer", "minimum": 1},
                        },
                    },
                },
            },
        },
    },
}


def write(text: str = TEXT, path: str = "reports/a.md") -> list[dict[str, Any]]:
    source = Source(path, text)
    report = Checked(source, check(source, Options(Selection(("MB1",)))))
    issues: list[dict[str, Any]] = json.loads("".join(FORMATS["gitlab"].write([report])))
    jsonschema.validate(issues, SCHEMA)
    return issues


def test_each_finding_is_an_issue_of_its_lines() -> None:
    first, *_ = write()
    assert first["fingerprint"]
    assert {**first, "fingerprint": ""} == {
        "description": "MB103: duplicate of the row on line 3",
        "check_name": "duplicate-row",
        "fingerprint": "",
        "severity": "minor",
        "location": {"path": "reports/a.md", "lines": {"begin": 4, "end": 4}},
    }


def test_severities_are_those_of_gitlab() -> None:
    assert [(one["check_name"], one["severity"]) for one in write()] == [
        ("duplicate-row", "minor"),
        ("ragged-row", "major"),
        ("empty-section", "info"),
    ]


def test_an_issue_is_known_again_when_lines_move() -> None:
    moved = write(f"# Title\n\nWords.\n\n{TEXT}")
    assert [one["fingerprint"] for one in moved] == [one["fingerprint"] for one in write()]
    assert moved[0]["location"]["lines"]["begin"] == 8


def test_paths_are_relative_to_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    issues = write(path=f"{tmp_path}/reports/a.md")
    assert issues == write()


def test_nothing_found_is_an_empty_list() -> None:
    assert write("Words.\n") == []
