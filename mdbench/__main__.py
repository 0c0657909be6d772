"""`python -m mdbench` is the command `mdbench`."""

from __future__ import annotations

import gc
import os
import sys

# A run over one report makes hardly any garbage: to look for it takes as long as a rule.
_WORTH_COLLECTING = 100_000
# What has threads, processes or something to measure has more to do at its end than to print.
_HAVE_TO_END = ("threading", "multiprocessing", "cProfile", "profile", "trace")


def run() -> None:
    """Run the command and end the process.

    To take down piece by piece what ends anyway is a tenth of the time that a report takes.
    """
    gc.set_threshold(_WORTH_COLLECTING)
    # There is much to load, and what that leaves behind is no garbage either.
    from mdbench.cli import main  # noqa: PLC0415

    code = main()
    if any(name in sys.modules for name in _HAVE_TO_END):
        sys.exit(code)
    try:
        for stream in (sys.stdout, sys.stderr):
            # Python has none if it was started with a closed one.
            if stream is not None:
                stream.flush()
    except OSError:
        sys.exit(code)
    os._exit(code)


if __name__ == "__main__":
    run()
