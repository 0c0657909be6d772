"""Two versions of a report: what counts as a change between them, and what does not."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mdbench
from mdbench.compare.changes import Change, compare_runs
from mdbench.compare.profiles import profile_runs

PROJECT = Path(__file__).resolve().parent.parent.parent
REPORTS = sorted((PROJECT / "reports").glob("*.md"))


def compare(old: str, new: str) -> tuple[Change, ...]:
    """The changes between two texts."""
    olds, news = (profile_runs(mdbench.parse(text)) for text in (old, new))
    return compare_runs(olds, news, "report.md")


def tell(changes: Sequence[Change]) -> list[str]:
    """Changes in short, with the run where all of it came or went."""
    return [
        " ".join(
            (
                change.kind,
                *([f"[{change.label}]"] if change.whole_run else []),
                change.name,
                change.old.text if change.old else "-",
                change.new.text if change.new else "-",
            )
        )
        for change in changes
    ]


def make_table(*rows: str, head: str = "Nodes | TP | Step time (s) | Memory") -> str:
    rule = "|".join("---" for _ in head.split("|"))
    return "\n".join((f"| {head} |", f"|{rule}|", *(f"| {row} |" for row in rows))) + "\n"


BASE = ("2 | 1 | 1.62 | 30 GB", "4 | 1 | 0.86 | 28 GB", "8 | 2 | 0.45 | 15 GB")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param(BASE, [], id="nothing"),
        pytest.param(reversed(BASE), [], id="rows in another order"),
        pytest.param(
            ("2 | 1 | 1.62 | 30 GB", "4 | 1 | 0.90 | 28 GB", BASE[2]),
            ["changed step_time_s 0.86 s 0.90 s"],
            id="a value",
        ),
        pytest.param(
            (BASE[0], "4 | 1 | 0.858 | 28 GB", BASE[2]), [], id="a digit more is no change"
        ),
        pytest.param((BASE[0], "4 | 1 | 0.9 | 28 GB", BASE[2]), [], id="a digit less is no change"),
        pytest.param(
            (BASE[0], "4 | 1 | 0.87 | 28 GB", BASE[2]),
            ["changed step_time_s 0.86 s 0.87 s"],
            id="the last digit is a change",
        ),
        pytest.param(
            (BASE[0], "4 | 1 | 0.866 | 28 GB", BASE[2]),
            ["changed step_time_s 0.86 s 0.866 s"],
            id="a digit more that would be rounded otherwise",
        ),
        pytest.param((BASE[0], "4 | 1 | 860 ms | 28000 MB", BASE[2]), [], id="another unit"),
        pytest.param((BASE[0], "4 | 1 | **0.86** | `28 GB`", BASE[2]), [], id="markup"),
        pytest.param(
            (BASE[0], "4 | 1 | OOM | 28 GB", BASE[2]),
            ["changed step_time_s 0.86 s OOM"],
            id="a run that fails now",
        ),
        pytest.param(
            (BASE[0], "4 | 1 | - | 28 GB", BASE[2]),
            ["vanished step_time_s 0.86 s -"],
            id="a value is gone",
        ),
        pytest.param(
            (*BASE, "16 | 2 | 0.25 | 15 GB"),
            [
                "appeared [nodes 16, tp 2] step_time_s - 0.25 s",
                "appeared [nodes 16, tp 2] memory_mib - 15 GB",
            ],
            id="a row more",
        ),
        pytest.param(
            BASE[1:],
            [
                "vanished [nodes 2, tp 1] step_time_s 1.62 s -",
                "vanished [nodes 2, tp 1] memory_mib 30 GB -",
            ],
            id="a row less",
        ),
        pytest.param((*BASE, "16 | 2 | - | -"), [], id="a row that measures nothing"),
        pytest.param(
            (*BASE[:2], "16 | 2 | 0.45 | 15 GB"),
            ["setting nodes 8 16"],
            id="one setting, all measurements equal",
        ),
        pytest.param(
            (*BASE[:2], "16 | 2 | 0.44 | 15 GB"),
            [
                "appeared [nodes 16, tp 2] step_time_s - 0.44 s",
                "appeared [nodes 16, tp 2] memory_mib - 15 GB",
                "vanished [nodes 8, tp 2] step_time_s 0.45 s -",
                "vanished [nodes 8, tp 2] memory_mib 15 GB -",
            ],
            id="one setting and a measurement make another run",
        ),
        pytest.param(
            (*BASE[:2], "16 | 4 | 0.45 | 15 GB"),
            [
                "appeared [nodes 16, tp 4] step_time_s - 0.45 s",
                "appeared [nodes 16, tp 4] memory_mib - 15 GB",
                "vanished [nodes 8, tp 2] step_time_s 0.45 s -",
                "vanished [nodes 8, tp 2] memory_mib 15 GB -",
            ],
            id="two settings make another run",
        ),
    ],
)
def test_what_changed_in_a_table(rows: Sequence[str], expected: list[str]) -> None:
    assert tell(compare(make_table(*BASE), make_table(*rows))) == expected


@pytest.mark.parametrize(
    ("old", "new", "percent"),
    [
        ("0.80", "0.90", 12.5),
        ("2", "1", -50.0),
        ("1.0 s", "900 ms", -10.0),
        ("0", "1", None),
        ("1", "OOM", None),
    ],
)
def test_the_change_in_per_cent(old: str, new: str, percent: float | None) -> None:
    (change,) = compare(make_table(f"2 | 1 | {old} |"), make_table(f"2 | 1 | {new} |"))
    assert change.percent == (percent if percent is None else pytest.approx(percent))


def test_columns_in_another_order_and_with_other_titles_are_no_change() -> None:
    head = "Memory | Step time (ms) | Nodes | tensor parallel"
    rows = ("30 GB | 1620 | 2 | 1", "28 GB | 860 | 4 | 1", "15 GB | 450 | 8 | 2")
    assert compare(make_table(*BASE), make_table(*rows, head=head)) == ()


def test_a_table_on_its_side_is_no_change() -> None:
    sideways = make_table(
        "TP | 1 | 1 | 2",
        "Step time (s) | 1.62 | 0.86 | 0.45",
        "Memory | 30 GB | 28 GB | 15 GB",
        head="Nodes | 2 | 4 | 8",
    )
    assert compare(make_table(*BASE), sideways) == ()


def test_a_new_column_is_as_many_new_measurements() -> None:
    head = "Nodes | TP | Step time (s) | Memory | TFLOPs"
    rows = [f"{row} | 4{at}.0" for at, row in enumerate(BASE)]
    assert tell(compare(make_table(*BASE), make_table(*rows, head=head))) == [
        f"appeared tflops_per_device - 4{at}.0 TFLOPs" for at in range(3)
    ]


def test_a_setting_that_is_stated_now_makes_no_other_run() -> None:
    head = "Nodes | TP | Step time (s) | Memory | Precision"
    rows = [f"{row} | bf16" for row in (BASE[0], "4 | 1 | 0.90 | 28 GB", BASE[2])]
    assert tell(compare(make_table(*BASE), make_table(*rows, head=head))) == [
        "setting precision not stated bf16",
        "setting precision not stated bf16",
        "changed step_time_s 0.86 s 0.90 s",
        "setting precision not stated bf16",
    ]


def test_a_setting_of_the_text_around_is_told_and_the_runs_stay_the_same() -> None:
    old = f"# Runs\n\n- Sequence length: 2048\n\n{make_table(*BASE)}"
    rows = (BASE[0], "4 | 1 | 0.90 | 28 GB", BASE[2])
    new = f"# Runs\n\n- Sequence length: 4096\n\n{make_table(*rows)}"
    assert tell(compare(old, new)) == [
        "setting seq_len 2048 4096",
        "setting seq_len 2048 4096",
        "changed step_time_s 0.86 s 0.90 s",
        "setting seq_len 2048 4096",
    ]


def test_runs_of_one_configuration_are_told_apart_by_their_section() -> None:
    def write(one: str, other: str) -> str:
        first, second = (make_table(f"2 | 1 | {value} | 1 GB") for value in (one, other))
        return f"# With recomputation\n\n{first}\n# Without\n\n{second}"

    assert tell(compare(write("1.5", "2.5"), write("2.5", "1.5"))) == [
        "changed step_time_s 1.5 s 2.5 s",
        "changed step_time_s 2.5 s 1.5 s",
    ]


def test_runs_that_nothing_tells_apart_are_matched_by_what_they_measured() -> None:
    old = make_table("2 | 1 | 1.1 | 10 GB", "2 | 1 | 1.2 | 20 GB", "2 | 1 | 1.3 | 30 GB")
    new = make_table("2 | 1 | 1.3 | 31 GB", "2 | 1 | 1.1 | 10 GB", "2 | 1 | 1.2 | 20 GB")
    assert tell(compare(old, new)) == ["changed memory_mib 30 GB 31 GB"]


def test_dates_tell_runs_apart_that_nothing_else_does() -> None:
    head = "Date | Step time (s)"
    old = make_table("2024-05-01 | 1.1", "2024-05-02 | 1.2", head=head)
    new = make_table("2024-05-03 | 1.0", "2024-05-02 | 1.3", "2024-05-01 | 1.1", head=head)
    assert tell(compare(old, new)) == [
        "appeared [] step_time_s - 1.0 s",
        "changed step_time_s 1.2 s 1.3 s",
    ]


def test_words_of_a_column_that_nobody_knows_tell_runs_apart() -> None:
    head = "Contender | Tokens/s"
    old = make_table("ours | 100", "theirs | 80", head=head)
    new = make_table("theirs | 90", "ours | 100", head=head)
    assert tell(compare(old, new)) == ["changed tokens_per_s 80 Tokens/s 90 Tokens/s"]


def test_a_cell_that_several_runs_share_is_told_of_once() -> None:
    head = "Nodes | Memory | bs=1 latency (ms) | bs=8 latency (ms)"
    old, new = (make_table(f"2 | {size} | 5.0 | 9.0", head=head) for size in ("10 GB", "12 GB"))
    assert len(mdbench.parse(old).sheets[0].runs) == 2
    assert tell(compare(old, new)) == ["changed memory_mib 10 GB 12 GB"]


def test_another_spread_is_a_change() -> None:
    old, new = (make_table(f"2 | 1 | 1.5 ± {spread} |") for spread in ("0.1", "0.2"))
    (change,) = compare(old, new)
    assert (change.kind, change.percent) == ("changed", 0.0)


def test_a_measurement_of_the_prose_is_one_too() -> None:
    old, new = (
        f"# Speed\n\nllama-3b on 4x RTX 3090: ~{rate} tokens per second\n" for rate in (6300, 6900)
    )
    (change,) = compare(old, new)
    assert (change.name, change.run["model"]) == ("tokens_per_s", "llama-3b")
    assert change.percent == pytest.approx(600 / 63)


tables = st.lists(
    st.tuples(
        st.sampled_from([1, 2, 4, 8]),
        st.sampled_from([1, 2]),
        st.sampled_from(["0.86", "1.5", "12", "OOM", "-", ""]),
        st.sampled_from(["10 GB", "12.5 GiB", "800 MB", "-"]),
    ),
    min_size=1,
    max_size=8,
).map(lambda rows: [" | ".join(map(str, row)) for row in rows])


@settings(max_examples=40)
@given(st.lists(tables, min_size=1, max_size=3), st.randoms(use_true_random=False))
def test_rows_and_tables_in_another_order_are_never_a_change(
    sections: list[list[str]], order: random.Random
) -> None:
    parts = list(enumerate(sections))
    old = "\n".join(f"# Part {at}\n\n{make_table(*rows)}" for at, rows in parts)
    order.shuffle(parts)
    mixed = [(at, order.sample(rows, len(rows))) for at, rows in parts]
    new = "Some words.\n\n" + "\n".join(
        f"# Part {at}\n\nMore words.\n\n{make_table(*rows)}" for at, rows in mixed
    )
    assert compare(old, new) == ()


@settings(max_examples=40)
@given(tables, tables)
def test_what_appears_one_way_vanishes_the_other(one: list[str], other: list[str]) -> None:
    def count(kind: str, old: list[str], new: list[str]) -> int:
        return sum(change.kind == kind for change in compare(make_table(*old), make_table(*new)))

    assert count("appeared", one, other) == count("vanished", other, one)


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.name)
def test_a_report_does_not_differ_from_itself(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert compare(text, text) == ()
    assert compare(text, "\n\n" + text.replace("\n", "\r\n")) == ()


def test_no_report_of_the_corpus_differs_from_itself(corpus: Path) -> None:
    for path in sorted(corpus.rglob("*.md")):
        text = path.read_text(encoding="utf-8", errors="replace").replace("\0", "")
        assert compare(text, text) == (), path.name
