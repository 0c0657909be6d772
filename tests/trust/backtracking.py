"""Count the steps of a pattern, and how they grow with the text.

Counts do not depend on the machine, so growth can be distinguished from noise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum

from tests.trust.programs import Program

Registers = tuple[int, ...]

_FEW_PER_CHARACTER = 30
SIZES = (96, 384, 1536)
_MOST_STEPS = 2_000_000
# Four times the text: linear growth takes four times the steps, quadratic 16, cubic 64.
_LINEAR, _QUADRATIC = 7.0, 28.0


class TooManyStepsError(Exception):
    """More steps than allowed."""


class Growth(IntEnum):
    """How steps grow with the text."""

    LINEAR = 1
    QUADRATIC = 2
    WORSE = 3


class Counter:
    """Runs a program and counts its steps."""

    def __init__(self, program: Program, most: int) -> None:
        self.program, self.most, self.steps = program, most, 0

    def run(self, text: str, start: int, *, whole: bool = False) -> int | None:
        """The end of the first match from `start` on; None if there is none."""
        registers = (-1,) * len(self.program.registers)
        return self._run(0, text, start, registers, whole)

    def _run(  # noqa: C901, PLR0912 - one line for each instruction
        self, pc: int, text: str, at: int, registers: Registers, whole: bool
    ) -> int | None:
        code = self.program.code
        waiting = [(pc, at, registers)]
        while waiting:
            pc, at, registers = waiting.pop()
            while True:
                self.steps += 1
                if self.steps > self.most:
                    raise TooManyStepsError
                step = code[pc]
                name = step[0]
                pc += 1
                if name == "char":
                    if at >= len(text) or not step[1](text, at):
                        break
                    at += 1
                elif name == "split":
                    waiting.append((step[2], at, registers))
                    pc = step[1]
                elif name == "jump":
                    pc = step[1]
                elif name == "at":
                    if not step[1](text, at):
                        break
                elif name == "save":
                    registers = (*registers[: step[1]], at, *registers[step[1] + 1 :])
                elif name == "moved":
                    if registers[step[1]] == at:
                        break
                elif name == "again":
                    first, end = registers[step[1]], registers[step[2]]
                    if end < 0 or not text.startswith(text[first:end], at):
                        break
                    at += end - first
                elif name == "accept":
                    if not whole or at == len(text):
                        return at
                    break
                else:
                    end_ = self._look(name, pc, text, at - step[1], registers)
                    if end_ is None:
                        break
                    at, pc = (end_ if name == "atomic_group" else at), step[2]
        return None

    def _look(self, name: str, pc: int, text: str, at: int, registers: Registers) -> int | None:
        found = None if at < 0 else self._run(pc, text, at, registers, False)
        if name == "assert_not":
            return at if found is None else None
        return found


def count_steps(program: Program, method: str, text: str, most: int = _MOST_STEPS) -> int | None:
    """The steps of a pattern's method on a text; None if there are too many."""
    counter = Counter(program, most)
    try:
        if method in ("match", "fullmatch"):
            counter.run(text, 0, whole=method == "fullmatch")
            return counter.steps
        at = 0
        while at <= len(text):
            end = counter.run(text, at)
            if end is not None and method == "search":
                break
            at = at + 1 if end is None else max(end, at + 1)
    except TooManyStepsError:
        return None
    return counter.steps


def find_growth(
    program: Program, method: str, make_text: Callable[[int], str], sizes: Sequence[int] = SIZES
) -> Growth:
    """How the steps on the texts of `make_text` grow, beyond the limits of bounded repeats."""
    growth, before = Growth.LINEAR, 0
    for size in sizes:
        text = make_text(size)
        # The square of a short text, so that exponential patterns end early.
        after = count_steps(program, method, text, min(_MOST_STEPS, 40 * len(text) ** 2))
        if after is None:
            return Growth.QUADRATIC if growth is Growth.QUADRATIC else Growth.WORSE
        if after <= _FEW_PER_CHARACTER * len(text):
            return Growth.LINEAR
        if before:
            growth = _compare(before, after)
            if growth is not Growth.QUADRATIC:
                return growth
        before = after
    return growth


def _compare(before: int, after: int) -> Growth:
    if after < _LINEAR * before:
        return Growth.LINEAR
    return Growth.QUADRATIC if after < _QUADRATIC * before else Growth.WORSE
