"""Models: estimates from the shape of a network, accurate to a few percent, never identities.

Both sides are in base units: FLOP, seconds, tokens, parameters. If a report does not state a
quantity in `USUAL`, it may have any of its usual values.
"""

from collections.abc import Iterator
from functools import cache, cached_property
from math import inf
from typing import NamedTuple

from mdbench.numerals.intervals import Interval
from mdbench.prose.arithmetic import parse_expression
from mdbench.prose.expressions import Expression
from mdbench.relations.catalogue import Relation

USUAL = {"vocab": Interval(30_000.0, 256_000.0)}
"""Usual values of quantities that a report does not state."""
PUBLISHED_VOCABULARY = 50_257
PUBLISHED_SHAPES = (
    (125e6, 12, 768), (350e6, 24, 1024), (760e6, 24, 1536), (1.3e9, 24, 2048), (2.7e9, 32, 2560),
    (6.7e9, 32, 4096), (13e9, 40, 5120), (175e9, 96, 12288), (1.7e9, 24, 2304), (3.6e9, 30, 3072),
    (7.5e9, 36, 4096), (18.4e9, 40, 6144), (39.1e9, 48, 8192), (76.1e9, 60, 10240),
    (145.6e9, 80, 12288), (310.1e9, 96, 16384), (529.6e9, 105, 20480), (1008e9, 128, 25600),
)  # fmt: skip
"""Parameters, layers and hidden size of networks that are named by their size: those of the papers
on GPT-3 and on Megatron-LM."""


class _Stated(NamedTuple):
    """What is stated of a model."""

    name: str
    equation: str
    slack: float
    family: str
    measured: str = ""
    """The relation that infers the same constant from the rows; it takes precedence."""
    longest: float = inf
    """The longest sequence for which the terms that the model omits are negligible."""


class Model(_Stated):
    """An equation that holds within `slack`; slightly beyond that, it is undecided."""

    @cached_property
    def sides(self) -> tuple[Expression, Expression]:
        """The measured and the expected side."""
        left, right = (parse_expression(side) for side in self.equation.split("="))
        if left is None or right is None:
            raise ValueError(f"{self.equation!r} is not an equation")
        return left, right

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All quantities in the equation, found without parsing it."""
        words = self.equation.replace("(", " ").replace(")", " ").split()
        return tuple(dict.fromkeys(filter(str.isidentifier, words)))

    @cached_property
    def relation(self) -> Relation:
        """The model as a relation, for findings."""
        return Relation(self.name, self.equation, slack=self.slack, model=True)


def _make_models() -> Iterator[Model]:
    yield Model(
        "the parameter count",
        "params = 12 * layers * hidden ^ 2 + vocab * hidden",
        0.1,
        "parameters",
    )
    # K·s·l·h²·(1 + s/6h + V/16lh), written out; K is 72, or 96 with activations recomputed.
    for name, square, attention, logits in (
        ("the FLOPs per step", 72, 12, 4.5),
        ("the FLOPs per step with activations recomputed", 96, 16, 6),
    ):
        yield Model(
            name,
            "step_time_s * tflops_per_device * devices / global_batch = "
            f"{square} * seq_len * layers * hidden ^ 2 + "
            f"{attention} * seq_len ^ 2 * layers * hidden + {logits} * seq_len * hidden * vocab",
            0.1,
            "FLOPs of a step",
            measured="work of a step",
        )
    for each, attention in ((6, 12), (8, 16)):
        name = f"{each} FLOPs per token and parameter"
        for rate in ("tokens_per_s_per_device", "tokens_per_s / devices"):
            left = f"tflops_per_device / ({rate})"
            yield Model(
                f"{name}, with attention",
                f"{left} = {each} * params + {attention} * layers * hidden * seq_len",
                0.1,
                "FLOPs of a token",
                measured="work of a token",
            )
            yield Model(
                name,
                f"{left} = {each} * params",
                0.15,
                "FLOPs of a token",
                measured="work of a token",
                longest=8192,
            )


@cache
def models() -> tuple[Model, ...]:
    """All models, the more exact ones of a family first."""
    return tuple(_make_models())
