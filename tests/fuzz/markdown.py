"""Markdown as people write it, and as nobody would: strategies for reports with tables."""

from __future__ import annotations

from hypothesis import strategies as st

_HEADERS = st.sampled_from(
    """Nodes|GPUs|#GPU|DP|TP|PP|CP|EP|MBS|GBS|Batch size|GAS|Seq len|Layers|Hidden|Heads|Vocab
    |Params|Model|Size|GPU|Framework|Precision|Sec/it|Step time (ms)|Throughput|Samples/s|Tokens/s
    |Tokens/s/GPU|tok/s per device|TFLOPs|TFLOP/s/GPU|PFLOPS|MFU|MFU (%)|HFU|Mem|Memory (GiB)
    |Peak VRAM|Latency (ms)|p50|p99 (ms)|TTFT|Speedup|Speed-up vs. FP16|Efficiency|Scaling|Power (W)
    |Energy|Cost ($/h)|Hours|Days|Notes|Remarks|Date|Loss|Total|Sum|Mean|Average|±|Δ|% of peak
    |FP16|INT4|8 GPUs|16 nodes|TP=4|batch 32|吞吐量|显存 (GB)|**Time**|`it/s`|[Speed](x)|Tokens\\|s
    |Config|a|A100 80GB|Old|New|Change|Baseline|1|2.5|N/A|<br>|Time<br>(s)|zero stage|Clock""".replace(
        "\n", ""
    ).split("|")
).map(str.strip)
_UNITS = st.sampled_from(
    """s ms us µs min h d GB GiB MB MiB kB B b GB/s TB TFLOPs TFLOP/s PFLOPS GFLOP % x × k K M B T W
    kW kWh J MJ $ €/h Hz GHz tok/s tokens/s/GPU it/s s/it samples/sec nodes GPUs A100 steps ²""".split()
)
_DIGITS = st.sampled_from(
    """0 00 1 -1 +2 2 3 4 7 8 16 32 64 128 512 1024 2048 4096 0.5 .5 5. 0.0 -0 1.50 3.14159 99.9 100
    1,024 1.024,5 12,5 1'000 1_000 1e3 1E-9 1e400 1e-400 1e999999999 9e99999999999999 17.89 2²
    999999999999999999999 0.000000000000000000001 1/2 3/0 ½ １２ ٣ ∞ inf nan NaN 0x1F 1.2.3 --5 5-
    02-15 2024-02-30 12:30 1:02:03 3h20m 8x8 2×4 1e 1e+ .""".split()
)
_WORDS = st.sampled_from(
    """- — – N/A n/a OOM oom TBD ? ??? x ✓ ✗ yes no failed error crash timeout same " ″ … null none
    bf16 fp8 ZeRO-3 Llama-2-7B 7B GPT-3 175B 1.3b H100 8xA100 ~ ≈ < > ^ * ** † ‡ § [^1] [1] (1)""".split()
)
_MARKS = st.sampled_from(
    ["", "", "", "*", "^", "†", "‡", "[^1]", "[^a]", "<sup>1</sup>", "\\*", "¹"]
)
_NOTES = st.sampled_from(
    [
        "",
        "",
        "",
        " (OOM)",
        " (est.)",
        " ± 0.3",
        " +/- 5%",
        " (2x)",
        " (-12%)",
        " / 3",
        " - 9",
        " → 5",
    ]
)
_LEADS = st.sampled_from(
    ["", "", "", "~", "≈", "<", ">", "≥", "**", "`", "$", "-", "+", "(", "[", "\\"]
)
_ODD = st.sampled_from(
    [
        "\u202e1024\u202c", "\u200b7", "e\u0301", "\u0301", "\ufeff", "\u2028", "\x85", "\xa0", "\u3000",
        "👩‍👩‍👧‍👦", "🏳️‍🌈", "\x1b[31m", "\x07", "\x7f", "\ud7ff", "\ufffe", "\U0010ffff", "\v", "\f", "\t",
        "İ", "ß", "ﬁ", "Ⅷ", "①", "٢٣", "१२", "１．５", "−5", "‐5", "5‰", "ſ", "K", "Å",
    ]
)  # fmt: skip
_INLINE = st.sampled_from(
    [
        "\\|", "`a|b`", "`a\\|b`", "[x](y)", "![i](j.png)", "<br>", "<b>3</b>", "&nbsp;", "&#124;", "&",
        "<!-- c -->", "<!-- mdbench: ignore -->", "$x^2$", "***", "~~5~~", "**7**", "``", "\\", "\\\\",
        "[^note-1]", "<details>", "</td>", "http://a.b/c?d=1&e=2", "=A1*B1", "2*3=6", "1 | 2", ":--",
    ]
)  # fmt: skip


@st.composite
def numbers(draw: st.DrawFn) -> str:
    """A number with typical text around it."""
    parts = [draw(_LEADS), draw(_DIGITS)]
    if draw(st.booleans()):
        parts += [draw(st.sampled_from(["", " ", "\u202f"])), draw(_UNITS)]
    return "".join((*parts, draw(_MARKS), draw(_NOTES)))


PLAIN = st.one_of(
    st.integers(0, 5000).map(str),
    st.decimals(0, 5000, allow_nan=False, places=2).map(str),
)
CELLS = st.one_of(PLAIN, PLAIN, numbers(), numbers(), _WORDS, st.just(""), _INLINE, _ODD)
_TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12),
    _ODD,
    _INLINE,
)
_DELIMITERS = st.sampled_from(
    ["---", "-", ":-", "-:", ":-:", ":---:", " --- ", "---:  ", "–––", "", "- -"]
)
_PROSE = st.sampled_from(
    """text|Sequence length is 2048.|We had 8 GPUs per node.|At 2 seconds per step 1000 steps take 5 days.
    |`micro_batch=4`|2 * 16 * 32 = 1000|tokens/s = samples/s * seq_len|* estimated|^ Estimated.|[^1]: said
    |[^a]: 3 GPUs|<!-- mdbench: ignore MB301 -->|<!-- mdbench: ignore-file -->|<!-- mdbench: ignore|---|***
    |![plot](a.png)|TFLOPs = 96 * B * s * l * h^2 / (step_time * 10^12)|peak is 312 TFLOPS per GPU
    |Llama-3b on 4 A100 GPUs reaches 6300 tokens per second.|[a]: http://x "t"|=====|    code|\\|
    |GBS 1024, TP=4, PP=8, DP=2|model: GPT 13B|(1/0)|perl -le 'print 1024*2048/3.5'|$$x=1$$|<div>|</div>
    |TFLOPs = ((((((((1))))))))|9^9^9^9^9|1e999999 * 1e999999 = 3|1/0 = 2|steps: 10^400|- a|1. b|> c""".replace(
        "\n", ""
    ).split("|")
).map(str.lstrip)


@st.composite
def pipe_tables(draw: st.DrawFn) -> list[str]:
    """The lines of a pipe table, sometimes ragged."""
    width = draw(st.integers(1, 7))
    header = draw(st.lists(st.one_of(_HEADERS, CELLS), min_size=width, max_size=width))
    mostly = st.just("---")
    rule = draw(
        st.lists(st.one_of(mostly, mostly, mostly, _DELIMITERS), min_size=width, max_size=width)
    )
    exact = st.lists(CELLS, min_size=width, max_size=width)
    ragged = st.lists(CELLS, max_size=width + 2)
    rows = draw(st.lists(st.one_of(exact, exact, exact, ragged), max_size=7))
    if rows and draw(st.integers(0, 5)) == 0:
        rows.append(draw(st.sampled_from(rows)))
    outer = draw(st.sampled_from(["| {} |", "|{}|", "{}", "| {}", "{} |"]))
    glue = draw(st.sampled_from([" | ", "|", "\t|\t"]))
    return [outer.format(glue.join(cells)) for cells in (header, rule, *rows)]


@st.composite
def html_tables(draw: st.DrawFn) -> list[str]:
    """The lines of an HTML table, with spans and sometimes with missing tags."""
    tags = st.sampled_from(["td", "td", "th"])
    spans = st.sampled_from(
        [
            "",
            "",
            "",
            ' colspan="2"',
            " rowspan=3",
            " colspan=999999999",
            ' rowspan="-1"',
            " colspan=x",
        ]
    )
    lines = [draw(st.sampled_from(["<table>", "<table border=1>", "<TABLE>", "<table><thead>"]))]
    rows = draw(st.lists(st.lists(st.one_of(_HEADERS, CELLS), max_size=5), max_size=6))
    for row in rows:
        cells = []
        for text in row:
            tag = draw(tags)
            closing = draw(st.sampled_from([f"</{tag}>", f"</{tag}>", "", "</tr>", "\n"]))
            cells.append(f"<{tag}{draw(spans)}>{text}{closing}")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return [*lines, draw(st.sampled_from(["</table>", "</table>", "", "</tbody></table>"]))]


@st.composite
def fences(draw: st.DrawFn) -> list[str]:
    """The lines of a fence: a table, a drawn grid, or anything."""
    mark = draw(
        st.sampled_from(["```", "~~~", "````", "``` text", "```python", "```md", "```console"])
    )
    inside = draw(st.one_of(pipe_tables(), drawn_grids(), st.lists(_PROSE, max_size=3)))
    closing = draw(st.sampled_from([mark[:3], mark[:3], mark.split()[0], ""]))
    return [mark, *inside, closing]


@st.composite
def drawn_grids(draw: st.DrawFn) -> list[str]:
    """The lines of a table as tools print it."""
    width = draw(st.integers(1, 4))
    rule = draw(st.sampled_from(["+--", "┼──", "╪══", "+=="])) * width + "+"
    rows = draw(
        st.lists(st.lists(CELLS, min_size=width, max_size=width + 1), min_size=1, max_size=4)
    )
    bar = draw(st.sampled_from(["|", "│"]))
    lines = [bar + bar.join(row) + bar for row in rows]
    return [rule, lines[0], rule, *lines[1:], rule]


_FAULTS = st.sampled_from(
    "0 0.0 -1 - OOM x 1e-30 1e30 100000 +5% -3% 1x 0% N/A 7† 0.5k 12ms 3GB 1e300 1e-300".split()
)


@st.composite
def consistent_tables(draw: st.DrawFn) -> list[str]:
    """A table whose columns are consistent, except for an occasional error."""
    each = draw(st.sampled_from([1, 4, 8]))
    places = draw(st.sampled_from([0, 1, 2, 4]))
    runs = [
        _make_run(draw(st.sampled_from([1, 2, 4, 16, 64])), each, draw(st.integers(10, 9999)) / 10)
        for _ in range(draw(st.integers(2, 6)))
    ]
    for run in runs:
        run["Speedup"] = run["Tokens/s"] / runs[0]["Tokens/s"]
        run["Efficiency (%)"] = 100 * run["Speedup"] / run["Nodes"] * runs[0]["Nodes"]
        run["Δ%"] = 100 * (run["Speedup"] - 1)
    titles = draw(st.lists(st.sampled_from(list(runs[0])), min_size=2, max_size=9, unique=True))
    grid = [[f"{run[title]:.{places}f}" for title in titles] for run in runs]
    for _ in range(draw(st.integers(0, 3))):
        row, at = draw(st.sampled_from(grid)), draw(st.integers(0, len(titles) - 1))
        row[at] = draw(st.one_of(_FAULTS, st.sampled_from(row), CELLS))
    lines = [titles, ["---"] * len(titles), *grid]
    if draw(st.integers(0, 4)) == 0:
        lines = [
            [title, *column] for title, column in zip(titles, zip(*grid, strict=True), strict=True)
        ]
        lines = [["", *(f"run {at}" for at in range(len(grid)))], ["---"] * (len(grid) + 1), *lines]
    return [f"| {' | '.join(cells)} |" for cells in lines]


def _make_run(nodes: int, each: int, time: float) -> dict[str, float]:
    devices, seq = nodes * each, 2048
    batch = devices * 4
    rate = batch / time
    flops = rate * seq * 6 * 7e9 / 1e12
    return {
        "Nodes": nodes,
        "GPUs": devices,
        "TP": each,
        "PP": 1,
        "DP": nodes,
        "MBS": 2,
        "GAS": 2 * each,
        "GBS": batch,
        "Seq len": seq,
        "Sec/it": time,
        "Step time (ms)": time * 1000,
        "it/s": 1 / time,
        "Samples/s": rate,
        "Tokens/s": rate * seq,
        "Tokens/s/GPU": rate * seq / devices,
        "TFLOPs": flops / devices,
        "PFLOPS total": flops / 1000,
        "MFU (%)": flops / devices / 3.12,
        "Power (W)": 400 * devices,
        "Energy (J)": 400 * devices * time,
        "Hours": time * 1000 / 3600,
        "Cost ($)": time * 1000 / 3600 * devices * 2,
        "p50 (ms)": time * 900,
        "p99 (ms)": time * 1100,
        "Peak mem (GB)": 40,
    }


_BLOCKS = st.one_of(
    pipe_tables(),
    consistent_tables(),
    consistent_tables(),
    pipe_tables(),
    html_tables(),
    fences(),
    st.lists(st.one_of(_PROSE, _TEXTS), min_size=1, max_size=3),
    st.one_of(_HEADERS, _PROSE, CELLS).map(lambda title: [f"## {title}"]),
    st.one_of(_HEADERS, _PROSE).map(lambda title: [title, "---"]),
    _PROSE.map(lambda text: [f"- {text}"]),
)
_PREFIXES = st.sampled_from(
    [("", ""), ("", ""), ("", ""), ("> ", "> "), (">", ">"), ("- ", "  "), ("1. ", "   "), ("-\t", "\t"),
     ("> - ", ">   "), ("   ", "   "), ("    ", "    "), ("- - > ", "    > "), ("> ", ""), ("- ", "")]
)  # fmt: skip


@st.composite
def reports(draw: st.DrawFn) -> bytes:
    """A report: blocks in containers, with any line ending, with or without a byte-order mark."""
    ending = draw(st.sampled_from(["\n", "\n", "\r\n", "\r"]))
    pieces = []
    for lines in draw(st.lists(_BLOCKS, min_size=1, max_size=4)):
        first, further = draw(_PREFIXES)
        gap = draw(
            st.sampled_from([ending * 2, ending * 2, ending, ending + further.rstrip() + ending])
        )
        pieces.append(first + (ending + further).join(lines) + gap)
    lead = draw(
        st.sampled_from(["", "", "", "\ufeff", "---\ntitle: a\n---\n", "---\nkey: 8 GPUs\n"])
    )
    text = lead + "".join(pieces)
    return (text if draw(st.booleans()) else text.rstrip("\r\n")).encode()
