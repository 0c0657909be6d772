"""The results of lm-evaluation-harness: one record for each metric of a task, as it prints them."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.results.shapes.shape import (
    Content,
    Part,
    Record,
    Shape,
    as_object,
    is_number,
    member,
)
from mdbench.results.tables import Meaning

_MEANINGS = {
    "model": Meaning("model"),
    "task": Meaning("benchmark"),
    "alias": Meaning(),
    "version": Meaning(),
    "metric": Meaning("metric"),
    "shots": Meaning("shots"),
    "value": Meaning("value"),
    "stderr": Meaning("value", statistic="error"),
    "samples": Meaning("samples"),
}
_ERROR = "_stderr"


def _read(content: Content) -> list[Part] | None:
    data = content.data
    results = as_object(member(data, "results"))
    settings = as_object(member(data, "versions")), as_object(member(data, "config"))
    if (
        not all(settings)
        or not results
        or not all(isinstance(one, dict) for one in results.values())
    ):
        return None
    records = [record for task in results for record in _read_task(data, task)]
    return [Part(records, _MEANINGS)] if records else None


def _read_task(data: Record, task: str) -> Iterator[Record]:
    scores = data["results"][task]
    shots = member(data, "n-shot", task)
    for key, value in scores.items():
        # Older versions write `acc`, newer ones `acc,none` with the filter of the answers.
        metric, _, chosen = key.partition(",")
        if (
            not is_number(value)
            or metric.endswith(_ERROR)
            or metric in ("sample_len", "sample_count")
        ):
            continue
        error = scores.get(f"{metric}{_ERROR},{chosen}" if chosen else f"{metric}{_ERROR}")
        yield {
            "model": _model(data),
            "task": task,
            "alias": str(scores.get("alias", task)).strip(" -"),
            "version": member(data, "versions", task),
            "filter": chosen or None,
            "shots": shots if shots is not None else member(data, "config", "num_fewshot"),
            "metric": metric,
            "value": value,
            "stderr": error if is_number(error) else None,
            "higher_is_better": member(data, "higher_is_better", task, metric),
            "samples": member(data, "n-samples", task, "effective"),
        }


def _model(data: Record) -> object:
    named = data.get("model_name")
    return named or member(data, "config", "model")


LM_EVAL = Shape("lm-evaluation-harness", _read)
