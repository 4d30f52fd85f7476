// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Exported types know less or more than each other; tensor.cast makes both
// sides hold.

// RUN: fq-opt %s -convert-tf-to-fakequant -split-input-file \
// RUN:   | FileCheck %s -enable-var-scope

// CHECK-LABEL: func.func @result_knows_less(
// CHECK-SAME:    %[[X:.+]]: tensor<2x3xf32>)
func.func @result_knows_less(%x: tensor<2x3xf32>) -> (tensor<?x3xf32>, tensor<*xf32>) {
  // CHECK-NEXT: %[[A:.+]] = fakequant.args %[[X]] : tensor<2x3xf32>
  // CHECK-NEXT: %[[A_CAST:.+]] = tensor.cast %[[A]] : tensor<2x3xf32> to tensor<?x3xf32>
  %a = "tf.FakeQuantWithMinMaxArgs"(%x) : (tensor<2x3xf32>) -> tensor<?x3xf32>
  // CHECK-NEXT: %[[B:.+]] = fakequant.args %[[X]] : tensor<2x3xf32>
  // CHECK-NEXT: %[[B_CAST:.+]] = tensor.cast %[[B]] : tensor<2x3xf32> to tensor<*xf32>
  %b = "tf.FakeQuantWithMinMaxArgs"(%x) : (tensor<2x3xf32>) -> tensor<*xf32>
  // CHECK-NEXT: return %[[A_CAST]], %[[B_CAST]]
  return %a, %b : tensor<?x3xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: func.func @result_knows_more(
// CHECK-SAME:    %[[X:.+]]: tensor<*xf32>, %[[MIN:.+]]: tensor<f32>, %[[MAX:.+]]: tensor<f32>)
func.func @result_knows_more(%x: tensor<*xf32>, %min: tensor<f32>, %max: tensor<f32>) -> tensor<2x?xf32> {
  // CHECK-NEXT: %[[CAST:.+]] = tensor.cast %[[X]] : tensor<*xf32> to tensor<2x?xf32>
  // CHECK-NEXT: %[[Y:.+]] = fakequant.vars %[[CAST]], %[[MIN]], %[[MAX]] : tensor<2x?xf32>, tensor<f32>, tensor<f32>
  // CHECK-NEXT: return %[[Y]]
  %y = "tf.FakeQuantWithMinMaxVars"(%x, %min, %max) : (tensor<*xf32>, tensor<f32>, tensor<f32>) -> tensor<2x?xf32>
  return %y : tensor<2x?xf32>
}

// -----

// CHECK-LABEL: func.func @each_knows_something(
// CHECK-SAME:    %[[G:.+]]: tensor<2x?x?xf32>, %[[X:.+]]: tensor<?x3x?xf32>)
func.func @each_knows_something(%g: tensor<2x?x?xf32>, %x: tensor<?x3x?xf32>) -> tensor<?x?x4xf32> {
  // CHECK-NEXT: %[[G_CAST:.+]] = tensor.cast %[[G]] : tensor<2x?x?xf32> to tensor<2x3x4xf32>
  // CHECK-NEXT: %[[X_CAST:.+]] = tensor.cast %[[X]] : tensor<?x3x?xf32> to tensor<2x3x4xf32>
  // CHECK-NEXT: %[[DX:.+]] = fakequant.args_gradient %[[G_CAST]], %[[X_CAST]] : tensor<2x3x4xf32>, tensor<2x3x4xf32>
  // CHECK-NEXT: %[[CAST:.+]] = tensor.cast %[[DX]] : tensor<2x3x4xf32> to tensor<?x?x4xf32>
  // CHECK-NEXT: return %[[CAST]]
  %dx = "tf.FakeQuantWithMinMaxArgsGradient"(%g, %x) : (tensor<2x?x?xf32>, tensor<?x3x?xf32>) -> tensor<?x?x4xf32>
  return %dx : tensor<?x?x4xf32>
}

// -----

// CHECK-LABEL: func.func @unranked_gradients(
// CHECK-SAME:    %[[G:.+]]: tensor<*xf32>, %[[X:.+]]: tensor<?x3xf32>, %[[MIN:.+]]: tensor<3xf32>, %[[MAX:.+]]: tensor<3xf32>)
func.func @unranked_gradients(%g: tensor<*xf32>, %x: tensor<?x3xf32>, %min: tensor<3xf32>, %max: tensor<3xf32>)
    -> (tensor<*xf32>, tensor<*xf32>, tensor<?xf32>) {
  // CHECK-NEXT: %[[CAST:.+]] = tensor.cast %[[G]] : tensor<*xf32> to tensor<?x3xf32>
  // CHECK-NEXT: %[[DX:.+]], %[[DMIN:.+]], %[[DMAX:.+]] = fakequant.vars_per_channel_gradient %[[CAST]], %[[X]], %[[MIN]], %[[MAX]] : tensor<?x3xf32>, tensor<?x3xf32>, tensor<3xf32>, tensor<3xf32>
  // CHECK-NEXT: %[[DX_CAST:.+]] = tensor.cast %[[DX]] : tensor<?x3xf32> to tensor<*xf32>
  // CHECK-NEXT: %[[DMIN_CAST:.+]] = tensor.cast %[[DMIN]] : tensor<3xf32> to tensor<*xf32>
  // CHECK-NEXT: %[[DMAX_CAST:.+]] = tensor.cast %[[DMAX]] : tensor<3xf32> to tensor<?xf32>
  // CHECK-NEXT: return %[[DX_CAST]], %[[DMIN_CAST]], %[[DMAX_CAST]]
  %dx, %dmin, %dmax = "tf.FakeQuantWithMinMaxVarsPerChannelGradient"(%g, %x, %min, %max) : (tensor<*xf32>, tensor<?x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<?xf32>)
  return %dx, %dmin, %dmax : tensor<*xf32>, tensor<*xf32>, tensor<?xf32>
}

// -----

// Nothing is known of the data, so it stays unranked; the rank of a range is
// the op's.
// CHECK-LABEL: func.func @unranked_vars(
// CHECK-SAME:    %[[X:.+]]: tensor<*xf32>, %[[MIN:.+]]: tensor<*xf32>, %[[MAX:.+]]: tensor<*xf32>)
func.func @unranked_vars(%x: tensor<*xf32>, %min: tensor<*xf32>, %max: tensor<*xf32>) -> tensor<*xf32> {
  // CHECK-NEXT: %[[MIN_CAST:.+]] = tensor.cast %[[MIN]] : tensor<*xf32> to tensor<f32>
  // CHECK-NEXT: %[[MAX_CAST:.+]] = tensor.cast %[[MAX]] : tensor<*xf32> to tensor<f32>
  // CHECK-NEXT: %[[Y:.+]] = fakequant.vars %[[X]], %[[MIN_CAST]], %[[MAX_CAST]] : tensor<*xf32>, tensor<f32>, tensor<f32>
  // CHECK-NEXT: return %[[Y]]
  %y = "tf.FakeQuantWithMinMaxVars"(%x, %min, %max) : (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  return %y : tensor<*xf32>
}

// -----

// CHECK-LABEL: func.func @unranked_vars_per_channel(
// CHECK-SAME:    %[[X:.+]]: tensor<*xf32>, %[[MIN:.+]]: tensor<*xf32>, %[[MAX:.+]]: tensor<*xf32>)
func.func @unranked_vars_per_channel(%x: tensor<*xf32>, %min: tensor<*xf32>, %max: tensor<*xf32>) -> tensor<*xf32> {
  // CHECK-NEXT: %[[MIN_CAST:.+]] = tensor.cast %[[MIN]] : tensor<*xf32> to tensor<?xf32>
  // CHECK-NEXT: %[[MAX_CAST:.+]] = tensor.cast %[[MAX]] : tensor<*xf32> to tensor<?xf32>
  // CHECK-NEXT: %[[Y:.+]] = fakequant.vars_per_channel %[[X]], %[[MIN_CAST]], %[[MAX_CAST]] : tensor<*xf32>, tensor<?xf32>, tensor<?xf32>
  // CHECK-NEXT: return %[[Y]]
  %y = "tf.FakeQuantWithMinMaxVarsPerChannel"(%x, %min, %max) : (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  return %y : tensor<*xf32>
}

// -----

// min and max have one type, and their gradients have it too.
// CHECK-LABEL: func.func @ranges(
// CHECK-SAME:    %[[G:.+]]: tensor<?x?xf32>, %[[X:.+]]: tensor<?x?xf32>, %[[MIN:.+]]: tensor<?xf32>, %[[MAX:.+]]: tensor<*xf32>)
func.func @ranges(%g: tensor<?x?xf32>, %x: tensor<?x?xf32>, %min: tensor<?xf32>, %max: tensor<*xf32>)
    -> (tensor<?x?xf32>, tensor<3xf32>, tensor<*xf32>) {
  // CHECK-NEXT: %[[MIN_CAST:.+]] = tensor.cast %[[MIN]] : tensor<?xf32> to tensor<3xf32>
  // CHECK-NEXT: %[[MAX_CAST:.+]] = tensor.cast %[[MAX]] : tensor<*xf32> to tensor<3xf32>
  // CHECK-NEXT: %[[DX:.+]], %[[DMIN:.+]], %[[DMAX:.+]] = fakequant.vars_per_channel_gradient %[[G]], %[[X]], %[[MIN_CAST]], %[[MAX_CAST]] : tensor<?x?xf32>, tensor<?x?xf32>, tensor<3xf32>, tensor<3xf32>
  // CHECK-NEXT: %[[DMAX_CAST:.+]] = tensor.cast %[[DMAX]] : tensor<3xf32> to tensor<*xf32>
  // CHECK-NEXT: return %[[DX]], %[[DMIN]], %[[DMAX_CAST]]
  %dx, %dmin, %dmax = "tf.FakeQuantWithMinMaxVarsPerChannelGradient"(%g, %x, %min, %max) : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<*xf32>) -> (tensor<?x?xf32>, tensor<3xf32>, tensor<*xf32>)
  return %dx, %dmin, %dmax : tensor<?x?xf32>, tensor<3xf32>, tensor<*xf32>
}

// -----

// What an identity or a constant's type forgets is not forgotten.
// CHECK-LABEL: func.func @forgetful_neighbours(
// CHECK-SAME:    %[[X:.+]]: tensor<2x3xf32>)
func.func @forgetful_neighbours(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-DAG: %[[MIN:.+]] = arith.constant dense<-1.000000e+00> : tensor<3xf32>
  // CHECK-DAG: %[[MIN_CAST:.+]] = tensor.cast %[[MIN]] : tensor<3xf32> to tensor<*xf32>
  // CHECK-DAG: %[[MIN_BACK:.+]] = tensor.cast %[[MIN_CAST]] : tensor<*xf32> to tensor<3xf32>
  // CHECK-DAG: %[[MAX:.+]] = arith.constant dense<1.000000e+00> : tensor<3xf32>
  // CHECK-DAG: %[[X_CAST:.+]] = tensor.cast %[[X]] : tensor<2x3xf32> to tensor<?x?xf32>
  // CHECK-DAG: %[[X_BACK:.+]] = tensor.cast %[[X_CAST]] : tensor<?x?xf32> to tensor<2x3xf32>
  // CHECK:     %[[Y:.+]] = fakequant.vars_per_channel %[[X_BACK]], %[[MIN_BACK]], %[[MAX]] : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>
  // CHECK-NEXT: %[[Y_CAST:.+]] = tensor.cast %[[Y]] : tensor<2x3xf32> to tensor<?x?xf32>
  // CHECK-NEXT: %[[Y_BACK:.+]] = tensor.cast %[[Y_CAST]] : tensor<?x?xf32> to tensor<2x3xf32>
  // CHECK-NEXT: return %[[Y_BACK]]
  %min = "tf.Const"() {value = dense<-1.0> : tensor<3xf32>} : () -> tensor<*xf32>
  %max = "tf.Const"() {value = dense<1.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %0 = "tf.Identity"(%x) : (tensor<2x3xf32>) -> tensor<?x?xf32>
  %y = "tf.FakeQuantWithMinMaxVarsPerChannel"(%0, %min, %max) : (tensor<?x?xf32>, tensor<*xf32>, tensor<3xf32>) -> tensor<?x?xf32>
  %1 = "tf.Identity"(%y) : (tensor<?x?xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

// TensorFlow's ops take f32 alone, but where the dialect knows better nothing
// is in the way.
// CHECK-LABEL: func.func @other_elements(
// CHECK-SAME:    %[[X:.+]]: tensor<3xf64>, %[[H:.+]]: tensor<3xbf16>, %[[MIN:.+]]: tensor<f32>, %[[MAX:.+]]: tensor<f32>)
func.func @other_elements(%x: tensor<3xf64>, %h: tensor<3xbf16>, %min: tensor<f32>, %max: tensor<f32>)
    -> (tensor<3xf64>, tensor<3xbf16>, tensor<f32>, tensor<f32>) {
  // CHECK-NEXT: %[[Y:.+]] = fakequant.args %[[X]] : tensor<3xf64>
  %y = "tf.FakeQuantWithMinMaxArgs"(%x) : (tensor<3xf64>) -> tensor<3xf64>
  // CHECK-NEXT: %[[DX:.+]], %[[DMIN:.+]], %[[DMAX:.+]] = fakequant.vars_gradient %[[H]], %[[H]], %[[MIN]], %[[MAX]] : tensor<3xbf16>, tensor<3xbf16>, tensor<f32>, tensor<f32>
  %dx, %dmin, %dmax = "tf.FakeQuantWithMinMaxVarsGradient"(%h, %h, %min, %max) : (tensor<3xbf16>, tensor<3xbf16>, tensor<f32>, tensor<f32>) -> (tensor<3xbf16>, tensor<f32>, tensor<f32>)
  return %y, %dx, %dmin, %dmax : tensor<3xf64>, tensor<3xbf16>, tensor<f32>, tensor<f32>
}
