"""Split the input into pieces, one for each partition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mdbench.cluster.addresses import Found
from mdbench.cluster.datasets import Group
from mdbench.cluster.job import digest
from mdbench.cluster.sizes import Size

# The assumed size of a report if it is unknown.
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
        """The number of files in it."""
        return self.stop - self.start

    def continues(self, other: Slice) -> bool:
        """Whether it directly follows another slice, so that both can be read together."""
        return self.is_dataset and self.source is other.source and self.start == other.stop


class Piece(NamedTuple):
    """The input of one partition."""

    number: int
    slices: tuple[Slice, ...]

    @property
    def files(self) -> int:
        """The number of files in it."""
        return sum(one.files for one in self.slices)

    def key(self, fingerprint: str) -> str:
        """A key for the job and the input."""
        return digest("\n".join((fingerprint, *(repr(tuple(one)) for one in self.slices))))


def take_report(found: Found) -> Slice:
    """A report as a slice."""
    return Slice(found, found.size or _TYPICAL)


def cut_dataset(found: Found, groups: Sequence[Group], size: Size) -> Iterator[Slice]:
    """Split the rows of a dataset into slices of limited size; no slice spans two row groups."""
    before = 0
    for group in groups:
        parts = size.parts(group.rows, group.weight)
        for part in range(parts if group.rows else 0):
            start, stop = (group.rows * at // parts for at in (part, part + 1))
            weight = group.weight * (stop - start) // group.rows
            yield Slice(found, weight, before + start, before + stop, is_dataset=True)
        before += group.rows


def pack(slices: Iterable[Slice], size: Size) -> Iterator[Piece]:
    """Put as many slices into each piece as fit, in order; no slices make one empty piece."""
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
