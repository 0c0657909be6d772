"""The known word that is most like what somebody wrote."""

from collections.abc import Iterable

_ALIKE = 0.6


def find_nearest(written: str, known: Iterable[str], alike: float = _ALIKE) -> str:
    """The known word that is most like what was written; nothing where none is."""
    # Loaded only where something is wrong.
    from difflib import get_close_matches  # noqa: PLC0415

    folded = {one.casefold(): one for one in known}
    asked = written.casefold()
    near = get_close_matches(asked.replace("_", "-"), folded, 1, alike)
    near = near or get_close_matches(asked, folded, 1, alike)
    return folded[near[0]] if near else ""


def hint(written: str, known: Iterable[str], otherwise: str = "") -> str:
    """`; did you mean select?`, or something else to say where nothing is near."""
    nearest = find_nearest(written, known)
    return f"; did you mean {nearest}?" if nearest else otherwise
