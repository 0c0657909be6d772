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
    # One report makes hardly any garbage; collecting it takes as long as a rule.
    gc.set_threshold(100_000)
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
        if not {"threading", "multiprocessing"} & sys.modules.keys():
            os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    run()
