"""Runs Python code from standard input; prints each statement with its output, as JSON."""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import sys
from collections.abc import Iterator

Names = dict[str, object]


def run_session(text: str, names: Names) -> Iterator[tuple[str, str]]:
    """The statements after `>>>`, with their prompts, and the output of each."""
    for example in doctest.DocTestParser().get_examples(text):
        first, *rest = example.source.splitlines(keepends=True)
        shown = ">>> " + first + "".join(f"... {line}" for line in rest)
        yield shown, _run(example.source, "single", names)


def _run(code: str, mode: str, names: Names) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "<docs>", mode), names)
    return "".join(f"{line.rstrip()}\n" for line in printed.getvalue().splitlines())


if __name__ == "__main__":
    names: Names = {"__name__": "__main__"}
    text = sys.stdin.read()
    if sys.argv[1] == "pycon":
        steps = list(run_session(text, names))
    else:
        steps = [(text, _run(text, "exec", names))]
    json.dump(steps, sys.stdout)
