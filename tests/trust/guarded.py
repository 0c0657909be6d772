"""Run commands on hostile input in a separate process, with limits on time and memory."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

# The limit of what a process works must hold on a slow machine, the other one on a busy machine.
_MOST_WORK_S = 40
PATIENCE_S = 120
_MOST_MEMORY = 3 << 30
_RUN = f"""
import json, resource, sys

resource.setrlimit(resource.RLIMIT_CPU, ({_MOST_WORK_S}, {_MOST_WORK_S}))
resource.setrlimit(resource.RLIMIT_AS, ({_MOST_MEMORY}, {_MOST_MEMORY}))
from mdbench.cli.main import main

codes = []
for asked in json.loads(sys.argv[1]):
    try:
        codes.append(main(asked))
    except SystemExit as end:
        codes.append(end.code)
print(json.dumps(codes))
"""
_FINDINGS, _CELLS, _CLEAN = "findings.json", "cells.csv", "clean"
# A cell can be as long as the largest file.
csv.field_size_limit(1 << 25)


class Ended(NamedTuple):
    """The result of some commands: their exit codes, and the last line of output."""

    codes: list[int]
    out: str
    err: str


class Outcome(NamedTuple):
    """The findings of lint, the rows of normalize, and the output of render."""

    findings: list[dict[str, Any]]
    cells: list[dict[str, str]]
    clean: str

    @property
    def found(self) -> set[str]:
        """The codes of the findings."""
        return {one["code"] for one in self.findings}


def run_guarded(folder: Path, *commands: Sequence[str]) -> Ended:
    """Run commands one after another; fail if they hang, crash or need too much memory."""
    done = subprocess.run(
        [sys.executable, "-c", _RUN, json.dumps(commands)],
        cwd=folder,
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    err = done.stderr.decode(errors="replace")
    assert done.returncode == 0, err[-2000:]
    assert "Traceback" not in err
    assert "bug of mdbench" not in err
    *rest, codes = done.stdout.decode().splitlines()
    return Ended(json.loads(codes), "\n".join(rest), err)


def put_to_test(folder: Path, text: str) -> Outcome:
    """Check, read and render a text, and assert that nothing fails."""
    (folder / "report.md").write_bytes(text.encode())
    (folder / "mdbench.toml").touch()
    # There are other limits here.
    jobs = ("--jobs", "1", "--timeout-per-file", "0")
    ended = run_guarded(
        folder,
        ("lint", "--no-cache", *jobs, "--format", "json", "-o", _FINDINGS, "report.md"),
        ("normalize", *jobs, "--shape", "cells", "--format", "csv", "-o", _CELLS, "report.md"),
        ("render", *jobs, "report.md", "-o", _CLEAN),
    )
    findings = json.loads((folder / _FINDINGS).read_bytes())
    worse = any(one["severity"] != "info" for one in findings)
    assert ended.codes == [int(worse), 0, 0], ended.err
    assert ended.err == ""
    assert "MB000" not in {one["code"] for one in findings}
    with open(folder / _CELLS, encoding="utf-8", newline="") as file:
        cells = list(csv.DictReader(file))
    return Outcome(findings, cells, (folder / _CLEAN / "report.md").read_text("utf-8"))
