# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m fqbench.plots RUN.json FOLDER

Two plots of a run: `shapes.svg`, the bandwidth each peer reaches, against the
streaming roof; `channels.svg`, the time an element against the number of
channels. In an environment of its own, since it needs matplotlib.
"""

import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
# The same file from the same run.
matplotlib.rcParams["svg.hashsalt"] = "fakequant"

import matplotlib.pyplot as plt  # noqa: E402

from fqbench.cases import LARGE, IN_CACHE, SWEEP_CHANNELS, SWEEP_ELEMENTS  # noqa: E402
from fqbench.results import OURS, ROOF, Table  # noqa: E402
from fqbench.rounds import Result  # noqa: E402

COLORS = {
    OURS: "#1b6ca8",
    "hand": "#7a7a7a",
    "plain": "#b8b8b8",
    "eigen-row": "#d9c27c",
    "torch-compile": "#d1495b",
    "iree": "#8f5aa8",
    "jax": "#4a9d7c",
    "tf-xla": "#e08e45",
    "tf-eager": "#c77b3f",
}
BYTES = {"gradient": 12, "forward": 8}


def draw_shapes(table: Table, path: Path) -> None:
    shapes = [s for s in (*LARGE, *IN_CACHE) if s in table.shapes("gradient", 1)]
    peers = [peer for peer in COLORS if peer in table.peers("gradient", 1)]
    figure, axes = plt.subplots(2, 1, figsize=(11, 7.5), layout="constrained")
    for axis, op in zip(axes, BYTES):
        width = 0.85 / max(1, len(peers))
        for number, peer in enumerate(peers):
            heights = []
            for shape in shapes:
                result = table.best(op, shape, 1, peer)
                rate = (
                    BYTES[op] * result.elements / result.min_ms / 1e6 if result else 0
                )
                heights.append(rate)
            where = [
                i + (number - (len(peers) - 1) / 2) * width for i in range(len(shapes))
            ]
            axis.bar(where, heights, width, label=peer, color=COLORS[peer])
        for i, shape in enumerate(shapes):
            roofs = [table.best(op, shape, 1, name) for name in (ROOF, "roof")]
            known = [roof for roof in roofs if roof]
            if known:
                fastest = min(known, key=lambda roof: roof.min_ms)
                rate = BYTES[op] * fastest.elements / fastest.min_ms / 1e6
                label = "roof (STREAM)" if i == 0 else None
                axis.hlines(
                    rate, i - 0.45, i + 0.45, color="black", linewidth=1.2, label=label
                )
        axis.set_xticks(range(len(shapes)), shapes)
        axis.set_ylabel("GB/s")
        axis.set_yscale("log")
        axis.set_title(
            f"{op}, one thread: bytes that must move, over the time", loc="left"
        )
        axis.grid(axis="y", linewidth=0.4, alpha=0.6)
        axis.set_axisbelow(True)
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].legend(ncols=5, fontsize=8, frameon=False, loc="upper left")
    axes[0].set_ylim(top=axes[0].get_ylim()[1] * 3)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def draw_channels(table: Table, path: Path) -> None:
    figure, axes = plt.subplots(
        1, 2, figsize=(11, 4.2), layout="constrained", sharex=True
    )
    names = {ROOF: "streaming roof", OURS: "fakequant", "plain": "plain C++ loop"}
    colors = {ROOF: "black", OURS: COLORS[OURS], "plain": "#d1495b"}
    for axis, op in zip(axes, BYTES):
        for peer, name in names.items():
            points = []
            for channels in SWEEP_CHANNELS:
                shape = f"{SWEEP_ELEMENTS // channels}x{channels}"
                if result := table.best(op, shape, 1, peer):
                    points.append((channels, result.min_ms * 1e6 / result.elements))
            if points:
                axis.plot(
                    *zip(*points),
                    marker="o",
                    markersize=4,
                    label=name,
                    color=colors[peer],
                )
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xlabel("channels (last dimension, 2^24 elements)")
        axis.set_ylabel("ns an element")
        axis.set_title(f"{op}, one thread", loc="left")
        axis.grid(which="both", linewidth=0.3, alpha=0.6)
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def main() -> None:
    run = json.loads(Path(sys.argv[1]).read_text())
    folder = Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    table = Table([Result(**result) for result in run["results"]])
    draw_shapes(table, folder / "shapes.svg")
    draw_channels(table, folder / "channels.svg")


if __name__ == "__main__":
    main()
