"""What a project's devices can do at most, by its configuration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdbench.regex import lazy
from mdbench.sheets.measurements import Run
from mdbench.vocabulary.extensions import Peak

_WORD = lazy(r"[a-z]+|\d+")
_LAST_PART = lazy(r"[a-z0-9]+")
_PRECISIONS = {
    "bfloat16": "bf16",
    "float16": "fp16",
    "half": "fp16",
    "float32": "fp32",
    "single": "fp32",
    "float64": "fp64",
    "double": "fp64",
    "float8": "fp8",
}


def exact_peak(run: Run, peaks: Sequence[Peak]) -> Peak | None:
    """The peak that a run's MFU refers to; None where its precision leaves that open."""
    known = _peaks_of_device(run, peaks)
    if not known:
        return None
    named = set(_precisions(run))
    fitting = [one for one in known if not one.precision or _spell(one.precision) in named]
    chosen = fitting or (known if not named else [])
    return chosen[0] if len({one.tflops for one in chosen}) == 1 else None


def highest_peak(run: Run, peaks: Sequence[Peak]) -> Peak | None:
    """The most that a run's device does, at its precision or else at any."""
    return exact_peak(run, peaks) or max(
        _peaks_of_device(run, peaks), key=lambda one: one.tflops, default=None
    )


def _peaks_of_device(run: Run, peaks: Sequence[Peak]) -> list[Peak]:
    """The peaks of the one device that a run names, by the longest name that fits it."""
    if not peaks:
        return []
    texts = [_words(text) for text in _texts(run, "device")]
    fitting = [one for one in peaks if any(_holds(text, _words(one.device)) for text in texts)]
    longest = max((len(_words(one.device)) for one in fitting), default=0)
    best = [one for one in fitting if len(_words(one.device)) == longest]
    return best if len({one.device for one in best}) == 1 else []


def _precisions(run: Run) -> Iterator[str]:
    for text in _texts(run, "precision"):
        yield from map(_spell, _LAST_PART.findall(text.casefold()))


def _spell(precision: str) -> str:
    folded = precision.casefold()
    return _PRECISIONS.get(folded, folded)


def _texts(run: Run, name: str) -> Iterator[str]:
    """What a run says of a quantity that is told in words."""
    yield from (fact.raw for fact in run.facts if fact.quantity.name == name)
    yield from (stated.raw for stated in run.settings if stated.quantity.name == name)
    for one in run.measurements:
        if one.quantity is not None and one.quantity.name == name:
            yield one.cell.raw


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _holds(words: Sequence[str], wanted: Sequence[str]) -> bool:
    size = len(wanted)
    return any(words[at : at + size] == wanted for at in range(len(words) - size + 1))
