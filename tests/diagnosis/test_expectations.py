"""What the shape of a network lets expect: near it is silence, far from it is found."""

from __future__ import annotations

import pytest

from mdbench.api import parse
from mdbench.linting.checker import check
from mdbench.prose.expressions import names
from mdbench.relations.models import USUAL, models
from mdbench.rules.context import Context
from mdbench.source import Source
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()

SHAPES = ("1.7B | 24 | 2304", "3.6B | 30 | 3072", "7.5B | 36 | 4096", "18.4B | 40 | 6144")
RATES = ("1.7B | 8 | 106000 | 135", "3.6B | 16 | 98000 | 132", "7.5B | 32 | 94000 | 132")
# A step of 24 layers of 2048 with 50257 words and a length of 2048: 1.59e13 FLOP a sample.
STEPS = ("8 | 32 | 0.50 | 128", "16 | 64 | 0.51 | 125", "32 | 256 | 1.01 | 126")


def table(header: str, *rows: str) -> str:
    rule = "|".join("---" for _ in header.split("|"))
    return "\n".join(f"| {line} |" for line in (header, rule, *rows)) + "\n"


def find(text: str) -> list[tuple[str, str]]:
    source = Source("report.md", text)
    return [(one.code, source.cut(one.span)) for one in check(source) if one.code > "MB3"]


def first_fix(text: str) -> str:
    finding = next(one for one in check(Source("report.md", text)) if one.code == "MB301")
    return finding.fixes[0].title


def test_every_name_of_a_model_is_a_quantity() -> None:
    assert {name for model in models() for name in model.names} <= STANDARD.quantities.keys()
    for model in models():
        left, right = model.sides
        assert model.names == tuple(dict.fromkeys((*names(left), *names(right))))
    assert USUAL.keys() <= STANDARD.quantities.keys()


def test_networks_of_a_usual_shape_are_silent() -> None:
    assert find(table("Params | Layers | Hidden", *SHAPES)) == []


@pytest.mark.parametrize(
    ("wrong", "place", "fixed"),
    [
        pytest.param("93.1B | 48 | 8192", "93.1B", "39.1B", id="digits swapped"),
        pytest.param("391B | 48 | 8192", "391B", "39.1B", id="a point dropped"),
    ],
)
def test_a_count_far_from_its_shape_is_found(wrong: str, place: str, fixed: str) -> None:
    text = table("Params | Layers | Hidden", *SHAPES, wrong)
    assert find(text) == [("MB301", place)]
    assert fixed in first_fix(text)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param("9.9B | 36 | 4096", id="somewhat larger: a wider network"),
        pytest.param("46.7B (8x7B) | 32 | 4096", id="a mixture of experts"),
    ],
)
def test_a_shape_of_another_kind_is_silent(other: str) -> None:
    assert find(table("Params | Layers | Hidden", *SHAPES, other)) == []


def test_two_rows_show_no_model() -> None:
    assert find(table("Params | Layers | Hidden", *SHAPES[:2], "93.1B | 48 | 8192")) == []


def test_six_operations_a_token_and_parameter() -> None:
    header = "Params | GPUs | Tokens/s | TFLOPs"
    assert find(table(header, *RATES)) == []
    wrong = table(header, *RATES, "18.4B | 64 | 80000 | 14")
    assert find(wrong) == [("MB301", "14")]
    assert first_fix(wrong) == "change to TFLOPs 140"


def test_eight_operations_where_activations_are_recomputed() -> None:
    rows = ("1.7B | 8 | 80000 | 136", "3.6B | 16 | 76000 | 137", "7.5B | 32 | 72000 | 135")
    header = "Params | GPUs | Tokens/s | TFLOPs"
    assert find(table(header, *rows, "18.4B | 64 | 60000 | 1380")) == [("MB301", "1380")]


def test_long_sequences_cost_more_than_their_parameters() -> None:
    header = "Params | Seq len | Tokens/s/GPU | TFLOPs"
    rows = ("7B | 2048 | 3000 | 130", "7B | 4096 | 2900 | 131", "3B | 2048 | 7000 | 128")
    assert find(table(header, *rows, "7B | 65536 | 900 | 140")) == []


def test_the_operations_of_a_step() -> None:
    facts = "- layers: 24\n- hidden size: 2048\n- seq_len: 2048\n- vocab size: 50257\n\n"
    header = "GPUs | GBS | Sec/it | TFLOPs"
    assert find(facts + table(header, *STEPS)) == []
    assert find(facts + table(header, *STEPS, "64 | 512 | 10.2 | 125")) == [("MB301", "10.2")]


def test_what_a_model_lets_expect_is_not_verified() -> None:
    text = table("Params | Layers | Hidden", *SHAPES)
    assert Context(parse(text)).diagnosis.verified == frozenset()


@pytest.mark.parametrize(
    ("row", "found"),
    [
        pytest.param("42.0 | 52.0 | yes", [("MB301", "52.0")], id="not four thirds"),
        pytest.param("42.0 | 56.0 | yes", [], id="four thirds"),
        pytest.param("42.0 | 42.0 | no", [], id="nothing recomputed"),
        pytest.param("42.0 | 44.0 | selective", [], id="somewhere between"),
    ],
)
def test_hardware_does_a_third_more_where_activations_are_recomputed(
    row: str, found: list[tuple[str, str]]
) -> None:
    rows = ("45.0 | 60.0 | yes", row, "40.2 | 40.2 | no")
    assert find(table("MFU | HFU | AC", *rows)) == found
