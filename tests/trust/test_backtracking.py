"""No pattern of the package has catastrophic backtracking.

Each is run on its own worst cases, and its steps are counted for texts of several sizes. Growth
must be linear; for texts that are always short, quadratic growth is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from mdbench.files.globs import compile_glob
from mdbench.rules import mb207_undefined_marker
from tests.trust.backtracking import SIZES, Counter, Growth, find_growth
from tests.trust.package_patterns import Used, count_made, list_held, list_patterns, read_modules
from tests.trust.programs import compile_steps
from tests.trust.pumps import make_pumps

PATTERNS = list_patterns()
SHORT = {
    "mdbench.files.globs: _TOKEN": "one pass: the first bracket that nothing closes ends it",
    "mdbench.prose.mentions: framework": "asked for at one place only, behind a name",
    "mdbench.rules.examples: _FENCE": "reads the documentation of rules, and no report",
    "mdbench.compare.versions: _RANGE": "reads a word of the command line",
}
"""Patterns that may take quadratic time, each with the reason why that is harmless."""
SENTENCES = {name for name in PATTERNS if name.startswith("mdbench.prose.summaries: ")}
"""Patterns with many parts for single sentences, which are bounded in length."""
GLOBS = ("*a*a*a*a*b", "**/a*/**/b*/**/c", "[a-z]*[a-z]*[!a]*x", "?*?*?*x", "a/**/**/**/b")
MARKERS = ("*", "**", "†", "^", "¶")


def judge(used: Used, sizes: Sequence[int] = SIZES) -> tuple[Growth, str]:
    """The worst growth of a pattern, and the text that shows it."""
    program = compile_steps(used.pattern, used.flags)
    worst = Growth.LINEAR, ""
    for pump in make_pumps(used.pattern, used.flags):
        for method in sorted(used.methods):
            growth = find_growth(program, method, pump.fill, sizes)
            if growth > worst[0]:
                worst = growth, f"{method}, {pump}"
    return worst


@pytest.mark.parametrize("name", sorted(PATTERNS.keys() - SHORT.keys() - SENTENCES))
def test_no_text_makes_a_pattern_slow(name: str) -> None:
    assert judge(PATTERNS[name]) == (Growth.LINEAR, "")


@pytest.mark.parametrize("name", sorted(SENTENCES))
def test_no_sentence_makes_a_pattern_slow(name: str) -> None:
    assert judge(PATTERNS[name], (30, 60, 120)) == (Growth.LINEAR, "")


@pytest.mark.parametrize("name", SHORT)
def test_no_text_makes_a_pattern_of_short_texts_hang(name: str) -> None:
    growth, text = judge(PATTERNS[name], SIZES[:2])
    assert growth is Growth.QUADRATIC, text


@pytest.mark.parametrize("glob", GLOBS)
def test_no_path_makes_a_glob_slow(glob: str) -> None:
    made = compile_glob(glob)
    assert made is not None
    assert judge(Used(made.pattern, made.flags, frozenset(("fullmatch",))))[0] is Growth.LINEAR


@pytest.mark.parametrize("marker", MARKERS)
def test_no_text_makes_the_search_for_a_mark_slow(marker: str) -> None:
    made = mb207_undefined_marker._pattern(marker)  # noqa: SLF001
    assert judge(Used(made, re.IGNORECASE, frozenset(("search",)))) == (Growth.LINEAR, "")


def test_no_pattern_is_overlooked() -> None:
    modules = read_modules()
    held = {one.live.__name__: len({id(two) for _, two in list_held(one)}) for one in modules}
    made = {one.live.__name__: count_made(one) for one in modules}
    assert sum(made.values()) > 200
    assert [name for name, count in made.items() if count > held[name]] == []


@pytest.mark.parametrize(
    ("pattern", "method", "growth"),
    [
        ("(a+)+b", "match", Growth.WORSE),
        ("(a|a)*b", "match", Growth.WORSE),
        ("x(?:a|ab?)*c", "fullmatch", Growth.WORSE),
        ("a*a*a*b", "match", Growth.WORSE),
        (r"\s*\s*x", "finditer", Growth.WORSE),
        ("x*y?x*z", "match", Growth.QUADRATIC),
        ("a+b", "search", Growth.QUADRATIC),
        ("<!--.*?-->", "finditer", Growth.QUADRATIC),
        ("a++b", "match", Growth.LINEAR),
        ("(?<!a)a++b", "search", Growth.LINEAR),
        ("(?>a*a*)b", "match", Growth.LINEAR),
        ("a{0,40}b", "search", Growth.LINEAR),
    ],
)
def test_growth_is_measured_in_steps(pattern: str, method: str, growth: Growth) -> None:
    assert judge(Used(pattern, 0, frozenset((method,))))[0] is growth


@pytest.mark.parametrize("name", sorted(PATTERNS)[::3])
def test_the_steps_give_the_same_match_as_re(name: str) -> None:
    used = PATTERNS[name]
    program, made = compile_steps(used.pattern, used.flags), re.compile(used.pattern, used.flags)
    for pump in make_pumps(used.pattern, used.flags):
        text = pump.fill(12)
        for whole, ask in ((False, made.match), (True, made.fullmatch)):
            found = ask(text)
            ended = Counter(program, 100_000).run(text, 0, whole=whole)
            assert ended == (None if found is None else found.end()), pump
