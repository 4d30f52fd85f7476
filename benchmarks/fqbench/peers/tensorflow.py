# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The op itself, eagerly and compiled by XLA. Both nudge the range in the call."""

import tensorflow as tf

from fqbench.peers.data import Data

FASTEST_FIRST_CALL = "tf-xla"


def configure(threads: int) -> None:
    tf.config.threading.set_intra_op_parallelism_threads(threads)
    tf.config.threading.set_inter_op_parallelism_threads(1)


def make(op: str, data: Data) -> dict:
    g, x = tf.constant(data.g), tf.constant(data.x)
    limits = -tf.ones(data.g.shape[1]), tf.ones(data.g.shape[1])
    if op == "gradient":
        kernel = tf.quantization.fake_quant_with_min_max_vars_per_channel_gradient
        operands = (g, x, *limits)
    else:
        kernel = tf.quantization.fake_quant_with_min_max_vars_per_channel
        operands = (x, *limits)
    compiled = tf.function(
        lambda *values: kernel(*values),
        jit_compile=True,
        input_signature=[tf.TensorSpec(value.shape) for value in operands],
    )
    return {
        "tf-eager": lambda: kernel(*operands),
        "tf-xla": lambda: compiled(*operands),
    }


def to_numpy(result):
    return result.numpy()
