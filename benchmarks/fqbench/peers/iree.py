# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""IREE's CPU back end, with outputs that are passed in: the gradient as one
generic with three results, as two, and as two with split reductions."""

import iree.compiler
import iree.runtime
import numpy as np

from fqbench.peers.data import F32, Data

FASTEST_FIRST_CALL = "iree:one"
FLAGS = ["--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3"]
SPLIT_FLAGS = [
    "--iree-llvmcpu-reassociate-fp-reductions",
    "--iree-dispatch-creation-enable-split-reduction",
]
MAPS = "#id = affine_map<(r, d) -> (r, d)>\n#ch = affine_map<(r, d) -> (d)>\n"

_config = None


def configure(threads: int) -> None:
    global _config
    iree.runtime.flags.parse_flags("--task_topology_group_count=2")
    _config = iree.runtime.Config("local-sync" if threads == 1 else "local-task")


def forward_text(data: str, channel: str) -> str:
    return MAPS + f"""
func.func @forward(%x: {data}, %lo: {channel}, %hi: {channel}, %inv: {channel},
    %q0: {channel}, %sc: {channel}, %o: {data} {{iree.abi.output = 0 : index}}) -> {data} {{
  %e = tensor.empty() : {data}
  %half = arith.constant 0.5 : f32
  %r = linalg.generic {{indexing_maps = [#id, #ch, #ch, #ch, #ch, #ch, #id],
      iterator_types = ["parallel", "parallel"]}}
      ins(%x, %lo, %hi, %inv, %q0, %sc
        : {data}, {channel}, {channel}, {channel}, {channel}, {channel})
      outs(%e : {data}) {{
    ^bb0(%a: f32, %l: f32, %h: f32, %i: f32, %q: f32, %s: f32, %u: f32):
      %lt = arith.cmpf olt, %a, %h : f32
      %c0 = arith.select %lt, %a, %h : f32
      %gt = arith.cmpf ogt, %c0, %l : f32
      %c1 = arith.select %gt, %c0, %l : f32
      %s0 = arith.subf %c1, %l : f32
      %s1 = arith.mulf %s0, %i : f32
      %s2 = arith.subf %s1, %q : f32
      %s3 = arith.addf %s2, %half : f32
      %s4 = math.floor %s3 : f32
      %s5 = arith.mulf %s4, %s : f32
      linalg.yield %s5 : f32
  }} -> {data}
  return %r : {data}
}}
"""


INSIDE = """
      %ge = arith.cmpf oge, %xx, %l : f32
      %le = arith.cmpf ole, %xx, %h : f32
      %in = arith.andi %ge, %le : i1
      %v = arith.select %in, %gg, %z : f32"""
SUMS = """
      %lt = arith.cmpf olt, %xx, %l : f32
      %gt = arith.cmpf ogt, %xx, %h : f32
      %s0 = arith.select %lt, %gg, %z : f32
      %s1 = arith.select %gt, %gg, %z : f32
      %n0 = arith.addf %a, %s0 : f32
      %n1 = arith.addf %b, %s1 : f32"""


def gradient_text(data: str, channel: str, is_one: bool) -> str:
    inputs = f"ins(%g, %x, %lo, %hi : {data}, {data}, {channel}, {channel})"
    values = "%gg: f32, %xx: f32, %l: f32, %h: f32"
    text = MAPS + f"""
func.func @gradient(%g: {data}, %x: {data}, %lo: {channel}, %hi: {channel},
    %o: {data} {{iree.abi.output = 0 : index}}, %oa: {channel} {{iree.abi.output = 1 : index}},
    %ob: {channel} {{iree.abi.output = 2 : index}}) -> ({data}, {channel}, {channel}) {{
  %z = arith.constant 0.0 : f32
  %e0 = tensor.empty() : {channel}
  %e2 = tensor.empty() : {data}
  %f0 = linalg.fill ins(%z : f32) outs(%e0 : {channel}) -> {channel}"""
    if is_one:
        return text + f"""
  %r:3 = linalg.generic {{indexing_maps = [#id, #id, #ch, #ch, #id, #ch, #ch],
      iterator_types = ["reduction", "parallel"]}}
      {inputs} outs(%e2, %f0, %f0 : {data}, {channel}, {channel}) {{
    ^bb0({values}, %u: f32, %a: f32, %b: f32):{INSIDE}{SUMS}
      linalg.yield %v, %n0, %n1 : f32, f32, f32
  }} -> ({data}, {channel}, {channel})
  return %r#0, %r#1, %r#2 : {data}, {channel}, {channel}
}}
"""
    return text + f"""
  %r0 = linalg.generic {{indexing_maps = [#id, #id, #ch, #ch, #id],
      iterator_types = ["parallel", "parallel"]}}
      {inputs} outs(%e2 : {data}) {{
    ^bb0({values}, %u: f32):{INSIDE}
      linalg.yield %v : f32
  }} -> {data}
  %r1:2 = linalg.generic {{indexing_maps = [#id, #id, #ch, #ch, #ch, #ch],
      iterator_types = ["reduction", "parallel"]}}
      {inputs} outs(%f0, %f0 : {channel}, {channel}) {{
    ^bb0({values}, %a: f32, %b: f32):{SUMS}
      linalg.yield %n0, %n1 : f32, f32
  }} -> ({channel}, {channel})
  return %r0, %r1#0, %r1#1 : {data}, {channel}, {channel}
}}
"""


def compile_text(text: str, flags: list[str]) -> bytes:
    return iree.compiler.compile_str(
        text, target_backends=["llvm-cpu"], extra_args=flags
    )


def make(op: str, data: Data) -> dict:
    rows, channels = data.x.shape
    types = f"tensor<{rows}x{channels}xf32>", f"tensor<{channels}xf32>"
    outputs = [np.zeros((rows, channels), F32)]
    if op == "gradient":
        inputs = data.g, data.x, data.low, data.high
        outputs += [np.zeros(channels, F32), np.zeros(channels, F32)]
        programs = {
            "iree:one": (gradient_text(*types, True), FLAGS),
            "iree:two": (gradient_text(*types, False), FLAGS),
            "iree:split": (gradient_text(*types, False), FLAGS + SPLIT_FLAGS),
        }
    else:
        inputs = data.x, data.low, data.high, data.inverse, data.zero, data.scale
        programs = {"iree:one": (forward_text(*types), FLAGS)}
    device = _config.device
    buffers = [
        iree.runtime.asdevicearray(device, array) for array in (*inputs, *outputs)
    ]
    arguments = iree.runtime.VmVariantList(len(buffers))
    for buffer in buffers:
        arguments.push_ref(buffer._buffer_view)

    def bind(program: bytes):
        instance = _config.vm_instance
        module = iree.runtime.VmModule.copy_buffer(instance, program)
        hal = iree.runtime.create_hal_module(instance, device)
        context = iree.runtime.VmContext(instance, [hal, module])
        function = module.lookup_function(op)

        def call():
            context.invoke(
                function, arguments, iree.runtime.VmVariantList(len(outputs))
            )
            return buffers[-len(outputs) :]

        return call

    return {name: bind(compile_text(*program)) for name, program in programs.items()}


def to_numpy(result):
    return result.to_host()
