"""What a training step costs, by model: good to a few per cent, so never an identity."""

from __future__ import annotations

from mdbench.diagnosis.variables import Variables

SLACK = 0.1
_USUAL_VOCABULARY = 50_000.0
_CHECKPOINTED, _PLAIN = 96.0, 72.0


def sample_flops(variables: Variables) -> tuple[float, float] | None:
    """The FLOPs of one sample's step, at least and at most, by the Megatron count.

    K·s·l·h²·(1 + s/6h + V/16lh): K is 96 with activations recomputed and 72 without, and both are
    allowed for since a report may count either.
    """
    needed = [variables.get(name) for name in ("seq_len", "layers", "hidden")]
    if any(one is None for one in needed):
        return None
    length, layers, hidden = (one.value for one in needed if one is not None)
    known = variables.get("vocab")
    vocabulary = known.value if known is not None else _USUAL_VOCABULARY
    count = length * layers * hidden**2
    count *= 1 + length / (6 * hidden) + vocabulary / (16 * layers * hidden)
    return _PLAIN * count * (1 - SLACK), _CHECKPOINTED * count * (1 + SLACK)
