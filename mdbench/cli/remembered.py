"""What `lint` remembers, as its options and the settings say."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from mdbench.cli.settings import split_codes

if TYPE_CHECKING:
    from mdbench.config.settings import Settings
    from mdbench.linting.cache.memory import Memory


def open_remembered(arguments: argparse.Namespace, settings: Settings) -> Memory | None:
    """What was found before under settings that need not have been checked yet; None to ask nobody.

    What is fixed is checked anew in any case, as each fix must be proved.
    """
    if arguments.no_cache or arguments.fix or arguments.diff:
        return None
    # Loaded only where it is wanted.
    from mdbench.linting.cache.opening import open_memory  # noqa: PLC0415

    asked = split_codes(arguments.select), split_codes(arguments.ignore)
    return open_memory(settings.stated, settings.folder, asked)
