"""Texts that try to use up all time and memory: each is read quickly.

Nested, repeated or long input takes time proportional to its length, and its content is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.trust.guarded import put_to_test, run_guarded

COLUMNS = 3000
MANY = 300_000
TITLES = ("Nodes", "Time (s)", "Old time (s)", "Speedup", "Δ", "Change (%)", "Tokens/s", "Total")
POWERS = "9**9**9**9"
NESTED = "(" * 1000 + "1" + ")" * 1000


def pipe_table(*rows: list[str]) -> str:
    """A Markdown table; the first row is its header."""
    lines = [f"| {' | '.join(row)} |\n" for row in rows]
    return "".join((lines[0], "|" + "---|" * len(rows[0]) + "\n", *lines[1:]))


def fence_table(*rows: list[str]) -> str:
    """The same in a code fence."""
    return f"```\n{pipe_table(*rows)}```\n"


def html_table(*rows: list[str]) -> str:
    """The same as HTML."""
    cells = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    lines = "".join(f"<tr>{row}</tr>\n" for row in cells)
    return f"<table>\n{lines}</table>\n"


Writer = Callable[..., str]
WRITERS: dict[str, Writer] = {"pipes": pipe_table, "html": html_table, "fence": fence_table}
each_kind = pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)


@each_kind
def test_a_table_of_thousands_of_columns(tmp_path: Path, write: Writer) -> None:
    row = [f"{at % 97}.5" for at in range(COLUMNS)]
    outcome = put_to_test(tmp_path, write([f"c{at}" for at in range(COLUMNS)], row))
    assert [one["raw"] for one in outcome.cells] == row
    assert {one["value"] for one in outcome.cells} == {f"{at}.5" for at in range(97)}


def test_thousands_of_related_columns(tmp_path: Path) -> None:
    titles = [TITLES[at % len(TITLES)] for at in range(COLUMNS // 2)]
    rows = [[f"{row * at % 97}.5" for at in range(COLUMNS // 2)] for row in (1, 2, 3)]
    outcome = put_to_test(tmp_path, pipe_table(titles, *rows))
    assert [one["raw"] for one in outcome.cells] == [cell for row in rows for cell in row]


def test_many_related_columns_in_many_rows(tmp_path: Path) -> None:
    titles = [TITLES[at % len(TITLES)] for at in range(40)]
    rows = [[f"{row * at % 97 + 1}.5" for at in range(40)] for row in range(50)]
    assert len(put_to_test(tmp_path, pipe_table(titles, *rows)).cells) == 50 * 40


@each_kind
def test_a_cell_of_megabytes(tmp_path: Path, write: Writer) -> None:
    cell = "1.5 s " * 30_000 + "x" * 10 * MANY
    outcome = put_to_test(tmp_path, write(["a", "Time (s)"], [cell, "3"], ["1", "4"]))
    assert [one["raw"] for one in outcome.cells] == [cell, "3", "1", "4"]
    assert [one["value"] for one in outcome.cells[1:]] == ["3.0", "1.0", "4.0"]


HUGE = ("9" * MANY, "0." + "9" * MANY, "1e999999", "1e-999999", POWERS, NESTED, "9" + ",999" * MANY)


@each_kind
def test_huge_numbers_stay_text(tmp_path: Path, write: Writer) -> None:
    rows = [row for number in HUGE for row in ([number, "3"], ["2", number])]
    outcome = put_to_test(tmp_path, write(["Time (s)", "Loss"], *rows))
    assert [one["raw"] for one in outcome.cells] == [cell for row in rows for cell in row]
    assert [one["value"] for one in outcome.cells] == ["", "3.0", "2.0", ""] * len(HUGE)


@pytest.mark.parametrize("formula", [POWERS, "2^9^9^9", "1/0", "0**-1", NESTED, "-" * 1000 + "1"])
def test_expensive_formulas_are_not_computed(tmp_path: Path, formula: str) -> None:
    table = pipe_table([f"Loss = {formula}", "Time (s)"], ["3", "4"], ["5", "6"])
    text = (
        f"The loss is {formula} = 7, and Time = {formula}.\n\n- loss = {formula}\n\n"
        f"```python\nloss = {formula}\nprint({formula})  # 7\n```\n\n"
        f"```\n$ python -c 'print({formula})'\n7\n$ echo '{formula}' | bc\n7\n```\n\n"
        f"Notation:\n\n- $t$: {formula}\n- time = {formula} * loss\n\n{table}"
    )
    outcome = put_to_test(tmp_path, text)
    assert [one["value"] for one in outcome.cells if one["row"]] == ["3.0", "4.0", "5.0", "6.0"]
    assert outcome.found <= {"MB401"}


@pytest.mark.parametrize("formula", [POWERS, NESTED, "9" * MANY, "1e999999", "devices ^ 1e9"])
def test_expensive_relations_in_the_settings_are_rejected_quickly(
    tmp_path: Path, formula: str
) -> None:
    (tmp_path / "mdbench.toml").write_text(f'relations = ["loss = {formula}"]\n', "utf-8")
    (tmp_path / "report.md").write_text(pipe_table(["Loss"], ["3"]), "utf-8")
    ended = run_guarded(tmp_path, ("lint", "--no-cache", "report.md"))
    assert ended.codes == [2]
    assert ended.err.startswith("mdbench: mdbench.toml: relations[0]: ")
    assert len(ended.err.splitlines()) == 1


LINES = {
    "pipes": "|" * MANY,
    "escaped pipes": "\\|" * MANY,
    "quotes": ">" * 40_000 + " a",
    "quotes with spaces": "> " * 40_000 + "a",
    "bullets": "- " * 40_000 + "a",
    "numbers of a list": "1. " * 40_000 + "a",
    "quotes and bullets": "> - " * 40_000 + "a",
    "brackets": "[" * MANY,
    "links": "[a](" * 60_000,
    "ticks": "`" * MANY,
    "stars": "*a " * 60_000,
    "tags": "<b" * 60_000,
    "comments": "<!--" * 60_000,
    "comments for mdbench": "<!-- mdbench: ignore " * 8000,
    "sums": "1 + " * 20_000 + "1 = 3",
    "assignments": "a = 1, " * 20_000,
    "spaces": "a" + " " * MANY + "b",
    "accents": "e" + "\u0301" * MANY,
    "hashes": "#" * MANY,
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_a_line_with_one_repeated_token(tmp_path: Path, line: str) -> None:
    table = pipe_table(["Nodes", "Time (s)"], ["1", "2"])
    outcome = put_to_test(tmp_path, f"{table}\n# Runs\n\n{line}\n")
    assert [one["value"] for one in outcome.cells if one["row"]] == ["1.0", "2.0"]
    assert line in outcome.clean


def test_nested_lists_and_quotes(tmp_path: Path) -> None:
    steps = "".join(f"{'  ' * depth}- a\n" for depth in range(500))
    quotes = "".join(f"{'>' * depth} a\n" for depth in range(500))
    table = pipe_table(["Nodes", "Time (s)"], ["1", "2"])
    assert len(put_to_test(tmp_path, f"{steps}\n{quotes}\n{table}").cells) == 2


@pytest.mark.parametrize(
    "row", ["|" * 40_000, "|1" * 6000, "<td>" * 10], ids=["empty", "numbers", "tags"]
)
def test_a_row_with_far_too_many_cells(tmp_path: Path, row: str) -> None:
    outcome = put_to_test(tmp_path, f"{pipe_table(['Nodes', 'Time (s)'], ['1', '2'])}{row}|\n")
    assert [one["value"] for one in outcome.cells if one["row"] == "1"] == ["1.0", "2.0"]
    assert bool({"MB101", "MB102"} & outcome.found) is row.startswith("|")


def test_every_number_with_its_own_footnote(tmp_path: Path) -> None:
    rows = [[str(at), f"{at}.5[^a{at}]"] for at in range(1500)]
    told = "".join(f"[^a{at}]: fewer steps\n" for at in range(0, 1500, 2))
    outcome = put_to_test(tmp_path, f"{pipe_table(['Run', 'Time (s)'], *rows)}\n{told}")
    marks = [one["message"].split("`")[1] for one in outcome.findings if one["code"] == "MB207"]
    assert marks == [f"[^a{at}]" for at in range(1, 1500, 2)]


def test_cells_that_span_more_than_the_table(tmp_path: Path) -> None:
    spans = "<td colspan=999999999 rowspan=999999999>1" * 2000
    outcome = put_to_test(tmp_path, f"<table><tr><th>a<th>b</tr>\n<tr>{spans}</table>\n")
    assert len(outcome.cells) < 100_000


def test_nested_tables(tmp_path: Path) -> None:
    outcome = put_to_test(tmp_path, "<table><tr><td>" * 20_000 + "1\n")
    assert outcome.clean.startswith("<table><tr><td>" * 20_000)
