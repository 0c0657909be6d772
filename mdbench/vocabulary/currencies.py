"""Signs of currencies in headers: `Energy cost ($)` is no energy, and `Cost (€)` not in dollars."""

from mdbench.regex import lazy
from mdbench.vocabulary.quantities import Quantity

_SIGN = lazy(r"[(\[]\s?([$€£])\s?[)\]]")


def is_other_money(text: str, quantity: Quantity | None) -> bool:
    """Whether a header names a currency as its unit that a quantity is not in."""
    if quantity is None or not ("$" in text or "€" in text or "£" in text):
        return False
    sign = _SIGN.search(text)
    in_dollars = any(one.startswith("usd") for one in quantity.dimensions)
    return sign is not None and not (in_dollars and sign[1] == "$")
