"""What `re` makes of the patterns of mdbench, kept: to compile them takes longer than to use them.

They are kept as Python in `pattern_tables/`, a module for each way that Pythons have to compile
them: `python -m mdbench.compiled` writes that of the Python it runs with. Where there is none, or a
pattern was changed since, it is compiled as ever.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import os
import re
import sys
from array import array
from binascii import a2b_base64, b2a_base64
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from zlib import compress, decompress

from mdbench.hints import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from mdbench.patterns import LazyPattern

Kept: TypeAlias = tuple[bytes, int, int, dict[str, int], tuple[str | None, ...]]
"""The code, packed; the flags; how many groups there are, and what they are called."""

THIS_PYTHON = (sys.implementation.name, _sre.MAGIC, _sre.CODESIZE, sys.byteorder)
# The modules that need what is not always installed.
_NEED_MORE = ("mdbench.editor", "mdbench.engine", "mdbench.site.drawing")
_MODULE = f"sre_{_sre.MAGIC}"
_HEAD = '''"""Made by `python -m mdbench.compiled`; patterns are changed where they stand."""

# ruff: noqa: E501
# fmt: off'''


def restore(pattern: str, flags: int) -> re.Pattern[str] | None:
    """The compiled pattern, if it is kept and this Python would make the same of it."""
    kept = load_tables().get((pattern, int(flags)))
    if kept is None:
        return None
    packed, all_flags, groups, names, places = kept
    code = array("I", decompress(a2b_base64(packed))).tolist()
    made: re.Pattern[str] = _sre.compile(pattern, all_flags, code, groups, names, places)
    return made


@cache
def load_tables() -> Mapping[tuple[str, int], Kept]:
    """What is kept for this Python, by pattern and flags."""
    try:
        kept = import_module(f"mdbench.pattern_tables.{_MODULE}")
    except ModuleNotFoundError:
        return {}
    tables: Mapping[tuple[str, int], Kept] = kept.TABLES
    return tables if kept.MADE_BY == THIS_PYTHON else {}


def write_tables() -> str:
    """The module that keeps the patterns, a line each."""
    keys = {(one.pattern, int(one.flags)) for one in find_patterns().values()}
    lines = (f"{key!r}: {_keep(*key)!r}," for key in sorted(keys))
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


def find_patterns() -> dict[str, LazyPattern]:
    """The patterns, by name, of all modules that need only what is always installed."""
    from pkgutil import walk_packages  # noqa: PLC0415

    import mdbench  # noqa: PLC0415
    from mdbench.patterns import LazyPattern  # noqa: PLC0415

    found: dict[str, LazyPattern] = {}
    for module in walk_packages(mdbench.__path__, "mdbench."):
        if module.name.startswith(_NEED_MORE):
            continue
        for name, value in vars(import_module(module.name)).items():
            for key, one in value.items() if isinstance(value, dict) else ((name, value),):
                if isinstance(one, LazyPattern):
                    found[f"{module.name}: {key}"] = one
    return found


if __name__ == "__main__":
    from mdbench import pattern_tables

    text = write_tables()
    place = os.path.join(os.path.dirname(pattern_tables.__file__), f"{_MODULE}.py")
    with open(place, "w", encoding="utf-8", newline="\n") as made:
        made.write(text)
