"""Dataclasses of our own do what the standard ones do, as far as mdbench asks it of them."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import typing
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from mdbench import classes, initializers


def define(module: Any) -> dict[str, Any]:
    """The same classes, made by a decorator of ours or by that of the standard library."""
    dataclass, field = module.dataclass, module.field

    @dataclass(frozen=True, slots=True)
    class Point:
        """A place."""

        x: int
        y: int = 0
        names: tuple[str, ...] = field(default=(), compare=False, repr=False)
        tags: dict[str, int] = field(default_factory=dict, hash=False)

        @property
        def total(self) -> int:
            return self.x + self.y

    @dataclass(frozen=True)
    class Open:
        x: int
        y: list[int] = field(default_factory=list, hash=False)
        z: bool = field(default=False, kw_only=True)

        @cached_property
        def doubled(self) -> int:
            return 2 * self.x

    @dataclass(slots=True)
    class Tally:
        count: int = 0
        seen: list[int] = field(default_factory=list)

    @dataclass(frozen=True, slots=True, eq=False)
    class Apart:
        x: int

    @dataclass(frozen=True, slots=True)
    class Empty:
        pass

    @dataclass(frozen=True)
    class Own:
        x: int = field(hash=False)

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "own"

    return {one.__name__: one for one in (Point, Open, Tally, Apart, Empty, Own)}


OURS, THEIRS = define(classes), define(dataclasses)

MAKERS: list[Callable[[dict[str, Any]], Any]] = [
    lambda made: made["Point"](1),
    lambda made: made["Point"](1, 2, ("a",), {"b": 1}),
    lambda made: made["Point"](y=2, x=1, names=("c",)),
    lambda made: made["Point"](1, tags={"b": 2}),
    lambda made: made["Open"](1),
    lambda made: made["Open"](1, [2], z=True),
    lambda made: made["Tally"](),
    lambda made: made["Tally"](3, [1]),
    lambda made: made["Empty"](),
    lambda made: made["Own"](1),
]


def show(one: object) -> str:
    return repr(one).replace("define.<locals>.", "")


@pytest.mark.parametrize("make", MAKERS)
def test_one_looks_and_is_described_as_the_standard_one_is(
    make: Callable[[dict[str, Any]], Any],
) -> None:
    mine, theirs = make(OURS), make(THEIRS)
    assert show(mine) == show(theirs)
    assert dataclasses.asdict(mine) == dataclasses.asdict(theirs)
    assert [(one.name, one.compare, one.repr, one.kw_only) for one in dataclasses.fields(mine)] == [
        (one.name, one.compare, one.repr, one.kw_only) for one in dataclasses.fields(theirs)
    ]
    assert mine.__match_args__ == theirs.__match_args__
    assert hasattr(mine, "__dict__") == hasattr(theirs, "__dict__")
    assert list(inspect.signature(type(mine)).parameters) == list(
        inspect.signature(type(theirs)).parameters
    )


@pytest.mark.parametrize("other", MAKERS)
@pytest.mark.parametrize("make", MAKERS)
def test_two_are_equal_where_the_standard_ones_are(
    make: Callable[[dict[str, Any]], Any], other: Callable[[dict[str, Any]], Any]
) -> None:
    assert (make(OURS) == make(OURS)) is (make(THEIRS) == make(THEIRS))
    assert (make(OURS) == other(OURS)) is (make(THEIRS) == other(THEIRS))


def test_the_hash_is_that_of_the_standard_one() -> None:
    for make in MAKERS:
        mine, theirs = make(OURS), make(THEIRS)
        if theirs.__hash__ is None:
            with pytest.raises(TypeError, match="unhashable"):
                hash(mine)
        else:
            assert hash(mine) == hash(theirs)
    apart = OURS["Apart"]
    assert apart(1) != apart(1)
    assert len({apart(1), apart(1)}) == 2


@pytest.mark.parametrize("make", MAKERS)
def test_one_that_is_copied_or_sent_elsewhere_is_the_same(
    make: Callable[[dict[str, Any]], Any],
) -> None:
    assert show(copy.copy(make(OURS))) == show(make(THEIRS))
    assert show(copy.deepcopy(make(OURS))) == show(make(THEIRS))


def test_a_class_of_the_package_can_be_pickled() -> None:
    from mdbench.units import parse_unit  # noqa: PLC0415

    unit = parse_unit("tokens/s")
    assert unit is not None
    assert pickle.loads(pickle.dumps(unit)) == unit


def test_what_is_frozen_stays_as_it_is() -> None:
    for one in (OURS["Point"](1), OURS["Open"](1)):
        with pytest.raises(dataclasses.FrozenInstanceError, match="x"):
            one.x = 2
        with pytest.raises(dataclasses.FrozenInstanceError, match="x"):
            del one.x
        assert one.x == 1
    tally = OURS["Tally"]()
    tally.count += 1
    assert tally.count == 1


def test_a_default_that_is_made_is_made_for_each() -> None:
    first, second = OURS["Tally"](), OURS["Tally"]()
    first.seen.append(1)
    assert second.seen == []
    assert OURS["Open"](1).y is not OURS["Open"](1).y


def test_replacing_a_field_leaves_the_others() -> None:
    for make in MAKERS[:6]:
        for module, made in ((classes, OURS), (dataclasses, THEIRS)):
            changed = module.replace(make(made), x=5)
            assert changed.x == 5
            assert changed.y == make(made).y
    assert classes.replace(OURS["Open"](1), z=True).z
    assert dataclasses.replace(OURS["Point"](1, 2), x=3) == OURS["Point"](3, 2)


@pytest.mark.parametrize("arguments", [(), (1, 2, (), {}, 5)])
def test_wrong_arguments_are_refused(arguments: tuple[object, ...]) -> None:
    with pytest.raises(TypeError, match=r"Point\.__init__\(\)"):
        OURS["Point"](*arguments)
    with pytest.raises(TypeError, match="unexpected keyword argument 'w'"):
        classes.replace(OURS["Point"](1), w=1)
    with pytest.raises(TypeError, match="positional"):
        OURS["Open"](1, [], True)


def test_what_the_class_says_itself_counts() -> None:
    own = OURS["Own"](1)
    assert (hash(own), repr(own)) == (7, "own")
    assert OURS["Point"].__doc__ == "A place."
    assert OURS["Point"](1, 2).total == 3
    assert OURS["Open"](2).doubled == 4


def test_a_pattern_can_take_one_apart() -> None:
    match OURS["Point"](1, 2):
        case object(x=x, y=y):
            assert (x, y) == (1, 2)


class Mine(classes.NamedTuple):
    """A place."""

    x: int
    y: int = 0
    name: str = ""

    @property
    def total(self) -> int:
        """Of both."""
        return self.x + self.y


class Theirs(typing.NamedTuple):
    """A place."""

    x: int
    y: int = 0
    name: str = ""


@pytest.mark.parametrize(
    ("given", "named"), [((1,), {}), ((1, 2), {"name": "a"}), ((), {"y": 3, "x": 2})]
)
def test_a_named_tuple_is_as_the_standard_one(
    given: tuple[Any, ...], named: dict[str, Any]
) -> None:
    makers: list[Any] = [Mine, Theirs]
    mine, theirs = (make(*given, **named) for make in makers)
    assert issubclass(Mine, tuple)
    assert (mine, hash(mine), len(mine)) == (theirs, hash(theirs), 3)
    assert repr(mine) == repr(theirs).replace("Theirs", "Mine")
    assert (mine.x, mine.y, mine.name) == tuple(theirs)
    assert mine._asdict() == theirs._asdict()
    assert mine._replace(y=7) == theirs._replace(y=7)
    assert (Mine._fields, Mine.__match_args__) == (Theirs._fields, Theirs.__match_args__)
    assert mine.total == theirs.x + theirs.y
    for one in (pickle.loads(pickle.dumps(mine)), copy.copy(mine), copy.deepcopy(mine)):
        assert (one, type(one)) == (mine, Mine)
    assert not hasattr(mine, "__dict__")


def test_a_named_tuple_refuses_what_it_has_no_place_for() -> None:
    with pytest.raises(TypeError, match=r"Mine\.__new__\(\)"):
        Mine()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'w'"):
        Mine(1)._replace(w=1)  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        Mine(1).x = 2  # type: ignore[misc]


def test_the_code_that_is_kept_is_what_would_be_compiled() -> None:
    kept = Path(initializers.__file__).read_text(encoding="utf-8")
    assert kept == classes.write_initializers(), "run: python -m mdbench.classes"
