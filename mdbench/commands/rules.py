"""`mdbench rules`: what it looks for."""

from __future__ import annotations

import argparse

from mdbench.outputs import open_output
from mdbench.problems import OK
from mdbench.rules import RULES


def run_rules(_arguments: argparse.Namespace) -> int:
    """Print a line for each rule."""
    names = max(len(one.name) for one in RULES.values())
    with open_output(None) as sink:
        for one in RULES.values():
            line = f"{one.code}  {one.severity:7}  {one.name:{names}}  {one.summary}\n"
            sink.write(line.encode())
    return OK
