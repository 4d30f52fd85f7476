# Part of the fakequant project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The recorded answers, all in one form: a Case."""

import dataclasses
import json
import pathlib

import numpy as np

OPS = {
    f"FakeQuantWithMinMax{tf_name}{tf_suffix}": f"{name}{suffix}"
    for tf_name, name in [
        ("Args", "args"),
        ("Vars", "vars"),
        ("VarsPerChannel", "vars_per_channel"),
    ]
    for tf_suffix, suffix in [("", ""), ("Gradient", "_gradient")]
}


@dataclasses.dataclass
class Case:
    """An op, its operands, and what is known of its results."""

    name: str
    op: str
    num_bits: int
    narrow_range: bool
    operands: list
    # The range of the args ops.
    range: tuple = None
    # By the result's number: values to meet bit for bit ...
    exact: dict = dataclasses.field(default_factory=dict)
    # ... or within (values, atol, rtol).
    near: dict = dataclasses.field(default_factory=dict)
    # TensorFlow's dmin and dmax, where ours are judged by the exact sums.
    tensorflow_sums: list = None
    # TensorFlow refuses this call.
    is_error: bool = False
    # The module as an exporter wrote it, where there is one.
    module: pathlib.Path = None

    @property
    def is_gradient(self):
        return self.op.endswith("_gradient")

    @property
    def is_per_channel(self):
        return self.op.startswith("vars_per_channel")

    @property
    def has_range_operands(self):
        return not self.op.startswith("args")

    @property
    def result_shapes(self):
        data = self.operands[0].shape
        if self.is_gradient and self.has_range_operands:
            return [data, self.operands[2].shape, self.operands[3].shape]
        return [data]


def load_recorded(golden):
    """The cases that oracle/make_golden.py asked TensorFlow for."""
    arrays = np.load(golden / "tensorflow" / "arrays.npz")
    text = (golden / "tensorflow" / "cases.json").read_text()
    for entry in json.loads(text)["cases"]:

        def get(key):
            return arrays[f"{entry['id']}/{key}"]

        gradient = entry["gradient"]
        case = Case(
            name=entry["id"],
            op=entry["op"] + ("_gradient" if gradient else ""),
            num_bits=entry["num_bits"],
            narrow_range=entry["narrow_range"],
            operands=[get(key) for key in ["gradients", "inputs"][not gradient :]],
        )
        if case.has_range_operands:
            case.operands += [get("min"), get("max")]
        else:
            case.range = float(get("min")), float(get("max"))
        case.exact[0] = get("backprops_wrt_input" if gradient else "outputs")
        if gradient and case.has_range_operands:
            case.tensorflow_sums = [get("backprop_wrt_min"), get("backprop_wrt_max")]
        yield case


def load_digits(folder):
    """The training step of examples/digits_qat_step."""
    for layer, num_bits in [("weights", 4), ("activations", 8)]:

        def get(key):
            return np.load(folder / f"{layer}_{key}.npy")

        limits = [get("min"), get("max")]
        yield Case(
            name=f"digits/{layer}_forward",
            op="vars_per_channel",
            num_bits=num_bits,
            narrow_range=False,
            operands=[get("inputs")] + limits,
            exact={0: get("outputs")},
            module=folder / f"{layer}_forward.tf.mlir",
        )
        yield Case(
            name=f"digits/{layer}_gradient",
            op="vars_per_channel_gradient",
            num_bits=num_bits,
            narrow_range=False,
            operands=[get("gradients"), get("inputs")] + limits,
            exact={0: get("backprops_wrt_input")},
            tensorflow_sums=[get("backprop_wrt_min"), get("backprop_wrt_max")],
            module=folder / f"{layer}_gradient.tf.mlir",
        )


def as_f32(values, shape):
    """Numbers, or 'nan', 'inf' and '-inf', as JSON has them."""
    flat = [float(value) for value in np.ravel(np.asarray(values, dtype=object))]
    return np.array(flat, np.float32).reshape(shape)


def make_public(row, name, op, gradients):
    """What a row of the public tests and an observation have in common."""
    shape = row["shape"]
    case = Case(
        name=name,
        op=op,
        num_bits=row["num_bits"],
        narrow_range=row["narrow_range"],
        operands=[as_f32(row["inputs"], shape)],
    )
    if case.is_gradient:
        case.operands.insert(0, as_f32(gradients, shape))
    if case.has_range_operands:
        for key in ("min", "max"):
            limits = row[key]
            limit_shape = (len(limits),) if isinstance(limits, list) else ()
            case.operands.append(as_f32(limits, limit_shape))
    else:
        case.range = tuple(float(np.float32(row[key])) for key in ("min", "max"))
    return case


def add_expected_gradients(case, row):
    """The sums of gradients that a row expects, from their indices where it
    has them, from its concrete values, or from both, which must agree."""
    keys = ["input", "min", "max"][: len(case.result_shapes)]
    flat = np.ravel(case.operands[0])
    for result, (key, shape) in enumerate(zip(keys, case.result_shapes)):
        values = row[f"concrete_expected_{key}_grad"]
        if f"expected_{key}_grad_index_sums" in row:
            indices = row[f"expected_{key}_grad_index_sums"]
            summed = [float(sum(flat[i] for i in each)) for each in indices]
            assert summed == values, f"{case.name}: the row contradicts itself"
        case.exact[result] = as_f32(values, shape)


def load_public(golden):
    """TensorFlow's own unit tests, and what TensorFlow did beyond them.

    Returns the cases and the rows of tfl.fake_quant, whose arithmetic is
    another."""
    text = (golden / "tensorflow_public_tests.json").read_text()
    content = json.loads(text)
    cases, lite_rows = [], []
    for row in content["cases"]:
        if row["op"].startswith("tfl.fake_quant"):
            lite_rows.append(row)
            continue
        case = make_public(
            row, row["id"], OPS[row["op"]], row.get("concrete_gradients")
        )
        if case.is_gradient:
            add_expected_gradients(case, row)
        else:
            tolerance = row["tolerance"]
            if not isinstance(tolerance, dict):
                # tensor_testutil.h's default, 4 epsilon of both kinds.
                four = 4 * float(np.finfo(np.float32).eps)
                tolerance = {"atol": four, "rtol": four}
            case.near[0] = (
                as_f32(row["expected"], row["shape"]),
                tolerance["atol"],
                tolerance.get("rtol", 0.0),
            )
        cases.append(case)
    for number, row in enumerate(content["observations_tensorflow_2_21"]):
        name = f"observation/{number:02d} {row['op']} ({row['tag']})"
        case = make_public(row, name, OPS[row["op"]], row["gradients"])
        if isinstance(row["eager"], str):
            assert row["eager"].startswith("ERROR"), row["eager"]
            case.is_error = True
        else:
            for result, values in enumerate(row["eager"]):
                case.exact[result] = as_f32(values, case.result_shapes[result])
        cases.append(case)
    return cases, lite_rows


def make_lite_case(row):
    """A tfl.fake_quant row put to TensorFlow's args op: what it expects does
    not hold there in general, what TensorFlow got does."""
    case = make_public(row, row["id"], "args", None)
    got = row["tf_2_21_0_cpu"].get("eager_got")
    if got:
        case.exact[0] = as_f32(got[0], row["shape"])
    return case
