"""The vocabulary is complete, without conflicts, and every name leads to its quantity."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest

from mdbench.numerals.units import parse_unit
from mdbench.vocabulary import tables as vocabulary_tables
from mdbench.vocabulary.headers import read_header
from mdbench.vocabulary.quantities import Quantity, Role, quantity, squash, standard_vocabulary
from mdbench.vocabulary.spellings import split

STANDARD = standard_vocabulary()

SETTINGS = """nodes devices devices_per_node dp tp pp cp ep micro_batch global_batch grad_accum
    seq_len params layers hidden heads vocab precision activation_checkpointing clock_ghz""".split()
IDENTITIES = "model device framework".split()
MEASUREMENTS = """memory_mib step_time_s steps_per_s samples_per_s tokens_per_s
    tokens_per_s_per_device tflops_per_device pflops_total mfu hfu latency_ms train_time_h speedup
    efficiency power_w energy_j""".split()
SUFFIXES = {
    "mib": "MiB",
    "ms": "ms",
    "s": "s",
    "h": "h",
    "w": "W",
    "j": "J",
    "usd": "$",
    "ghz": "GHz",
    "gb": "GB",
    "gib": "GiB",
    "bytes": "byte",
    "bits": "bit",
    "hours": "h",
    "c": "°C",
}


@pytest.mark.parametrize(
    ("name", "role"),
    [
        *((name, Role.SETTING) for name in SETTINGS),
        *((name, Role.IDENTITY) for name in IDENTITIES),
        *((name, Role.MEASUREMENT) for name in MEASUREMENTS),
    ],
)
def test_the_frame_has_the_quantities_of_the_design(name: str, role: Role) -> None:
    assert quantity(name).role is role


ENDINGS = {name: name.rpartition("_")[2] for name in STANDARD.quantities if "_per_" not in name}


@pytest.mark.parametrize(
    ("name", "unit"),
    [(name, SUFFIXES[ending]) for name, ending in ENDINGS.items() if ending in SUFFIXES],
)
def test_a_name_ends_in_its_unit(name: str, unit: str) -> None:
    expected = parse_unit(unit)
    assert expected is not None
    found = quantity(name).unit
    assert (found.dimension, found.scale) == (expected.dimension, expected.scale)


@pytest.mark.parametrize(
    "name", [name for name, ending in ENDINGS.items() if ending not in SUFFIXES]
)
def test_a_name_without_a_unit_has_none(name: str) -> None:
    assert quantity(name).unit.dimension not in {"byte", "s", "W", "J", "Hz", "usd", "byte/s"}


@pytest.mark.parametrize(
    ("name", "dimension"),
    [
        ("tokens_per_s", "token/s"),
        ("tokens_per_s_per_device", "token/s/device"),
        ("samples_per_s", "sample/s"),
        ("steps_per_s", "step/s"),
        ("bandwidth_gb_per_s", "byte/s"),
        ("mfu", "ratio"),
        ("speedup", "ratio"),
        ("tflops_per_device", "flop/s"),
        ("pflops_total", "flop/s"),
    ],
)
def test_a_rate_has_the_dimension_of_its_name(name: str, dimension: str) -> None:
    assert quantity(name).unit.dimension == dimension


def test_no_two_quantities_share_a_spelling() -> None:
    owners: defaultdict[str, set[str]] = defaultdict(set)
    for one in STANDARD.quantities.values():
        for spelling in one.spellings:
            owners[squash(spelling)].add(one.name)
    assert {key: names for key, names in owners.items() if len(names) > 1} == {}


def list_flags() -> list[tuple[str, str]]:
    """Every flag in the vocabulary with the name of its quantity."""
    text = Path(vocabulary_tables.__file__).with_name("vocabulary.toml").read_text(encoding="utf-8")
    entries = tomllib.loads(text)["quantity"].items()
    found = [(flag, name) for name, entry in entries for flag in split(entry.get("flags", ""))]
    assert ("n_threads", "threads") in found
    return found


def test_no_two_quantities_share_a_flag() -> None:
    owners: defaultdict[str, set[str]] = defaultdict(set)
    for flag, name in list_flags():
        owners[squash(flag)].add(name)
    assert {key: names for key, names in owners.items() if len(names) > 1} == {}


def test_every_spelling_leads_back_to_its_quantity() -> None:
    lost = {
        spelling: one.name
        for one in STANDARD.quantities.values()
        for spelling in one.spellings
        if STANDARD.find(spelling) != (one,)
    }
    assert lost == {}


def test_every_flag_leads_back_to_its_quantity() -> None:
    lost = {
        flag: name for flag, name in list_flags() if STANDARD.lookup(flag) is not quantity(name)
    }
    assert lost == {}


def _meant_if(one: Quantity) -> tuple[str, ...]:
    return one.if_words, one.if_numbers, one.if_fractions, one.if_sizes


def test_every_quantity_that_is_referred_to_exists() -> None:
    named = {
        name
        for one in STANDARD.quantities.values()
        for name in (*one.instead.values(), *one.beside.values(), *_meant_if(one))
        if name
    }
    assert named <= set(STANDARD.quantities)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("micro_batch_size", "micro_batch"),
        ("batch_accumulation_per_replica", "grad_accum"),
        ("--num-layers", "layers"),
        ("--hidden-size", "hidden"),
        ("--num-attention-heads", "heads"),
        ("PP_SIZE", "pp"),
        ("TP_SIZE", "tp"),
        ("$gbs", "global_batch"),
        ("$seqlen", "seq_len"),
        ("NHIDDEN", "hidden"),
        ("NLAYERS", "layers"),
        ("SEQ_LEN", "seq_len"),
        ("Sequence Length", "seq_len"),
        ("GPUS_PER_NODE", "devices_per_node"),
        ("tensor-model-parallel-size", "tp"),
        ("--pipeline-model-parallel-size", "pp"),
        ("per_device_train_batch_size", "micro_batch"),
        ("gradient_accumulation_steps", "grad_accum"),
        ("world_size", "devices"),
        ("training.seq_len", "seq_len"),
        ("global batch size", "global_batch"),
        ("MBS", "micro_batch"),
        ("bs", "batch"),
        ("--num_samples", "samples"),
    ],
)
def test_a_setting_is_found_by_its_name_in_launch_commands(text: str, name: str) -> None:
    found = STANDARD.lookup(text)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize("text", ["", "--", "foo", "--output-dir", "$ms", "throughput", "x" * 5000])
def test_other_names_are_not_settings(text: str) -> None:
    assert STANDARD.lookup(text) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [("GB", "memory_mib"), ("GHz", "clock_ghz"), ("tokens/s", "tokens_per_s"), ("W", "power_w")],
)
def test_a_unit_implies_its_quantity(text: str, name: str) -> None:
    found = STANDARD.quantity_of_unit(text)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize("text", ["", "%", "x", "apples"])
def test_an_ambiguous_unit_implies_no_quantity(text: str) -> None:
    assert STANDARD.quantity_of_unit(text) is None


def test_the_vocabulary_is_loaded_on_demand() -> None:
    code = "import sys, mdbench.vocabulary.headers; print('tomllib' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("Energy cost ($)", None),
        ("Energy cost (€)", None),
        ("Memory cost ($)", None),
        ("Cost (£)", None),
        ("Cost (€)", None),
        ("Cost ($)", "cost_usd"),
        ("Energy (kWh)", "energy_j"),
    ],
)
def test_a_currency_in_the_header_decides(header: str, name: str | None) -> None:
    found = read_header(header, standard_vocabulary()).quantity
    assert (found.name if found is not None else None) == name
