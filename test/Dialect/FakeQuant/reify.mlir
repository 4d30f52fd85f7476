// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sizes of results are sizes of operands: dx has those of the gradients, sums
// have those of min.

// RUN: fq-opt %s -resolve-ranked-shaped-type-result-dims | FileCheck %s -enable-var-scope

// CHECK-LABEL: func.func @per_channel(
// CHECK-SAME:    %[[G:.+]]: tensor<?x?xf32>, %[[X:.+]]: tensor<?x?xf32>, %[[MIN:.+]]: tensor<?xf32>, %[[MAX:.+]]: tensor<?xf32>)
func.func @per_channel(%g: tensor<?x?xf32>, %x: tensor<?x?xf32>, %min: tensor<?xf32>, %max: tensor<?xf32>)
    -> (index, index, index, index) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK-DAG: %[[C1:.+]] = arith.constant 1 : index
  // CHECK-DAG: %[[ROWS:.+]] = tensor.dim %[[G]], %[[C0]] : tensor<?x?xf32>
  // CHECK-DAG: %[[CHANNELS:.+]] = tensor.dim %[[G]], %[[C1]] : tensor<?x?xf32>
  // CHECK-DAG: %[[DMIN:.+]] = tensor.dim %[[MIN]], %[[C0]] : tensor<?xf32>
  // CHECK-DAG: %[[DMAX:.+]] = tensor.dim %[[MIN]], %[[C0]] : tensor<?xf32>
  // CHECK: return %[[ROWS]], %[[CHANNELS]], %[[DMIN]], %[[DMAX]]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:3 = fakequant.vars_per_channel_gradient %g, %x, %min, %max : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>
  %rows = tensor.dim %0#0, %c0 : tensor<?x?xf32>
  %channels = tensor.dim %0#0, %c1 : tensor<?x?xf32>
  %dmin = tensor.dim %0#1, %c0 : tensor<?xf32>
  %dmax = tensor.dim %0#2, %c0 : tensor<?xf32>
  return %rows, %channels, %dmin, %dmax : index, index, index, index
}

// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:.+]]: tensor<?x4xbf16>, %[[MIN:.+]]: tensor<f32>)
func.func @forward(%x: tensor<?x4xbf16>, %min: tensor<f32>) -> (index, index, index) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK-DAG: %[[C4:.+]] = arith.constant 4 : index
  // CHECK-DAG: %[[ROWS:.+]] = tensor.dim %[[X]], %[[C0]] : tensor<?x4xbf16>
  // CHECK: return %[[ROWS]], %[[C4]], %{{.+}}
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = fakequant.args %x : tensor<?x4xbf16>
  %1 = fakequant.vars %x, %min, %min : tensor<?x4xbf16>, tensor<f32>, tensor<f32>
  %rows = tensor.dim %0, %c0 : tensor<?x4xbf16>
  %columns = tensor.dim %0, %c1 : tensor<?x4xbf16>
  %rows_1 = tensor.dim %1, %c0 : tensor<?x4xbf16>
  return %rows, %columns, %rows_1 : index, index, index
}

// Nothing is known of an unranked tensor, and nothing crashes.
// CHECK-LABEL: func.func @unranked(
func.func @unranked(%x: tensor<*xf32>) -> index {
  // CHECK: %[[Y:.+]] = fakequant.args
  // CHECK: %[[CAST:.+]] = tensor.cast %[[Y]]
  // CHECK: tensor.dim %[[CAST]]
  %c0 = arith.constant 0 : index
  %0 = fakequant.args %x : tensor<*xf32>
  %1 = tensor.cast %0 : tensor<*xf32> to tensor<?xf32>
  %2 = tensor.dim %1, %c0 : tensor<?xf32>
  return %2 : index
}
