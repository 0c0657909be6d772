"""Render one file, and choose where its output is written."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from mdbench.files.discovery import STANDARD_INPUT
from mdbench.files.errors import ProblemError
from mdbench.files.reading import read_source, report_name
from mdbench.files.timeouts import run_within
from mdbench.rendering.markdown import Rendering, render_markdown
from mdbench.sheets.report_files import STANDARD, Reading
from mdbench.source import SUFFIXES, Source, SourceError
from mdbench.vocabulary.quantities import Vocabulary

_STANDARD_NAME = "stdin.md"
PAGES = (".html", ".htm")
# A template may write anything that is text.
_FILES = (*SUFFIXES, *PAGES, ".txt", ".tex", ".rst")


class RenderPlan(NamedTuple):
    """What to do with each file."""

    rendering: Rendering
    template: str | None = None
    reading: Reading = STANDARD


class Rendered(NamedTuple):
    """The result for a file: its old and new bytes, or an error."""

    path: str
    name: str
    old: bytes = b""
    new: bytes = b""
    error: str = ""


def render_file(path: str, plan: RenderPlan) -> Rendered:
    """Render one file; errors in a template are raised."""
    name = report_name(path, plan.reading.stdin_name)
    plan = plan._replace(reading=plan.reading.for_file(path))
    try:
        source = read_source(path, plan.reading.stdin_name, plan.reading.most_bytes)
        new = run_within(plan.reading.most_seconds, partial(_render, source, plan))
        return Rendered(path, name, source.to_bytes(), new)
    except SourceError as error:
        return Rendered(path, name, error=str(error))
    except ProblemError:
        raise
    except Exception as error:  # noqa: BLE001 - one report must not stop the others
        said = " ".join(f"{type(error).__name__}: {error}".split())
        return Rendered(path, name, error=f"cannot be rendered, a bug in mdbench: {said}")


def _render(source: Source, plan: RenderPlan) -> bytes:
    if plan.template is None:
        return render_markdown(source, plan.reading.vocabulary, plan.rendering).to_bytes()
    if plan.rendering.recompute:
        from mdbench.rendering.computing import recompute  # noqa: PLC0415

        source = recompute(source, plan.reading.vocabulary)
    return fill_report(source, plan.template, plan.reading.vocabulary)


def fill_report(source: Source, template: str, vocabulary: Vocabulary) -> bytes:
    """Fill in a template with the data of a report."""
    from mdbench.rendering.template_data import describe_report  # noqa: PLC0415
    from mdbench.rendering.templates import fill_template  # noqa: PLC0415

    text = fill_template(template, describe_report(source, vocabulary))
    return text.encode("utf-8", "backslashreplace")


def name_targets(paths: Sequence[str], folder: str, stdin_name: str) -> dict[str, str]:
    """The path of each file in an output folder: its relative name, kept inside the folder.

    If the folder has the suffix of a file and is none, it is the path of the only file.
    """
    if folder.lower().endswith(_FILES) and not os.path.isdir(folder):
        if len(paths) != 1:
            told = f"is one file, but there are {len(paths)} reports; name a folder"
            raise ProblemError(f"{folder}: {told}")
        if os.path.realpath(folder) == os.path.realpath(paths[0]):
            raise ProblemError(f"{folder}: would be overwritten; use -w to do that")
        return {paths[0]: folder}
    outside = [path for path in paths if _leads_out(path)]
    root = os.path.commonpath([os.path.dirname(os.path.abspath(one)) for one in outside] or ["/"])
    targets: dict[str, str] = {}
    for path in paths:
        if path == STANDARD_INPUT:
            named = stdin_name and not stdin_name.startswith("<")
            name = os.path.basename(stdin_name) if named else _STANDARD_NAME
        elif _leads_out(path):
            name = os.path.relpath(os.path.abspath(path), root)
        else:
            name = os.path.normpath(path)
        target = os.path.join(folder, name)
        if target in targets.values():
            raise ProblemError(f"{target}: two reports would be written to it")
        if os.path.realpath(target) == os.path.realpath(path):
            raise ProblemError(f"{path}: would be overwritten; use -w to do that")
        targets[path] = target
    return targets


def _leads_out(path: str) -> bool:
    if path == STANDARD_INPUT:
        return False
    return os.path.isabs(path) or os.path.normpath(path).split(os.sep)[0] == os.pardir
