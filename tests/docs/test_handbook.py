"""What keeps the documentation true: blocks are found, run, and written again."""

from __future__ import annotations

import pytest

from handbook.fences import Fence, find_fences
from handbook.regions import fill_regions
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

<!-- not run: it is dangerous -->
```sh
rm -rf ~
```
"""


def only(text: str) -> Fence:
    (found,) = find_fences(text)
    return found


def test_a_block_knows_its_language_its_file_and_its_remarks() -> None:
    shown, session, quoted, dangerous = find_fences(PAGE)
    assert (shown.language, shown.title, shown.body) == ("markdown", "a/first.md", "one\n")
    assert session.remarks == {"setup": "echo two > second.md", "exit": "0 3"}
    assert (session.line, session.section) == (11, 1)
    assert quoted.body.startswith("```console\n")
    assert dangerous.remarks == {"not run": "it is dangerous"}


def test_the_output_is_written_again() -> None:
    fresh = refresh(PAGE)
    assert "$ cat a/first.md second.md\none\ntwo\n$ echo three; exit 3\nthree\n```" in fresh
    assert refresh(fresh) == fresh
    assert fresh.replace("one\ntwo\n", "stale\n").replace("three\n```", "```") == PAGE


def test_a_command_that_ends_otherwise_is_told() -> None:
    page = "```console\n$ echo no; exit 4\n```\n"
    fence = only(page)
    with pytest.raises(
        ValueError, match=r"line 1: `echo no; exit 4` ends with 4 \(0 is right\): no"
    ):
        check_codes(fence, run_fence(page, fence))


def test_a_defect_is_never_shown() -> None:
    page = "```console\n$ echo 'MB000 error: this is a defect of mdbench'\n```\n"
    with pytest.raises(ValueError, match="MB000 error"):
        refresh(page)


def test_a_setup_that_fails_is_told() -> None:
    page = "<!-- setup: exit 1 -->\n```sh\ntrue\n```\n"
    with pytest.raises(ValueError, match="the setup of line 2 fails"):
        run_fence(page, only(page))


def test_a_list_of_commands_is_not_a_session() -> None:
    page = "```sh\ntouch here\ntest ! -e here  # each line starts anew\n```\n"
    assert [step.code for step in run_fence(page, only(page))] == [0, 0]


def test_a_file_of_another_section_is_not_there() -> None:
    page = '## One\n\n```text title="x"\n1\n```\n\n## Two\n\n```console\n$ test -e x\n```\n'
    _, fence = find_fences(page)
    assert [step.code for step in run_fence(page, fence)] == [1]


def test_a_command_goes_on_behind_a_backslash() -> None:
    fence = only("```console\n$ echo a \\\n  b\na b\n$ echo c\nc\n```\n")
    assert read_commands(fence) == ["echo a \\\n  b", "echo c"]


def test_python_is_run_statement_by_statement() -> None:
    page = "```pycon\n>>> for one in (1, 2):\n...     print(one)\n>>> 3 * 4\nstale\n```\n"
    assert refresh(page) == page.replace("stale", "12").replace("one)\n", "one)\n1\n2\n")


def test_python_that_fails_is_told() -> None:
    page = "```python\nraise RuntimeError('no')\n```\n"
    with pytest.raises(ValueError, match="RuntimeError: no"):
        refresh(page)


def test_a_block_that_is_not_closed_is_told() -> None:
    with pytest.raises(ValueError, match="begins on line 3"):
        list(find_fences("a\n\n```text\nb\n"))


def test_what_stands_between_the_marks_of_a_part_is_replaced() -> None:
    page = "a\n<!-- begin: cells -->\nstale\n<!-- end: cells -->\nb\n"
    filled = fill_regions(page)
    assert "stale" not in filled
    assert "| `report` | text |" in filled
    assert filled.startswith("a\n<!-- begin: cells -->\n\n|")
    assert filled.endswith("|\n\n<!-- end: cells -->\nb\n")
    assert fill_regions(filled) == filled
