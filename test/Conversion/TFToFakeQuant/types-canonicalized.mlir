// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The casts that refine types cancel each other.

// RUN: fq-opt %s -convert-tf-to-fakequant -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    %[[X:.+]]: tensor<2x3xf32>, %[[MIN:.+]]: tensor<3xf32>, %[[MAX:.+]]: tensor<3xf32>)
func.func @chain(%x: tensor<2x3xf32>, %min: tensor<3xf32>, %max: tensor<3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: %[[A:.+]] = fakequant.vars_per_channel %[[X]], %[[MIN]], %[[MAX]] : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>
  // CHECK-NEXT: %[[B:.+]] = fakequant.args %[[A]] : tensor<2x3xf32>
  // CHECK-NEXT: return %[[B]]
  %0 = "tf.Identity"(%x) : (tensor<2x3xf32>) -> tensor<*xf32>
  %1 = "tf.Identity"(%min) : (tensor<3xf32>) -> tensor<*xf32>
  %a = "tf.FakeQuantWithMinMaxVarsPerChannel"(%0, %1, %max) : (tensor<*xf32>, tensor<*xf32>, tensor<3xf32>) -> tensor<*xf32>
  %2 = "tf.Identity"(%a) : (tensor<*xf32>) -> tensor<?x?xf32>
  %b = "tf.FakeQuantWithMinMaxArgs"(%2) : (tensor<?x?xf32>) -> tensor<*xf32>
  %3 = "tf.Identity"(%b) : (tensor<*xf32>) -> tensor<2x3xf32>
  return %3 : tensor<2x3xf32>
}
