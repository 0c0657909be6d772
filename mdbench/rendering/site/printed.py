"""Numbers for people: in the unit and with the digits of the report, not those of the frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdbench.frames.frame_columns import IN_RUNS, is_empty
from mdbench.numerals.cell import Form
from mdbench.numerals.units import COUNTS
from mdbench.rendering.site.views import ColumnMeaning, Printed, RunView
from mdbench.sheets.measurements import Measurement
from mdbench.vocabulary.quantities import Quantity, Role, Vocabulary

_TITLES = {
    "dp": "DP",
    "tp": "TP",
    "pp": "PP",
    "cp": "CP",
    "ep": "EP",
    "micro_batch": "MBS",
    "global_batch": "GBS",
    "seq_len": "Length",
    "step_time_s": "Step time",
    "samples_per_s": "Samples/s",
    "tokens_per_s": "Tokens/s",
    "tokens_per_s_per_device": "Tokens/s per device",
    "samples_per_s_per_device": "Samples/s per device",
    "requests_per_s": "Requests/s",
    "steps_per_s": "Steps/s",
    "tflops_per_device": "TFLOPs per device",
    "pflops_total": "PFLOPs",
    "ops_per_s": "Operations/s",
    "items_per_s": "Items/s",
    "prompt_tokens_per_s": "Prompt tokens/s",
    "bandwidth_gb_per_s": "Bandwidth",
    "bus_bandwidth_gb_per_s": "Bus bandwidth",
    "price_usd_per_h": "Price",
    "cost_per_mtoken_usd": "Cost per million tokens",
    "params": "Parameters",
}
_ACRONYMS = frozenset(
    "cpu etp ffn fsdp gc gemm hfu ipc itl kv mfu mpki ngl rtf sp tpot ttft vp".split()
)
_PLAIN = (Form.NUMBER, Form.COUNT)


def print_value(one: Measurement) -> Printed:
    """The number of a cell as it is printed; a multiplier such as `B` belongs to its digits."""
    plain = one.numeral.form in _PLAIN and not one.has_decimal_comma
    digits = one.typed if plain else None
    if one.amount is None or digits is None or one.numeral.unit.lower() in COUNTS:
        return Printed(one.numeral.text)
    sign = "-" if one.numeral.value is not None and one.numeral.value < 0 else ""
    return Printed(f"{one.numeral.bound}{sign}{digits}", _spell_unit(one))


def _spell_unit(one: Measurement) -> str:
    """Its unit; nothing if it is that of the frame in another spelling, as `Sec/it` is `s`."""
    if one.amount is None or one.quantity is None:
        return one.numeral.unit
    same = one.amount.unit.scale == one.quantity.unit.scale
    return "" if same else one.amount.unit.text


def name_columns(runs: Sequence[RunView], vocabulary: Vocabulary) -> Iterator[ColumnMeaning]:
    """The columns of the frame that some run fills, in the frame's order."""
    for at, one in enumerate(vocabulary.quantities.values()):
        if one.role in IN_RUNS and any(not is_empty(run.values.get(one.name)) for run in runs):
            measured = one.role is Role.MEASUREMENT
            title = title_quantity(one)
            said = one.name == one.words.replace(" ", "_") or title.endswith("/s")
            yield ColumnMeaning(at, one.name, title, "" if said else one.unit.text, measured)


def title_quantity(one: Quantity) -> str:
    """What a column of this quantity is called: `Memory`, `Tokens/s`."""
    if one.name in _TITLES:
        return _TITLES[one.name]
    words = [word.upper() if word in _ACRONYMS else word for word in one.words.split()]
    title = " ".join(words)
    return title[:1].upper() + title[1:]
