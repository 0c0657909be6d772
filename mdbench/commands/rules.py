"""`mdbench rules`: what it looks for."""

from __future__ import annotations

import argparse
import sys

from mdbench.problems import OK
from mdbench.rules import RULES


def run_rules(_arguments: argparse.Namespace) -> int:
    """Print a line for each rule."""
    names = max(len(one.name) for one in RULES.values())
    for one in RULES.values():
        sys.stdout.write(f"{one.code}  {one.severity:7}  {one.name:{names}}  {one.summary}\n")
    return OK
