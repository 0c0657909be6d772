"""Patterns are compiled when they are first used, and are then what `re` makes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from mdbench import compiled, pattern_tables
from mdbench.patterns import Pattern

PROJECT = Path(__file__).resolve().parent.parent
TEXT = "12 nodes, 3 gpus"
PARSER, CODES = import_module("re._parser"), import_module("re._constants")
Tree = Sequence[tuple[Any, Any]]


@pytest.mark.parametrize("needs", ["", "gpus nodes", ("gpus", r"\d")])
@pytest.mark.parametrize("flags", [0, re.IGNORECASE])
def test_a_pattern_answers_as_a_compiled_one(flags: int, needs: str | tuple[str, ...]) -> None:
    for text in (TEXT, "none", TEXT):
        for name, arguments in (
            ("findall", (text,)),
            ("sub", (r"\2", text)),
            ("sub", (r"\2", text, 1)),
            ("split", (text,)),
            ("split", (text, 1)),
        ):
            mine = Pattern(r"(\d+) (N\w+|g\w+)", flags, needs=needs or ())
            theirs = re.compile(r"(\d+) (N\w+|g\w+)", flags)
            for _ in ("at first", "again"):
                assert getattr(mine, name)(*arguments) == getattr(theirs, name)(*arguments)
        for name in ("match", "search", "fullmatch"):
            mine = Pattern(r"(\d+) (N\w+|g\w+)", flags, needs=needs or ())
            for place in ((), (4,), (10, 14)):
                found, right = (getattr(one, name)(text, *place) for one in (mine, theirs))
                assert (found and found.span()) == (right and right.span())
        mine = Pattern(r"(\d+) (N\w+|g\w+)", flags, needs=needs or ())
        assert [one.span() for one in mine.finditer(text)] == [
            one.span() for one in theirs.finditer(text)
        ]


def test_nothing_is_compiled_before_a_text_may_match() -> None:
    broken = Pattern("(", needs=("a b", "c"))
    assert broken.match("a b") is None
    assert broken.search("c") is None
    with pytest.raises(re.error, match="missing"):
        broken.match("bc")


def test_what_is_asked_again_and_again_is_compiled_after_all() -> None:
    rare = Pattern("a", needs="a")
    before = rare.match
    assert [rare.match("b") for _ in range(2000)] == [None] * 2000
    assert rare.match != before
    assert rare.match("a") is not None


DECLARED = {name: one for name, one in compiled.find_patterns().items() if one.needs}


@pytest.mark.parametrize("one", DECLARED.values(), ids=DECLARED)
def test_no_text_without_what_a_pattern_needs_can_match_it(one: Any) -> None:
    parsed = PARSER.parse(one.pattern, one.flags)
    tree = list(parsed)
    assert parsed.state.flags & re.IGNORECASE == one.flags & re.IGNORECASE
    for words in one.needs:
        assert contains(tree, words, bool(one.flags & re.IGNORECASE)), words


def contains(tree: Tree, words: Sequence[str], folded: bool, run: str = "") -> bool:
    """Whether one of the words is in every text that `tree` matches behind the letters `run`."""
    for at, (code, value) in enumerate(tree):
        choices = list_choices(code, value, r"\d" in words)
        if choices is None:
            if code in (CODES.MAX_REPEAT, CODES.MIN_REPEAT):
                if value[0] > 0 and contains(value[2], words, folded, run):
                    return True
            elif code is CODES.ASSERT and contains(value[1], words, folded):
                return True
            run = leave_behind(code, value, run)
            run = run.casefold() if folded else run
        elif len(choices) == 1 and code is CODES.LITERAL:
            run += chr(value).casefold() if folded else chr(value)
            if any(has(run, word) for word in words):
                return True
        else:
            rest = tree[at + 1 :]
            if contains(rest, words, folded):
                return True
            return all(contains([*one, *rest], words, folded, run) for one in choices)
    return False


def leave_behind(code: Any, value: Any, run: str) -> str:
    """The letters that are known to stand before what follows."""
    if code in (CODES.AT, CODES.ASSERT, CODES.ASSERT_NOT):
        return run
    if (
        code is CODES.MAX_REPEAT
        and value[0] > 0
        and [one for one, _ in value[2]] == [CODES.LITERAL]
    ):
        return chr(value[2][0][1])
    return ""


def list_choices(code: Any, value: Any, digits: bool) -> list[Tree] | None:
    """What may stand at a place, as far as that can be listed."""
    if code is CODES.LITERAL:
        return [[(code, value)]]
    if code is CODES.BRANCH:
        return list(value[1])
    if code is CODES.SUBPATTERN and not (value[1] or value[2]):
        return [value[3]]
    if code in (CODES.MAX_REPEAT, CODES.MIN_REPEAT) and value[:2] == (0, 1):
        return [[], value[2]]
    if code is CODES.IN:
        chars = list_chars(value, digits)
        return None if chars is None else [[(CODES.LITERAL, ord(char))] for char in chars]
    return None


def has(run: str, word: str) -> bool:
    return run[-1:].isdecimal() if word == r"\d" else run.endswith(word)


def list_chars(items: Tree, digits: bool) -> list[str] | None:
    """The characters of a set, if they can be listed; a digit for all of them."""
    chars: list[str] = []
    for code, value in items:
        if code is CODES.LITERAL:
            chars.append(chr(value))
        elif code is CODES.RANGE and value[1] - value[0] < 64:
            chars += map(chr, range(value[0], value[1] + 1))
        elif code is CODES.CATEGORY and value is CODES.CATEGORY_DIGIT and digits:
            chars.append("0")
        else:
            return None
    return chars


@pytest.mark.parametrize(
    ("pattern", "words", "proved"),
    [
        ("abc", "b", True),
        ("ab?c", "b", False),
        ("a(?:b|c)", "ab ac", True),
        ("a(?:b|c)", "ab", False),
        ("[bc]d", "bd cd", True),
        ("[^b]d", "b", False),
        (r"x\d+", r"\d", True),
        (r"x\w+", r"\d", False),
        ("(?=.*b)a", "b", True),
        ("(?!b)a", "b", False),
        ("(?:b)*a", "b", False),
        ("(?:b)+a", "b", True),
        ("x+y+", "xy", True),
        ("x*y+", "xy", False),
    ],
)
def test_the_proof_is_one(pattern: str, words: str, proved: bool) -> None:
    assert contains(list(PARSER.parse(pattern)), words.split(), False) is proved


KEPT = compiled.load_tables()
WHERE_KEPT = pytest.mark.skipif(not KEPT, reason="no patterns are kept for this Python")


@WHERE_KEPT
def test_what_is_kept_of_patterns_is_what_would_be_compiled() -> None:
    found = {(one.pattern, int(one.flags)) for one in compiled.find_patterns().values()}
    assert len(found) > 200
    assert KEPT.keys() == found, "run: python -m mdbench.compiled"
    for pattern, flags in found:
        restored, made = compiled.restore(pattern, flags), re.compile(pattern, flags)
        # Compiled patterns are equal if text, flags and code are.
        assert restored == made, "run: python -m mdbench.compiled"
        assert restored is not None
        assert (restored.groups, restored.groupindex) == (made.groups, made.groupindex)


@WHERE_KEPT
def test_lint_compiles_no_pattern_of_its_own() -> None:
    report = PROJECT / "reports" / "fugaku-1.3b.md"
    code = f"""
import argparse, fractions, gettext, locale, re, sys
from importlib import import_module
compiler = import_module("re._compiler")
compile = compiler.compile
def watch(pattern, flags=0):
    frame = sys._getframe()
    while frame is not None and frame.f_globals["__name__"].split(".")[0] in ("re", "__main__"):
        frame = frame.f_back
    if frame.f_globals["__name__"].startswith("mdbench"):
        print(frame.f_globals["__name__"], pattern)
    return compile(pattern, flags)
compiler.compile = watch
from mdbench.cli import main
main(["lint", "--no-cache", "-o", {str(os.devnull)!r}, {str(report)!r}])
print("done")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["done"]


@WHERE_KEPT
def test_a_pattern_that_is_kept_is_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(re, "compile", lambda *_: pytest.fail("compiled"))
    pattern, flags = next(iter(KEPT))
    Pattern(pattern, flags).search("")


def test_a_python_that_makes_something_else_of_patterns_compiles_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compiled, "_FITS", False)
    assert compiled.restore(*next(iter(pattern_tables.TABLES))) is None


def test_a_pattern_that_is_not_kept_is_compiled() -> None:
    assert compiled.restore("nowhere in mdbench", 0) is None
    assert Pattern("nowhere in mdbench").search("nowhere in mdbench") is not None
