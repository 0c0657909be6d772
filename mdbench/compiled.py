"""What `re` makes of the patterns of mdbench, kept: to compile them takes longer than to use them.

They are kept as Python in `pattern_tables.py`, which `python -m mdbench.compiled` writes. Where
this Python makes something else of patterns than the one that wrote it, or a pattern was changed
since, it is compiled as ever.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import re
import sys
from array import array
from binascii import a2b_base64, b2a_base64
from collections.abc import Iterator
from zlib import compress, decompress

from mdbench.hints import TypeAlias

Kept: TypeAlias = tuple[bytes, int, int, dict[str, int], tuple[str | None, ...]]
"""The code, packed; the flags; how many groups there are, and what they are called."""

THIS_PYTHON = (_sre.MAGIC, _sre.CODESIZE, sys.byteorder)
_HEAD = '''"""Made by `python -m mdbench.compiled`; patterns are changed where they stand."""

# ruff: noqa: E501
# fmt: off'''


def restore(pattern: str, flags: int) -> re.Pattern[str] | None:
    """The compiled pattern, if it is kept and this Python would make the same of it."""
    from mdbench.pattern_tables import MADE_BY, TABLES  # noqa: PLC0415  (large, not always needed)

    kept = TABLES.get((pattern, int(flags)))
    if kept is None or MADE_BY != THIS_PYTHON:
        return None
    packed, all_flags, groups, names, places = kept
    code = array("I", decompress(a2b_base64(packed))).tolist()
    made: re.Pattern[str] = _sre.compile(pattern, all_flags, code, groups, names, places)
    return made


def write_tables() -> str:
    """The module that keeps the patterns, a line each."""
    lines = (f"{key!r}: {_keep(*key)!r}," for key in sorted(set(find_patterns())))
    return "\n".join((_HEAD, f"MADE_BY = {THIS_PYTHON}", "TABLES = {", *lines, "}", ""))


def _keep(pattern: str, flags: int) -> Kept:
    """What the standard library hands on to the engine, which does not give it back."""
    from re import _compiler, _parser  # type: ignore[attr-defined]  # noqa: PLC0415

    parsed = _parser.parse(pattern, flags)
    code = array("I", _compiler._code(parsed, flags))  # noqa: SLF001
    state = parsed.state
    places: list[str | None] = [None] * state.groups
    for name, place in state.groupdict.items():
        places[place] = name
    packed = b2a_base64(compress(code.tobytes(), 9), newline=False)
    return packed, flags | state.flags, state.groups - 1, state.groupdict, tuple(places)


def find_patterns() -> Iterator[tuple[str, int]]:
    """The patterns of all modules that need nothing but what is always installed."""
    from importlib import import_module  # noqa: PLC0415
    from pkgutil import walk_packages  # noqa: PLC0415

    import mdbench  # noqa: PLC0415
    from mdbench import patterns  # noqa: PLC0415

    for module in walk_packages(mdbench.__path__, "mdbench."):
        if not module.name.startswith(("mdbench.editor", "mdbench.engine", "mdbench.__main__")):
            for value in vars(import_module(module.name)).values():
                for one in value.values() if isinstance(value, dict) else (value,):
                    if isinstance(one, patterns.LazyPattern):
                        yield one.pattern, int(one.flags)


if __name__ == "__main__":
    from mdbench import pattern_tables

    text = write_tables()
    with open(pattern_tables.__file__, "w", encoding="utf-8", newline="\n") as made:
        made.write(text)
