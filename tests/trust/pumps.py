"""Hard texts for a pattern: its repeated part very often, then not what must follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from tests.trust.programs import CODES, PARSER, REPEATS, SINGLE, Program, compile_steps, make_test

_ENDS = ("", "\n\x01")
_CANDIDATES = " 0a9zA_.,-+%/()|:;=~*`<>[]{}#$&'\"!?^\\@\n\té\u00a0×±–−µ一"
_MOST_SAMPLES = 4
_OFTEN = 6


class Pump(NamedTuple):
    """A text of any size: a prefix, a repeated part and a suffix."""

    beginning: str
    body: str
    end: str

    def fill(self, size: int) -> str:
        """The text with about `size` characters."""
        return self.beginning + self.body * (size // len(self.body) + 1) + self.end


def make_pumps(pattern: str, flags: int = 0) -> Iterator[Pump]:
    """For each repeat its prefix and repeated part; and the same with any letter."""
    tree = PARSER.parse(pattern, flags)
    letters = choose_letters(compile_steps(pattern, flags), pattern)
    sampler = _Sampler(tree, letters)
    bodies: dict[str, set[str]] = {"": {*letters, *sampler.sample(tree)}}
    for before, body in sampler.list_repeats(tree):
        bodies.setdefault(before, set(letters)).add(body)
        bodies[""] |= {body, before + body}
    for beginning in sorted(bodies):
        for body in sorted(bodies[beginning] - {""}):
            yield from (Pump(beginning, body, end) for end in _ENDS)


def choose_letters(program: Program, pattern: str) -> list[str]:
    """A letter for each character class of the pattern."""
    kinds: dict[tuple[bool, ...], str] = {}
    for letter in dict.fromkeys(_CANDIDATES + pattern):
        kind = tuple(test(letter, 0) for test in program.singles)
        if any(kind):
            kinds.setdefault(kind, letter)
    return list(kinds.values())


class _Sampler:
    """Short texts that match parts of a pattern."""

    def __init__(self, tree: Any, letters: list[str]) -> None:
        self.state, self.letters = tree.state, letters

    def sample(self, tree: Iterable[Any]) -> list[str]:
        """Some matching texts, the shortest first."""
        found = [""]
        for node in tree:
            ends = self._sample_node(*node)
            longer = [one + ends[0] for one in found]
            longer += [found[0] + end for end in ends[1:]]
            found = longer[:_MOST_SAMPLES]
        return found

    def _sample_node(self, code: Any, value: Any) -> list[str]:
        if code is CODES.LITERAL:
            return [chr(value)]
        if code in SINGLE:
            test = make_test(code, value, self.state.flags, self.state)
            return [letter for letter in self.letters if test(letter, 0)] or [""]
        if code is CODES.BRANCH:
            return [one for option in value[1] for one in self.sample(option)][:_OFTEN]
        if code in (CODES.SUBPATTERN, CODES.ATOMIC_GROUP):
            return self.sample(value[3] if code is CODES.SUBPATTERN else value)
        if code in REPEATS:
            low, high, inner = value
            counts = (low, low + 1) if high > low else (low,)
            return [body * count for count in counts for body in self.sample(inner)]
        return [""]

    def list_repeats(self, tree: Iterable[Any], before: str = "") -> Iterator[tuple[str, str]]:
        """For each repeat, a text that leads to it and the repeated part."""
        for code, value in tree:
            if code in REPEATS and value[1] > _OFTEN:
                for body in islice(self.sample(value[2]), _MOST_SAMPLES):
                    yield before, body
            for inner in _list_inner(code, value):
                yield from self.list_repeats(inner, before)
            before += self._sample_node(code, value)[0]


def _list_inner(code: Any, value: Any) -> list[Any]:
    """The direct parts of a part of a pattern."""
    if code in REPEATS:
        return [value[2]]
    if code is CODES.BRANCH:
        return list(value[1])
    if code is CODES.SUBPATTERN:
        return [value[3]]
    if code is CODES.ATOMIC_GROUP:
        return [value]
    return [value[1]] if code in (CODES.ASSERT, CODES.ASSERT_NOT) else []
