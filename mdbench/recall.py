"""What is known from a report that differs only in prose that says nothing.

Copies, forks and generated reports share their tables and differ in a line or two. Both must have
as many lines, since findings speak of lines; only how long a line is may differ.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from operator import ne

from mdbench.classes import dataclass
from mdbench.document import Document
from mdbench.hints import Generic, TypeVar
from mdbench.inert import find_inert, says_nothing
from mdbench.source import Source

_Made = TypeVar("_Made")
_MOST_PLACES = 64
_MOST_ALIKE = 8
_MOST_DIFFERENT = 20
_LONGEST = 200_000


@dataclass(slots=True)
class _Known(Generic[_Made]):
    """A report and what was made of it. What is free is worked out when another is like it."""

    document: Document
    made: _Made
    lines: list[str]
    free: dict[int, range] | None = None

    def is_alike(self, lines: list[str]) -> bool:
        """Whether another text of as many lines differs only where neither says anything."""
        if sum(map(ne, self.lines, lines)) > _MOST_DIFFERENT:
            return False
        if self.free is None:
            inert = find_inert(self.document)
            self.free = {line: paragraph for paragraph in inert for line in paragraph}
        different = [at for at, line in enumerate(lines) if line != self.lines[at]]
        if any(at not in self.free for at in different):
            return False
        paragraphs = {self.free[at] for at in different}
        return all(
            says_nothing(lines[one.start : one.stop])
            and _kind(lines[one.start]) == _kind(self.lines[one.start])
            for one in paragraphs
        )


def _kind(line: str) -> bool:
    """Whether a line that says nothing is a comment."""
    return line.startswith("<")


class Recall(Generic[_Made]):
    """What was made of the last reports, by the number of their lines and how it was made."""

    def __init__(self) -> None:
        self._known: OrderedDict[Hashable, list[_Known[_Made]]] = OrderedDict()

    def find(self, source: Source, how: Hashable) -> tuple[Source, _Made] | None:
        """What was made, in the same way, of a text that matters the same; and that text."""
        lines = source.text.split("\n")
        for known in self._known.get((how, len(lines)), ()):
            if known.is_alike(lines):
                return known.document.source, known.made
        return None

    def keep(self, document: Document, how: Hashable, made: _Made) -> None:
        """Remember what was made of a report."""
        if len(document.source.text) > _LONGEST:
            return
        lines = document.source.text.split("\n")
        place = how, len(lines)
        alike = self._known.setdefault(place, [])
        alike.insert(0, _Known(document, made, lines))
        del alike[_MOST_ALIKE:]
        self._known.move_to_end(place)
        if len(self._known) > _MOST_PLACES:
            self._known.popitem(last=False)
