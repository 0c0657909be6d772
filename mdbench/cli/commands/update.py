"""`mdbench update`: bound tables and numbers brought in step with their results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple

from mdbench.cli.inputs import list_reports, load_configuration
from mdbench.cli.options import AddParser, ConfigOptions, add_config, add_paths, set_run
from mdbench.config.nearest import Nearest
from mdbench.config.settings import Settings
from mdbench.files.console import Console
from mdbench.files.discovery import STANDARD_INPUT
from mdbench.files.errors import OK, Errors, ProblemError, printable
from mdbench.files.reading import read_source
from mdbench.files.timeouts import run_within
from mdbench.files.writing import open_output, replace_file
from mdbench.linting.patches import write_patch
from mdbench.markdown.comments import may_bind
from mdbench.rendering.update_remarks import Wanted
from mdbench.rendering.updating import Updated, leave, update
from mdbench.results.database import Database, ResultsError, open_results
from mdbench.source import Source, SourceError
from mdbench.vocabulary.quantities import Vocabulary, extended_vocabulary

_DRIFTED = 1


class UpdateOptions(NamedTuple):
    """The options of `update`."""

    paths: Sequence[str]
    check: bool
    diff: bool
    add_rows: bool
    prune: bool
    configuration: ConfigOptions
    console: Console


class _Outcome(NamedTuple):
    """What became of a file."""

    path: str
    source: Source
    updated: Updated

    @property
    def is_changed(self) -> bool:
        return self.updated.source.text != self.source.text


def add_parser(add: AddParser) -> None:
    """Add the command."""
    parser = add(
        "update",
        summary="write results into the tables that are bound to them",
        description="Update the tables and numbers that a comment binds to results. "
        "Nothing else changes. Requires the extra `query`.",
        examples=("mdbench update README.md", "mdbench update --check", "mdbench update --diff"),
    )
    add_paths(parser, default="the current folder")
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; list what would change, with exit code 1 if anything would",
    )
    parser.add_argument(
        "--diff", action="store_true", help="write nothing; show what would change as a diff"
    )
    parser.add_argument(
        "--add-rows", action="store_true", help="add a row for each result that no row shows"
    )
    parser.add_argument("--prune", action="store_true", help="remove the rows without a result")
    add_config(parser)
    set_run(parser, UpdateOptions, run)


def run(options: UpdateOptions) -> int:
    """Update the reports; 1 if one is not in step or cannot be compared, 2 after an error."""
    settings = load_configuration(options.configuration)
    errors = Errors()
    nearest = Nearest(settings)
    # Bound tables are where people read them: in a README, too.
    asked = options.paths or settings.paths or (".",)
    paths = sorted(list_reports(asked, nearest, errors, options.console))
    if STANDARD_INPUT in paths:
        raise ProblemError("standard input cannot be updated in place; name a file")
    dry = options.check or options.diff
    changed = behind = 0
    with open_output(None) as sink:
        outcomes = _update_all(paths, nearest, options, errors)
        for one in options.console.track(outcomes, len(paths), "updating"):
            for line in _describe(one, options):
                sink.write(line.encode())
            if one.updated.problem:
                errors.report(f"{one.path}: left as it is: {one.updated.problem}")
            changed += one.is_changed and (dry or _write(one, errors))
            behind += one.updated.behind
        left = len(paths) - changed - errors.count
        done = "would be rewritten" if dry else "rewritten"
        if not options.diff and not options.console.quiet:
            unsure = f"; {behind} cannot be verified" if behind else ""
            sink.write(f"{_count(changed)} {done}, {left} unchanged{unsure}\n".encode())
    return errors.exit_code or (_DRIFTED if behind or (dry and changed) else OK)


def _update_all(
    paths: Sequence[str], nearest: Nearest, options: UpdateOptions, errors: Errors
) -> Iterator[_Outcome]:
    """What becomes of each file; the results of a configuration are opened once, if needed."""
    wanted = Wanted(options.add_rows, options.prune)
    databases: dict[str, Database] = {}
    with ExitStack() as stack:
        for path in paths:
            settings = nearest.for_file(path)
            try:
                source = read_source(path, path, settings.most_bytes)
                if not may_bind(source.text):
                    updated = leave(source)
                else:
                    vocabulary = extended_vocabulary(settings.extensions)
                    if settings.file not in databases:
                        databases[settings.file] = _open(stack, settings, vocabulary)
                    work = partial(update, source, vocabulary, databases[settings.file], wanted)
                    updated = run_within(settings.most_seconds, work)
            except SourceError as error:
                errors.report(f"{path}: {error}")
                continue
            yield _Outcome(path, source, updated)


def _open(stack: ExitStack, settings: Settings, vocabulary: Vocabulary) -> Database:
    try:
        return stack.enter_context(open_results(settings.results, vocabulary))
    except ResultsError as error:
        raise ProblemError(str(error)) from error


def _describe(one: _Outcome, options: UpdateOptions) -> Iterator[str]:
    if options.diff:
        yield from write_patch(one.source, one.updated.source)
        return
    for line in one.updated.told:
        yield f"{printable(f'{one.path}:{line}')}\n"


def _write(one: _Outcome, errors: Errors) -> bool:
    try:
        replace_file(one.path, one.source.to_bytes(), one.updated.source.to_bytes())
    except ProblemError as error:
        errors.report(str(error))
        return False
    return True


def _count(files: int) -> str:
    return "1 file" if files == 1 else f"{files} files"
