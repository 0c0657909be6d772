"""What type hints are made of, without `typing`, which takes longer to load than a rule.

Hints are never evaluated here, so that a command has no use for these but to inherit from them. A
type checker sees the standard ones.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import IO, Any, Generic, Literal, NoReturn, Protocol, TypeAlias, TypeVar
else:
    Any = IO = Literal = NoReturn = Protocol = TypeAlias = object

    class Generic:
        """A class that is the same whatever it is of."""

        def __class_getitem__(cls, _: object) -> type:
            return cls

    def TypeVar(name: str) -> str:  # noqa: N802  (to a type checker it is the standard one)
        return name


__all__ = [
    "IO",
    "TYPE_CHECKING",
    "Any",
    "Generic",
    "Literal",
    "NoReturn",
    "Protocol",
    "TypeAlias",
    "TypeVar",
]
