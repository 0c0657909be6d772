"""Dataclasses that cost little to define.

`lint` defines more than a hundred, and the standard decorator compiles half a dozen methods for
each, which takes longer than to check a report. This one compiles none. A type checker sees the
standard one, which does the same; there is no more of it here than mdbench uses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from operator import attrgetter
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass", "field", "replace"]

_Class = type[Any]

_NONE = object()


class _Field:
    """What is said about a field."""

    def __init__(self, default: object = _NONE, **said: Any) -> None:
        self.default = default
        self.factory: Callable[[], object] | None = said.get("default_factory")
        self.said = said
        self.compared: bool = said.get("compare", True)
        self.hashed: bool = said.get("hash", self.compared)
        self.shown: bool = said.get("repr", True)
        self.keyword: bool = said.get("kw_only", False)

    @property
    def stand_in(self) -> object:
        """What `__init__` is given if nothing is."""
        return self.default if self.factory is None else self.factory


class _StandardFields:
    """The fields as the standard library describes them, for whoever asks: its `fields`, a test."""

    def __get__(self, _instance: object, cls: _Class) -> dict[str, Any]:
        import dataclasses  # noqa: PLC0415  (not to load it is what this module is for)

        said = {
            name: one.said if one.default is _NONE else {"default": one.default, **one.said}
            for name, one in cls.__described__.items()
        }
        members = {name: dataclasses.field(**one) for name, one in said.items()}
        twin: Any = type(cls.__name__, (), {**members, "__annotations__": cls.__annotations__})
        found: dict[str, Any] = dataclasses.dataclass(twin).__dataclass_fields__
        return found


_STANDARD_FIELDS = _StandardFields()


def _dataclass(
    cls: _Class | None = None, *, frozen: bool = False, slots: bool = False, eq: bool = True
) -> Any:
    define = partial(_define, frozen=frozen, slots=slots, eq=eq)
    return define if cls is None else define(cls)


def _define(cls: _Class, *, frozen: bool, slots: bool, eq: bool) -> _Class:
    own = vars(cls)
    fields = {name: _describe(own.get(name, _NONE)) for name in cls.__annotations__}
    members = {**_make_members(fields, frozen=frozen, eq=eq), **own}
    for name, one in fields.items():
        members.pop(name, None)
        if not slots and one.default is not _NONE:
            members[name] = one.default
    if slots:
        members["__slots__"] = tuple(fields)
        if frozen:
            members |= {"__getstate__": _get_state, "__setstate__": _set_state}
    # The descriptors of the first class are no use to the second.
    for name in ("__dict__", "__weakref__"):
        members.pop(name, None)
    cls = type(cls.__name__, cls.__bases__, members)
    cls.__init__ = _make_init(cls, fields, slots=slots)
    return cls


def _describe(value: object) -> _Field:
    return value if isinstance(value, _Field) else _Field(default=value)


def _make_members(fields: dict[str, _Field], *, frozen: bool, eq: bool) -> dict[str, Any]:
    compared = _make_getter([name for name, one in fields.items() if one.compared])
    hashed = _make_getter([name for name, one in fields.items() if one.hashed])

    def __eq__(self: object, other: object) -> bool:  # noqa: N807
        if other.__class__ is not self.__class__:
            return NotImplemented
        return compared(self) == compared(other)

    def __hash__(self: object) -> int:  # noqa: N807
        return hash(hashed(self))

    members: dict[str, Any] = {
        "__described__": fields,
        "__values__": _make_getter([*fields]),
        "__dataclass_fields__": _STANDARD_FIELDS,
        "__match_args__": tuple(name for name, one in fields.items() if not one.keyword),
        "__repr__": _show,
    }
    if eq:
        members |= {"__eq__": __eq__, "__hash__": __hash__ if frozen else None}
    if frozen:
        members |= {"__setattr__": _refuse, "__delattr__": _refuse}
    return members


def _make_getter(names: Sequence[str]) -> Callable[[object], tuple[Any, ...]]:
    """What gives the values of these fields as a tuple."""
    if not names:
        return lambda _: ()
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda one: (get(one),)


def _make_init(cls: _Class, fields: dict[str, _Field], *, slots: bool) -> FunctionType:
    """An `__init__` whose arguments are called as the fields are."""
    names = sorted(fields, key=lambda name: fields[name].keyword)
    keywords = [name for name in names if fields[name].keyword]
    code = _compile_init(len(names), slots).replace(
        co_varnames=("self", *names),
        co_argcount=1 + len(names) - len(keywords),
        co_kwonlyargcount=len(keywords),
        co_qualname=f"{cls.__qualname__}.__init__",
    )
    space: dict[str, Any] = {f"name_{at}": name for at, name in enumerate(names)}
    for at, name in enumerate(names):
        put = getattr(cls, name).__set__ if slots else object.__setattr__
        make = fields[name].factory
        space[f"put_{at}"] = put if make is None else partial(_put_or_make, put, make)
    defaults = {name: one.stand_in for name, one in fields.items() if one.stand_in is not _NONE}
    positional = tuple(value for name, value in defaults.items() if name not in keywords)
    init = FunctionType(code, space, "__init__", positional)
    init.__kwdefaults__ = {name: defaults[name] for name in keywords if name in defaults}
    return init


@cache
def _compile_init(count: int, slots: bool) -> CodeType:
    """The code for a number of fields: compiled once, it is made fit by other names."""
    put = "put_{0}(self, value_{0})" if slots else "put_{0}(self, name_{0}, value_{0})"
    body = "; ".join(put.format(at) for at in range(count)) or "pass"
    arguments = ", ".join(("self", *(f"value_{at}" for at in range(count))))
    space: dict[str, FunctionType] = {}
    exec(f"def __init__({arguments}): {body}", space)
    return space["__init__"].__code__


def _put_or_make(put: Callable[..., None], make: Callable[[], object], *given: object) -> None:
    *place, value = given
    put(*place, make() if value is make else value)


def _show(self: Any) -> str:
    shown = (
        f"{name}={getattr(self, name)!r}" for name, one in self.__described__.items() if one.shown
    )
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _refuse(self: object, name: str, *_value: object) -> None:
    from dataclasses import FrozenInstanceError  # noqa: PLC0415

    raise FrozenInstanceError(f"cannot change {name!r} of a {type(self).__name__}")


def _get_state(self: Any) -> Any:
    return type(self).__values__(self)


def _set_state(self: Any, state: Any) -> None:
    for name, value in zip(self.__described__, state, strict=True):
        object.__setattr__(self, name, value)


def _replace(thing: Any, /, **changes: Any) -> Any:
    cls = thing.__class__
    return cls(**{**dict(zip(cls.__described__, cls.__values__(thing), strict=True)), **changes})


if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
else:
    dataclass, field, replace = _dataclass, _Field, _replace
