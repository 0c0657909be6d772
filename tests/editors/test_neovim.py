"""The Neovim settings of docs/editors.md, in Neovim: the findings arrive."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent.parent
PAGE = (PROJECT / "docs" / "editors.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"^```lua\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
NEOVIM = os.environ.get("MDBENCH_TEST_NEOVIM") or shutil.which("nvim")
TABLE = "# Runs\n\n| Nodes | Sec/it |\n|--:|--:|\n| 2 | 47.1 |\n| 2 | 47.1 |\n"
# Wait until the findings are there, and write them out.
WATCH = """
vim.defer_fn(function()
  vim.wait(25000, function() return #vim.diagnostic.get(0) > 0 end, 50)
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(0)) do
    table.insert(found, { one.lnum, one.code, one.source, one.message })
  end
  vim.fn.writefile({ vim.fn.json_encode(found) }, "found.json")
  vim.cmd("qall!")
end, 100)
"""


def neovim_version() -> tuple[int, ...]:
    assert NEOVIM is not None
    said = subprocess.run([NEOVIM, "--version"], capture_output=True, text=True, check=True).stdout
    numbers = re.search(r"^NVIM v(\d+)\.(\d+)", said)
    assert numbers is not None
    return tuple(map(int, numbers.groups()))


@pytest.mark.slow
@pytest.mark.skipif(NEOVIM is None, reason="Neovim is not installed")
def test_the_findings_arrive(tmp_path: Path) -> None:
    assert NEOVIM is not None
    newer, older = SNIPPETS
    snippet = newer if neovim_version() >= (0, 11) else older
    (tmp_path / "init.lua").write_text(snippet + WATCH, encoding="utf-8")
    (tmp_path / "a.md").write_text(TABLE, encoding="utf-8")
    homes = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
    environment = {
        **os.environ,
        **dict.fromkeys(homes, str(tmp_path / "home")),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    done = subprocess.run(
        [NEOVIM, "--headless", "-i", "NONE", "-u", "init.lua", "a.md"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=50,
        check=False,
    )
    file = tmp_path / "found.json"
    assert file.is_file(), done.stderr.decode("utf-8", "replace")
    found = json.loads(file.read_text(encoding="utf-8"))
    assert [(line, code, source) for line, code, source, _ in found] == [(5, "MB103", "mdbench")]
    assert "duplicate of the row on line 5" in found[0][3]
