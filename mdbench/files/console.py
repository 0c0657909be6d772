"""Messages and progress on standard error."""

import sys
from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import NamedTuple, TypeVar

from mdbench.files.errors import report_error

_Item = TypeVar("_Item")
_DELAY_S = 1.0


class Console(NamedTuple):
    """How much to print on standard error besides errors."""

    quiet: bool = False
    verbose: bool = False

    def log_step(self, message: str) -> None:
        """Print what is being done, with `--verbose`."""
        if self.verbose:
            report_error(message)

    def print(self, text: str) -> None:
        """Print a text as it is, unless standard error is closed."""
        if sys.stderr is not None:
            sys.stderr.write(text)

    def track(
        self,
        items: Iterable[_Item],
        total: int,
        action: str,
        *,
        prints: Callable[[_Item], bool] = lambda _: False,
        size: Callable[[_Item], int] = lambda _: 1,
    ) -> Iterator[_Item]:
        """Pass items through; after a second, show a progress bar on a terminal.

        The bar is hidden while the caller handles an item for which `prints` is true.
        """
        if self.quiet or sys.stderr is None or not sys.stderr.isatty():
            yield from items
            return
        started, done = monotonic(), 0
        iterator = iter(items)
        for item in iterator:
            done += size(item)
            yield item
            if monotonic() - started >= _DELAY_S:
                break
        else:
            return
        # Imported only for a bar: it takes half as long as linting a report.
        from tqdm import tqdm  # noqa: PLC0415

        with tqdm(
            desc=action, total=total, initial=done, unit="file", leave=False, miniters=1
        ) as bar:
            for item in iterator:
                if prints(item):
                    bar.clear()
                yield item
                bar.update(size(item))


STANDARD_CONSOLE = Console()
