"""`mdbench config`: the settings in force, and where each comes from."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from mdbench.cli.settings import choose_settings
from mdbench.config.declaration import OPTIONS
from mdbench.config.kinds import quote
from mdbench.config.settings import Settings
from mdbench.errors import OK, printable
from mdbench.files.writing import open_output

_WIDEST = 60


def run_config(arguments: argparse.Namespace) -> int:
    """Print the settings, or the schema of the file that they stand in."""
    if arguments.schema:
        from mdbench.config.schema import write_schema  # noqa: PLC0415

        text = write_schema()
    else:
        settings = choose_settings(arguments)
        text = "".join(f"{printable(line)}\n" for line in _list_settings(settings))
    with open_output(None) as sink:
        sink.write(text.encode())
    return OK


def _list_settings(settings: Settings) -> Iterator[str]:
    """TOML that says the same, each line with where it comes from."""
    lines = [line for option in OPTIONS for line in _list_setting(settings, option.name)]
    width = min(_WIDEST, max(len(text) for text, _ in lines))
    yield f"# {settings.file or 'no configuration file'}"
    yield from (f"{text:{width}}  # {origin}" for text, origin in lines)


def _list_setting(settings: Settings, name: str) -> Iterator[tuple[str, str]]:
    value, origin = settings[name], settings.origin(name)
    if not value or not isinstance(value, dict):
        yield _line(name, value), origin
        return
    for key, one in value.items():
        yield _line(f"{name}.{quote(key)}", one), f"{origin}.{quote(key)}"


def _line(name: str, value: Any) -> str:
    return f"{name} = {_spell(value)}"


def _spell(value: Any) -> str:
    """A value as TOML spells it."""
    if isinstance(value, dict):
        inside = ", ".join(_line(quote(key), one) for key, one in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_spell, value))}]"
    return json.dumps(value, ensure_ascii=False)
