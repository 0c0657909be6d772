"""What is found in real reports, by hand-made lists of their mistakes and of their sound rows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

_SUMMARY = re.compile(r"SUMMARY mistakes (\d+)/\d+;.* false alarms (\d+)/\d+")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tables", "mistakes", "alarms"),
    [pytest.param("truth", 73, 0, id="training"), pytest.param("truth/wide", 41, 0, id="wide")],
)
def test_no_mistake_is_lost_and_no_false_alarm_is_raised(
    shared: Path, tables: str, mistakes: int, alarms: int
) -> None:
    folder = shared / tables
    if not (folder / "TRUTH.tsv").is_file():
        pytest.skip("the shared folder has no lists of mistakes")
    score = shared / "truth" / "score.py"
    command = f"{sys.executable} -m mdbench"
    printed = subprocess.run(
        [sys.executable, score, "--tables", folder, "--mdbench", command],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found = _SUMMARY.search(printed)
    assert found is not None, printed
    assert int(found[1]) >= mistakes
    assert int(found[2]) <= alarms
