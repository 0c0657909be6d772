"""`mdbench columns`: the quantities that are known, and how the headers of a file were read."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdbench.cli.main import main
from mdbench.markdown.widths import display_width
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()

REPORTS = Path(__file__).resolve().parent.parent.parent / "reports"
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def explain(capsys: Capture, report: str) -> list[str]:
    Path("a.md").write_text(report, encoding="utf-8")
    assert main(["columns", "a.md"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out.splitlines()


def test_every_quantity_is_listed_with_its_unit_role_and_spellings(capsys: Capture) -> None:
    assert main(["columns"]) == 0
    listed = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert listed.keys() == STANDARD.quantities.keys()
    for name, line in listed.items():
        known = STANDARD.quantities[name]
        assert known.unit.text in line
        assert known.role in line
        assert all(spelling in line for spelling in known.spellings)


@pytest.mark.parametrize(
    ("header", "meant"),
    [
        ("Nodes", "nodes [node]"),
        ("DP", "dp"),
        ("Freq", "clock_ghz [GHz]"),
        ("Mem", "memory_mib [MiB]"),
        ("Sec/it", "step_time_s [Sec/it]"),
        ("Est. Aggr. PetaFLOPs", "pflops_total [PetaFLOPs]"),
    ],
)
def test_each_header_of_a_report_has_its_quantity_unit_and_a_reason(
    capsys: Capture, header: str, meant: str
) -> None:
    assert main(["columns", str(REPORTS / "fugaku-30b.md")]) == 0
    line = next(
        line for line in capsys.readouterr().out.splitlines() if line.startswith(f"  {header}  ")
    )
    understood, _, why = line.removeprefix(f"  {header}").strip().partition("  ")
    assert understood == meant
    assert why.startswith("(")
    assert len(why) > len("()")


def test_each_table_is_named_with_its_line_and_kind(capsys: Capture) -> None:
    lines = explain(
        capsys,
        "| a |\n|--|\n| 1 |\n\n<table><tr><th>Nodes</th></tr><tr><td>4</td></tr></table>\n",
    )
    assert [line for line in lines if not line.startswith(" ")] == [
        "a.md:1: table 1 (table)",
        "a.md:5: table 2 (html)",
    ]


def test_the_reason_says_that_the_cells_decided(capsys: Capture) -> None:
    reasons = []
    for cell in ("2.5 it/s", "350 ms"):
        lines = explain(capsys, f"| Nodes | Speed |\n|--|--|\n| 4 | {cell} |\n")
        reasons += [line for line in lines if line.startswith("  Speed")]
    rate, time = reasons
    assert "steps_per_s" in rate
    assert "steps_per_s" not in time
    assert rate.endswith("(the cells are in it/s)")


@pytest.mark.parametrize(
    ("header", "cell", "meaning", "reason"),
    [
        ("Nodes", "4", "nodes [node]", "the header says so"),
        ("Colour", "red", "kept in extra", "no known word"),
        ("Speed", "12", "undecided: step_time_s or ", "neither header nor cells tell"),
        ("Peak memory (GB)", "12.5", "memory_mib [GB], max", "the words of the header"),
        ("MBS=2 (ms)", "3", "time_s [ms], states micro_batch=2", "the header names the unit"),
        ("Size", "7B", "params [param]", "the cells are numbers"),
        ("Speed", "2.5 it/s", "steps_per_s [it/s]", "the cells are in it/s"),
    ],
)
def test_the_reason_is_plain(
    capsys: Capture, header: str, cell: str, meaning: str, reason: str
) -> None:
    _, _, line = explain(capsys, f"| GPUs | {header} |\n|--|--|\n| 4 | {cell} |\n")
    assert line.startswith(f"  {header.ljust(4)}  {meaning}")
    assert line.endswith(f"  ({reason})")


LONG = f"| {'Peak ' * 30}memory | Nodes | {'吞吐量' * 20} |\n|--|--|--|\n| 4 GB | 2 | 3 |\n"


@pytest.mark.slow
@pytest.mark.parametrize("columns", [20, 40, 80, 200])
def test_a_line_fits_the_terminal(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("mdbench.cli.tables.on_terminal", lambda _: True)
    _, *lines = explain(capsys, f"- Sequence length: 2048\n- Model: {'long ' * 30}\n\n{LONG}")
    assert len(lines) >= 4
    assert all(display_width(line) <= columns for line in lines)
    assert "…" in lines[0]


def test_a_pipe_gets_the_whole_text(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    _, first, nodes, _ = explain(capsys, LONG)
    assert "Peak " * 30 in first
    assert "…" not in first
    # A long header does not push the others away.
    assert nodes == f"  {'Nodes':40}  nodes [node]  (the header says so)"


def test_a_header_that_is_not_known_is_kept_in_extra(capsys: Capture) -> None:
    lines = explain(capsys, "| Nodes | Favourite colour |\n|--|--|\n| 4 | red |\n")
    assert any(line.startswith("  Favourite colour  kept in extra") for line in lines)


def test_settings_stated_outside_the_table_are_shown_with_their_line(capsys: Capture) -> None:
    lines = explain(capsys, "## Sequence Length=1024\n\n| Nodes | Sec/it |\n|--|--|\n| 4 | 2 |\n")
    assert "  stated on line 1: seq_len = 1024" in lines


def test_a_report_without_tables_says_so(capsys: Capture) -> None:
    assert explain(capsys, "Only prose.\n") == ["a.md: no tables"]


def test_headers_line_up_whatever_their_script(capsys: Capture) -> None:
    lines = explain(capsys, "| Nodes | 吞吐量 (tokens/s) |\n|--|--|\n| 4 | 100 |\n")
    ends = {
        display_width(line[: line.index(name)])
        for line, name in zip(lines[1:3], ("nodes [", "tokens_per_s ["), strict=True)
    }
    assert len(ends) == 1


@pytest.mark.parametrize(
    ("cell", "meaning"),
    [
        ("1.5", "time_s [unit not stated]"),
        ("1.5 ms", "time_s [ms]"),
        ("-", "time_s [unit not stated]"),
    ],
)
def test_no_unit_is_made_up(capsys: Capture, cell: str, meaning: str) -> None:
    lines = explain(capsys, f"| Run | Wall time |\n|--|--|\n| a | {cell} |\n")
    assert any(meaning in line for line in lines)


def test_what_a_terminal_would_obey_is_spelled_out(capsys: Capture) -> None:
    lines = explain(capsys, "| Nodes\x1b[2J |\n|--|\n| 4 |\n")
    assert "\x1b" not in "".join(lines)
    assert any("\\x1b[2J" in line for line in lines)


def test_standard_output_is_utf_8_whatever_the_locale(
    capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    assert main(["columns"]) == 0
    assert "节点数" in capsysbinary.readouterr().out.decode("utf-8")


@pytest.mark.slow
def test_a_folder_stands_for_its_reports(capsys: Capture) -> None:
    assert main(["columns", str(REPORTS)]) == 0
    out = capsys.readouterr().out
    assert all(f"{report.name}:" in out for report in REPORTS.glob("*.md"))


def test_a_folder_without_reports_says_so(capsys: Capture) -> None:
    assert main(["columns", "."]) == 0
    assert capsys.readouterr().err == "mdbench: no reports (.md, .markdown, .mdx) in .\n"
