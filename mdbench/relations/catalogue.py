"""The catalogue: identities between the quantities of a row, each an equation of products.

A name with `?` counts as 1 where the row does not have it. `a|b` is the first of them that the row
has. `world` is what a job was spread over: the devices, or the nodes where only those are known.
`k` is a constant that nobody states: it is inferred from the rows that agree on it, separately for
rows that differ in what `same` names (`…` there: in any setting that the equation does not use).
Relations of one `family` are different readings of the same columns; the one under which the most
rows hold is taken.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property
from typing import NamedTuple

REST = "…"
WORLD = ("devices", "nodes")


class Constant(StrEnum):
    """What `k` may be."""

    ONE = "one"
    """There is no `k`: both sides are equal."""
    WHOLE = "a whole number"
    ANY = "any number"


class Term(NamedTuple):
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
    rows: int = 2
    """How many rows have to agree on `k` before it is believed."""
    printed: bool = False
    """It ties the numbers as they are printed, whatever their units: a formula of the report."""
    tables: frozenset[int] | None = None
    """The offsets of the tables that it is about; None for any."""
    stated: bool = False
    """Somebody vouches for it: no row has to follow it before it is believed."""
    model: bool = False
    """It is good to some per cent only: what holds by it is not verified."""
    when: tuple[str, bool] | None = None
    """It is about the runs that say yes, or no, to this setting."""
    units: tuple[tuple[str, float], ...] = ()
    """The unit, as a multiple of the base unit, in which the equation counts each quantity."""

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The factors of `k`: their product is the constant."""
        left, right = self.equation.split("=")
        sign = 1 if "k" in right.replace("*", " ").replace("/", " ").split() else -1
        return _merge((*_factors(left, sign), *_factors(right, -sign)))

    @cached_property
    def factor(self) -> float:
        """The product of the numbers that the equation itself has, as part of `k`."""
        left, right = self.equation.split("=")
        sign = 1 if "k" in right.replace("*", " ").replace("/", " ").split() else -1
        return float(_number(left) ** sign * _number(right) ** -sign)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every quantity that the equation has a name of."""
        return tuple(dict.fromkeys(name for term in self.terms for name in term.names))

    @cached_property
    def _needed(self) -> tuple[tuple[str, ...], ...]:
        """What stands for each factor that may not be absent; most relations never get further."""
        left, right = self.equation.split("=")
        words = (word for word, _ in (*_split(left), *_split(right)) if _is_name(word))
        return tuple(_read_names(word) for word in words if not word.endswith("?"))

    def applies_to(self, known: Container[str]) -> bool:
        """Whether every factor that may not be absent is among the known quantities."""
        return all(any(name in known for name in names) for names in self._needed)

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


def _is_name(word: str) -> bool:
    return word != "k" and not _is_number(word)


def _factors(side: str, sign: int) -> tuple[Term, ...]:
    return tuple(
        Term(_read_names(word.rstrip("?")), sign * power, word.endswith("?"))
        for word, power in _split(side)
        if _is_name(word)
    )


def _read_names(word: str) -> tuple[str, ...]:
    return WORLD if word == "world" else tuple(word.split("|"))


def _merge(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Each factor once: `a * a` is a to the 2."""
    powers: dict[tuple[tuple[str, ...], bool], int] = {}
    for term in terms:
        powers[term.names, term.optional] = powers.get((term.names, term.optional), 0) + term.power
    return tuple(Term(names, power, optional) for (names, optional), power in powers.items())


def _number(side: str) -> float:
    product = 1.0
    for word, power in _split(side):
        if _is_number(word):
            product *= float(word) ** power
    return product


def _spread() -> Iterator[Relation]:
    """How a job is spread over the machines."""
    whole = Constant.WHOLE
    yield Relation("devices", "devices = nodes * devices_per_node")
    for sizes in ("dp|fsdp * tp?", "dp * fsdp * tp?", "dp|fsdp * tp? * ep"):
        yield Relation(
            "parallel sizes", f"{sizes} * pp? * cp? = world * k", whole, family="parallel sizes"
        )
    for batch in ("micro_batch * grad_accum", "batch * grad_accum?"):
        for replicas in ("dp", "world", "world / tp / pp?"):
            yield Relation(
                "global batch", f"global_batch = {batch} * {replicas}", family="global batch"
            )
    yield Relation("batch in tokens", "global_batch_tokens = global_batch * seq_len")
    yield Relation("batch in tokens", "batch_tokens = batch * seq_len")


def _rates() -> Iterator[Relation]:
    """Rates and times of training."""
    whole, anything = Constant.WHOLE, Constant.ANY
    yield Relation("steps and their time", "steps_per_s * step_time_s = 1")
    for batch in ("global_batch", "batch", "batch * world", "micro_batch * grad_accum? * dp"):
        yield Relation(
            "samples per second", f"samples_per_s = {batch} / step_time_s", family="rate"
        )
    yield Relation("samples per second", "samples_per_s = batch / latency_ms", family="rate")
    yield Relation("samples and steps", "samples_per_s = global_batch * steps_per_s")
    yield Relation("tokens and samples", "tokens_per_s = samples_per_s * seq_len")
    yield Relation("tokens of a step", "tokens_per_s = global_batch * seq_len / step_time_s")
    yield Relation("tokens of a step", "tokens_per_s = global_batch_tokens / step_time_s")
    yield Relation("tokens per device", "tokens_per_s = tokens_per_s_per_device * world * k", whole)
    yield Relation(
        "samples per device", "samples_per_s = samples_per_s_per_device * world * k", whole
    )
    for rate in ("steps_per_s", "samples_per_s", "tokens_per_s"):
        yield Relation("what is done in a time", f"{rate} * time_s = k", anything, rows=3)
    yield Relation(
        "what is done in a time",
        "tokens_per_s_per_device * devices * train_time_h|time_s = k",
        anything,
        rows=3,
        slack=0.01,
    )
    yield Relation("steps in a time", "steps_per_s * time_s = steps")


def _serving() -> Iterator[Relation]:
    """Rates and times of inference: a request is read, then answered token by token."""
    yield Relation("tokens read", "prompt_tokens_per_s = batch? * input_len / ttft_ms")
    for time in ("decode_time_s", "time_s", "latency_ms"):
        yield Relation(
            "tokens written", f"tokens_per_s = batch? * output_len / {time}", family="generation"
        )
        yield Relation("tokens handled", f"tokens_per_s = total_len / {time}", family="handling")
    yield Relation("time of a token", "tokens_per_s * tpot_ms = batch|concurrency?")


def _operations() -> Iterator[Relation]:
    """Floating-point operations. Averages of several steps do not multiply: hence the slack."""
    anything = Constant.ANY
    for binary in ("", "0.9765625 * "):  # 1000 TFLOPS are a PFLOPS, or 1024
        yield Relation(
            "total FLOPS",
            f"pflops_total = {binary}tflops_per_device * world * k",
            Constant.WHOLE,
            family="pflops_total",
        )
    yield Relation("MFU", "mfu * peak_tflops = tflops_per_device", family="mfu")
    for same in ((), ("precision",), ("device", "precision")):
        yield Relation("MFU", "mfu * k = tflops_per_device", anything, same, family="mfu")
    recomputed = "activation_checkpointing"  # the forward pass is run twice: 4 passes for 3
    yield Relation("HFU", "3 * hfu = 4 * mfu", when=(recomputed, True))
    yield Relation("HFU", "hfu = mfu", when=(recomputed, False))
    for same in ((), (recomputed,)):
        yield Relation("HFU", "hfu = mfu * k", anything, same, family="hfu")
    yield Relation(
        "work of a step",
        "step_time_s * tflops_per_device * world = global_batch? * k",
        anything,
        same=(REST,),
        slack=0.01,
    )
    yield Relation(
        "work of a token",
        "tflops_per_device = tokens_per_s_per_device * k",
        anything,
        same=(REST,),
        slack=0.01,
    )


def _resources() -> Iterator[Relation]:
    """Time, energy and money. Power is sampled: its mean times the time is not quite the energy."""
    anything = Constant.ANY
    yield Relation("training time", "train_time_h = steps * step_time_s")
    yield Relation("device hours", "device_hours = train_time_h * devices")
    yield Relation("node hours", "node_hours = train_time_h * nodes")
    yield Relation("tokens trained on", "train_tokens = tokens_per_s * train_time_h", slack=0.01)
    yield Relation(
        "tokens trained on",
        "train_tokens = tokens_per_s_per_device * devices * train_time_h",
        slack=0.01,
    )
    for job in ("", " * devices", " * nodes"):
        yield Relation(
            "energy", f"energy_j = power_w * time_s|train_time_h{job}", family="energy", slack=0.005
        )
    yield Relation("tokens per joule", "tokens_per_joule * energy_j = k", anything, rows=3)
    yield Relation("tokens per joule", "tokens_per_joule = tokens_per_s / power_w", slack=0.005)
    yield Relation("cost", "cost_usd = price_usd_per_h * device_hours|train_time_h|time_s")
    for time in ("time_s", "train_time_h"):
        yield Relation("cost", f"cost_usd = {time} * k", anything, same=("device", "devices"))
    yield Relation("cost", "cost_usd = device_hours * k", anything, same=("device",))


@cache
def catalogue() -> tuple[Relation, ...]:
    """Every relation that is known before a report is read."""
    return (*_spread(), *_rates(), *_serving(), *_operations(), *_resources())
