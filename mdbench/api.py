"""The Python API. Strings are texts of reports; `lint(Path)`, `normalize` and `diff` read files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike, fspath
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from mdbench.config.loading import load_settings
from mdbench.files.errors import ProblemError
from mdbench.linting.plan import Options
from mdbench.linting.selection import Selection
from mdbench.rules.findings import Safety
from mdbench.rules.names import is_code
from mdbench.source import Source, SourceError, as_source
from mdbench.vocabulary.extensions import NO_EXTENSIONS, Extensions

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from mdbench.compare.changes import Change
    from mdbench.frames.findings import Findings
    from mdbench.frames.frame_columns import Shape, TidyRow
    from mdbench.results.files import ResultFiles
    from mdbench.sheets.report import Report

Path: TypeAlias = "str | PathLike[str]"

_NAME = "<text>"

# Functions import what they need: `lint` must not load pandas, nor `normalize` the renderer.
# ruff: noqa: PLC0415


def lint(
    report: Path | None = None,
    *,
    text: str | None = None,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    config: Path | None = None,
) -> Findings:
    """Find the numbers and facts in a report that do not add up, in the order of its text.

    The type of `report` says what it is: a `pathlib.Path` is a file to read, and a string is the
    text of a report. A string that looks like a path raises `ValueError`. `text` is always the text
    of a report.

    Each finding has `line` and `column`, and `str()` gives it as one line. Notebooks show the
    findings as the terminal does, and `to_pandas()` gives them as a DataFrame.

    `select` and `ignore` are rule codes or prefixes, as on the command line. `config` is a
    configuration file, of which the columns, quantities, relations, peaks and constants are used.
    Raises `ProblemError` if the configuration is invalid or the file cannot be read.
    """
    from mdbench.frames.findings import locate
    from mdbench.linting.checker import check

    source = _source(report, text)
    selection = Selection(_codes(select), _codes(ignore))
    options = Options(selection, _extensions(config), _results(config))
    return locate(source, check(source, options))


def fix(text: str, *, unsafe: bool = False, config: Path | None = None) -> str:
    """Fix a report without changing any measurement, which is verified.

    `unsafe` also applies fixes that change a number, if there is only one possible fix.
    """
    from mdbench.linting.fixer import fix as fix_source

    allowed = Safety.UNSAFE if unsafe else Safety.SAFE
    options = Options(extensions=_extensions(config), results=_results(config))
    return fix_source(as_source(text, _NAME), options, allowed=allowed).source.text


def update(text: str, *, config: Path, add_rows: bool = False, prune: bool = False) -> str:
    """Write the results that a configuration names into the tables and numbers bound to them.

    `add_rows` adds a row for each result that no row shows, `prune` removes the rows without one.
    Raises `ProblemError` if the results cannot be read, or if the updated report would contradict
    itself.
    """
    from mdbench.rendering.update_remarks import Wanted
    from mdbench.rendering.updating import update as update_source
    from mdbench.results.database import ResultsError, open_results
    from mdbench.vocabulary.quantities import extended_vocabulary

    settings = load_settings(fspath(config))
    vocabulary = extended_vocabulary(settings.extensions)
    try:
        with open_results(settings.results, vocabulary) as database:
            wanted = Wanted(add_rows, prune)
            updated = update_source(as_source(text, _NAME), vocabulary, database, wanted)
    except ResultsError as error:
        raise ProblemError(str(error)) from error
    if updated.problem:
        raise ProblemError(f"the report is left as it is: {updated.problem}")
    return updated.source.text


def render(
    text: str,
    *,
    minimal: bool = False,
    recompute: bool = False,
    annotate: bool = False,
    config: Path | None = None,
) -> str:
    """Write a clean version of a report with the same measurements.

    `minimal` leaves clean tables unchanged, `recompute` fills in missing derived cells, and
    `annotate` adds the findings as footnotes to their cells.
    """
    from mdbench.rendering.markdown import Rendering, render_markdown
    from mdbench.vocabulary.quantities import extended_vocabulary

    rendering = Rendering(minimal, recompute, annotate)
    vocabulary = extended_vocabulary(_extensions(config))
    return render_markdown(as_source(text, _NAME), vocabulary, rendering).text


def parse(text: str, *, config: Path | None = None) -> Report:
    """Read a report into its tables, runs, settings and claims."""
    from mdbench.sheets.report import read_report
    from mdbench.vocabulary.quantities import extended_vocabulary

    return read_report(as_source(text, _NAME), extended_vocabulary(_extensions(config)))


def normalize(
    paths: Path | Iterable[Path],
    shape: str = "runs",
    *,
    drop_empty: bool = False,
    config: Path | None = None,
) -> pd.DataFrame:
    """Read reports into a tidy DataFrame, `runs` or `cells`; folders are searched for Markdown.

    Whole numbers are `Int64`, flags `boolean`, texts `string` and all other numbers `float64`,
    whatever the reports contain. `extra` is a dict in each row, `markers` and `findings` are lists.
    `frame.attrs["units"]` has the units of the columns. `drop_empty` leaves out the columns that
    are empty in all rows; a frame without rows keeps all columns. `frame.bench` has the units, the
    best configuration, speed-ups and scaling efficiency.
    Raises `ProblemError` if a path does not exist or a file cannot be read.
    """
    from mdbench.frames.pandas import make_frame

    return make_frame(normalize_arrow(paths, shape, drop_empty=drop_empty, config=config))


def normalize_arrow(
    paths: Path | Iterable[Path],
    shape: str = "runs",
    *,
    drop_empty: bool = False,
    config: Path | None = None,
) -> pa.Table:
    """Like `normalize`, as a pyarrow Table, which polars and DuckDB read without a copy.

    It supports the Arrow PyCapsule interface: `polars.DataFrame(table)`,
    `duckdb.from_arrow(table)`.
    """
    from mdbench.frames import frame_columns as frames
    from mdbench.frames.pandas import make_table, schema_of
    from mdbench.vocabulary.quantities import extended_vocabulary

    wanted = [paths] if isinstance(paths, str | PathLike) else paths
    kind, extensions = frames.Shape(shape), _extensions(config)
    columns = frames.fields(kind, extended_vocabulary(extensions))
    rows: Iterable[TidyRow] = _read_rows([fspath(path) for path in wanted], kind, extensions)
    if drop_empty:
        rows, columns = frames.drop_empty(rows, columns)
    return make_table(rows, schema_of(columns, kind))


def diff(
    old: Path, new: Path, paths: Iterable[Path] = (), *, config: Path | None = None
) -> tuple[Change, ...]:
    """List the measurements that changed between two files, folders or git revisions.

    Raises `ProblemError` if a version does not exist or one of its files cannot be read.
    """
    from mdbench.compare.diff import compare_pair, pair_reports
    from mdbench.compare.versions import Scope, open_versions
    from mdbench.vocabulary.quantities import extended_vocabulary

    scope = Scope(paths=[fspath(path) for path in paths])
    versions = open_versions([fspath(old), fspath(new)], scope, _refuse)
    vocabulary = extended_vocabulary(_extensions(config))
    pairs = pair_reports(*versions, vocabulary, _refuse)
    return tuple(change for pair in pairs for change in compare_pair(pair, vocabulary, _refuse))


def _source(report: Path | None, text: str | None) -> Source:
    """The report to check: a file if it is a path by its type, else a text."""
    if text is not None and report is not None:
        raise TypeError("pass a report or text=, not both")
    given: object = text
    if isinstance(given, str):
        return Source(_NAME, given)
    if given is not None:
        raise TypeError(f"text is a str, not {type(given).__name__}")
    if not isinstance(report, PathLike):
        return as_source(report, _NAME)
    from mdbench.files.reading import read_source

    path = fspath(report)
    try:
        return read_source(path)
    except SourceError as error:
        raise ProblemError(f"{path}: {error}") from error


def _read_rows(paths: list[str], shape: Shape, extensions: Extensions) -> Iterator[TidyRow]:
    from mdbench.files.discovery import DiscoveryError, find_reports
    from mdbench.frames.rows import read_rows
    from mdbench.sheets.report_files import Reading

    path = ""
    try:
        for path in find_reports(paths):
            yield from read_rows(path, shape, Reading(extensions))
    except DiscoveryError as error:
        raise ProblemError(str(error)) from error
    except SourceError as error:
        raise ProblemError(f"{path}: {error}") from error


def _extensions(config: Path | None) -> Extensions:
    return NO_EXTENSIONS if config is None else load_settings(fspath(config)).extensions


def _results(config: Path | None) -> ResultFiles | None:
    return None if config is None else load_settings(fspath(config)).results


def _codes(asked: Iterable[str]) -> tuple[str, ...]:
    codes = (asked,) if isinstance(asked, str) else tuple(asked)
    for code in codes:
        if not is_code(code):
            raise ValueError(f"{code!r} is neither a rule code nor a prefix of one")
    return codes


def _refuse(message: str) -> NoReturn:
    raise ProblemError(message)
