"""MB901: a comment that silences nothing."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.rules.context import Context
from mdbench.rules.findings import Severity, Violation
from mdbench.rules.registry import rule


@rule("MB901", "unused-ignore", Severity.WARNING)
def unused_ignore(_context: Context) -> Iterator[Violation]:
    """A comment asks mdbench to ignore something that is not there.

    Once the report is fixed, the comment would only hide the next mistake. A comment with a word
    that mdbench does not understand is found too: it silences nothing.

    A comment behind a row holds for that row. Alone on a line it holds for the table that follows.
    `ignore-file` holds for the whole report. Several codes are separated by spaces, `MB2` stands
    for all codes that begin so, and without a code everything is ignored. What is said behind a
    colon is for people: `ignore MB103: two runs on purpose`. Comments about rules that did not run,
    as with `--select`, are not judged.

    ```bad
    | Nodes | TFLOPs |
    |------:|-------:|
    |     2 |   47.0 | «<!-- mdbench: ignore MB102 -->»
    |     4 |   46.1 |
    ```

    ```good
    | Nodes | TFLOPs |
    |------:|-------:|
    |     2 |   47.0 |
    |     4 |   46.1 |
    ```
    """
    # The checker reports this, once it knows what every rule has found.
    yield from ()
