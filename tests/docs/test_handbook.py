"""The handbook tool: finds code blocks, runs them, and updates their output."""

from __future__ import annotations

from pathlib import Path

import pytest

from handbook.pages import Fence, find_fences
from handbook.regions import fill_regions, find_regions, write_region
from handbook.sessions import check_codes, read_commands, refresh, run_fence

PAGE = """\
# A page

```markdown title="a/first.md"
one
```

## A section

<!-- setup: echo two > second.md -->
<!-- exit: 0 3 -->
```console
$ cat a/first.md second.md
stale
$ echo three; exit 3
```

## Another

````text
```console
$ not a command
```
````

<!-- not run: dangerous -->
```sh
rm -rf ~
```
"""


def only(text: str) -> Fence:
    (found,) = find_fences(text)
    return found


def test_a_block_has_a_language_a_title_and_remarks() -> None:
    shown, session, quoted, dangerous = find_fences(PAGE)
    assert (shown.language, shown.title, shown.body) == ("markdown", "a/first.md", "one\n")
    assert session.remarks == {"setup": "echo two > second.md", "exit": "0 3"}
    assert (session.line, session.section) == (11, 1)
    assert quoted.body.startswith("```console\n")
    assert dangerous.remarks == {"not run": "dangerous"}


def test_output_is_updated() -> None:
    fresh = refresh(PAGE)
    assert "$ cat a/first.md second.md\none\ntwo\n$ echo three; exit 3\nthree\n```" in fresh
    assert refresh(fresh) == fresh
    assert fresh.replace("one\ntwo\n", "stale\n").replace("three\n```", "```") == PAGE


def test_an_unexpected_exit_code_is_an_error() -> None:
    page = "```console\n$ echo no; exit 4\n```\n"
    fence = only(page)
    with pytest.raises(ValueError, match="line 1: `echo no; exit 4`: exit code 4, expected 0: no"):
        check_codes(fence, run_fence(page, fence))


def test_a_crash_is_an_error() -> None:
    page = "```console\n$ echo 'MB000 error: this is a bug in mdbench'\n```\n"
    with pytest.raises(ValueError, match="MB000 error"):
        refresh(page)


def test_a_failing_setup_is_an_error() -> None:
    page = "<!-- setup: exit 1 -->\n```sh\ntrue\n```\n"
    with pytest.raises(ValueError, match="line 2: the setup failed"):
        run_fence(page, only(page))


def test_each_line_of_an_sh_block_has_its_own_folder() -> None:
    page = "```sh\ntouch here\ntest ! -e here  # a new folder for each line\n```\n"
    assert [step.code for step in run_fence(page, only(page))] == [0, 0]


def test_files_of_other_sections_are_not_available() -> None:
    page = '## One\n\n```text title="x"\n1\n```\n\n## Two\n\n```console\n$ test -e x\n```\n'
    _, fence = find_fences(page)
    assert [step.code for step in run_fence(page, fence)] == [1]


def test_a_backslash_continues_a_command() -> None:
    fence = only("```console\n$ echo a \\\n  b\na b\n$ echo c\nc\n```\n")
    assert read_commands(fence) == ["echo a \\\n  b", "echo c"]


def test_python_runs_statement_by_statement() -> None:
    page = "```pycon\n>>> for one in (1, 2):\n...     print(one)\n>>> 3 * 4\nstale\n```\n"
    assert refresh(page) == page.replace("stale", "12").replace("one)\n", "one)\n1\n2\n")


def test_failing_python_is_an_error() -> None:
    page = "```python\nraise RuntimeError('no')\n```\n"
    with pytest.raises(ValueError, match="RuntimeError: no"):
        refresh(page)


def test_an_unclosed_block_is_an_error() -> None:
    with pytest.raises(ValueError, match="on line 3 is not closed"):
        list(find_fences("a\n\n```text\nb\n"))


def test_regions_are_replaced_by_name() -> None:
    page = (
        "a\n<!-- begin: x y -->\nstale\n<!-- end: x y -->\nb\n<!-- begin: z -->\n<!-- end: z -->\n"
    )
    filled = fill_regions(page, {"x y": "new\n"})
    assert filled == page.replace("stale", "\nnew\n")
    assert fill_regions(filled, {"x y": "new"}) == filled
    assert find_regions(filled) == {"x y": "new", "z": ""}


def test_a_region_is_written_to_a_file(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- begin: x -->\nstale\n<!-- end: x -->\nb\n", encoding="utf-8")
    write_region(page, "x", ["one", "two"])
    new = "a\n<!-- begin: x -->\n\none\ntwo\n\n<!-- end: x -->\nb\n"
    assert page.read_text(encoding="utf-8") == new
    with pytest.raises(SystemExit, match="no region <!-- begin: y -->"):
        write_region(page, "y", ["three"])
    assert page.read_text(encoding="utf-8") == new
