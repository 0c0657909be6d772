"""Write the files of the site: all pages are made before the first one is written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from mdbench import __version__
from mdbench.compare.history import History, read_history
from mdbench.files.console import STANDARD_CONSOLE, Console
from mdbench.files.discovery import STANDARD_INPUT
from mdbench.files.errors import ProblemError, ReportError
from mdbench.files.errors import report_error as print_error
from mdbench.files.workers import default_jobs, map_files
from mdbench.files.writing import open_output
from mdbench.rendering.resources import template_folder
from mdbench.rendering.site.extra import require_extra
from mdbench.rendering.site.index_chart import plot_across
from mdbench.rendering.site.index_page import ListedReport, make_index
from mdbench.rendering.site.names import name_pages, show_paths
from mdbench.rendering.site.pages import PageResult, read_page
from mdbench.rendering.site.plots import Plot, choose_plots
from mdbench.rendering.site.trends import make_trends, plot_trends
from mdbench.rendering.site.views import Page
from mdbench.rendering.templates import environment
from mdbench.results.files import ResultFiles
from mdbench.sheets.report_files import STANDARD, Reading

_PAGES = "reports"
_HISTORY = "history"
_ASSETS = "assets"
_VEGA = f"{_ASSETS}/vega.js"
_SIGNATURE = b'<meta name="generator" content="mdbench '
_HEAD_BYTES = 4096


class Site(NamedTuple):
    """The written files, and existing files that do not belong to the site."""

    folder: str
    pages: tuple[str, ...]
    stale: tuple[str, ...]


def write_site(  # noqa: PLR0913 - all but two have defaults
    paths: Sequence[str],
    folder: str,
    *,
    report_error: ReportError = print_error,
    reading: Reading = STANDARD,
    results: ResultFiles | None = None,
    jobs: int | None = 1,
    console: Console = STANDARD_CONSOLE,
    history: bool = False,
) -> Site:
    """Write a page for each report and an index; unreadable files are skipped.

    If `jobs` is None, one process per core is used. With `history`, there is a page with the
    history of each report that has one in git.
    """
    require_extra()
    pages: list[Page] = []
    read = partial(read_page, reading=reading, results=results)
    for name, page, error in _read(paths, read, jobs, console):
        if page is None:
            report_error(f"{name}: {error}")
        else:
            pages.append(page)
    histories = _read_histories(pages, reading) if history else {}
    files = dict(_make_files(pages, histories))
    _refuse_strangers(folder, files)
    for name, data in files.items():
        _write(os.path.join(folder, name), data)
    stale = tuple(_find_stale(folder, files))
    if stale:
        shown = ", ".join(stale[:3]) + (f" and {len(stale) - 3} more" if len(stale) > 3 else "")
        print_error(f"{folder}: not part of this site, and left as found: {shown}")
    return Site(folder, tuple(filter(_is_page, files)), stale)


def _read(
    paths: Sequence[str], read: Callable[[str], PageResult], jobs: int | None, console: Console
) -> Iterator[PageResult]:
    # Standard input can be read here only.
    jobs = 1 if STANDARD_INPUT in paths else jobs
    outcomes = map_files(read, paths, jobs=jobs or default_jobs())
    return console.track(outcomes, len(paths), "reading")


def _read_histories(pages: Sequence[Page], reading: Reading) -> dict[str, History]:
    """The histories of the reports that have one; why others have none is said in one line."""
    found = {page.path: read_history(page.path, reading.vocabulary) for page in pages}
    missing = {path: one.note for path, one in found.items() if not one.moments}
    if missing:
        path, note = next(iter(missing.items()))
        others = len(missing) - 1
        told = "1 other report has" if others == 1 else f"{others} other reports have"
        print_error(f"{path}: no history: {note}" + (f"; {told} none either" if others else ""))
    return {path: one for path, one in found.items() if one.moments}


def _make_files(
    pages: Sequence[Page], histories: Mapping[str, History]
) -> Iterator[tuple[str, bytes]]:
    """All files of the site; the index comes last, after the pages it links to."""
    # Imported lazily: Altair is slow to import.
    from mdbench.rendering.site.drawing import draw, vega_script  # noqa: PLC0415

    make = environment()
    names = name_pages([page.path for page in pages])
    pasts = [histories.get(page.path) for page in pages]
    shown = show_paths([page.path for page in pages])
    pages = [replace(page, path=path) for page, path in zip(pages, shown, strict=True)]
    entries = [
        ListedReport(page, f"{_PAGES}/{quote(name)}.html")
        for page, name in zip(pages, names, strict=True)
    ]
    yield from _assets()
    yield _VEGA, vega_script().encode()

    def render(template: str, plots: Sequence[Plot], root: str, **data: object) -> bytes:
        charts = [{"plot": plot, "spec": draw(plot)} for plot in plots]
        text = make.get_template(f"site/{template}").render(
            charts=charts, root=root, version=__version__, **data
        )
        return text.encode("utf-8", "backslashreplace")

    for entry, name, past in zip(entries, names, pasts, strict=True):
        page = entry.page
        plots: list[Plot] = list(choose_plots(page.runs))
        link = f"{_HISTORY}/{quote(name)}.html" if past else ""
        made = render("report.html.j2", plots, "../", page=page, history=link)
        yield f"{_PAGES}/{name}.html", made
        if past:
            titles = {one.name: one.title for one in page.columns}
            plots, trends = list(plot_trends(past, titles)), make_trends(past)
            told = {"page": page, "trends": trends, "titles": titles, "report": entry.href}
            yield f"{_HISTORY}/{name}.html", render("history.html.j2", plots, "../", **told)
    plots = list(plot_across(entries))
    yield "index.html", render("index.html.j2", plots, "", index=make_index(entries))


def _assets() -> Iterator[tuple[str, bytes]]:
    for path in sorted((template_folder() / "site" / _ASSETS).iterdir()):
        yield f"{_ASSETS}/{path.name}", path.read_bytes()


def _refuse_strangers(folder: str, files: dict[str, bytes]) -> None:
    """Overwrite only files that mdbench wrote: a folder may contain a foreign index.html."""
    there = [name for name in files if os.path.lexists(os.path.join(folder, name))]
    pages = {name: _is_ours(os.path.join(folder, name)) for name in there if _is_page(name)}
    strangers = [name for name in there if not pages.get(name, any(pages.values()))]
    if strangers:
        raise ProblemError(
            f"{folder}: contains {strangers[0]}, which mdbench did not write; choose another folder"
        )


def _is_page(name: str) -> bool:
    return name.endswith(".html")


def _is_ours(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return _SIGNATURE in file.read(_HEAD_BYTES)
    except OSError as error:
        raise ProblemError(f"{path}: cannot be read: {error.strerror or error}") from error


def _write(path: str, data: bytes) -> None:
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    except OSError as error:
        raise ProblemError(f"{path}: cannot be written: {error.strerror or error}") from error
    with open_output(path) as sink:
        sink.write(data)


def _find_stale(folder: str, files: dict[str, bytes]) -> Iterator[str]:
    """Pages in the folder that do not belong to this site, from an earlier run or elsewhere."""
    for kind in (_PAGES, _HISTORY):
        for path in sorted(Path(folder, kind).glob("*.html")):
            name = f"{kind}/{path.name}"
            if name not in files:
                yield name
