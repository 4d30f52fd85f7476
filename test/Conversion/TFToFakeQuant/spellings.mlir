// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The spellings of the six ops that exporters write: properties or a
// dictionary, i32 or i64 bits, f32 or f64 limits, attributes left out, stray
// ones. They parse with and without --allow-unregistered-dialect.

// RUN: fq-opt %s -convert-tf-to-fakequant | FileCheck %s -enable-var-scope
// RUN: fq-opt %s -allow-unregistered-dialect -convert-tf-to-fakequant \
// RUN:   | FileCheck %s -enable-var-scope
// RUN: fq-opt %s -emit-bytecode | fq-opt -convert-tf-to-fakequant \
// RUN:   | FileCheck %s -enable-var-scope
// RUN: fq-opt %s -mlir-print-op-generic | fq-opt -convert-tf-to-fakequant \
// RUN:   | FileCheck %s -enable-var-scope
// RUN: fq-opt %s -pass-pipeline='builtin.module(func.func(convert-tf-to-fakequant))' \
// RUN:   | FileCheck %s -enable-var-scope

// What a module keeps of TensorFlow that is not ours.
// CHECK: module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}}
module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {

// CHECK-LABEL: func.func @args(
// CHECK-SAME:    %[[X:.+]]: tensor<2x3xf32> {tf._user_specified_name = "x"})
// CHECK-SAME:    attributes {allow_soft_placement = false, shape = #tf_type.shape<2x3>, tf.entry_function = {
func.func @args(%x: tensor<2x3xf32> {tf._user_specified_name = "x"})
    -> tensor<2x3xf32>
    attributes {allow_soft_placement = false, shape = #tf_type.shape<2x3>,
                tf.entry_function = {control_outputs = "", inputs = "x", outputs = "y"}} {
  // CHECK-NEXT: %[[A:.+]] = fakequant.args %[[X]] {max = 1.000000e+00 : f64, min = -1.000000e+00 : f64, narrow_range = true, num_bits = 4 : i64} : tensor<2x3xf32>
  %a = "tf.FakeQuantWithMinMaxArgs"(%x) <{max = 1.0 : f32, min = -1.0 : f32, narrow_range = true, num_bits = 4 : i64}> {device = ""} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %[[B:.+]] = fakequant.args %[[A]] {max = 1.000000e+00 : f64, min = -1.000000e+00 : f64, narrow_range = true, num_bits = 4 : i64} : tensor<2x3xf32>
  %b = "tf.FakeQuantWithMinMaxArgs"(%a) {device = "", max = 1.0 : f32, min = -1.0 : f32, narrow_range = true, num_bits = 4 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %[[C:.+]] = fakequant.args %[[B]] {max = 5.000000e-01 : f64, min = -2.500000e-01 : f64, num_bits = 16 : i64} : tensor<2x3xf32>
  %c = "tf.FakeQuantWithMinMaxArgs"(%b) <{max = 0.5 : f64, num_bits = 16 : si32}> {min = -0.25 : f16, narrow_range = false} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %[[D:.+]] = fakequant.args %[[C]] {num_bits = 2 : i64} : tensor<2x3xf32>
  %d = "tf.FakeQuantWithMinMaxArgs"(%c) {num_bits = 2 : ui8} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // TensorFlow's defaults are the dialect's.
  // CHECK-NEXT: %[[E:.+]] = fakequant.args %[[D]] : tensor<2x3xf32>
  %e = "tf.FakeQuantWithMinMaxArgs"(%d) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %[[F:.+]] = fakequant.args %[[E]] : tensor<2x3xf32>
  %f = "tf.FakeQuantWithMinMaxArgs"(%e) <{max = 6.0 : f32, min = -6.0 : f32, narrow_range = false, num_bits = 8 : i64}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // An f32 limit keeps its value: 0.1f is not 0.1.
  // CHECK-NEXT: %[[G:.+]] = fakequant.args %[[F]] {max = 0.10000000149011612 : f64} : tensor<2x3xf32>
  %g = "tf.FakeQuantWithMinMaxArgs"(%f) {max = 0.1 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: return %[[G]] : tensor<2x3xf32>
  return %g : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @args_gradient(
// CHECK-SAME:    %[[G:.+]]: tensor<?x3xf32>, %[[X:.+]]: tensor<?x3xf32>)
func.func @args_gradient(%g: tensor<?x3xf32>, %x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // CHECK-NEXT: %[[A:.+]] = fakequant.args_gradient %[[G]], %[[X]] {min = 0.000000e+00 : f64} : tensor<?x3xf32>, tensor<?x3xf32>
  %a = "tf.FakeQuantWithMinMaxArgsGradient"(%g, %x) <{min = 0.0 : f32}> : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  // CHECK-NEXT: return %[[A]]
  return %a : tensor<?x3xf32>
}

// Vars have limits as operands: a min or max attribute means nothing there.
// CHECK-LABEL: func.func @vars(
// CHECK-SAME:    %[[X:.+]]: tensor<f32>, %[[MIN:.+]]: tensor<f32>, %[[MAX:.+]]: tensor<f32>)
func.func @vars(%x: tensor<f32>, %min: tensor<f32>, %max: tensor<f32>) -> tensor<f32> {
  // CHECK-NEXT: %[[A:.+]] = fakequant.vars %[[X]], %[[MIN]], %[[MAX]] {num_bits = 7 : i64} : tensor<f32>, tensor<f32>, tensor<f32>
  %a = "tf.FakeQuantWithMinMaxVars"(%x, %min, %max) <{num_bits = 7 : i64}> {T = f32, _class = ["loc:@x"], min = "stray"} : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
  // CHECK-NEXT: return %[[A]]
  return %a : tensor<f32>
}

// CHECK-LABEL: func.func @vars_gradient(
// CHECK-SAME:    %[[G:.+]]: tensor<4xf32>, %[[X:.+]]: tensor<4xf32>, %[[MIN:.+]]: tensor<f32>, %[[MAX:.+]]: tensor<f32>)
func.func @vars_gradient(%g: tensor<4xf32>, %x: tensor<4xf32>, %min: tensor<f32>, %max: tensor<f32>)
    -> (tensor<4xf32>, tensor<f32>, tensor<f32>) {
  // CHECK-NEXT: %[[DX:.+]], %[[DMIN:.+]], %[[DMAX:.+]] = fakequant.vars_gradient %[[G]], %[[X]], %[[MIN]], %[[MAX]] {narrow_range = true} : tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>
  %dx, %dmin, %dmax = "tf.FakeQuantWithMinMaxVarsGradient"(%g, %x, %min, %max) <{narrow_range = true, num_bits = 8 : i64}> {device = ""} : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>, tensor<f32>)
  // CHECK-NEXT: return %[[DX]], %[[DMIN]], %[[DMAX]]
  return %dx, %dmin, %dmax : tensor<4xf32>, tensor<f32>, tensor<f32>
}

// The channel is the last dimension: TensorFlow's op knows no axis.
// CHECK-LABEL: func.func @vars_per_channel(
// CHECK-SAME:    %[[X:.+]]: tensor<?x4xf32>, %[[MIN:.+]]: tensor<4xf32>, %[[MAX:.+]]: tensor<4xf32>)
func.func @vars_per_channel(%x: tensor<?x4xf32>, %min: tensor<4xf32>, %max: tensor<4xf32>) -> tensor<?x4xf32> {
  // CHECK-NEXT: %[[A:.+]] = fakequant.vars_per_channel %[[X]], %[[MIN]], %[[MAX]] {num_bits = 6 : i64} : tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>
  %a = "tf.FakeQuantWithMinMaxVarsPerChannel"(%x, %min, %max) {axis = 0 : i64, num_bits = 6 : i64} : (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  // CHECK-NEXT: return %[[A]]
  return %a : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @vars_per_channel_gradient(
// CHECK-SAME:    %[[G:.+]]: tensor<?x4xf32>, %[[X:.+]]: tensor<?x4xf32>, %[[MIN:.+]]: tensor<4xf32>, %[[MAX:.+]]: tensor<4xf32>)
func.func @vars_per_channel_gradient(%g: tensor<?x4xf32>, %x: tensor<?x4xf32>, %min: tensor<4xf32>, %max: tensor<4xf32>)
    -> (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[DX:.+]], %[[DMIN:.+]], %[[DMAX:.+]] = fakequant.vars_per_channel_gradient %[[G]], %[[X]], %[[MIN]], %[[MAX]] : tensor<?x4xf32>, tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>
  %dx, %dmin, %dmax = "tf.FakeQuantWithMinMaxVarsPerChannelGradient"(%g, %x, %min, %max) <{narrow_range = false, num_bits = 8 : i64}> {device = ""} : (tensor<?x4xf32>, tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>)
  // CHECK-NEXT: return %[[DX]], %[[DMIN]], %[[DMAX]]
  return %dx, %dmin, %dmax : tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Inside the regions of other ops too, and in blocks that nothing reaches.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME:    %[[X:.+]]: tensor<4xf32>, %[[C:.+]]: i1)
func.func @nested(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  // CHECK: scf.if
  %0 = scf.if %c -> tensor<4xf32> {
    // CHECK-NEXT: %[[A:.+]] = fakequant.args %[[X]] : tensor<4xf32>
    // CHECK-NEXT: scf.yield %[[A]]
    %a = "tf.FakeQuantWithMinMaxArgs"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
// CHECK: ^[[BLOCK:.+]]:
^unreachable:
  // CHECK-NEXT: %[[B:.+]] = fakequant.args %[[X]] : tensor<4xf32>
  // CHECK-NEXT: return %[[B]]
  %b = "tf.FakeQuantWithMinMaxArgs"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}

// Other ops stay, with what their types and attributes say.
// CHECK-LABEL: func.func @others(
// CHECK-SAME:    %[[X:.+]]: tensor<4xf32>, %[[R:.+]]: tensor<!tf_type.resource<tensor<4xf32>>>)
func.func @others(%x: tensor<4xf32>, %r: tensor<!tf_type.resource<tensor<4xf32>>>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[V:.+]] = "tf.ReadVariableOp"(%[[R]]) {device = ""} : (tensor<!tf_type.resource<tensor<4xf32>>>) -> tensor<4xf32>
  %v = "tf.ReadVariableOp"(%r) {device = ""} : (tensor<!tf_type.resource<tensor<4xf32>>>) -> tensor<4xf32>
  // CHECK-NEXT: %[[A:.+]] = "tf.AddV2"(%[[X]], %[[V]]) <{shape = #tf_type.shape<*>}> {num_bits = 8 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %a = "tf.AddV2"(%x, %v) <{shape = #tf_type.shape<*>}> {num_bits = 8 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: %[[Q:.+]] = fakequant.args %[[A]] : tensor<4xf32>
  %q = "tf.FakeQuantWithMinMaxArgs"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: %[[T:.+]] = "tfl.add"(%[[Q]], %[[Q]]) {fused_activation_function = "NONE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %t = "tfl.add"(%q, %q) {fused_activation_function = "NONE"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: return %[[T]]
  return %t : tensor<4xf32>
}

}
