# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables in Markdown."""

from fqbench.bars import Bar
from fqbench.cases import SHAPES, SWEEP_ELEMENTS
from fqbench.results import OURS, ROOF, Table


def format_ms(value: float) -> str:
    return (
        f"{value:.4f}"
        if value < 0.1
        else f"{value:.3f}" if value < 10 else f"{value:.1f}"
    )


def row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def shapes_table(table: Table, op: str, threads: int) -> list[str]:
    names = [f"{rows}x{channels}" for rows, channels in SHAPES]
    shapes = [shape for shape in table.shapes(op, threads) if shape in names]
    peers = table.peers(op, threads)
    if not shapes:
        return []
    plural = "s" if threads > 1 else ""
    lines = [
        "",
        f"### {op}, {threads} thread{plural}: ms (times the streaming roof)",
        "",
        row(["shape", *peers, "hand variant"]),
        row(["---"] * (len(peers) + 2)),
    ]
    for shape in shapes:
        cells = [shape]
        for peer in peers:
            result = table.best(op, shape, threads, peer)
            if result is None:
                cells.append("-")
                continue
            ratio = table.ratio(op, shape, threads, peer, ROOF)
            ratio_text = f" ({ratio:.2f})" if ratio and peer != ROOF else ""
            cells.append(format_ms(result.min_ms) + ratio_text)
        hand = table.best(op, shape, threads, "hand")
        lines.append(row([*cells, hand.variant if hand else ""]))
    return lines


def sweep_table(table: Table, op: str) -> list[str]:
    base = table.best(op, f"{SWEEP_ELEMENTS // 64}x64", 1, OURS)
    if base is None:
        return []
    lines = [
        "",
        f"### {op}, about 2^24 elements, 1 thread: ns an element",
        "",
        row(["shape", "roof", "ours", "plain", "ours, over d = 64"]),
        row(["---"] * 5),
    ]
    for shape in table.shapes(op, 1):
        ours = table.best(op, shape, 1, OURS)
        if ours is None or ours.elements < SWEEP_ELEMENTS * 0.99:
            continue
        cells = [shape]
        for peer in ROOF, OURS, "plain":
            result = table.best(op, shape, 1, peer)
            cells.append(
                f"{result.min_ms * 1e6 / result.elements:.3f}" if result else "-"
            )
        ratio = ours.min_ms / ours.elements / (base.min_ms / base.elements)
        lines.append(row([*cells, f"{ratio:.2f}"]))
    return lines


def bars_table(bars: list[Bar]) -> list[str]:
    lines = [
        "",
        "### Bars",
        "",
        row(["what", "bar", "measured", "met"]),
        row(["---"] * 4),
    ]
    for bar in bars:
        limit = f"{bar.kind} {bar.limit:g}"
        met = "yes" if bar.is_met else "**no**"
        if bar.excuse and bar.measured > bar.limit:
            met += f" ({bar.excuse})"
        lines.append(row([bar.what, limit, f"{bar.measured:.2f}", met]))
    return lines


def latency_table(latency: dict[str, dict]) -> list[str]:
    if not latency:
        return []
    lines = [
        "",
        "### First call of the gradient of 25088x256, a fresh process: s",
        "",
        row(["", "import", "compilation"]),
        row(["---"] * 3),
    ]
    for name, times in latency.items():
        lines.append(row([name, f"{times['import_s']:.2f}", f"{times['first_s']:.3f}"]))
    return lines


def write(run: dict, table: Table, bars: list[Bar]) -> str:
    machine = run["machine"]
    lines = [
        f"Machine: {machine['cpu']}, {machine['cores']} cores, {machine['system']}.",
        f"{run['when']}, {run['rounds']} rounds of {run['ms']:g} ms a peer and case.",
    ]
    if run["missing"]:
        lines.append(f"Not installed: {', '.join(run['missing'])} (--install-peers).")
    for threads in 1, 2:
        for op in "gradient", "forward":
            lines += shapes_table(table, op, threads)
    for op in "gradient", "forward":
        lines += sweep_table(table, op)
    lines += latency_table(run["latency"])
    lines += bars_table(bars)
    if run["notes"]:
        lines += ["", "### Results that differ from the reference", ""]
        lines += [f"- {what}: {message}" for what, message in run["notes"].items()]
    return "\n".join(lines) + "\n"
