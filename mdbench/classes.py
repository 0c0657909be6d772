"""Dataclasses and named tuples that cost little to define.

`lint` defines more than a hundred, and the standard library compiles up to half a dozen methods for
each, which takes longer than to check a report. Here none is compiled. A type checker sees the
standard ones, which do the same; there is no more of them here than mdbench uses.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from operator import attrgetter, itemgetter
from types import CodeType, FunctionType

from mdbench import initializers
from mdbench.hints import TYPE_CHECKING, Any

__all__ = ["NamedTuple", "dataclass", "field", "replace"]

_USUAL = 14
_HEAD = """# mypy: ignore-errors
# fmt: off
'''Made by `python -m mdbench.classes`: to compile these takes longer than to load them.'''"""
_Class = type[Any]
_Getter = Callable[[object], tuple[Any, ...]]


class _Field:
    """What is said about a field beyond its default."""

    def __init__(self, **said: Any) -> None:
        self.said = said
        self.factory: Callable[[], object] | None = said.get("default_factory")
        self.compared: bool = said.get("compare", True)
        self.hashed: bool = said.get("hash", self.compared)


class _StandardFields:
    """The fields as the standard library describes them, for whoever asks: its `fields`, a test."""

    def __get__(self, _instance: object, cls: _Class) -> dict[str, Any]:
        import dataclasses  # noqa: PLC0415  (not to load it is what this module is for)

        defaults = {
            name: dataclasses.field(**one.said) if isinstance(one, _Field) else one
            for name, one in cls.__stated__.items()
        }
        twin: Any = type(cls.__name__, (), {**defaults, "__annotations__": cls.__annotations__})
        found: dict[str, Any] = dataclasses.dataclass(twin).__dataclass_fields__
        return found


def _dataclass(
    cls: _Class | None = None, *, frozen: bool = False, slots: bool = False, eq: bool = True
) -> Any:
    define = partial(_define, frozen=frozen, slots=slots, eq=eq)
    return define if cls is None else define(cls)


def _define(cls: _Class, *, frozen: bool, slots: bool, eq: bool) -> _Class:
    own = dict(vars(cls))
    names = tuple(cls.__annotations__)
    stated = {name: own.pop(name) for name in names if name in own}
    special = {name: one for name, one in stated.items() if isinstance(one, _Field)}
    # The descriptors of the first class are no use to the second.
    own.pop("__dict__", None)
    own.pop("__weakref__", None)
    get = _make_getter(names)
    positional = names if not special else _leave_out(names, _list_keywords(special))
    members = {
        "__stated__": stated,
        "__names__": names,
        "__values__": get,
        "__match_args__": positional,
        **_COMMON,
    }
    if frozen:
        members |= _FROZEN
    if eq:
        members |= _compare(names, special, get, hashable=frozen)
    if slots:
        members |= _STATEFUL if frozen else {}
        members["__slots__"] = names
    else:
        members |= {name: one for name, one in stated.items() if name not in special}
    cls = type(cls.__name__, cls.__bases__, {**members, **own})
    cls.__init__ = _make_init(cls, special, slots=slots)
    return cls


def _list_keywords(special: Mapping[str, _Field]) -> list[str]:
    return [name for name, one in special.items() if one.said.get("kw_only")]


def _leave_out(names: Iterable[str], some: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in some)


def _make_getter(names: Sequence[str]) -> _Getter:
    """What gives the values of these fields as a tuple."""
    if not names:
        return lambda _: ()
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda one: (get(one),)


def _compare(
    names: Sequence[str], special: Mapping[str, _Field], get: _Getter, *, hashable: bool
) -> dict[str, Any]:
    compared = hashed = get
    if special:
        unlike = [name for name, one in special.items() if not one.compared]
        compared = _make_getter(_leave_out(names, unlike))
        unhashed = [name for name, one in special.items() if not one.hashed]
        hashed = _make_getter(_leave_out(names, unhashed))

    def __eq__(self: object, other: object) -> bool:  # noqa: N807
        if other.__class__ is not self.__class__:
            return NotImplemented
        return compared(self) == compared(other)

    def __hash__(self: object) -> int:  # noqa: N807
        return hash(hashed(self))

    return {"__eq__": __eq__, "__hash__": __hash__ if hashable else None}


def _make_init(cls: _Class, special: Mapping[str, _Field], *, slots: bool) -> FunctionType:
    """An `__init__` whose arguments are called as the fields are."""
    keywords = _list_keywords(special)
    names = (*cls.__match_args__, *keywords)
    space: dict[str, Any] = {}
    for at, name in enumerate(names):
        put = getattr(cls, name).__set__ if slots else object.__setattr__
        make = special[name].factory if name in special else None
        space[f"put_{at}"] = put if make is None else partial(_put_or_make, put, make)
        space[f"name_{at}"] = name
    defaults = {
        name: one.factory or one.said["default"] if isinstance(one, _Field) else one
        for name, one in cls.__stated__.items()
        if not isinstance(one, _Field) or one.said.keys() & {"default", "default_factory"}
    }
    code = _compile_init(len(names), slots).replace(
        co_name="__init__",
        co_varnames=("self", *names),
        co_argcount=1 + len(names) - len(keywords),
        co_kwonlyargcount=len(keywords),
        co_qualname=f"{cls.__qualname__}.__init__",
    )
    init = FunctionType(code, space, "__init__")
    init.__kwdefaults__ = {name: defaults.pop(name) for name in keywords if name in defaults}
    init.__defaults__ = tuple(defaults.values())
    return init


@cache
def _compile_init(count: int, slots: bool) -> CodeType:
    """The code for a number of fields: compiled once, it is made fit by other names."""
    kept: FunctionType | None = getattr(initializers, f"init_{count}_{slots}", None)
    if kept is not None:
        return kept.__code__
    space: dict[str, FunctionType] = {}
    exec(_write_init(count, slots), space)
    return space[f"init_{count}_{slots}"].__code__


def _write_init(count: int, slots: bool) -> str:
    put = "put_{0}(self, value_{0})" if slots else "put_{0}(self, name_{0}, value_{0})"
    body = "; ".join(put.format(at) for at in range(count)) or "pass"
    arguments = ", ".join(("self", *(f"value_{at}" for at in range(count))))
    return f"def init_{count}_{slots}({arguments}): {body}"


def write_initializers() -> str:
    """The module that keeps the code for the usual numbers of fields."""
    lines = [_write_init(count, slots) for slots in (False, True) for count in range(1, _USUAL)]
    return "\n".join((_HEAD, *lines, ""))


def _put_or_make(put: Callable[..., None], make: Callable[[], object], *given: object) -> None:
    *place, value = given
    put(*place, make() if value is make else value)


def _show(self: Any) -> str:
    hidden = {
        name
        for name, one in self.__stated__.items()
        if isinstance(one, _Field) and not one.said.get("repr", True)
    }
    shown = (f"{name}={getattr(self, name)!r}" for name in self.__names__ if name not in hidden)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _refuse(self: object, name: str, *_value: object) -> None:
    from dataclasses import FrozenInstanceError  # noqa: PLC0415

    raise FrozenInstanceError(f"cannot change {name!r} of a {type(self).__name__}")


def _get_state(self: Any) -> Any:
    return type(self).__values__(self)


def _set_state(self: Any, state: Any) -> None:
    for name, value in zip(self.__names__, state, strict=True):
        object.__setattr__(self, name, value)


_COMMON = {"__dataclass_fields__": _StandardFields(), "__repr__": _show}
_FROZEN = {"__setattr__": _refuse, "__delattr__": _refuse}
_STATEFUL = {"__getstate__": _get_state, "__setstate__": _set_state}


def _replace(thing: Any, /, **changes: Any) -> Any:
    cls = thing.__class__
    values = dict(zip(cls.__names__, cls.__values__(thing), strict=True))
    values.update(changes)
    return cls(**values)


# The fastest way to a member of a tuple, which Python keeps to itself; any other will do.
_get_member = getattr(
    collections, "_tuplegetter", lambda at, text: property(itemgetter(at), doc=text)
)


class _TupleMaker(type):
    """Makes a tuple with names of each class that is derived from `NamedTuple`."""

    def __new__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> Any:
        if not bases:
            return super().__new__(cls, name, bases, space)
        annotations: dict[str, Any] = space["__annotations__"]
        names = tuple(annotations)
        defaults = {name: space[name] for name in names if name in space}
        code = _compile_new(len(names)).replace(
            co_varnames=("cls", *names), co_qualname=f"{space['__qualname__']}.__new__"
        )
        new = FunctionType(code, {"new": tuple.__new__}, "__new__", tuple(defaults.values()))
        getters = {name: _get_member(at, name) for at, name in enumerate(names)}
        members = {"__new__": new, "__match_args__": names, "_fields": names}
        return type(name, (tuple,), {**_TUPLE, **space, **getters, **members})


@cache
def _compile_new(count: int) -> CodeType:
    values = "".join(f"value_{at}, " for at in range(count))
    space: dict[str, FunctionType] = {}
    exec(f"def __new__(cls, {values}): return new(cls, ({values}))", space)
    return space["__new__"].__code__


def _show_tuple(self: Any) -> str:
    shown = (f"{name}={value!r}" for name, value in self._asdict().items())
    return f"{self.__class__.__name__}({', '.join(shown)})"


def _list_members(self: Any) -> tuple[Any, ...]:
    return tuple(self)


def _name_members(self: Any) -> dict[str, Any]:
    return dict(zip(self._fields, self, strict=True))


def _replace_members(self: Any, /, **changes: Any) -> Any:
    return self.__class__(**{**self._asdict(), **changes})


_TUPLE = {
    "__slots__": (),
    "__repr__": _show_tuple,
    "__getnewargs__": _list_members,
    "_asdict": _name_members,
    "_replace": _replace_members,
}

if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
    from typing import NamedTuple
else:
    dataclass, field, replace = _dataclass, _Field, _replace

    class NamedTuple(metaclass=_TupleMaker):
        """A tuple whose members have names."""


if __name__ == "__main__":
    text = write_initializers()
    with open(initializers.__file__, "w", encoding="utf-8", newline="\n") as made:
        made.write(text)
