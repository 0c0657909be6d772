"""Names in new rows, in the markup that all names of their column have."""

from __future__ import annotations

from mdbench.sheets.columns import Column

_CODE = "`"
_WRAPPERS = ("**", "__", "*", "_", _CODE)


def write_name(name: str, column: Column) -> str:
    """A name as its column writes it: in backticks, in bold, or as it is."""
    texts = [one.cell.raw for one in column.mains if one.cell.raw]
    text = " ".join(name.split()).replace("|", "\\|")
    around: list[str] = []
    while texts and (wrapper := _shared_wrapper(texts)):
        around.append(wrapper)
        size = len(wrapper)
        texts = [one[size:-size] for one in texts]
    for wrapper in reversed(around):
        text = _wrap(text, wrapper)
    return text


def _shared_wrapper(texts: list[str]) -> str:
    """What stands at both ends of all texts, and nowhere within."""
    return next((one for one in _WRAPPERS if all(_wraps(one, text) for text in texts)), "")


def _wraps(wrapper: str, text: str) -> bool:
    inside = text[len(wrapper) : -len(wrapper)]
    ends = text.startswith(wrapper) and text.endswith(wrapper)
    return ends and bool(inside) and wrapper not in inside


def _wrap(text: str, wrapper: str) -> str:
    if wrapper == _CODE and _CODE in text:
        return f"`` {text} ``"
    return f"{wrapper}{text}{wrapper}"
