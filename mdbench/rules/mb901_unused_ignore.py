"""MB901: an ignore comment that suppresses nothing."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.rules.context import Context
from mdbench.rules.findings import Severity, Violation
from mdbench.rules.registry import rule


@rule("MB901", "unused-ignore", Severity.WARNING)
def unused_ignore(_context: Context) -> Iterator[Violation]:
    """An ignore comment suppresses nothing.

    Once the report is fixed, the comment could only hide the next mistake. A comment with a word
    that mdbench does not understand is reported too, because it suppresses nothing.

    A comment at the end of a row applies to that row. On a line of its own it applies to the next
    table. `ignore-file` applies to the whole report, `disable` to what follows up to `enable`, and
    `disable-next-line` to the next line. Separate several codes or names of rules with spaces;
    `MB2` stands for all codes that start with it, and without a code everything is ignored.
    Comments that only look like these, such as `mdbench-disable`, are reported too. Text after a
    colon is for readers: `ignore MB103: two runs on purpose`. Comments about rules that did not
    run, for example because of `--select`, are not checked.

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
    # The checker reports this, once all rules have run.
    yield from ()
