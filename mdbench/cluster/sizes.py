"""The size of a partition: files, such as `5000`, or bytes, such as `8MB`."""

from typing import NamedTuple

from mdbench.files.limits import read_size

PARTITION_SIZE = "8MB"


class Size(NamedTuple):
    """A number of files or of bytes; only one of them is limited."""

    files: int | None = None
    bytes: int | None = None

    def allows(self, files: int, weight: int) -> bool:
        """Whether this many files and bytes fit."""
        if self.files is not None:
            return files <= self.files
        return self.bytes is None or weight <= self.bytes

    def parts(self, files: int, weight: int) -> int:
        """The number of parts to split this many files and bytes into."""
        amount, most = (files, self.files) if self.files is not None else (weight, self.bytes)
        # At most one part per file.
        return 1 if most is None else max(1, min(files, -(-amount // most)))


def read_amount(text: str) -> Size:
    """Parse a size: a bare number counts files, one with a unit bytes; or `ValueError`."""
    amount = read_size(text)
    if not amount:
        raise ValueError(f"{text!r} is not a size, such as 5000 for files or 8MB for bytes")
    return Size(files=amount) if text.strip().isdecimal() else Size(bytes=amount)
