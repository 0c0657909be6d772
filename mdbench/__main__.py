"""`python -m mdbench` is the command `mdbench`."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from typing import NoReturn

# A run over one report makes hardly any garbage: to look for it takes as long as a rule.
_WORTH_COLLECTING = 100_000
# What has threads or processes has more to do at its end than to print.
_HAVE_TO_END = ("threading", "multiprocessing")


def run() -> int:
    """Run the command as a process of its own."""
    gc.set_threshold(_WORTH_COLLECTING)
    # There is much to load, and what that leaves behind is no garbage either.
    from mdbench.cli.main import main  # noqa: PLC0415

    return main()


def run_and_end() -> NoReturn:
    """The same for the script `mdbench`, which nobody looks into while it runs.

    It does not take down piece by piece what ends anyway.
    """
    code = run()
    with suppress(OSError):
        for stream in (sys.stdout, sys.stderr):
            # Python has none if it was started with a closed one.
            if stream is not None:
                stream.flush()
        if not any(name in sys.modules for name in _HAVE_TO_END):
            os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    sys.exit(run())
