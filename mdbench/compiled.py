"""What `re` makes of the patterns of mdbench, kept: to compile them takes longer than to use them.

They are kept as Python in `pattern_tables.py`, which `python -m mdbench.compiled` writes. A Python
that makes something else of patterns compiles them as ever, and so does every one with a pattern
that was changed since.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import re
import sys
from array import array
from binascii import a2b_base64, b2a_base64
from collections.abc import Mapping
from importlib import import_module
from zlib import compress, decompress

from mdbench.hints import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from mdbench.patterns import LazyPattern

Kept: TypeAlias = tuple[bytes, int, int, dict[str, int], tuple[str | None, ...]]
"""The code, packed; the flags; how many groups there are, and what they are called."""

# The engines of Python 3.11, 3.12 and 3.13, which make the same of our patterns: a test holds that
# for the Python that it runs on.
_ALIKE = (20220615, 20221023, 20230612)
_FITS = (
    sys.implementation.name == "cpython"
    and _sre.MAGIC in _ALIKE
    and _sre.CODESIZE == 4
    and sys.byteorder == "little"
)
# The modules that need what is not always installed.
_NEED_MORE = ("mdbench.editor", "mdbench.engine", "mdbench.site.drawing")
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


def load_tables() -> Mapping[tuple[str, int], Kept]:
    """What is kept for this Python, by pattern and flags."""
    if not _FITS:
        return {}
    from mdbench.pattern_tables import TABLES  # noqa: PLC0415  (large, and not for every Python)

    return TABLES


def write_tables() -> str:
    """The module that keeps the patterns, a line each."""
    keys = {(one.pattern, int(one.flags)) for one in find_patterns().values()}
    lines = (f"{key!r}: {_keep(*key)!r}," for key in sorted(keys))
    return "\n".join((_HEAD, "TABLES = {", *lines, "}", ""))


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
    with open(pattern_tables.__file__, "w", encoding="utf-8", newline="\n") as made:
        made.write(text)
