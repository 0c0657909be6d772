"""Tables of results for tests: the fixtures, or files that a test writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from mdbench.results.database import Database, open_results
from mdbench.results.files import ResultFiles
from mdbench.vocabulary.quantities import standard_vocabulary

Open = Callable[[Path, Mapping[str, str]], Database]


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """What tools wrote."""
    return Path(__file__).parent / "fixtures"


@pytest.fixture
def opened() -> Iterator[Open]:
    """Open tables by their names and patterns, until the test ends."""
    with ExitStack() as stack:

        def execute(folder: Path, patterns: Mapping[str, str]) -> Database:
            files = ResultFiles(str(folder), tuple(patterns.items()))
            return stack.enter_context(open_results(files, standard_vocabulary()))

        yield execute
