"""The output of known tools. Add one file for a tool, and its shape to `SHAPES`."""

from __future__ import annotations

from mdbench.results.shapes.benchmarkdotnet import BENCHMARKDOTNET
from mdbench.results.shapes.criterion import CRITERION
from mdbench.results.shapes.go_test import GO_TEST
from mdbench.results.shapes.google_benchmark import GOOGLE_BENCHMARK
from mdbench.results.shapes.hyperfine import HYPERFINE
from mdbench.results.shapes.jmh import JMH
from mdbench.results.shapes.k6 import K6
from mdbench.results.shapes.llama_bench import LLAMA_BENCH
from mdbench.results.shapes.lm_eval import LM_EVAL
from mdbench.results.shapes.mitata import MITATA
from mdbench.results.shapes.mlperf import MLPERF
from mdbench.results.shapes.oha import OHA
from mdbench.results.shapes.pytest_benchmark import PYTEST_BENCHMARK
from mdbench.results.shapes.shape import Content, Part, Shape
from mdbench.results.shapes.tensorboard import TENSORBOARD
from mdbench.results.shapes.tinybench import TINYBENCH
from mdbench.results.shapes.vllm import VLLM
from mdbench.results.shapes.wandb import WANDB
from mdbench.results.shapes.wrk import WRK

__all__ = ["SHAPES", "Content", "Part", "Shape", "read_shape"]

SHAPES: tuple[Shape, ...] = (
    HYPERFINE,
    PYTEST_BENCHMARK,
    GOOGLE_BENCHMARK,
    CRITERION,
    JMH,
    BENCHMARKDOTNET,
    GO_TEST,
    MITATA,
    TINYBENCH,
    K6,
    LLAMA_BENCH,
    VLLM,
    LM_EVAL,
    MLPERF,
    WANDB,
    TENSORBOARD,
    WRK,
    OHA,
)


def read_shape(content: Content) -> list[Part] | None:
    """What a known tool wrote; None if no tool is recognised."""
    for shape in SHAPES:
        if parts := shape.read(content):
            return parts
    return None
