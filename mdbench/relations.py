"""The catalogue: identities between the quantities of a row, each an equation of products.

A name with `?` counts as 1 where the row does not have it. `a|b` is the first of them that the row
has. `world` is what a job was spread over: the devices, or the nodes where only those are known.
`k` is a constant that nobody states: it is inferred from the rows that agree on it, separately for
rows that differ in what `same` names (`…` there: in any setting that the equation does not use).
Relations of one `family` are different readings of the same columns; the one under which the most
rows hold is taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property

REST = "…"
WORLD = ("devices", "nodes")


class Constant(StrEnum):
    """What `k` may be."""

    ONE = "one"
    """There is no `k`: both sides are equal."""
    WHOLE = "a whole number"
    ANY = "any number"


@dataclass(frozen=True, slots=True)
class Term:
    """A factor of an equation: the names it may go by, its power, whether it may be absent."""

    names: tuple[str, ...]
    power: int
    optional: bool


@dataclass(frozen=True)
class Relation:
    """An equation of products. `slack` widens both sides of a model by this share."""

    name: str
    equation: str
    constant: Constant = Constant.ONE
    same: tuple[str, ...] = ()
    family: str = ""
    slack: float = 0.0
    printed: bool = False
    """It ties the numbers as they are printed, whatever their units: a formula of the report."""
    tables: frozenset[int] | None = None
    """The offsets of the tables that it is about; None for any."""

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The factors of `k`: their product is the constant."""
        left, right = self.equation.split("=")
        sign = 1 if "k" in right.replace("*", " ").replace("/", " ").split() else -1
        return (*_factors(left, sign), *_factors(right, -sign))

    @cached_property
    def factor(self) -> float:
        """The product of the numbers that the equation itself has, as part of `k`."""
        left, right = self.equation.split("=")
        sign = 1 if "k" in right.replace("*", " ").replace("/", " ").split() else -1
        return float(_number(left) ** sign * _number(right) ** -sign)

    @cached_property
    def result(self) -> str:
        """What the equation computes: the single name on its left, if there is one."""
        left = self.equation.split("=")[0].strip()
        return left if left.isidentifier() else ""


def _split(side: str) -> list[tuple[str, int]]:
    """The words of one side with their powers: `a / b` is a to the 1 and b to the -1."""
    words: list[tuple[str, int]] = []
    power = 1
    for word in side.split():
        if word in ("*", "/"):
            power = 1 if word == "*" else -1
        else:
            words.append((word, power))
    return words


def _is_number(word: str) -> bool:
    return word[0].isdigit()


def _factors(side: str, sign: int) -> tuple[Term, ...]:
    return tuple(
        Term(
            WORLD if word == "world" else tuple(word.rstrip("?").split("|")),
            sign * power,
            word.endswith("?"),
        )
        for word, power in _split(side)
        if word != "k" and not _is_number(word)
    )


def _number(side: str) -> float:
    product = 1.0
    for word, power in _split(side):
        if _is_number(word):
            product *= float(word) ** power
    return product


@cache
def catalogue() -> tuple[Relation, ...]:
    """Every relation that is known before a report is read."""
    whole, anything = Constant.WHOLE, Constant.ANY
    return (
        # How a job is spread over the machines.
        Relation("devices", "devices = nodes * devices_per_node"),
        Relation("parallel sizes", "dp|fsdp * tp? * pp? * cp? = world * k", whole),
        Relation(
            "global batch", "global_batch = micro_batch * grad_accum * dp", family="global batch"
        ),
        Relation(
            "global batch", "global_batch = micro_batch * grad_accum * world", family="global batch"
        ),
        Relation("batch in tokens", "global_batch_tokens = global_batch * seq_len"),
        Relation("batch in tokens", "batch_tokens = batch * seq_len"),
        # Rates and times.
        Relation("steps and their time", "steps_per_s * step_time_s = 1"),
        Relation("samples per second", "samples_per_s = global_batch / step_time_s", family="rate"),
        Relation("samples per second", "samples_per_s = batch / step_time_s", family="rate"),
        Relation(
            "samples per second", "samples_per_s = batch * world / step_time_s", family="rate"
        ),
        Relation("samples per second", "samples_per_s = batch / latency_ms", family="rate"),
        Relation("samples and steps", "samples_per_s = global_batch * steps_per_s"),
        Relation("tokens and samples", "tokens_per_s = samples_per_s * seq_len"),
        Relation("tokens of a step", "tokens_per_s = global_batch * seq_len / step_time_s"),
        Relation("tokens of a step", "tokens_per_s = global_batch_tokens / step_time_s"),
        Relation("tokens per device", "tokens_per_s = tokens_per_s_per_device * world * k", whole),
        Relation(
            "samples per device", "samples_per_s = samples_per_s_per_device * world * k", whole
        ),
        Relation("training time", "train_time_h = steps * step_time_s"),
        # Floating-point operations.
        Relation(
            "total FLOPS",
            "pflops_total = tflops_per_device * world * k",
            anything,
            family="pflops_total",
        ),
        Relation("MFU", "mfu * k = tflops_per_device", anything, family="mfu"),
        Relation("MFU", "mfu * k = tflops_per_device", anything, ("precision",), family="mfu"),
        Relation(
            "MFU", "mfu * k = tflops_per_device", anything, ("device", "precision"), family="mfu"
        ),
        Relation("HFU", "hfu = mfu * k", anything, family="hfu"),
        Relation("HFU", "hfu = mfu * k", anything, ("activation_checkpointing",), family="hfu"),
        Relation(
            "work of a step",
            "step_time_s * tflops_per_device * world = global_batch? * k",
            anything,
            same=(REST,),
            slack=0.01,  # both are averages of several steps, and averages do not multiply
        ),
        Relation(
            "work of a token",
            "tflops_per_device = tokens_per_s_per_device * k",
            anything,
            same=(REST,),
            slack=0.01,  # both are averages of several steps, and averages do not multiply
        ),
        # Energy and money.
        Relation("energy", "energy_j = power_w * time_s", family="energy"),
        Relation("energy", "energy_j = power_w * time_s * devices", family="energy"),
        Relation("energy", "energy_j = power_w * train_time_h", family="energy"),
        Relation("cost", "cost_usd = time_s * k", anything, same=("device", "devices")),
        Relation("cost", "cost_usd = train_time_h * k", anything, same=("device", "devices")),
        Relation("cost", "cost_usd = device_hours * k", anything, same=("device",)),
    )
