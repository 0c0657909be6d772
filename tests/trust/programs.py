"""Patterns as programs of small steps, which try the same choices as `re`, in the same order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

PARSER = import_module("re._parser")
CODES = import_module("re._constants")
COMPILER = import_module("re._compiler")
SINGLE = (CODES.LITERAL, CODES.NOT_LITERAL, CODES.ANY, CODES.IN)
_GREEDY = (CODES.MAX_REPEAT, CODES.POSSESSIVE_REPEAT)
REPEATS = (*_GREEDY, CODES.MIN_REPEAT)
_WITHOUT_END = 1000

Test = Callable[[str, int], bool]


@dataclass(slots=True)
class Program:
    """Instructions: a name and its operands. All jumps are positions in the list."""

    code: list[tuple[Any, ...]] = field(default_factory=list)
    singles: list[Test] = field(default_factory=list)
    registers: dict[object, int] = field(default_factory=dict)
    groups: set[int] = field(default_factory=set)

    def register(self, key: object) -> int:
        """A new register."""
        return self.registers.setdefault(key, len(self.registers))


def compile_steps(pattern: str, flags: int = 0) -> Program:
    """Compile a pattern to a program."""
    tree = PARSER.parse(pattern, flags)
    program = Program()
    program.groups = {value for code, value in _walk(tree) if code is CODES.GROUPREF}
    _emit(program, tree, tree.state.flags, tree.state)
    program.code.append(("accept",))
    return program


def _walk(tree: Iterable[Any]) -> Iterable[tuple[Any, Any]]:
    for node in tree:
        if isinstance(node, tuple) and node and type(node[0]) is type(CODES.GROUPREF):
            yield node
        if isinstance(node, (tuple, list, PARSER.SubPattern)):
            yield from _walk(node)


def _emit(program: Program, tree: Iterable[Any], flags: int, state: Any) -> None:
    for code, value in tree:
        if code in SINGLE or code is CODES.AT:
            test = make_test(code, value, flags, state)
            if code is not CODES.AT:
                program.singles.append(test)
            program.code.append(("at" if code is CODES.AT else "char", test))
        elif code is CODES.BRANCH:
            _emit_branch(program, value[1], flags, state)
        elif code is CODES.SUBPATTERN:
            group, added, removed, inner = value
            _emit_group(program, group, inner, (flags | added) & ~removed, state)
        elif code in REPEATS:
            _emit_repeat(program, code, value, flags, state)
        elif code in (CODES.ASSERT, CODES.ASSERT_NOT, CODES.ATOMIC_GROUP):
            inner = value if code is CODES.ATOMIC_GROUP else value[1]
            back = 0
            if code is not CODES.ATOMIC_GROUP and value[0] < 0:
                back = inner.getwidth()[0]
            _emit_apart(program, (str(code).lower(), back), inner, flags, state)
        elif code is CODES.GROUPREF:
            program.code.append(
                ("again", program.register(("from", value)), program.register(value))
            )
        else:
            raise NotImplementedError(f"no step is known for {code}")


def make_test(code: Any, value: Any, flags: int, state: Any) -> Test:
    single = PARSER.SubPattern(state, [(code, value)])
    made = COMPILER.compile(single, flags)
    if code is CODES.AT:
        return lambda text, at: made.match(text, at) is not None
    known: dict[str, bool] = {}

    def test(text: str, at: int) -> bool:
        char = text[at : at + 1]
        if char not in known:
            known[char] = made.match(char) is not None
        return known[char]

    return test


def _emit_apart(
    program: Program, step: tuple[str, int], inner: Any, flags: int, state: Any
) -> None:
    """An atomic part: its choices are dropped as soon as it has matched."""
    at = len(program.code)
    program.code.append(())
    _emit(program, inner, flags, state)
    program.code.append(("accept",))
    program.code[at] = (*step, len(program.code))


def _emit_branch(program: Program, options: Any, flags: int, state: Any) -> None:
    ends = []
    for number, option in enumerate(options):
        at = len(program.code)
        last = number == len(options) - 1
        if not last:
            program.code.append(())
        _emit(program, option, flags, state)
        if not last:
            ends.append(len(program.code))
            program.code.append(())
            program.code[at] = ("split", at + 1, len(program.code))
    for end in ends:
        program.code[end] = ("jump", len(program.code))


def _emit_group(program: Program, group: int | None, inner: Any, flags: int, state: Any) -> None:
    told = group in program.groups
    if told:
        program.code.append(("save", program.register(("from", group))))
    _emit(program, inner, flags, state)
    if told:
        program.code.append(("save", program.register(group)))


def _emit_repeat(program: Program, code: Any, value: Any, flags: int, state: Any) -> None:
    low, high, inner = value
    if code is CODES.POSSESSIVE_REPEAT:
        greedy = PARSER.SubPattern(state, [(CODES.MAX_REPEAT, value)])
        _emit_apart(program, ("atomic_group", 0), greedy, flags, state)
        return
    for _ in range(low):
        _emit(program, inner, flags, state)
    if high is CODES.MAXREPEAT or high > _WITHOUT_END:
        _emit_loop(program, code, inner, flags, state)
        return
    starts = []
    for _ in range(high - low):
        starts.append(len(program.code))
        program.code.append(())
        _emit(program, inner, flags, state)
    for at in starts:
        program.code[at] = _split(code, at + 1, len(program.code))


def _emit_loop(program: Program, code: Any, inner: Any, flags: int, state: Any) -> None:
    at = len(program.code)
    program.code.append(())
    may_be_empty = inner.getwidth()[0] == 0
    place = program.register(("loop", at)) if may_be_empty else 0
    if may_be_empty:
        program.code.append(("save", place))
    _emit(program, inner, flags, state)
    if may_be_empty:
        program.code.append(("moved", place))
    program.code.append(("jump", at))
    program.code[at] = _split(code, at + 1, len(program.code))


def _split(code: Any, inside: int, behind: int) -> tuple[Any, ...]:
    return ("split", inside, behind) if code in _GREEDY else ("split", behind, inside)
