// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// tf.Identity and tf.Const go where they feed or follow a fake-quantization op,
// through any number of identities, and stay elsewhere.

// RUN: fq-opt %s -convert-tf-to-fakequant -split-input-file \
// RUN:   | FileCheck %s -enable-var-scope

// CHECK-LABEL: func.func @around(
// CHECK-SAME:    %[[G:.+]]: tensor<2x3xf32>, %[[X:.+]]: tensor<2x3xf32>, %[[MIN:.+]]: tensor<3xf32>, %[[MAX:.+]]: tensor<3xf32>)
func.func @around(%g: tensor<2x3xf32>, %x: tensor<2x3xf32>, %min: tensor<3xf32>, %max: tensor<3xf32>)
    -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  // CHECK-NEXT: %[[DX:.+]], %[[DMIN:.+]], %[[DMAX:.+]] = fakequant.vars_per_channel_gradient %[[G]], %[[X]], %[[MIN]], %[[MAX]]
  // CHECK-NEXT: return %[[DX]], %[[DMIN]], %[[DMAX]]
  %0 = "tf.Identity"(%g) {device = ""} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "tf.Identity"(%min) {_class = ["loc:@min"], device = ""} : (tensor<3xf32>) -> tensor<3xf32>
  %2 = "tf.Identity"(%1) <{T = f32}> {device = ""} : (tensor<3xf32>) -> tensor<3xf32>
  %dx, %dmin, %dmax = "tf.FakeQuantWithMinMaxVarsPerChannelGradient"(%0, %x, %2, %max) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %3 = "tf.Identity"(%dx) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = "tf.Identity"(%dmin) : (tensor<3xf32>) -> tensor<3xf32>
  %5 = "tf.Identity"(%4) : (tensor<3xf32>) -> tensor<3xf32>
  return %3, %5, %dmax : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>
}

// -----

// Ops of the dialect count as well as TensorFlow's.
// CHECK-LABEL: func.func @around_converted(
// CHECK-SAME:    %[[X:.+]]: tensor<4xf32>)
func.func @around_converted(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[Y:.+]] = fakequant.args %[[X]] : tensor<4xf32>
  // CHECK-NEXT: return %[[Y]]
  %0 = "tf.Identity"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %y = fakequant.args %0 : tensor<4xf32>
  %1 = "tf.Identity"(%y) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @unrelated(
// CHECK-SAME:    %[[X:.+]]: tensor<4xf32>)
func.func @unrelated(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[C:.+]] = "tf.Const"() <{value = dense<1.000000e+00> : tensor<4xf32>}> {device = ""} : () -> tensor<4xf32>
  %c = "tf.Const"() <{value = dense<1.0> : tensor<4xf32>}> {device = ""} : () -> tensor<4xf32>
  // CHECK-NEXT: %[[I:.+]] = "tf.Identity"(%[[C]]) {device = ""} : (tensor<4xf32>) -> tensor<4xf32>
  %i = "tf.Identity"(%c) {device = ""} : (tensor<4xf32>) -> tensor<4xf32>
  // An op between them keeps an identity apart.
  // CHECK-NEXT: %[[N:.+]] = "tf.Neg"(%[[I]]) : (tensor<4xf32>) -> tensor<4xf32>
  %n = "tf.Neg"(%i) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: %[[Y:.+]] = fakequant.args %[[N]] : tensor<4xf32>
  %y = "tf.FakeQuantWithMinMaxArgs"(%n) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: %[[M:.+]] = "tf.Neg"(%[[Y]]) : (tensor<4xf32>) -> tensor<4xf32>
  %m = "tf.Neg"(%y) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: %[[J:.+]] = "tf.Identity"(%[[M]]) : (tensor<4xf32>) -> tensor<4xf32>
  %j = "tf.Identity"(%m) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: return %[[I]], %[[Y]], %[[J]]
  return %i, %y, %j : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @constants(
// CHECK-SAME:    %[[X:.+]]: tensor<?x3xf32>)
func.func @constants(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // CHECK-NEXT: %[[MIN:.+]] = arith.constant dense<[-1.000000e+00, -2.000000e+00, -3.000000e+00]> : tensor<3xf32>
  // CHECK-NEXT: %[[MAX:.+]] = arith.constant dense<1.000000e+00> : tensor<3xf32>
  // CHECK-NEXT: %[[Y:.+]] = fakequant.vars_per_channel %[[X]], %[[MIN]], %[[MAX]]
  // CHECK-NEXT: return %[[Y]]
  %min = "tf.Const"() {value = dense<[-1.0, -2.0, -3.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %max = "tf.Const"() <{value = dense<1.0> : tensor<3xf32>}> {device = ""} : () -> tensor<3xf32>
  %max_1 = "tf.Identity"(%max) : (tensor<3xf32>) -> tensor<3xf32>
  %y = "tf.FakeQuantWithMinMaxVarsPerChannel"(%x, %min, %max_1) : (tensor<?x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

// -----

// One that others use too.
// CHECK-LABEL: func.func @shared_constant(
// CHECK-SAME:    %[[X:.+]]: tensor<3xf32>)
func.func @shared_constant(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>) {
  // CHECK-NEXT: %[[MIN:.+]] = arith.constant dense<-1.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[N:.+]] = "tf.Neg"(%[[MIN]]) : (tensor<f32>) -> tensor<f32>
  // CHECK-NEXT: %[[Y:.+]] = fakequant.vars %[[X]], %[[MIN]], %[[N]]
  // CHECK-NEXT: return %[[Y]], %[[MIN]]
  %min = "tf.Const"() {value = dense<-1.0> : tensor<f32>} : () -> tensor<f32>
  %n = "tf.Neg"(%min) : (tensor<f32>) -> tensor<f32>
  %y = "tf.FakeQuantWithMinMaxVars"(%x, %min, %n) : (tensor<3xf32>, tensor<f32>, tensor<f32>) -> tensor<3xf32>
  return %y, %min : tensor<3xf32>, tensor<f32>
}

// -----

// Constants that hold no dense floats stay, and the op is still converted.
// CHECK-LABEL: func.func @opaque_constants(
func.func @opaque_constants(%x: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK-NEXT: %[[MIN:.+]] = "tf.Const"() {value = #tf_type<tensor_proto : "0xABC">} : () -> tensor<f32>
  %min = "tf.Const"() {value = #tf_type<tensor_proto : "0xABC">} : () -> tensor<f32>
  // CHECK-NEXT: %[[MAX:.+]] = "tf.Const"() {value = dense<1> : tensor<i32>} : () -> tensor<f32>
  %max = "tf.Const"() {value = dense<1> : tensor<i32>} : () -> tensor<f32>
  // CHECK-NEXT: fakequant.vars %{{.+}}, %[[MIN]], %[[MAX]]
  %y = "tf.FakeQuantWithMinMaxVars"(%x, %min, %max) : (tensor<3xf32>, tensor<f32>, tensor<f32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @malformed_neighbours(
// CHECK-SAME:    %[[X:.+]]: tensor<3xf32>)
func.func @malformed_neighbours(%x: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK-NEXT: %[[A:.+]]:2 = "tf.Identity"(%[[X]]) : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  %a:2 = "tf.Identity"(%x) : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  // CHECK-NEXT: %[[B:.+]] = "tf.Identity"(%[[A]]#0, %[[A]]#1) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %b = "tf.Identity"(%a#0, %a#1) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  // CHECK-NEXT: %[[C:.+]] = fakequant.args %[[B]]
  %c = "tf.FakeQuantWithMinMaxArgs"(%b) : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK-NEXT: %[[D:.+]] = "tf.Identity"(%[[C]]) : (tensor<3xf32>) -> tensor<4xf32>
  %d = "tf.Identity"(%c) : (tensor<3xf32>) -> tensor<4xf32>
  // CHECK-NEXT: "tf.Identity"(%[[C]]) : (tensor<3xf32>) -> ()
  "tf.Identity"(%c) : (tensor<3xf32>) -> ()
  // CHECK-NEXT: return %[[C]]
  return %c : tensor<3xf32>
}

// -----

// A module is a graph: identities may go round in a circle.
// CHECK-LABEL: module @circle
module @circle {
  // CHECK: %[[I:.+]] = "tf.Identity"(%[[I]]) : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK: fakequant.args %[[I]] : tensor<3xf32>
  %0 = "tf.Identity"(%1) : (tensor<3xf32>) -> tensor<3xf32>
  %1 = "tf.Identity"(%0) : (tensor<3xf32>) -> tensor<3xf32>
  %2 = "tf.FakeQuantWithMinMaxArgs"(%1) : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK: %[[Y:.+]] = fakequant.args %[[Y]] : tensor<3xf32>
  %3 = "tf.FakeQuantWithMinMaxArgs"(%3) : (tensor<3xf32>) -> tensor<3xf32>
}
