"""`mdbench config`: the effective settings, and where each comes from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from mdbench.cli.inputs import check_codes, load_configuration, select_rules
from mdbench.cli.options import AddParser, ConfigOptions, add_config, add_selection, set_run
from mdbench.config.declaration import OPTIONS
from mdbench.config.kinds import quote
from mdbench.config.settings import Settings
from mdbench.files.errors import OK, printable
from mdbench.files.writing import open_output

_WIDEST = 60
_MORE = "extend-select"


class ConfigCommandOptions(NamedTuple):
    """The options of `config`."""

    paths: Sequence[str]
    select: Sequence[str] | None
    ignore: Sequence[str] | None
    extend_select: Sequence[str] | None
    fail_on: str | None
    schema: bool
    configuration: ConfigOptions


def add_parser(add: AddParser) -> None:
    """Add the command."""
    parser = add(
        "config",
        summary="show the effective settings, and where each comes from",
        description="Print the settings that `lint` with the same options would use, each with "
        "its origin: the default, a file and key, or the command line.",
        examples=("mdbench config", "mdbench config --schema > mdbench.schema.json"),
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help="as for lint")
    add_selection(parser)
    parser.add_argument(
        "--schema", action="store_true", help="print the JSON schema of mdbench.toml instead"
    )
    add_config(parser)
    set_run(parser, ConfigCommandOptions, run)


def run(options: ConfigCommandOptions) -> int:
    """Print the settings, or the schema of the configuration file."""
    settings = load_configuration(options.configuration)
    if options.schema:
        from mdbench.config.schema import write_schema  # noqa: PLC0415

        text = write_schema()
    else:
        settings = select_rules(settings, options)
        check_codes(settings)
        text = "".join(f"{printable(line)}\n" for line in _list_settings(settings))
    with open_output(None) as sink:
        sink.write(text.encode())
    return OK


def _list_settings(settings: Settings) -> Iterator[str]:
    """The settings as TOML, each line with its origin."""
    lines = [line for option in OPTIONS for line in _list_setting(settings, option.name)]
    if (more := settings.asked.get(_MORE)) is not None:
        lines.append((_line(_MORE, more), f"--{_MORE}"))
    width = min(_WIDEST, max(len(text) for text, _ in lines))
    yield f"# {settings.file or 'no configuration file'}"
    yield from (f"{text:{width}}  # {origin}" for text, origin in lines)


def _list_setting(settings: Settings, name: str) -> Iterator[tuple[str, str]]:
    value, origin = settings.value(name), settings.origin(name)
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
