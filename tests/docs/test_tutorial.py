"""The tutorial runs from its first cell to its plot, in a kernel of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
TUTORIAL = ROOT / "docs" / "tutorial.ipynb"
# A process of its own: the libraries of notebooks have event loops and warnings of their own.
RUN = """
import sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read("tutorial.ipynb", as_version=4)
last = "assert len(scaled) > 8 and scaled['efficiency'].between(0.2, 1.3).all()"
last += "; assert not scaled.duplicated([*group, 'nodes']).any()"
notebook.cells.append(nbformat.v4.new_code_cell(last))
NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
nbformat.write(notebook, "done.ipynb")
"""


@pytest.mark.slow
def test_the_tutorial_runs(tmp_path: Path) -> None:
    pytest.importorskip("nbclient")
    shutil.copy(TUTORIAL, tmp_path)
    shutil.copytree(ROOT / "reports", tmp_path / "reports")
    done = subprocess.run(
        [sys.executable, "-c", RUN], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    cells = json.loads((tmp_path / "done.ipynb").read_text("utf-8"))["cells"]
    outputs = [one["outputs"] for one in cells if one["cell_type"] == "code"]
    assert "MB301" in "".join(outputs[1][0]["data"]["text/html"])
    assert [each.get("output_type") for each in outputs[-1]] == []
    (plot,) = outputs[-2]
    drawn = "".join(plot["data"]["image/svg+xml"])
    assert "Scaling efficiency" in drawn
    assert "null" not in drawn


def test_the_tutorial_is_short_and_kept_without_outputs() -> None:
    cells = json.loads(TUTORIAL.read_text("utf-8"))["cells"]
    code = [one for one in cells if one["cell_type"] == "code"]
    assert len(code) == 10
    assert all(not one["outputs"] and one["execution_count"] is None for one in code)
