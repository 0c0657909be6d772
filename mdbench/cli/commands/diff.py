"""`mdbench diff`: which measurements changed between two versions of reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdbench.cli.inputs import load_configuration
from mdbench.cli.options import (
    AddParser,
    ConfigOptions,
    add_color,
    add_config,
    add_format,
    add_output,
    set_run,
)
from mdbench.compare import showing
from mdbench.compare.changes import Change
from mdbench.compare.diff import compare_pair, pair_reports
from mdbench.compare.versions import Scope, open_versions
from mdbench.files.console import Console
from mdbench.files.errors import OK, Errors
from mdbench.files.writing import on_terminal, open_output
from mdbench.output.terminal import choose_palette
from mdbench.vocabulary.quantities import extended_vocabulary

_CHANGES = 1


class DiffOptions(NamedTuple):
    """The options of `diff`."""

    versions: Sequence[str]
    paths: Sequence[str]
    """What follows the two dashes."""
    format: str
    color: str
    output: str | None
    configuration: ConfigOptions
    console: Console


def add_parser(add: AddParser) -> None:
    """Add the command."""
    parser = add(
        "diff",
        summary="list the measurements that changed between two versions of reports",
        usage="mdbench diff [-h] [--format FORMAT] [-o FILE] [OLD] [NEW] [-- PATH ...]",
        description="List measurements that changed, appeared or disappeared, run by run: exit "
        "code 0 if there are none, else 1. A version is a file, a folder or a git revision; NEW "
        "defaults to the current files, and OLD to HEAD.",
        examples=("mdbench diff old.md new.md", "mdbench diff main..HEAD -- reports/"),
    )
    parser.add_argument(
        "versions", nargs="*", metavar="VERSION", help="OLD and NEW, or revisions as OLD..NEW"
    )
    add_format(
        parser,
        ("text", "markdown", "json"),
        "text",
        help_text="output format (default: text); markdown is for pull requests",
    )
    add_color(parser)
    add_output(parser)
    add_config(parser)
    parser.set_defaults(paths=())
    set_run(parser, DiffOptions, run)


def run(options: DiffOptions) -> int:
    """Show the changes; 1 if there are any, 2 if a file could not be read."""
    errors = Errors()
    settings = load_configuration(options.configuration)
    scope = Scope(
        options.paths,
        settings.paths,
        settings.exclude,
        settings.force_exclude,
        settings.most_bytes,
    )
    old, new = open_versions(options.versions, scope, errors.report)
    vocabulary = extended_vocabulary(settings.extensions)
    pairs = pair_reports(old, new, vocabulary, errors.report)
    changes = [
        change
        for pair in options.console.track(pairs, len(pairs), "comparing")
        for change in compare_pair(pair, vocabulary, errors.report)
    ]
    with open_output(options.output) as sink:
        for line in _show(changes, options):
            sink.write(line.encode())
    return errors.exit_code or (_CHANGES if changes else OK)


def _show(changes: Sequence[Change], options: DiffOptions) -> Iterator[str]:
    if options.format == "json":
        return showing.to_json(changes)
    if options.format == "markdown":
        return showing.to_markdown(changes)
    return showing.to_text(
        changes, choose_palette(options.color, terminal=on_terminal(options.output))
    )
