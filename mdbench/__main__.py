"""`python -m mdbench` is the command `mdbench`."""

from __future__ import annotations

import sys

from mdbench.cli import main

if __name__ == "__main__":
    sys.exit(main())
