// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// TFLite's op has another arithmetic: it is refused with the reason, wherever
// it stands, and the module is unchanged then.

// RUN: fq-opt %s -convert-tf-to-fakequant -split-input-file -verify-diagnostics
// RUN: not fq-opt %s -split-input-file -convert-tf-to-fakequant \
// RUN:   -mlir-print-ir-after-failure -mlir-disable-threading \
// RUN:   -o /dev/null 2>&1 | FileCheck %s

// The report names the op and where it is. The op before it, which could have
// been converted, is as it was.
// CHECK:     tflite.mlir:[[#@LINE+10]]:8: error: 'tfl.fake_quant' op expected an op with TensorFlow's arithmetic
// CHECK:     IR Dump After ConvertTFToFakeQuant{{.*}} Failed
// CHECK-NOT: fakequant.args
// CHECK:     "tf.Identity"
// CHECK:     "tf.FakeQuantWithMinMaxArgs"
// CHECK-NOT: fakequant.args
func.func @refused(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "tf.Identity"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "tf.FakeQuantWithMinMaxArgs"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{'tfl.fake_quant' op expected an op with TensorFlow's arithmetic but got one with TFLite's, which fakequant does not have: c = min(nudged_max, max(nudged_min, x)), y = round_half_away((c - nudged_min) * (1 / scale)) * scale + nudged_min}}
  %c = "tfl.fake_quant"(%b) {max = 6.0 : f32, min = -6.0 : f32, narrow_range = false, num_bits = 8 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}

// -----

// Alone, in another op's region, and without operands or attributes.
func.func @nested(%c: i1) {
  scf.if %c {
    // expected-error @below {{'tfl.fake_quant' op expected an op with TensorFlow's arithmetic}}
    "tfl.fake_quant"() : () -> ()
  }
  return
}
