# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What we hold ourselves to, and whether a run met it."""

from dataclasses import asdict, dataclass

from fqbench.cases import IN_CACHE, LARGE, SWEEP_ELEMENTS
from fqbench.results import FRAMEWORK_PEERS, OURS, ROOF, Table


@dataclass
class Bar:
    what: str
    # "at most" or "at least".
    kind: str
    limit: float
    measured: float | None
    # Another ratio that is as good, such as the best hand-written kernel's 1.
    excuse: str = ""

    @property
    def is_met(self) -> bool | None:
        if self.measured is None:
            return None
        # As precisely as it is printed.
        if self.kind == "at most":
            return round(self.measured, 2) <= self.limit or bool(self.excuse)
        return round(self.measured, 2) >= self.limit


def to_roof(
    table: Table, op: str, shape: str, threads: int, limit: float, name: str
) -> Bar:
    """Against the roof, or no slower than the best hand-written kernel."""
    bar = Bar(
        f"{op} {shape}, {threads} thread(s): times the streaming {name}",
        "at most",
        limit,
        table.ratio(op, shape, threads, OURS, ROOF),
    )
    hand = table.ratio(op, shape, threads, OURS, "hand")
    if hand is not None and hand <= 1:
        bar.excuse = f"{hand:.2f} of the best hand-written kernel"
    return bar


def frameworks(table: Table, op: str, shape: str, limit: float) -> Bar:
    """How far ahead of the fastest framework."""
    ratios = [table.ratio(op, shape, 1, peer, OURS) for peer in FRAMEWORK_PEERS]
    known = [ratio for ratio in ratios if ratio is not None]
    name = f"{op} {shape}: the fastest framework's time over ours"
    return Bar(name, "at least", limit, min(known, default=None))


def sweep(table: Table, op: str) -> list[Bar]:
    base = table.best(op, f"{SWEEP_ELEMENTS // 64}x64", 1, OURS)
    if base is None:
        return []
    bars = []
    for shape in table.shapes(op, 1):
        result = table.best(op, shape, 1, OURS)
        if (
            result is None
            or result.elements < SWEEP_ELEMENTS * 0.99
            or shape == "4096x4096"
        ):
            continue
        ratio = result.min_ms / result.elements / (base.min_ms / base.elements)
        bars.append(
            Bar(f"{op} {shape}: time an element over d = 64", "at most", 1.5, ratio)
        )
    return bars


def evaluate(table: Table) -> list[Bar]:
    bars = []
    for shape in LARGE:
        if shape == "4096x4096":
            ratio = table.ratio("gradient", shape, 1, OURS, "hand")
            name = f"gradient {shape}, 1 thread(s): times the best hand-written kernel"
            bars.append(Bar(name, "at most", 1.0, ratio))
        else:
            bars.append(to_roof(table, "gradient", shape, 1, 1.10, "triad"))
        bars.append(to_roof(table, "gradient", shape, 2, 1.15, "triad"))
        bars.append(to_roof(table, "forward", shape, 1, 1.10, "copy"))
        bars.append(frameworks(table, "gradient", shape, 2.8))
        bars.append(frameworks(table, "forward", shape, 1.0))
        for op, limit in (("gradient", 1.4), ("forward", 1.0)):
            ratio = table.ratio(op, shape, 1, "plain", OURS)
            name = f"{op} {shape}: the plain loop's time over ours"
            bars.append(Bar(name, "at least", limit, ratio))
        ratio = table.ratio("gradient", shape, 1, "tf-eager", OURS)
        name = f"gradient {shape}: TensorFlow's own kernel's time over ours"
        bars.append(Bar(name, "at least", 50, ratio))
    for shape in IN_CACHE:
        ratio = table.ratio("gradient", shape, 1, OURS, "hand")
        name = f"gradient {shape}: times the best hand-written kernel"
        bars.append(Bar(name, "at most", 1.25, ratio))
        bars.append(frameworks(table, "gradient", shape, 1.2))
        bars.append(frameworks(table, "forward", shape, 1.0))
    call = table.best("gradient", "64x64", 1, OURS)
    microseconds = call.min_ms * 1e3 if call else None
    bars.append(
        Bar("gradient 64x64: microseconds a call", "at most", 1.0, microseconds)
    )
    bars += sweep(table, "gradient") + sweep(table, "forward")
    return [bar for bar in bars if bar.measured is not None]


def to_json(bars: list[Bar]) -> list[dict]:
    return [asdict(bar) | {"met": bar.is_met} for bar in bars]
