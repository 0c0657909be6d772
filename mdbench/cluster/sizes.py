"""The size of a partition: files, such as `5000`, or bytes, such as `8MB`."""

from typing import NamedTuple

from mdbench.files.limits import read_size

PARTITION_SIZE = "8MB"


class Size(NamedTuple):
    """A number of files or of bytes; only one of them is limited."""

    files: int | None = None
    bytes: int | None = None

    def parts(self, files: int, weight: int) -> int:
        """The number of parts to split this many files and bytes into."""
        amount, most = (weight, self.bytes) if self.files is None else (files, self.files)
        return max(1, -(-amount // most)) if most else 1


def read_amount(text: str) -> Size:
    """Parse a size: a bare number counts files, one with a unit bytes; or `ValueError`."""
    amount = read_size(text)
    if not amount:
        raise ValueError(f"{text!r} is not a size, such as 5000 for files or 8MB for bytes")
    return Size(files=amount) if text.strip().isdecimal() else Size(bytes=amount)
