"""The code of each rule by its name, without loading the rules: their files are called so."""

import os
from collections.abc import Iterable, Mapping
from functools import cache

from mdbench.regex import lazy

EVERY = "ALL"
"""All rules; the same as the prefix `MB`."""
_CODE = lazy(r"MB\d{0,3}")
_PREFIX = "MB"


def is_code(text: str) -> bool:
    """Whether a text is a code or a prefix of codes: `MB301`, `MB3`, `MB`."""
    return _CODE.fullmatch(text) is not None


@cache
def codes_by_name() -> Mapping[str, str]:
    """The code of each rule by its name; `mb302_shifted_row.py` has `shifted-row`."""
    files = (name for name in os.listdir(os.path.dirname(__file__)) if name.startswith("mb"))
    parts = (name.removesuffix(".py").partition("_") for name in sorted(files))
    return {name.replace("_", "-"): code.upper() for code, _, name in parts}


def read_code(text: str) -> str:
    """The code that a text stands for, which may be the name of a rule; else the text itself."""
    code = text.strip().upper()
    if is_code(code):
        return code
    if code == EVERY:
        return _PREFIX
    return codes_by_name().get(code.lower().replace("_", "-"), text.strip())


def read_codes(texts: Iterable[str]) -> tuple[str, ...]:
    """The codes that texts stand for."""
    return tuple(map(read_code, texts))


def judge_code(text: str) -> str:
    """What is wrong with the code or name of a rule; nothing if a rule has it."""
    code = read_code(text)
    codes = codes_by_name().values()
    if is_code(code) and any(known.startswith(code) for known in codes):
        return ""
    # Loaded only where something is wrong.
    from mdbench.files.nearest import hint  # noqa: PLC0415

    known = codes if code[:2].upper() == _PREFIX else (*codes_by_name(), EVERY)
    return f"{text}: no such rule{hint(text, known, '; `mdbench rules` lists all rules')}"
