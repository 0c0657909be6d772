"""The highlights of a table: the best configuration, and how well it scales."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mdbench.vocabulary.quantities import Role, Vocabulary

Run = Mapping[str, object]

# Per device first, then in total; for the last ones, smaller is better.
_PER_DEVICE = ("tflops_per_device", "tokens_per_s_per_device", "samples_per_s_per_device", "mfu")
_TOTAL = ("tokens_per_s", "samples_per_s", "pflops_total", "steps_per_s")
_TIMES = ("step_time_s", "latency_ms")
_WORLDS = ("nodes", "devices")
# Runs that differ in one of these do not belong to the same scaling experiment.
_KIND = (
    "model", "device", "framework", "params", "layers", "hidden", "seq_len", "precision",
    "activation_checkpointing",
)  # fmt: skip


def find_best(
    runs: Sequence[Run], columns: Sequence[str], vocabulary: Vocabulary
) -> dict[str, object] | None:
    """The run with the highest rate, by the first metric that all valid runs have."""
    for metric in (*_PER_DEVICE, *_TOTAL, *_TIMES):
        told = [(value, run) for run in runs if (value := _number(run, metric)) is not None]
        if len(told) < 2:
            continue
        choose = min if metric in _TIMES else max
        value, best = choose(told, key=lambda pair: pair[0])
        known = vocabulary.quantities
        settings = {
            name: best[name]
            for name in columns
            if known[name].role is Role.SETTING
            and best[name] is not None
            and len({str(run[name]) for run in runs}) > 1
        }
        return {"metric": metric, "value": value, "line": best["line"], "settings": settings}
    return None


def find_scaling(runs: Sequence[Run]) -> list[dict[str, object]]:
    """For similar runs on more and more machines, the rate relative to the smallest run."""
    world = next((name for name in _WORLDS if len(_worlds(runs, name)) > 1), None)
    if world is None:
        return []
    groups: dict[tuple[str, ...], list[Run]] = {}
    for run in runs:
        groups.setdefault(tuple(str(run[name]) for name in _KIND), []).append(run)
    return [found for members in groups.values() for found in _scale(members, world)]


def _worlds(runs: Sequence[Run], world: str) -> set[float]:
    return {size for run in runs if (size := _number(run, world)) is not None}


def _scale(runs: Sequence[Run], world: str) -> Iterator[dict[str, object]]:
    for metric in (*_PER_DEVICE[:-1], *_TOTAL[:-1]):
        best: dict[float, tuple[float, Run]] = {}
        for run in runs:
            rate, size = _number(run, metric), _number(run, world)
            if rate is None or not size:
                continue
            each = rate if metric in _PER_DEVICE else rate / size
            if size not in best or each > best[size][0]:
                best[size] = each, run
        if len(best) < 2:
            continue
        base = best[min(best)][0]
        points = [
            {
                "size": int(size),
                "value": best[size][1][metric],
                "efficiency": round(best[size][0] / base, 4),
                "line": best[size][1]["line"],
            }
            for size in sorted(best)
        ]
        yield {"world": world, "metric": metric, "points": points}
        return


def _number(run: Run, name: str) -> float | None:
    value = run.get(name)
    return float(value) if isinstance(value, int | float) and value > 0 else None
