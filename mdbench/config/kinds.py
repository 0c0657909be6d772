"""Kinds of values that a setting may have: each checks a value and describes itself as schema.

What is wrong with a value is told by `WrongValueError`: the key below the setting, what is allowed,
and the nearest match to what was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from mdbench.files.nearest import find_nearest
from mdbench.regex import lazy

Schema = dict[str, Any]
Check = Callable[[str], str]
"""What is wrong with a text: nothing if the answer is empty."""

_BARE_KEY = lazy(r"[A-Za-z0-9_-]+")
_LARGEST = 1e30
_LONGEST_SHOWN = 60
ALIKE = 0.5


class WrongValueError(Exception):
    """A value that is not allowed; `key` is where it stands, below the setting."""

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message)
        self.message, self.key = message, key

    def under(self, key: str) -> WrongValueError:
        """The same, told from one level above."""
        return WrongValueError(self.message, f"{key}{self.key}")


class Kind(Protocol):
    """What a value may be."""

    @property
    def name(self) -> str:
        """A few words, as `a list of texts`."""

    def check(self, value: Any) -> None:
        """Raise `WrongValueError` for a value that is not of this kind."""

    def schema(self) -> Schema:
        """The same as JSON schema, as far as that can say it."""


class Text(NamedTuple):
    """A text; `choices` are all it may be, `pattern` what it must look like."""

    name: str = "a text"
    choices: tuple[str, ...] = ()
    pattern: str = ""
    judge: Check | None = None
    """What else is asked of it, which a schema cannot say."""

    def check(self, value: Any) -> None:
        """Raise `WrongValueError` for anything else."""
        if not isinstance(value, str):
            raise WrongValueError(f"{show(value)} is not {self.name}")
        if self.choices and value not in self.choices:
            allowed = ", ".join(self.choices)
            raise WrongValueError(f"{value!r} is not one of {allowed}{hint(value, self.choices)}")
        if self.pattern and not re.fullmatch(self.pattern, value):
            raise WrongValueError(f"{value!r} is not {self.name}")
        wrong = self.judge(value) if self.judge is not None else ""
        if wrong:
            raise WrongValueError(wrong)

    def schema(self) -> Schema:
        """A string."""
        schema: Schema = {"type": "string"}
        if self.choices:
            schema["enum"] = list(self.choices)
        if self.pattern:
            schema["pattern"] = f"^{self.pattern}$"
        return schema


class Number(NamedTuple):
    """A number above 0, or also 0."""

    name: str = "a number above 0"
    zero: bool = False

    def check(self, value: Any) -> None:
        """Raise `WrongValueError` for anything else."""
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not 0 <= value <= _LARGEST or (value == 0 and not self.zero):
            raise WrongValueError(f"{show(value)} is not {self.name}")

    def schema(self) -> Schema:
        """A number."""
        least = "minimum" if self.zero else "exclusiveMinimum"
        return {"type": "number", least: 0, "maximum": _LARGEST}


class Flag(NamedTuple):
    """true or false."""

    name: str = "true or false"

    def check(self, value: Any) -> None:
        """Raise `WrongValueError` for anything else."""
        if not isinstance(value, bool):
            raise WrongValueError(f"{show(value)} is not {self.name}")

    def schema(self) -> Schema:
        """A boolean."""
        return {"type": "boolean"}


class ListOf(NamedTuple):
    """A list of values of one kind."""

    member: Kind
    name: str = "a list of texts"

    def check(self, value: Any) -> None:
        """Raise `WrongValueError` for anything else."""
        if not isinstance(value, list):
            raise WrongValueError(f"{show(value)} is not {self.name}")
        for at, one in enumerate(value):
            try:
                self.member.check(one)
            except WrongValueError as error:
                raise error.under(f"[{at}]") from None

    def schema(self) -> Schema:
        """An array."""
        return {"type": "array", "items": self.member.schema()}


class TableOf(NamedTuple):
    """A table with free keys."""

    keys: Text
    member: Kind
    name: str = "a table"

    def check(self, value: Any) -> None:
        """Raise `WrongValueError` for anything else."""
        if not isinstance(value, dict):
            raise WrongValueError(f"{show(value)} is not {self.name}")
        for key, one in value.items():
            try:
                self.keys.check(key)
                self.member.check(one)
            except WrongValueError as error:
                raise error.under(f".{quote(key)}") from None

    def schema(self) -> Schema:
        """An object."""
        schema: Schema = {"type": "object", "additionalProperties": self.member.schema()}
        names = {key: part for key, part in self.keys.schema().items() if key != "type"}
        return {**schema, "propertyNames": names} if names else schema


class Record(NamedTuple):
    """A table with known keys."""

    members: Mapping[str, Kind]
    required: tuple[str, ...] = ()
    name: str = "a table"

    def check(self, value: Any) -> None:
        """Raise `WrongValueError` for anything else."""
        if not isinstance(value, dict):
            raise WrongValueError(f"{show(value)} is not {self.name}")
        for key, one in value.items():
            if key not in self.members:
                told = f"no such key; allowed are {', '.join(self.members)}"
                raise WrongValueError(told + hint(key, self.members), f".{quote(key)}")
            try:
                self.members[key].check(one)
            except WrongValueError as error:
                raise error.under(f".{quote(key)}") from None
        for key in self.required:
            if key not in value:
                raise WrongValueError(f"{key} is missing")

    def schema(self) -> Schema:
        """An object."""
        members = {key: kind.schema() for key, kind in self.members.items()}
        schema: Schema = {
            "type": "object",
            "properties": members,
            "additionalProperties": False,
        }
        return {**schema, "required": list(self.required)} if self.required else schema


class Either(NamedTuple):
    """A value of the first kind, or a table."""

    plain: Kind
    table: TableOf | Record

    @property
    def name(self) -> str:
        """Both."""
        return f"{self.plain.name} or {self.table.name}"

    def check(self, value: Any) -> None:
        """Raise `WrongValueError` for anything else."""
        (self.table if isinstance(value, dict) else self.plain).check(value)

    def schema(self) -> Schema:
        """One of two."""
        return {"anyOf": [self.plain.schema(), self.table.schema()]}


def hint(written: str, known: Iterable[str]) -> str:
    """`; did you mean 'select'?`, or nothing where nothing is near."""
    nearest = find_nearest(written, known, ALIKE)
    return f"; did you mean {nearest!r}?" if nearest else ""


def quote(key: str) -> str:
    """A key as TOML spells it."""
    return key if _BARE_KEY.fullmatch(key) else f'"{key}"'


def show(value: Any) -> str:
    """A value, short enough for one line."""
    if isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, dict):
        text = "a table"
    else:
        text = "a list" if isinstance(value, list) else repr(value)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
