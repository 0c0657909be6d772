"""What the columns of one table are, taken together: which titles stand beside which."""

from __future__ import annotations

from mdbench.sheets.cell_kinds import BY_SIZES
from mdbench.vocabulary.headers import BY_CELLS, Header
from mdbench.vocabulary.quantities import quantity, squash

_ROUGE = frozenset(("R1", "R2", "RL"))
_TIMED = frozenset("time real realtime wall walltime wallclock elapsed 时间 時間 시간".split())


def with_context(settled: list[Header]) -> list[Header]:
    """The headers; with `70B` a name where the parameters have a column, and R1, R2, RL scores."""
    sizes = [header.quantity == quantity("params") for header in settled]
    words = {header.text.split(maxsplit=1)[0] for header in settled if header.text.strip()}
    named, rouge = sum(sizes) > 1, words >= _ROUGE
    titles = {squash(header.text) for header in settled}
    for at, header in enumerate(settled):
        one = header.quantity
        if named and header.why == BY_SIZES:
            settled[at] = header._replace(quantity=quantity("model"), why="a name beside the size")
        elif rouge and header.quantity is None and _ROUGE & set(header.text.split()[:1]):
            settled[at] = header._replace(quantity=quantity("score"), why="ROUGE, as beside it")
        elif "tp" in titles and one == quantity("tp") and squash(header.text) == "mp":
            # All the parts of a model, also those of its pipeline.
            settled[at] = header._replace(quantity=None, why="beside TP")
        elif one == quantity("cpu_time_s") and squash(header.text) == "cpu" and not titles & _TIMED:
            # The time on a CPU, between those on other devices.
            settled[at] = header._replace(quantity=quantity("time_s"), why=BY_CELLS)
    if sum(_is_of_product(header) for header in settled) == 1:
        # One letter alone is no side of a matrix.
        settled = [
            one._replace(quantity=None, why="unknown") if _is_of_product(one) else one
            for one in settled
        ]
    return settled


def _is_of_product(header: Header) -> bool:
    bare = len(header.text.strip()) == 1
    return bare and header.quantity is not None and header.quantity.name.startswith("gemm_")
