"""`mdbench diff`: which measurements changed between two versions of reports."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from mdbench.compare import showing
from mdbench.compare.changes import Change
from mdbench.compare.diff import compare_pair, pair_reports
from mdbench.compare.versions import Scope, open_versions
from mdbench.config.settings import Settings
from mdbench.errors import Complaints
from mdbench.files.progress import show_progress
from mdbench.files.writing import on_terminal, open_output
from mdbench.output.terminal import choose_palette
from mdbench.vocabulary.quantities import extended_vocabulary

_CHANGES = 1


def run_diff(arguments: argparse.Namespace) -> int:
    """Show the changes; 1 if there are some, 2 if a file could not be read."""
    complain = Complaints()
    settings: Settings = arguments.settings
    scope = Scope(
        arguments.paths,
        settings.paths,
        settings.exclude,
        settings.force_exclude,
        settings.most_bytes,
    )
    old, new = open_versions(arguments.versions, scope, complain)
    vocabulary = extended_vocabulary(settings.extensions)
    pairs = pair_reports(old, new, vocabulary, complain)
    changes = [
        change
        for pair in show_progress(pairs, len(pairs), "comparing")
        for change in compare_pair(pair, vocabulary, complain)
    ]
    with open_output(arguments.output) as sink:
        for line in _show(changes, arguments):
            sink.write(line.encode())
    return complain.exit_code or (_CHANGES if changes else 0)


def _show(changes: Sequence[Change], arguments: argparse.Namespace) -> Iterator[str]:
    if arguments.format == "json":
        return showing.to_json(changes)
    if arguments.format == "markdown":
        return showing.to_markdown(changes)
    terminal = on_terminal(arguments.output)
    return showing.to_text(changes, choose_palette(terminal=terminal))
