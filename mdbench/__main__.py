"""`python -m mdbench` and the script `mdbench`."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from typing import NoReturn

_INTERRUPTED = 130


def run() -> NoReturn:
    """Run the command line, and end the process."""
    # Reports make hardly any garbage; collecting it takes as long as a rule.
    gc.set_threshold(500_000)
    try:
        from mdbench.cli.main import main  # noqa: PLC0415 - with that threshold

        code = main()
    except KeyboardInterrupt:
        # While modules were loaded, or after the work.
        code = _INTERRUPTED
    # Without tearing down the interpreter, as `mypy.util.hard_exit`: that saves a tenth.
    with suppress(OSError):
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
        if _works_alone():
            os._exit(code)
    sys.exit(code)


def _works_alone() -> bool:
    """Whether no other thread or process may still be at work. Many modules load `threading`."""
    threads = sys.modules.get("threading")
    alone = threads is None or threads.active_count() == 1
    return alone and "multiprocessing" not in sys.modules


if __name__ == "__main__":
    run()
