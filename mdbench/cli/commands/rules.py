"""`mdbench rules`: what it looks for."""

from __future__ import annotations

import argparse

from mdbench.errors import OK
from mdbench.files.writing import open_output
from mdbench.rules.loading import RULES


def run_rules(_arguments: argparse.Namespace) -> int:
    """Print a line for each rule."""
    names = max(len(one.name) for one in RULES.values())
    with open_output(None) as sink:
        for one in RULES.values():
            line = f"{one.code}  {one.severity:7}  {one.name:{names}}  {one.summary}\n"
            sink.write(line.encode())
    return OK
