"""The catalogue: identities between the quantities of a row, each an equation of products.

A name with `?` counts as 1 if it is not in the row. `a|b` is the first of the two that is in the
row. `world` is the size of the job: the devices, or the nodes if only those are known. `k` is an
unstated constant: it is inferred from rows that agree on it, separately for rows with different
values of the quantities in `same` (`…` stands for all settings that the equation does not use).
Relations of one `family` are different interpretations of the same columns; the one that holds for
the most rows is used.
"""

from collections.abc import Iterable, Iterator, Set
from enum import StrEnum
from functools import cache, cached_property
from typing import NamedTuple

REST = "…"
WORLD = ("devices", "nodes")
_CLOCKS = ("time_s", "cpu_time_s")
_TIMES = (*_CLOCKS, "time_per_op_ns")
_SIZES = ("problem_size", "message_bytes")


class Constant(StrEnum):
    """The possible values of `k`."""

    ONE = "one"
    """There is no `k`: both sides are equal."""
    WHOLE = "a whole number"
    ANY = "any number"


class Term(NamedTuple):
    """A factor of an equation: its alternative names, its power, whether it is optional."""

    names: tuple[str, ...]
    power: int
    optional: bool


class _Stated(NamedTuple):
    """What is stated of a relation."""

    name: str
    equation: str
    constant: Constant = Constant.ONE
    same: tuple[str, ...] = ()
    family: str = ""
    slack: float = 0.0
    rows: int = 2
    """How many rows must agree on `k`."""
    printed: bool = False
    """It is a formula of the report: it relates the printed numbers, regardless of units."""
    tables: frozenset[int] | None = None
    """The offsets of the tables that it applies to; None for all."""
    stated: bool = False
    """The project states it, so no rows are needed to confirm it."""
    model: bool = False
    """It is only accurate to a few percent, so it does not verify numbers."""
    confirming: bool = False
    """It often does not apply, so it is only used where no row contradicts it."""
    when: tuple[str, bool] | None = None
    """It only applies to runs with this value of a yes-or-no setting."""
    units: tuple[tuple[str, float], ...] = ()
    """The unit of each quantity in the equation, as a multiple of the base unit."""


class Relation(_Stated):
    """An equation of products. `slack` is a relative tolerance for both sides of a model."""

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The factors of `k`: their product is the constant."""
        left, right = self.equation.split("=")
        sign = 1 if "k" in right.replace("*", " ").replace("/", " ").split() else -1
        return _merge((*_factors(left, sign), *_factors(right, -sign)))

    @cached_property
    def factor(self) -> float:
        """The product of the numbers in the equation itself, as part of `k`."""
        left, right = self.equation.split("=")
        sign = 1 if "k" in right.replace("*", " ").replace("/", " ").split() else -1
        return float(_number(left) ** sign * _number(right) ** -sign)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All quantities that the equation names."""
        return tuple(dict.fromkeys(name for term in self.terms for name in term.names))

    @cached_property
    def _needed(self) -> tuple[frozenset[str], tuple[tuple[str, ...], ...]]:
        """The names that are required, and those of which one is. Most are ruled out by these."""
        left, right = self.equation.split("=")
        words = (word for word, _ in (*_split(left), *_split(right)) if _is_name(word))
        needed = [_read_names(word) for word in words if not word.endswith("?")]
        single = frozenset(names[0] for names in needed if len(names) == 1)
        return single, tuple(names for names in needed if len(names) > 1)

    def applies_to(self, known: Set[str]) -> bool:
        """Whether all required factors are among the known quantities."""
        single, choices = self._needed
        return single <= known and not any(known.isdisjoint(names) for names in choices)

    @cached_property
    def compares(self) -> bool:
        """Whether its constant is a baseline, which each table may leave out."""
        return self.constant is Constant.ANY and "speedup" in self.names

    @cached_property
    def result(self) -> str:
        """The result of the equation: the name on the left, if there is just one."""
        left = self.equation.split("=")[0].strip()
        return left if left.isidentifier() else ""


def _split(side: str) -> list[tuple[str, int]]:
    """The words of one side with their powers: `a / b` is a to the power of 1, b of -1."""
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
    """Merge equal factors: `a * a` is a to the power of 2."""
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
    """How a job is distributed across machines."""
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
    for replicas in ("", " * dp", " * world"):
        yield Relation(
            "accumulated batch", f"batch = micro_batch * grad_accum{replicas}", family="accumulated"
        )
    yield Relation("batch in tokens", "global_batch_tokens = global_batch * seq_len")
    yield Relation("batch in tokens", "batch_tokens = batch * seq_len")


def _rates() -> Iterator[Relation]:
    """Training rates and times."""
    whole, anything = Constant.WHOLE, Constant.ANY
    yield Relation("steps and their time", "steps_per_s * step_time_s = 1")
    for batch in ("global_batch", "batch", "batch * world", "micro_batch * grad_accum? * dp"):
        yield Relation(
            "samples per second", f"samples_per_s = {batch} / step_time_s", family="rate"
        )
    # A measured rate also counts the time between two batches.
    rate = "samples_per_s = batch / latency_ms"
    yield Relation("samples per second", rate, family="rate", slack=0.03)
    yield Relation("samples and steps", "samples_per_s = global_batch * steps_per_s")
    yield Relation("tokens and samples", "tokens_per_s = samples_per_s * seq_len")
    yield Relation("tokens per step", "tokens_per_s = global_batch * seq_len / step_time_s")
    yield Relation("tokens per step", "tokens_per_s = global_batch_tokens / step_time_s")
    yield Relation("tokens per device", "tokens_per_s = tokens_per_s_per_device * world * k", whole)
    yield Relation(
        "samples per device", "samples_per_s = samples_per_s_per_device * world * k", whole
    )
    for rate in ("steps_per_s", "samples_per_s", "tokens_per_s"):
        equal = f"{rate} of equal work"
        yield Relation("work in a given time", f"{rate} * time_s = k", anything, (), equal, rows=3)
        yield Relation(
            "work in a given time", f"{rate} * time_s = batch * k", anything, (), equal, rows=3
        )
    yield Relation(
        "work in a given time",
        "tokens_per_s_per_device * devices * train_time_h|time_s = k",
        anything,
        rows=3,
        slack=0.01,
    )
    yield Relation("steps in a given time", "steps_per_s * time_s = steps")


def _general() -> Iterator[Relation]:
    """Benchmarks of any program."""
    anything = Constant.ANY
    for rate in ("ops_per_s", "items_per_s", "requests_per_s"):
        for time in _CLOCKS:
            equal = f"{rate} of equal work"
            yield Relation(
                "work in a given time", f"{rate} * {time} = k", anything, _SIZES, equal, rows=3
            )
            for work in ("problem_size", "requests"):
                # Tools start and stop their clocks a little before and after the work.
                yield Relation(
                    "work in a given time", f"{rate} * {time} = {work}", family=rate, slack=0.001
                )
        yield Relation("requests in flight", f"{rate} * latency_ms = concurrency", slack=0.01)
        yield Relation("one request after another", f"{rate} * latency_ms = 1", confirming=True)
    for rate in ("ops_per_s", "items_per_s"):
        yield Relation("operations and their time", f"{rate} * time_per_op_ns = 1", family=rate)
        yield Relation(
            "operations and their time", f"{rate} * latency_p50_ms = k", anything, rows=3
        )
    yield from _data()
    yield Relation("compression", "compression_ratio * compressed_bytes = original_bytes")
    yield Relation("speed-up of real time", "speedup * rtf = 1")
    alike = ("device", "devices", "model", "benchmark", "dataset", "problem_size", "batch")
    yield Relation("time of a baseline", "speedup * time_s = k", anything, alike, rows=4)
    yield Relation("instructions per cycle", "ipc * cycles = instructions")


def _data() -> Iterator[Relation]:
    """Data that is read, written or sent."""
    anything = Constant.ANY
    name, rate = "data in a given time", "bandwidth_gb_per_s"
    yield Relation(name, f"{rate} * time_s = message_bytes")
    yield Relation(name, f"{rate} * time_s = total_bytes")
    sized, equal = "data of a size", "equal data"
    for time in _TIMES:
        yield Relation(name, f"{rate} * {time} = problem_size", family=sized, slack=0.001)
    for time in _CLOCKS:
        yield Relation(name, f"{rate} * {time} = k", anything, _SIZES, equal, rows=3)
    yield Relation("data of all requests", "total_bytes = requests * message_bytes")
    for operations in ("ops_per_s", "items_per_s"):
        # Rates are often rounded to thousands.
        yield Relation(
            "data of all operations", f"{rate} = {operations} * message_bytes", slack=0.005
        )
    for total, per_second in (("total_bytes", rate), ("steps", "steps_per_s")):
        # Tools round amounts of data to one decimal, and then again to whole kilobytes.
        yield Relation(
            "counted in one time",
            f"{per_second} = {total} * requests_per_s / requests",
            slack=0.005,
            confirming=True,
        )
    for each in ("ops_per_s", "requests_per_s", "items_per_s"):
        yield Relation("data per operation", f"{rate} = {each} * message_bytes")
        yield Relation(
            "data per operation", f"{rate} = {each} * k", anything, _SIZES, rows=3, confirming=True
        )
    yield Relation("data per operation", f"{rate} * time_per_op_ns = message_bytes")
    for binary in ("", "1.048576 * "):  # a megabyte of a Java tool is 1024 * 1024 bytes
        for each in (f"{rate} * time_per_op_ns", f"{rate} / ops_per_s"):
            yield Relation(
                "memory per operation",
                f"{binary}{each} = alloc_bytes",
                family="memory per operation",
                slack=0.005,
                confirming=True,
            )
    yield Relation(
        "bandwidth of the links",
        "bus_bandwidth_gb_per_s = bandwidth_gb_per_s * k",
        anything,
        same=("devices", "nodes", "benchmark", "method"),
        rows=3,
    )
    yield Relation(
        "size of an element",
        "message_bytes = problem_size * k",
        Constant.WHOLE,
        same=("precision",),
        rows=3,
    )


def _serving() -> Iterator[Relation]:
    """Inference rates and times: a prompt is processed, then answered token by token."""
    yield Relation("tokens read", "prompt_tokens_per_s = batch? * input_len / ttft_ms")
    for time in ("decode_time_s", "time_s", "latency_ms"):
        yield Relation(
            "tokens written", f"tokens_per_s = batch? * output_len / {time}", family="generation"
        )
        yield Relation("tokens handled", f"tokens_per_s = total_len / {time}", family="handling")
    yield Relation("tokens of all requests", "prompt_tokens_per_s * time_s = total_input_tokens")
    yield Relation(
        "tokens of all requests", "tokens_per_s * time_s = total_output_tokens", family="generation"
    )
    yield Relation("time per token", "tokens_per_s * tpot_ms = batch|concurrency?")
    yield Relation("time between tokens", "tokens_per_s * itl_ms = batch|concurrency?")


def _operations() -> Iterator[Relation]:
    """Floating-point operations. They have slack because averages over steps do not multiply."""
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
    """Time, energy and money. Power is sampled, so its mean times the time is not exact."""
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
    """All built-in relations."""
    return (*_spread(), *_rates(), *_general(), *_serving(), *_operations(), *_resources())


@cache
def is_related(quantities: frozenset[str]) -> bool:
    """Whether a built-in relation has all of some quantities."""
    return any(
        sum(not quantities.isdisjoint(term.names) for term in relation.terms) == len(quantities)
        for relation in catalogue()
    )
