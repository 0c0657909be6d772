"""The input cut into pieces: what each partition is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mdbench.cluster.addresses import Found
from mdbench.cluster.datasets import Group
from mdbench.cluster.job import digest
from mdbench.cluster.sizes import Size

# What a report weighs of which nobody tells the size.
_TYPICAL = 10_000


class Slice(NamedTuple):
    """A report, or some rows of a dataset."""

    source: Found
    weight: int
    start: int = 0
    stop: int = 1
    is_dataset: bool = False

    @property
    def files(self) -> int:
        """How many files it stands for."""
        return self.stop - self.start

    def continues(self, other: Slice) -> bool:
        """Whether it is what comes right behind another slice, and can be read with it."""
        return self.is_dataset and self.source is other.source and self.start == other.stop


class Piece(NamedTuple):
    """What one partition is made of."""

    number: int
    slices: tuple[Slice, ...]

    @property
    def files(self) -> int:
        """How many files it stands for."""
        return sum(one.files for one in self.slices)

    def key(self, fingerprint: str) -> str:
        """The same for the same job and input."""
        return digest("\n".join((fingerprint, *(repr(tuple(one)) for one in self.slices))))


def take_report(found: Found) -> Slice:
    """A report as a slice."""
    return Slice(found, found.size or _TYPICAL)


def cut_dataset(found: Found, groups: Sequence[Group], size: Size) -> Iterator[Slice]:
    """The rows of a dataset in slices that are not too large; no slice crosses a group of rows."""
    before = 0
    for group in groups:
        parts = size.parts(group.rows, group.weight)
        for part in range(parts if group.rows else 0):
            start, stop = (group.rows * at // parts for at in (part, part + 1))
            weight = group.weight * (stop - start) // group.rows
            yield Slice(found, weight, before + start, before + stop, is_dataset=True)
        before += group.rows


def pack(slices: Iterable[Slice], size: Size) -> Iterator[Piece]:
    """As many slices in a piece as fit, in their order; nothing at all makes one empty piece."""
    number = files = weight = 0
    packed: list[Slice] = []
    for one in slices:
        if packed and not size.allows(files + one.files, weight + one.weight):
            yield Piece(number, tuple(packed))
            number, files, weight, packed = number + 1, 0, 0, []
        files, weight = files + one.files, weight + one.weight
        if packed and one.continues(packed[-1]):
            last = packed.pop()
            one = last._replace(weight=last.weight + one.weight, stop=one.stop)  # noqa: PLW2901
        packed.append(one)
    if packed or number == 0:
        yield Piece(number, tuple(packed))
