"""`mdbench render` as it is used: files in, files out, exit codes."""

from __future__ import annotations

import io
import os
import stat
import sys
from pathlib import Path

import pytest

from mdbench.cli.main import main

DIRTY = "# R\n\n|Nodes|Mem|\n|--|--|\n|4| 5 GB|\n"
CLEAN = "# R\n\n| Nodes | Mem (GB) |\n| ----: | -------: |\n|     4 |        5 |\n"
TIDY = "| Nodes | TFLOPs |\n| --- | --- |\n| 4 | 0.86 |\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with two reports, one of them clean."""
    (tmp_path / "reports" / "deep").mkdir(parents=True)
    (tmp_path / "reports" / "dirty.md").write_text(DIRTY, encoding="utf-8")
    (tmp_path / "reports" / "deep" / "tidy.md").write_text(TIDY, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def type_in(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_a_report_goes_to_standard_output(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", "reports/dirty.md"]) == 0
    assert capsys.readouterr().out == CLEAN
    assert read(here / "reports" / "dirty.md") == DIRTY


@pytest.mark.usefixtures("here")
def test_standard_input_goes_to_standard_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(DIRTY, monkeypatch)
    assert main(["render", "-"]) == 0
    assert capsys.readouterr().out == CLEAN


def test_w_writes_in_place_and_only_what_is_not_clean(here: Path) -> None:
    tidy = here / "reports" / "deep" / "tidy.md"
    os.utime(tidy, (1, 1))
    (here / "reports" / "dirty.md").chmod(0o640)
    assert main(["render", "-w"]) == 0
    assert read(here / "reports" / "dirty.md") == CLEAN
    assert stat.S_IMODE((here / "reports" / "dirty.md").stat().st_mode) == 0o640
    assert read(tidy) == TIDY
    assert tidy.stat().st_mtime == 1


def test_no_minimal_writes_clean_tables_too(here: Path) -> None:
    assert main(["render", "-w", "--no-minimal"]) == 0
    assert read(here / "reports" / "deep" / "tidy.md").startswith("| Nodes | TFLOPs |\n| ----: |")


def test_minimal_may_be_asked_for_anywhere(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", "--minimal", str(here / "reports" / "deep")]) == 0
    assert capsys.readouterr().out == TIDY


def test_o_keeps_relative_names(here: Path) -> None:
    assert main(["render", "-o", "out"]) == 0
    assert read(here / "out" / "reports" / "dirty.md") == CLEAN
    assert (here / "out" / "reports" / "deep" / "tidy.md").exists()
    assert read(here / "reports" / "dirty.md") == DIRTY


def test_o_may_be_a_file(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", "reports/dirty.md", "-o", "out/x.md"]) == 0
    assert capsys.readouterr().out == "1 file written to out/x.md\n"
    assert read(here / "out" / "x.md") == CLEAN
    assert main(["render", "reports/dirty.md", "-o", "y.md"]) == 0
    assert read(here / "y.md") == CLEAN
    assert main(["render", "reports", "-o", "out/x.md"]) == 2
    assert "out/x.md: is one file, but there are 2 reports" in capsys.readouterr().err
    assert main(["render", "y.md", "-o", "./y.md"]) == 2
    assert "use -w" in capsys.readouterr().err


def test_a_page_is_no_single_file(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for paths in (["reports/dirty.md"], ["reports"]):
        assert main(["render", *paths, "--format", "html", "-o", "out/one.html"]) == 2
        told = "mdbench: out/one.html: HTML pages need a folder; use -o out/one\n"
        assert capsys.readouterr().err == told
    assert main(["render", "reports/dirty.md", "-o", "one.html"]) == 2
    told = "mdbench: one.html: for HTML pages, use --format html -o one\n"
    assert capsys.readouterr().err == told
    assert not (here / "one.html").exists()
    assert not (here / "out").exists()


def test_a_template_may_write_any_file(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "page.html.j2").write_text("<p>{{ report.title }}</p>", encoding="utf-8")
    options = ["--template", "./page.html.j2", "-o", "out/page.html"]
    assert main(["render", "reports/dirty.md", *options]) == 0
    assert read(here / "out" / "page.html") == "<p>R</p>"
    assert main(["render", "reports", *options]) == 2
    told = "out/page.html: is one file, but there are 2 reports; name a folder\n"
    assert capsys.readouterr().err == f"mdbench: {told}"


def test_o_never_leads_out_of_its_folder(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "elsewhere").mkdir()
    monkeypatch.chdir(here / "elsewhere")
    assert main(["render", "../reports", str(here / "reports" / "dirty.md"), "-o", "out"]) == 0
    found = sorted(path.as_posix() for path in Path("out").rglob("*.md"))
    assert found == ["out/deep/tidy.md", "out/dirty.md"]


def test_o_does_not_write_a_report_over_itself(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["render", "-o", "."]) == 2
    assert "use -w" in capsys.readouterr().err
    assert read(here / "reports" / "dirty.md") == DIRTY


def test_check_names_what_would_change(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", "--check"]) == 1
    assert capsys.readouterr().out == "would change: reports/dirty.md\n"
    assert read(here / "reports" / "dirty.md") == DIRTY
    assert main(["render", "-w"]) == 0
    assert capsys.readouterr().out == "1 file rewritten, 1 unchanged\n"
    assert main(["render", "--check"]) == 0
    assert main(["render", "-w", "--quiet"]) == 0
    assert capsys.readouterr().out == ""


def test_a_file_that_cannot_be_read_does_not_stop_the_others(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "reports" / "a.md").write_bytes(b"\xff\xfeno")
    assert main(["render", "-w"]) == 2
    assert "reports/a.md: is UTF-16" in capsys.readouterr().err
    assert read(here / "reports" / "dirty.md") == CLEAN


def test_a_link_is_kept_and_what_it_points_to_is_written(here: Path) -> None:
    (here / "real.md").write_text(DIRTY, encoding="utf-8")
    (here / "link.md").symlink_to("real.md")
    assert main(["render", "-w", "link.md"]) == 0
    assert (here / "link.md").is_symlink()
    assert read(here / "real.md") == CLEAN


def test_a_write_protected_file_is_left_with_a_message(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = here / "reports" / "dirty.md"
    path.chmod(0o444)
    if os.access(path, os.W_OK):
        pytest.skip("this user may write everything")
    assert main(["render", "-w"]) == 2
    assert "reports/dirty.md: cannot be written" in capsys.readouterr().err
    assert read(path) == DIRTY


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param(["-w", "-"], "standard input cannot be written in place", id="-w and -"),
        pytest.param(["-w", "--template", "report"], "--template writes another", id="template -w"),
        pytest.param(
            ["--check", "--template", "report"], "--template writes", id="template --check"
        ),
        pytest.param(["--annotate", "--template", "report"], "--template", id="template annotate"),
        pytest.param(["--format", "html"], "use -o FOLDER", id="a site needs a folder"),
        pytest.param(["--format", "html", "-w"], "-o FOLDER", id="a site is not in place"),
        pytest.param(["--template", "nope"], "nope: no template", id="no such template"),
        pytest.param(["nowhere.md"], "nowhere.md: no such file", id="no such file"),
    ],
)
def test_what_does_not_go_together_is_told(
    options: list[str], message: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["render", *options]) == 2
    assert message in capsys.readouterr().err
    assert read(here / "reports" / "dirty.md") == DIRTY


def test_two_targets_at_once_are_a_mistake(here: Path) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["render", "-w", "--check", str(here)])
    assert stop.value.code == 2


def test_recompute_and_annotate_are_options(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.md").write_text(
        "A = Nodes × TFLOPs\n\n| Nodes | DP | TP | PP |\n|--|--|--|--|\n| 4 | 2 | 2 | 1 |\n"
        "| 8 | 4 | 2 | 1 |\n| 16 | 4 | 2 | 1 |\n| 32 | 16 | 2 | 1 |\n",
        encoding="utf-8",
    )
    assert main(["render", "--annotate", "--recompute", "a.md"]) == 0
    assert "[^MB301-1]: MB301 derived-mismatch (error): " in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.usefixtures("at_once")
def test_many_files_come_in_order_however_many_processes(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(70):
        (here / f"{number:02}.md").write_text(f"report {number}\n", encoding="utf-8")
    assert main(["render", "--jobs", "2", *(f"{number:02}.md" for number in range(70))]) == 0
    assert capsys.readouterr().out == "".join(f"report {number}\n" for number in range(70))
