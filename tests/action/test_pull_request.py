"""The action on pull requests, with git and mdbench themselves and an API on this machine."""

from __future__ import annotations

import os
import re
import sys

import cmarkgfm
import pytest

from action.pull_request import MARKER, SUFFIXES
from mdbench import source
from tests.action.conftest import HEAD, Act, GitHub, Project, make_report

OLD, NEW = make_report(1.62, 0.86, 0.45), make_report(1.50, 0.86, 0.45)
# The same row twice: MB103.
FAULTY = NEW + "| 8 | 1 | 0.45 |\n"
IGNORED = f"<!-- mdbench: ignore-file MB103 -->\n\n{FAULTY}"


def test_a_changed_report_is_checked_and_compared_and_others_are_not(
    project: Project, act: Act, github: GitHub
) -> None:
    project.propose({"a.md": OLD, "b.md": FAULTY}, {"a.md": FAULTY})
    done = act()
    assert done.code == 1
    annotated = [line for line in done.out.splitlines() if line.startswith("::warning")]
    assert [re.findall(r"file=([^,]+)", line) for line in annotated] == [["a.md"]]
    (comment,) = github.comments
    assert comment["body"].startswith(f"{MARKER}\n### Changed measurements\n")
    assert "| step_time_s | 1.62 s | 1.50 s | -7.4 % |" in comment["body"]
    assert "elsewhere" not in comment["body"]
    assert "1.62 s" in done.summary


def test_the_comment_is_updated_not_repeated(project: Project, act: Act, github: GitHub) -> None:
    project.propose({"a.md": OLD}, {"a.md": NEW})
    for number in range(120):
        github.add(f"comment {number}", "User")
    github.add(f"{MARKER} copied by a guest", "User")
    act()
    act()
    assert github.requests == ["GET 200", "GET 200", "POST 201", "GET 200", "GET 200", "PATCH 200"]
    ours = [one for one in github.comments if one["user"]["type"] == "Bot"]
    assert len(ours) == 1
    assert github.comments[120]["body"] == f"{MARKER} copied by a guest"


def test_without_changed_reports_nothing_is_checked_or_said(
    project: Project, act: Act, github: GitHub
) -> None:
    project.propose({"a.md": FAULTY, "code.py": "1"}, {"code.py": "2"})
    done = act()
    assert (done.code, done.summary, github.comments) == (0, "", [])
    assert done.out == "::notice::mdbench: this pull request changes no report\n"
    # What was said of an earlier commit is no longer true.
    github.add(f"{MARKER}\n1.62 s became 1.50 s")
    act()
    assert github.comments[0]["body"].endswith("\nNo measurement changed.\n")


def test_deleted_and_renamed_reports_are_compared(
    project: Project, act: Act, github: GitHub
) -> None:
    other = make_report(7.5, 4.2, 2.3, title="Inference")
    project.propose(
        {"gone.md": OLD, "old name.md": other},
        {"gone.md": None, "old name.md": None, "new name.md": other.replace("7.50", "7.30")},
    )
    done = act()
    assert done.code == 0
    body = github.comments[0]["body"]
    assert "### gone.md" in body
    assert body.count("vanished") == 4
    assert "### new name.md (was old name.md)" in body
    assert "| 7.50 s | 7.30 s |" in body


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not allow these names")
def test_names_and_titles_of_reports_do_no_harm(project: Project, act: Act, github: GitHub) -> None:
    names = (
        "$(touch stolen).md",
        "--fix.md",
        "`id`;echo x.md",
        "a\n::error::b.md",
        "<img src=x>.md",
    )
    title = "@everyone see #1, GH-2 and https://example.org <script>alert(1)</script> ![x](//h/y)"
    before = {name: make_report(1.62, 0.86) for name in names}
    after = {name: make_report(1.50, 0.86, title=f"{title}\n{MARKER}") + "| 4 | 1 | 0.86 |\n"
             for name in names}  # fmt: skip
    project.propose(before, after)
    done = act("fork")
    assert done.code == 1
    # Each report has its finding, and no file was created or fixed.
    assert done.out.count("title=MB103") == len(names)
    assert "\n::error::b" not in done.out
    assert sorted(os.listdir(project.checkout)) == sorted([".git", "elsewhere.md", *names])
    body = github.comments[0]["body"]
    assert body.count("1.62 s") == len(names)
    unsafe = cmarkgfm.cmark.Options.CMARK_OPT_UNSAFE
    shown = cmarkgfm.github_flavored_markdown_to_html(body.removeprefix(MARKER), unsafe)
    assert "<table>" in shown
    assert not re.search(r"<(?:img|script|a)\b|<!--", shown)
    assert not re.search(r"[@#]\w|GH-\d|https?://", shown)


def test_a_fork_without_permission_gets_annotations_and_the_summary(
    project: Project, act: Act, github: GitHub
) -> None:
    project.propose({"a.md": OLD}, {"a.md": FAULTY})
    github.read_only = True
    done = act("fork", MDBENCH_CODE_SCANNING="true")
    assert done.code == 1
    assert "::warning file=a.md" in done.out
    assert "no comment was written: the token may not write" in done.out
    assert "1.62 s" in done.summary
    # It may not upload either.
    assert done.sarif is None


def test_an_api_that_does_not_answer_does_not_fail_the_check(project: Project, act: Act) -> None:
    project.propose({"a.md": OLD}, {"a.md": NEW})
    done = act(GITHUB_API_URL="http://127.0.0.1:9")
    assert done.code == 0
    assert "::notice::mdbench: no comment was written" in done.out


def test_code_scanning_gets_no_suppressed_findings(project: Project, act: Act) -> None:
    project.propose({"a.md": OLD, "b.md": OLD}, {"a.md": FAULTY, "b.md": IGNORED})
    done = act(MDBENCH_CODE_SCANNING="true", MDBENCH_COMMENT="false")
    assert done.sarif is not None
    (run,) = done.sarif["runs"]
    places = [one["locations"][0]["physicalLocation"] for one in run["results"]]
    assert [one["artifactLocation"]["uri"] for one in places] == ["a.md"]


def test_a_push_checks_all_reports(project: Project, act: Act, github: GitHub) -> None:
    project.propose({"reports/a.md": FAULTY, "b.md": FAULTY}, {"c.txt": "x"})
    done = act("push")
    assert done.code == 1
    # By default those of `mdbench lint`.
    assert re.findall(r"file=([^,]+)", done.out) == ["reports/a.md"]
    assert github.requests == []


@pytest.mark.parametrize(
    ("inputs", "files"),
    [
        pytest.param({"MDBENCH_PATHS": "docs ./x.md"}, ["docs/a.md", "x.md"], id="paths"),
        pytest.param({"MDBENCH_CHANGED_ONLY": "false", "MDBENCH_PATHS": "docs"},
                     ["docs/a.md", "docs/same.md"], id="all"),
        pytest.param({}, ["docs/a.md"], id="the paths of the configuration"),
    ],
)  # fmt: skip
def test_paths_choose_the_reports(
    inputs: dict[str, str], files: list[str], project: Project, act: Act
) -> None:
    toml = 'paths = ["docs"]\nexclude = ["docs/draft.md"]\n'
    named = ("docs/a.md", "docs/draft.md", "x.md", "docsa.md")
    project.propose(
        {"mdbench.toml": toml, "docs/same.md": FAULTY, **dict.fromkeys(named, OLD)},
        dict.fromkeys(named, FAULTY),
    )
    done = act(**inputs, MDBENCH_COMMENT="false")
    assert re.findall(r"file=([^,]+)", done.out) == files


def test_a_branch_that_is_checked_out_itself_is_compared_with_its_base(
    project: Project, act: Act, github: GitHub
) -> None:
    project.propose({"a.md": OLD}, {"a.md": NEW}, merged=False)
    assert act().code == 0
    assert "1.62 s" in github.comments[0]["body"]


def test_if_the_base_cannot_be_had_all_reports_are_checked(project: Project, act: Act) -> None:
    project.propose({"a.md": OLD, "b.md": FAULTY}, {"a.md": NEW})
    os.rename(project.origin, project.folder / "moved")
    done = act()
    assert done.code == 1
    assert "the base of the pull request cannot be fetched" in done.out
    assert "file=b.md" in done.out


def test_a_long_comment_is_cut_at_a_line(project: Project, act: Act, github: GitHub) -> None:
    rows = "".join(f"| {at} | 1 | {at / 7:.2f} |\n" for at in range(1, 1200))
    project.propose({"a.md": HEAD + rows}, {"a.md": HEAD + rows.replace(".", "1.")})
    act()
    body = github.comments[0]["body"]
    assert 50_000 < len(body) < 65_536
    assert re.search(r"\|\n\n… and \d+ more lines\. `mdbench diff` shows all\.\n$", body)


@pytest.mark.parametrize(("fail_on", "code"), [("error", 0), ("never", 0), ("warning", 1)])
def test_the_threshold_decides_the_exit_code(
    fail_on: str, code: int, project: Project, act: Act
) -> None:
    project.propose({"a.md": OLD}, {"a.md": FAULTY})
    assert act(MDBENCH_FAIL_ON=fail_on, MDBENCH_COMMENT="false").code == code


def test_a_module_in_the_repository_is_not_taken_for_ours(project: Project, act: Act) -> None:
    trap = "raise SystemExit(99)\n"
    project.propose({"a.md": OLD}, {"a.md": NEW, "mdbench.py": trap, "json.py": trap})
    assert act().code == 0


def test_the_suffixes_are_those_of_mdbench() -> None:
    assert SUFFIXES == source.SUFFIXES
