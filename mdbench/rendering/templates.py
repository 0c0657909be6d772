"""Fill in templates with plain data. The only module that imports jinja2."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from mdbench.files.errors import ProblemError
from mdbench.files.relative_paths import relative_path
from mdbench.markdown.widths import display_width
from mdbench.rendering.resources import template_folder

if TYPE_CHECKING:
    from jinja2 import Environment, Template

Data = Mapping[str, object]
_Made = TypeVar("_Made")

_TEMPLATE = ".j2"
_SUFFIX = f".md{_TEMPLATE}"
_OWN_FOLDER = "templates"
_NARROWEST = 3
_NO_VALUE = "-"


def fill_template(name_or_file: str, data: Data) -> str:
    """Fill in a template; raise `ProblemError` with file and line if it fails.

    A name is looked up in the local folder `templates`, then among the shipped templates.
    """
    template, file = _load(name_or_file, os.getcwd())
    return _run(file, lambda: template.render(data))


def fill_macro(name: str, macro: str, data: object) -> str:
    """Call one macro of a template with some data."""
    template, file = _load(name, os.getcwd())

    def call() -> str:
        return str(getattr(template.module, macro)(data))

    return _run(file, call)


def template_names() -> tuple[str, ...]:
    """The names of the shipped Markdown templates."""
    files = sorted(os.listdir(template_folder()))
    return tuple(file.removesuffix(_SUFFIX) for file in files if file.endswith(_SUFFIX))


def environment() -> Environment:
    """The shipped templates for the pages of a site, with autoescaping."""
    return _make_environment((str(template_folder()),)).overlay(autoescape=True)


@lru_cache(maxsize=16)
def _load(name_or_file: str, here: str) -> tuple[Template, str]:
    has_folder = os.path.basename(name_or_file) != name_or_file
    is_file = has_folder or name_or_file.endswith(_TEMPLATE)
    if is_file and not os.path.isfile(name_or_file):
        raise ProblemError(f"{name_or_file}: no such template file")
    folder, file = os.path.split(os.path.abspath(name_or_file))
    if not is_file:
        folder, file = os.path.join(here, _OWN_FOLDER), name_or_file + _SUFFIX
    folders = (folder, os.path.join(here, _OWN_FOLDER), str(template_folder()))
    environment = _make_environment(folders, file)
    place = next((f"{one}/{file}" for one in folders if os.path.isfile(f"{one}/{file}")), None)
    if place is None:
        known = ", ".join(template_names())
        raise ProblemError(
            f"{name_or_file}: no template with that name in {_OWN_FOLDER}/, and none is shipped "
            f"({known}); to use a file, give its path"
        )
    return _run(_shorten(place), lambda: environment.get_template(file)), _shorten(place)


@cache
def _make_environment(folders: tuple[str, ...], main: str = "") -> Environment:
    from jinja2 import FileSystemLoader, StrictUndefined, TemplateNotFound  # noqa: PLC0415
    from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415

    homes = tuple(os.path.join(os.path.realpath(one), "") for one in folders)

    class Templates(FileSystemLoader):
        """A loader for templates only: an include cannot read other files of the folder."""

        def get_source(
            self, environment: Environment, template: str
        ) -> tuple[str, str, Callable[[], bool]]:
            if template != main and not template.endswith(_TEMPLATE):
                raise TemplateNotFound(template)
            found = super().get_source(environment, template)
            real = os.path.realpath(found[1])
            if template != main and not real.startswith(homes):
                # A link to something else.
                raise TemplateNotFound(template)
            return found

    environment = ImmutableSandboxedEnvironment(
        loader=Templates(folders),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(cell=_cell, pad=_pad, rule=_rule, table=make_table)
    return environment


def _run(file: str, work: Callable[[], _Made]) -> _Made:
    """Run a template; every error in it becomes one line."""
    from jinja2 import TemplateError, TemplateNotFound, TemplateSyntaxError  # noqa: PLC0415

    try:
        return work()
    except ProblemError:
        raise
    except TemplateSyntaxError as error:
        place = f"{_shorten(error.filename) if error.filename else file}:{error.lineno}"
        raise ProblemError(f"{place}: {_one_line(error.message or 'is not a template')}") from error
    except TemplateNotFound as error:
        place = _place(error.__traceback__, file)
        raise ProblemError(f"{place}: template {error.name} does not exist") from error
    except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError,
            RecursionError, MemoryError) as error:  # fmt: skip
        kind = "" if isinstance(error, TemplateError) else f"{type(error).__name__}: "
        said = f"{kind}{_one_line(str(error))}"
        raise ProblemError(f"{_place(error.__traceback__, file)}: {said}") from error
    except OSError as error:
        raise ProblemError(f"{file}: cannot be read: {error.strerror or error}") from error


def _place(trace: TracebackType | None, file: str) -> str:
    """The innermost line of a template in a traceback, added by jinja2."""
    place = file
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if not name.endswith((".py", ">")):
            place = f"{_shorten(name)}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def _shorten(path: str) -> str:
    relative = relative_path(path)
    return path if relative.startswith("..") else relative


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _cell(value: object) -> str:
    """Format any value as the text of a cell."""
    if value is None or value == "":
        return _NO_VALUE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_cell, value)) or _NO_VALUE
    text = f"{value:.12g}" if isinstance(value, float) else str(value)
    return _one_line(text).replace("\\|", "|").replace("|", "\\|")


def _pad(text: str, column: Mapping[str, object]) -> str:
    """Pad a text to the width of its column, according to the alignment."""
    room = max(0, _width(column) - display_width(text))
    if column["align"] == "right":
        return " " * room + text
    left = room // 2 if column["align"] == "center" else 0
    return " " * left + text + " " * (room - left)


def _rule(column: Mapping[str, object]) -> str:
    """The dashes below a header; colons set the alignment."""
    first = ":" if column["align"] in ("left", "center") else "-"
    last = ":" if column["align"] in ("right", "center") else "-"
    return first + "-" * (_width(column) - 2) + last


def _width(column: Mapping[str, object]) -> int:
    width = column["width"]
    if not isinstance(width, int):
        raise TypeError(f"a column's width must be a whole number, not {width!r}")
    return max(width, _NARROWEST)


def make_table(rows: Sequence[Mapping[str, object]], titles: Mapping[str, str]) -> Data:
    """A table from rows of values; `titles` maps the name of each column to its header."""
    texts = [[_cell(row.get(name)) for name in titles] for row in rows]
    columns = []
    for at, (name, title) in enumerate(titles.items()):
        values = [row.get(name) for row in rows if row.get(name) is not None]
        numeric = bool(values) and all(_is_number(value) for value in values)
        width = max([_NARROWEST, display_width(title), *(display_width(row[at]) for row in texts)])
        columns.append({"title": _cell(title), "align": "right" if numeric else "", "width": width})
    return {"columns": columns, "rows": [{"cells": row, "surplus": []} for row in texts]}


def _is_number(value: object) -> bool:
    if isinstance(value, str):
        # A number may be a text, which keeps its printed digits.
        return value.removeprefix("-").replace(".", "", 1).isdecimal()
    return isinstance(value, int | float) and not isinstance(value, bool)
