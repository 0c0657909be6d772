"""Settings that the work of a step contradicts, and the value that fits."""

from __future__ import annotations

import pytest

from mdbench.linting.checker import check
from mdbench.source import Source

SHAPE = "- --num-layers 24\n- --hidden-size 2048\n- sequence length: 1024\n\n"
HEAD = "| Nodes | DP | TP | PP | GBS | Sec/it | TFLOPs |\n|--|--|--|--|--|--|--|\n"
PLAIN = "| 4 | 1 | 4 | 1 | 1024 | 2533.0 | 0.86 |\n| 64 | 16 | 4 | 1 | 1024 | 162.5 | 0.84 |\n"
CHECKPOINTED = (
    "| 4 | 1 | 4 | 1 | 1024 | 2877.4 | 1.01 |\n| 8 | 2 | 4 | 1 | 1024 | 1453.2 | 1.00 |\n"
)


def find(text: str) -> list[tuple[str, str]]:
    source = Source("report.md", text)
    found = [one for one in check(source) if one.code == "MB402"]
    assert all(one.severity.value == "warning" for one in found)
    return [(source.cut(one.span), one.message) for one in found]


def caption(stated: str, head: str = HEAD, rows: str = PLAIN) -> str:
    return f"## Setup\n\n{SHAPE}## Runs\n\n{stated}\n\n{head}{rows}"


def test_a_batch_size_of_the_text_that_fits_is_named() -> None:
    rows = "| 4 | 1 | 4 | 1 | 4096 | 2533.0 | 0.86 |\n"
    assert find(caption("We ran with GBS=1024:", rows=rows)) == [
        ("4096", "GBS 4096 does not fit TFLOPs; 1024 does, as line 9 says")
    ]
    assert find(caption("We ran with GBS=2048:", rows=rows)) == []
    assert find(caption("We ran with GBS=512:")) == []


def test_a_mixture_of_experts_is_left_alone() -> None:
    rows = "| 4 | 1 | 4 | 1 | 4096 | 2533.0 | 0.86 | 8 experts |\n"
    head = HEAD.replace("TFLOPs |\n", "TFLOPs | Notes |\n").replace("--|\n", "--|--|\n")
    assert find(caption("We ran with GBS=1024:", head, rows)) == []


def runs(*tables: tuple[str, str]) -> str:
    return SHAPE + "".join(f"## {title} checkpointing\n\n{HEAD}{rows}\n" for title, rows in tables)


WITH, WITHOUT = "with activation", "w/o activation"


def test_a_heading_is_odd_where_the_work_is_that_of_the_other_tables() -> None:
    wrong = runs((WITHOUT, PLAIN), (WITH, CHECKPOINTED), (WITH, PLAIN))
    ((place, message),) = find(wrong)
    assert place == "with activation checkpointing"
    assert message == (
        "this says with activation checkpointing, but the TFLOPs below fit runs without it, "
        "such as line 9"
    )
    assert find(runs((WITHOUT, PLAIN), (WITH, CHECKPOINTED), (WITH, CHECKPOINTED))) == []


def test_who_never_counts_recomputation_is_left_alone() -> None:
    assert find(runs((WITHOUT, PLAIN), (WITH, PLAIN), (WITH, PLAIN))) == []


TUNED = """
- SEQ_LEN=2048
- SIZE=104B

| Nodes | TP | PP | DP | GBS | Speed | TFlops |
|------:|---:|---:|---:|----:|------:|-------:|
| 32 | 4 | 32 | 1 | 2048 | 586s | {} |

```
perl -le '$ng=32*4; $sp=586; $ms=104; $gbs=2048; print $ms*4*2*1024*$gbs / ( $sp * $ng * 1e3)'
```
"""


@pytest.mark.parametrize(("rate", "count"), [("23.26", 1), ("46.52", 0), ("30.00", 0)])
def test_a_formula_has_another_sequence_length(rate: str, count: int) -> None:
    found = find(TUNED.format(rate))
    assert len(found) == count
    if found:
        assert found[0] == (
            rate,
            (
                "TFlops fits a sequence length of 1024, as the formula on line 10 has it, "
                "but line 2 says 2048"
            ),
        )


def fixed(text: str) -> list[str]:
    """The report after each fix of its only finding of this rule."""
    source = Source("report.md", text)
    (finding,) = (one for one in check(source) if one.code == "MB402")
    return [source.edited(fix.edits).text for fix in finding.fixes]


def test_the_rates_or_the_stated_length_can_be_changed() -> None:
    wrong = TUNED.format("23.26")
    assert "1024" in wrong
    recomputed, restated = fixed(wrong)
    assert recomputed == TUNED.format("46.52").replace("1024", "2048")
    assert restated == wrong.replace("SEQ_LEN=2048", "SEQ_LEN=1024")
    assert find(recomputed) == find(restated) == []


def test_a_rate_is_recomputed_from_the_digits_that_its_calculation_has() -> None:
    # It prints 23.46, and twice that is 46.9, not 47.0.
    assert "| 581s | 46.9 |" in fixed(TUNED.replace("586", "581").format("23.5"))[0]


SIZED = """# 350M model

- --num-layers {}
- --hidden-size {}

## Sequence Length=1024

| Nodes | Size | DP | TP | PP | GBS | Sec/it | TFLOPs |
|--|--|--|--|--|--|--|--|
| 4096 | {} | 512 | 8 | 1 | 512 | 2.1 | 0.14 |
"""


def test_the_shape_is_not_that_of_the_size() -> None:
    assert find(SIZED.format(24, 1024, "350M")) == []
    ((place, message),) = find(SIZED.format(12, 768, "350M"))
    assert place == "--num-layers 12\n- --hidden-size 768"
    assert message == "TFLOPs fits 24 layers × 1024, as a network of 350M has it, not 12 × 768"
    assert fixed(SIZED.format(12, 768, "350M")) == [SIZED.format(24, 1024, "350M")]


def test_the_size_is_not_that_of_the_title() -> None:
    ((place, message),) = find(SIZED.format(12, 768, "124M"))
    assert place == "124M"
    assert message.startswith("TFLOPs fits 350M, which is 24 layers × 1024, as line 1 says")


@pytest.mark.parametrize(
    ("stated", "count"),
    [
        pytest.param("TP=4 / GBS=512", 1, id="a line of settings"),
        pytest.param("TP=8 / GBS=512", 0, id="about another table"),
        pytest.param("TP=4 is best, GBS=512 worse", 0, id="a sentence"),
        pytest.param("TP=4 / GBS=1024", 0, id="both agree"),
    ],
)
def test_a_line_of_settings_contradicts_a_column(stated: str, count: int) -> None:
    table = HEAD.replace(" TFLOPs |", "").replace("--|\n", "\n") + (
        "| 4 | 1 | 4 | 1 | 1024 | 2533.0 |\n"
    )
    found = find(f"{stated}\n\n{table}")
    assert len(found) == count
    if found:
        assert found[0] == ("1024", "GBS is 1024 in the table, but 512 on line 1 above it")
