"""Changes of a report that change nothing it says leave its errors as they are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdbench.source import Source, SourceError
from tests.linting.layout_changes import (
    add_column,
    add_names,
    change_tables,
    cut_in_two,
    errors,
    lines_with_errors,
    move_column,
    reverse_rows,
    scale_cells,
    scale_units,
    shuffle_columns,
    shuffle_rows,
    told_lines,
    translate,
)

ROOT = Path(__file__).resolve().parents[2]
TRUTH = ROOT.parent / "shared" / "truth"
SAMPLES = sorted((ROOT / "reports").glob("*.md"))
REAL = sorted([*TRUTH.glob("reports/current/*.md"), *TRUTH.glob("wide/reports/*/*.md")])
SOME = REAL[::15]
FEW = settings(max_examples=settings().max_examples // 4)
SEEDS = st.integers(0, 1 << 20)

GROUPS = """
| GPUs | Batch | Images/s | Scaling |
|-----:|------:|---------:|--------:|
| 1 | 128 | 377.18 | 100% |
| 4 | 128 | 1493.13 | 396% |
| 8 | 128 | 2967.23 | 787% |
| 1 | 64 | 364.27 | 100% |
| 4 | 64 | 1432.73 | 393% |
| 8 | 64 | 2838.76 | 779% |
| 1 | 32 | 322.81 | 100% |
| 4 | 32 | 1238.27 | 384% |
| 8 | 32 | 2520.50 | 881% |
"""
DEVICES = """
| Batch | T4 Latency (ms) | T4 Images/s | V100 Latency (ms) | V100 Images/s | V100x7 Images/s |
|------:|------:|------:|------:|------:|------:|
| 1 | 1.84 | 543 | 1.58 | 632 | 4929 |
| 8 | 2.10 | 3809 | 1.63 | 4907 | 28000 |
| 16 | 4.93 | 3245 | 2.99 | 5351 | 10707 |
| 32 | 4.89 | 6544 | 3.00 | 10667 | 42585 |
| 64 | 17.32 | 3695 | 8.05 | 7950 | 13650 |
"""


CHANGES: dict[str, Callable[[str], str]] = {
    "CRLF": lambda text: text.replace("\r\n", "\n").replace("\n", "\r\n"),
    "a blank line": lambda text: f"\n{text}",
    "rows reversed": lambda text: change_tables(text, reverse_rows),
    "a column moved": lambda text: change_tables(text, move_column),
    "a column added": lambda text: change_tables(text, add_column),
}
# In a table that is read by rows, another order of the rows is another order of operands.
ORDERED = ("CRLF", "a blank line", "a column added")


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("text", [GROUPS, DEVICES], ids=["groups", "devices"])
def test_a_change_of_layout_keeps_the_errors(text: str, change: str) -> None:
    assert errors(CHANGES[change](text)) == errors(text)


def test_the_baseline_of_a_group_is_the_one_with_the_fewest_devices() -> None:
    assert errors(GROUPS) == {("MB301", "881%"): 1}


def test_a_column_that_no_row_explains_is_not_blamed() -> None:
    assert errors(CHANGES["a column moved"](DEVICES)) == {}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_change_of_layout_keeps_the_errors_of_a_sample(path: Path, change: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert errors(CHANGES[change](text)) == errors(text)


@cache
def _text(path: Path) -> str:
    try:
        return Source.from_bytes(path.name, path.read_bytes()).text.replace("\r\n", "\n")
    except SourceError:
        return ""


@cache
def _errors_of(path: Path) -> Counter[tuple[str, str]]:
    return errors(_text(path))


def _codes(found: Counter[tuple[str, str]]) -> list[str]:
    return sorted(code for code, _ in found.elements())


@cache
def _told_lines_of(path: Path) -> set[str]:
    return told_lines(_text(path))


def _hold_units(path: Path) -> None:
    scaled = change_tables(scale_units(_text(path)), scale_cells)
    assert _codes(errors(scaled)) == _codes(_errors_of(path))


def _hold_names(path: Path, seed: int) -> None:
    """A name that no other row has may make a row one of another kind: then errors are fewer."""
    named = change_tables(_text(path), add_names(Random(seed)))
    assert lines_with_errors(named) <= lines_with_errors(_text(path))


def _hold_order(path: Path, seed: int) -> None:
    """A sum of the columns beside it, or a cell that is shifted, needs their order to be seen."""
    shuffled = change_tables(_text(path), shuffle_columns(seed))
    assert lines_with_errors(shuffled) <= lines_with_errors(_text(path))


def _hold_rows(path: Path, seed: int) -> None:
    """What each row is compared with may be known by its place alone: then errors are fewer."""
    shuffled = change_tables(_text(path), shuffle_rows(Random(seed)))
    assert told_lines(shuffled) <= _told_lines_of(path)


def _hold_cut(path: Path, seed: int) -> None:
    """Notation and units are those of a cell; what rows agree on needs them in one table.

    So do the rows that are compared with a baseline, which may be in the other half.
    """

    def of_cells(found: Counter[tuple[str, str]]) -> list[tuple[str, str]]:
        return sorted({one for one in found if one[0].startswith("MB2")})

    cut = change_tables(_text(path), cut_in_two(Random(seed)))
    assert of_cells(errors(cut)) == of_cells(_errors_of(path))


def _hold_words(path: Path, seed: int) -> None:
    assert errors(change_tables(_text(path), translate(seed))) == _errors_of(path)


LAWS = (_hold_names, _hold_order, _hold_rows, _hold_cut, _hold_words)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_larger_unit_keeps_the_errors_of_a_sample(path: Path) -> None:
    _hold_units(path)


@pytest.mark.parametrize("hold", LAWS)
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_another_layout_keeps_the_errors_of_a_sample(
    path: Path, hold: Callable[[Path, int], None]
) -> None:
    hold(path, 1)


@pytest.mark.parametrize("text", [GROUPS, DEVICES], ids=["groups", "devices"])
@given(SEEDS)
@FEW
def test_no_order_of_columns_changes_an_error(text: str, seed: int) -> None:
    assert errors(change_tables(text, shuffle_columns(seed))) == errors(text)


BASELINES = """
| Nodes | GPUs each | Batch | Images/s | Speedup |
|------:|----------:|------:|---------:|--------:|
| 1 | 1 | 96 | 391.62 | 1.00 |
| 1 | 8 | 96 | 3070.36 | 7.84 |
| 2 | 8 | 96 | 6061.07 | 15.48 |
| 4 | 8 | 96 | 12062.41 | 30.80 |
| 1 | 1 | 128 | 396.64 | 1.00 |
| 1 | 8 | 128 | 3122.34 | 7.87 |
| 2 | 8 | 128 | 6242.30 | 15.74 |
| 4 | 8 | 128 | 12381.97 | 33.22 |
| 1 | 1 | 144 | 393.87 | 1.00 |
| 2 | 8 | 144 | 6238.94 | 15.84 |
"""


@given(SEEDS)
@FEW
def test_a_baseline_may_stand_anywhere_in_its_group(seed: int) -> None:
    assert errors(BASELINES) == {("MB301", "33.22"): 1}
    assert errors(change_tables(BASELINES, shuffle_rows(Random(seed)))) == errors(BASELINES)


@given(SEEDS)
@FEW
def test_names_of_rows_change_no_error(seed: int) -> None:
    assert errors(change_tables(GROUPS, add_names(Random(seed)))) == errors(GROUPS)


RATES = """
| GBS | Step time (ms) | Samples/s |
|----:|---------------:|----------:|
| 64 | 125.1 | 511.6 |
| 128 | 251.3 | 509.4 |
| 256 | 498.7 | 523.3 |
| 512 | 1003.9 | 510.0 |
| 96 | 187.4 | 512.3 |
| 192 | 377.7 | 508.3 |
"""


@given(SEEDS)
@FEW
def test_what_a_row_says_by_itself_needs_no_other_row(seed: int) -> None:
    assert errors(RATES) == {("MB301", "523.3"): 1}
    assert errors(change_tables(RATES, cut_in_two(Random(seed)))) == errors(RATES)
    assert errors(change_tables(RATES, translate(seed))) == errors(RATES)


@given(SEEDS)
@FEW
def test_the_order_of_rows_says_nothing_of_what_a_row_says_by_itself(seed: int) -> None:
    assert errors(change_tables(RATES, shuffle_rows(Random(seed)))) == errors(RATES)


def test_units_in_cells_are_as_good_as_those_of_headers() -> None:
    text = re.sub(r"(\d+\.\d) \| (\d)", r"\1 ms | \2", RATES).replace(" (ms)", "")
    scaled = change_tables(text, scale_cells)
    assert "| 0.4987 s |" in scaled
    assert errors(scaled) == errors(text) == errors(RATES)


def test_seconds_are_as_good_as_milliseconds() -> None:
    scaled = scale_units(RATES)
    assert "Step time (s)" in scaled
    assert "| 0.4987 |" in scaled
    assert errors(scaled) == errors(RATES)


MEMORY = """
| Batch | Weights (MiB) | Activations (MiB) | Total memory (MiB) |
|------:|--------------:|------------------:|-------------------:|
| 2 | 20033.7 | 1067.4 | 21101.1 |
| 4 | 20033.7 | 2049.2 | 22082.9 |
| 8 | 20033.7 | 4807.3 | 24841.0 |
| 16 | 20033.7 | 8329.6 | 82363.3 |
"""


def test_gibibytes_are_as_good_as_mebibytes() -> None:
    scaled = scale_units(MEMORY.replace("24841.0", "24841.1"))
    assert "| 19.5642 | 1.0424 | 20.6065 |" in scaled
    assert list(errors(MEMORY)) == [("MB301", "82363.3")]
    assert list(errors(scaled)) == [("MB301", "80.4329")]


@pytest.mark.slow
@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem[-40:])
def test_a_change_of_layout_keeps_the_errors_of_a_real_report(path: Path) -> None:
    text = Source.from_bytes(path.name, path.read_bytes()).text
    before = errors(text)
    for change in ORDERED:
        assert errors(CHANGES[change](text)) == before, change


@pytest.mark.slow
@pytest.mark.skipif(not REAL, reason="the collection of real reports is not beside this checkout")
@given(st.data())
@settings(max_examples=10)
@pytest.mark.parametrize("hold", LAWS)
def test_another_layout_keeps_the_errors_of_a_real_report(
    hold: Callable[[Path, int], None], data: st.DataObject
) -> None:
    hold(data.draw(st.sampled_from(REAL)), data.draw(SEEDS))


@pytest.mark.slow
@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem[-40:])
def test_a_larger_unit_keeps_the_errors_of_a_real_report(path: Path) -> None:
    _hold_units(path)
