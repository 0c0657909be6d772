"""The JSON of `vllm bench serve`, `throughput` and `latency`."""

from __future__ import annotations

from mdbench.regex import lazy
from mdbench.results.shapes.shape import (
    Content,
    Part,
    Record,
    Shape,
    as_object,
    is_number,
    latencies,
    records_of,
)
from mdbench.results.tables import Meaning

_KINDS = (
    frozenset(("request_throughput", "output_throughput", "duration", "completed")),
    frozenset(("requests_per_second", "tokens_per_second", "elapsed_time")),
    frozenset(("avg_latency", "latencies", "percentiles")),
)
_PLAIN = {
    **dict.fromkeys(("completed", "endpoint_type", "label", "total_num_tokens"), Meaning()),
    "model_id": Meaning("model"),
    "backend": Meaning("backend"),
    "date": Meaning("date"),
    "num_prompts": Meaning("requests"),
    "num_requests": Meaning("requests"),
    "request_rate": Meaning("request_rate", "request/s"),
    "max_concurrency": Meaning("concurrency"),
    "duration": Meaning("time_s", "s"),
    "elapsed_time": Meaning("time_s", "s"),
    "total_input_tokens": Meaning("total_input_tokens"),
    "total_output_tokens": Meaning("total_output_tokens"),
    "request_throughput": Meaning("requests_per_s", "request/s"),
    "requests_per_second": Meaning("requests_per_s", "request/s"),
    # In the output of `serve`, the total has the prompts in it too.
    "output_throughput": Meaning("tokens_per_s", "token/s"),
    "total_token_throughput": Meaning("", "token/s"),
    "tokens_per_second": Meaning("tokens_per_s", "token/s"),
    "avg_latency": Meaning("latency_ms", "s", "mean"),
}
_STATISTIC = lazy(r"(mean|median|std|p\d+(?:\.\d+)?)_(ttft|tpot|itl|e2el)_ms")
_QUANTITIES = {"ttft": "ttft_ms", "tpot": "tpot_ms", "itl": "itl_ms"}


def _read(content: Content) -> list[Part] | None:
    data = content.data
    runs = [data] if isinstance(data, dict) else records_of(data)
    if not runs or not all(any(kind <= run.keys() for kind in _KINDS) for run in runs):
        return None
    records = [_flatten(run) for run in runs]
    names = {name for record in records for name in record}
    return [Part(records, {**_PLAIN, **_meanings(names)})]


def _meanings(names: set[str]) -> dict[str, Meaning]:
    found: dict[str, Meaning] = {}
    for name in names:
        if name.startswith("latency_p"):
            found |= latencies("s", {name: name.removeprefix("latency_")})
        elif (match := _STATISTIC.fullmatch(name)) is not None:
            statistic, what = match[1], match[2]
            known = latencies("ms", {name: statistic})
            if what in _QUANTITIES:
                known = {name: Meaning(_QUANTITIES[what], "ms", statistic)}
            found |= known
    return found


def _flatten(run: Record) -> Record:
    """The run without the lists that have a value for each request."""
    record = {name: value for name, value in run.items() if not isinstance(value, list | dict)}
    # No limit is written as a word.
    if "request_rate" in record and not is_number(record["request_rate"]):
        record["request_rate"] = None
    for percentile, value in as_object(run.get("percentiles")).items():
        record[f"latency_p{percentile}"] = value
    return record


VLLM = Shape("vLLM", _read)
