"""`mdbench completion SHELL`: what a shell needs to complete mdbench's commands and options."""

from __future__ import annotations

import argparse

from mdbench.cli.completion.bash import write_bash
from mdbench.cli.completion.fish import write_fish
from mdbench.cli.completion.tree import find_commands, read_tree
from mdbench.cli.completion.zsh import write_zsh
from mdbench.cli.topics import topics
from mdbench.errors import OK
from mdbench.files.writing import open_output
from mdbench.rules.loading import RULES

_WRITERS = {"bash": write_bash, "zsh": write_zsh, "fish": write_fish}


def run_completion(arguments: argparse.Namespace) -> int:
    """Print the script."""
    parser: argparse.ArgumentParser = arguments.parser
    codes = tuple(RULES)
    words = {
        "CODE": (*codes, *(one.name for one in RULES.values())),
        "CODES": (*dict.fromkeys(code[:3] for code in codes), *codes),
        "TOPIC": (*topics(), *find_commands(parser), *codes),
    }
    script = _WRITERS[arguments.shell](read_tree(parser, words))
    with open_output(None) as sink:
        sink.write(script.encode())
    return OK
