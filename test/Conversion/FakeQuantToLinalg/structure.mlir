// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops and maps: the parameters of each channel, one generic over the
// elements, a rounding of the sums.

// RUN: fq-opt %s -convert-fakequant-to-linalg -split-input-file \
// RUN:   | FileCheck %s -enable-var-scope

// The channel is the last dimension; sums reduce the others.
// CHECK-DAG: #[[$CHANNEL:.+]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[$ELEMENT:.+]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[$LAST:.+]] = affine_map<(d0, d1, d2) -> (d2)>
// CHECK-LABEL: func.func @last_axis(
// CHECK-SAME:    %[[G:.+]]: tensor<?x3x5xf32>, %[[X:.+]]: tensor<?x3x5xf32>, %[[MIN:.+]]: tensor<5xf32>, %[[MAX:.+]]: tensor<5xf32>)
func.func @last_axis(%g: tensor<?x3x5xf32>, %x: tensor<?x3x5xf32>, %min: tensor<5xf32>, %max: tensor<5xf32>)
    -> (tensor<?x3x5xf32>, tensor<5xf32>, tensor<5xf32>) {
  // CHECK:      %[[P:.+]]:3 = linalg.generic
  // CHECK-SAME:   indexing_maps = [#[[$CHANNEL]], #[[$CHANNEL]], #[[$CHANNEL]], #[[$CHANNEL]], #[[$CHANNEL]]]
  // CHECK-SAME:   iterator_types = ["parallel"]
  // CHECK-SAME:   ins(%[[MIN]], %[[MAX]] : tensor<5xf32>, tensor<5xf32>)
  // CHECK-SAME:   outs(%{{.+}}, %{{.+}}, %{{.+}} : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>)
  // CHECK:      %[[C0:.+]] = arith.constant 0 : index
  // CHECK:      %[[ROWS:.+]] = tensor.dim %[[G]], %[[C0]]
  // CHECK:      %[[DX_INIT:.+]] = tensor.empty(%[[ROWS]]) : tensor<?x3x5xf32>
  // CHECK:      %[[MIN_EMPTY:.+]] = tensor.empty() : tensor<5xf64>
  // CHECK:      %[[MIN_ZERO:.+]] = arith.constant 0.000000e+00 : f64
  // CHECK:      %[[MIN_INIT:.+]] = linalg.fill ins(%[[MIN_ZERO]] : f64) outs(%[[MIN_EMPTY]] : tensor<5xf64>)
  // CHECK:      %[[MAX_EMPTY:.+]] = tensor.empty() : tensor<5xf64>
  // CHECK:      %[[MAX_ZERO:.+]] = arith.constant 0.000000e+00 : f64
  // CHECK:      %[[MAX_INIT:.+]] = linalg.fill ins(%[[MAX_ZERO]] : f64) outs(%[[MAX_EMPTY]] : tensor<5xf64>)
  // CHECK:      %[[E:.+]]:3 = linalg.generic
  // CHECK-SAME:   indexing_maps = [#[[$ELEMENT]], #[[$ELEMENT]], #[[$LAST]], #[[$LAST]], #[[$LAST]], #[[$ELEMENT]], #[[$LAST]], #[[$LAST]]]
  // CHECK-SAME:   iterator_types = ["reduction", "reduction", "parallel"]
  // CHECK-SAME:   ins(%[[G]], %[[X]], %[[P]]#0, %[[P]]#1, %[[P]]#2 : tensor<?x3x5xf32>, tensor<?x3x5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>)
  // CHECK-SAME:   outs(%[[DX_INIT]], %[[MIN_INIT]], %[[MAX_INIT]] : tensor<?x3x5xf32>, tensor<5xf64>, tensor<5xf64>)
  // CHECK:      %[[DMIN:.+]] = linalg.generic
  // CHECK-SAME:   iterator_types = ["parallel"]
  // CHECK-SAME:   ins(%[[E]]#1 : tensor<5xf64>) outs(%{{.+}} : tensor<5xf32>)
  // CHECK-NEXT: ^bb0(%[[DMIN_IN:.+]]: f64, %{{.+}}: f32):
  // CHECK-NEXT:   %[[DMIN_OUT:.+]] = arith.truncf %[[DMIN_IN]] : f64 to f32
  // CHECK-NEXT:   linalg.yield %[[DMIN_OUT]] : f32
  // CHECK:      %[[DMAX:.+]] = linalg.generic
  // CHECK-SAME:   ins(%[[E]]#2 : tensor<5xf64>) outs(%{{.+}} : tensor<5xf32>)
  // CHECK-NOT:  linalg.generic
  // CHECK:      return %[[E]]#0, %[[DMIN]], %[[DMAX]]
  %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %g, %x, %min, %max : tensor<?x3x5xf32>, tensor<?x3x5xf32>, tensor<5xf32>, tensor<5xf32>
  return %dx, %dmin, %dmax : tensor<?x3x5xf32>, tensor<5xf32>, tensor<5xf32>
}

// -----

// CHECK-DAG: #[[$ELEMENT:.+]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[$FIRST:.+]] = affine_map<(d0, d1, d2) -> (d0)>
// CHECK-LABEL: func.func @first_axis(
// CHECK-SAME:    %[[X:.+]]: tensor<4x?x5xf32>, %[[MIN:.+]]: tensor<4xf32>, %[[MAX:.+]]: tensor<4xf32>)
func.func @first_axis(%x: tensor<4x?x5xf32>, %min: tensor<4xf32>, %max: tensor<4xf32>) -> (tensor<4x?x5xf32>, tensor<4xf32>) {
  // CHECK:      %{{.+}}:3 = linalg.generic
  // CHECK:      linalg.generic
  // CHECK-SAME:   indexing_maps = [#[[$ELEMENT]], #[[$ELEMENT]], #[[$FIRST]], #[[$FIRST]], #[[$FIRST]], #[[$ELEMENT]], #[[$FIRST]], #[[$FIRST]]]
  // CHECK-SAME:   iterator_types = ["parallel", "reduction", "reduction"]
  // CHECK-SAME:   ins(%[[X]], %[[X]],
  %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %x, %x, %min, %max {axis = 0} : tensor<4x?x5xf32>, tensor<4x?x5xf32>, tensor<4xf32>, tensor<4xf32>
  return %dx, %dmin : tensor<4x?x5xf32>, tensor<4xf32>
}

// -----

// A negative axis counts from the end.
// CHECK-DAG: #[[$ELEMENT:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[$SECOND:.+]] = affine_map<(d0, d1, d2, d3) -> (d1)>
// CHECK-LABEL: func.func @middle_axis(
func.func @middle_axis(%x: tensor<2x?x?x5xf32>, %min: tensor<?xf32>, %max: tensor<?xf32>) -> (tensor<2x?x?x5xf32>, tensor<?xf32>) {
  // CHECK:      %{{.+}}:3 = linalg.generic
  // CHECK:      linalg.generic
  // CHECK-SAME:   indexing_maps = [#[[$ELEMENT]], #[[$ELEMENT]], #[[$SECOND]], #[[$SECOND]], #[[$SECOND]], #[[$ELEMENT]], #[[$SECOND]], #[[$SECOND]]]
  // CHECK-SAME:   iterator_types = ["reduction", "parallel", "reduction", "reduction"]
  %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %x, %x, %min, %max {axis = -3} : tensor<2x?x?x5xf32>, tensor<2x?x?x5xf32>, tensor<?xf32>, tensor<?xf32>
  return %dx, %dmin : tensor<2x?x?x5xf32>, tensor<?xf32>
}

// -----

// Sizes that nobody knows: sums have min's.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:    %[[G:.+]]: tensor<?x?xf32>, %[[X:.+]]: tensor<2x4xf32>, %[[MIN:.+]]: tensor<?xf32>, %[[MAX:.+]]: tensor<4xf32>)
func.func @dynamic(%g: tensor<?x?xf32>, %x: tensor<2x4xf32>, %min: tensor<?xf32>, %max: tensor<4xf32>)
    -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) {
  // CHECK: %[[CHANNELS:.+]] = tensor.dim %[[MIN]], %{{.+}} : tensor<?xf32>
  // CHECK: tensor.empty(%[[CHANNELS]]) : tensor<?xf32>
  // CHECK: ins(%[[MIN]], %[[MAX]] : tensor<?xf32>, tensor<4xf32>)
  // CHECK: %[[ROWS:.+]] = tensor.dim %[[G]], %{{.+}} : tensor<?x?xf32>
  // CHECK: %[[COLUMNS:.+]] = tensor.dim %[[G]], %{{.+}} : tensor<?x?xf32>
  // CHECK: tensor.empty(%[[ROWS]], %[[COLUMNS]]) : tensor<?x?xf32>
  // CHECK: %[[LENGTH:.+]] = tensor.dim %[[MIN]], %{{.+}} : tensor<?xf32>
  // CHECK: tensor.empty(%[[LENGTH]]) : tensor<?xf64>
  %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %g, %x, %min, %max : tensor<?x?xf32>, tensor<2x4xf32>, tensor<?xf32>, tensor<4xf32>
  return %dx, %dmin, %dmax : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>
}

// -----

// One range: parameters are scalars, sums reduce every dimension.
// CHECK-DAG: #[[$SCALAR:.+]] = affine_map<() -> ()>
// CHECK-DAG: #[[$ELEMENT:.+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$NONE:.+]] = affine_map<(d0, d1) -> ()>
// CHECK-LABEL: func.func @scalars(
// CHECK-SAME:    %[[G:.+]]: tensor<2x3xf32>, %[[X:.+]]: tensor<2x3xf32>, %[[MIN:.+]]: tensor<f32>, %[[MAX:.+]]: tensor<f32>)
func.func @scalars(%g: tensor<2x3xf32>, %x: tensor<2x3xf32>, %min: tensor<f32>, %max: tensor<f32>)
    -> (tensor<2x3xf32>, tensor<f32>, tensor<f32>) {
  // CHECK:      %[[P:.+]]:3 = linalg.generic
  // CHECK-SAME:   indexing_maps = [#[[$SCALAR]], #[[$SCALAR]], #[[$SCALAR]], #[[$SCALAR]], #[[$SCALAR]]]
  // CHECK-SAME:   iterator_types = []
  // CHECK-SAME:   ins(%[[MIN]], %[[MAX]] : tensor<f32>, tensor<f32>)
  // CHECK:      linalg.generic
  // CHECK-SAME:   indexing_maps = [#[[$ELEMENT]], #[[$ELEMENT]], #[[$NONE]], #[[$NONE]], #[[$NONE]], #[[$ELEMENT]], #[[$NONE]], #[[$NONE]]]
  // CHECK-SAME:   iterator_types = ["reduction", "reduction"]
  // CHECK-SAME:   ins(%[[G]], %[[X]], %[[P]]#0, %[[P]]#1, %[[P]]#2
  // CHECK-SAME:   outs(%{{.+}}, %{{.+}}, %{{.+}} : tensor<2x3xf32>, tensor<f64>, tensor<f64>)
  %dx, %dmin, %dmax = fakequant.vars_gradient %g, %x, %min, %max : tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<f32>
  return %dx, %dmin, %dmax : tensor<2x3xf32>, tensor<f32>, tensor<f32>
}

// -----

// Rank 0 has no loops at all.
// CHECK-LABEL: func.func @rank_0(
func.func @rank_0(%x: tensor<f32>, %min: tensor<f32>, %max: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  // CHECK: %{{.+}}:3 = linalg.generic {{.*}}iterator_types = []
  // CHECK: %{{.+}}:3 = linalg.generic {{.*}}iterator_types = []
  %dx, %dmin, %dmax = fakequant.vars_gradient %x, %x, %min, %max : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  return %dx, %dmin : tensor<f32>, tensor<f32>
}

// -----

// A forward has no sums, so its loops are parallel.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:.+]]: tensor<?x4xf32>, %[[MIN:.+]]: tensor<4xf32>, %[[MAX:.+]]: tensor<4xf32>)
func.func @forward(%x: tensor<?x4xf32>, %min: tensor<4xf32>, %max: tensor<4xf32>) -> tensor<?x4xf32> {
  // CHECK:      %[[P:.+]]:6 = linalg.generic
  // CHECK:      %[[Y:.+]] = linalg.generic
  // CHECK-SAME:   iterator_types = ["parallel", "parallel"]
  // CHECK-SAME:   ins(%[[X]], %[[P]]#0, %[[P]]#1, %[[P]]#2, %[[P]]#3, %[[P]]#4, %[[P]]#5 :
  // CHECK-NOT:  linalg.generic
  // CHECK:      return %[[Y]]
  %y = fakequant.vars_per_channel %x, %min, %max : tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// A constant range stays constants of tensor type: the parameters are computed
// when the program runs, for no folder knows whether denormals are flushed.
// CHECK-LABEL: func.func @args(
// CHECK-SAME:    %[[G:.+]]: tensor<?xf32>, %[[X:.+]]: tensor<?xf32>)
func.func @args(%g: tensor<?xf32>, %x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  // CHECK:      %[[MIN:.+]] = arith.constant dense<-1.000000e+00> : tensor<f32>
  // CHECK:      %[[MAX:.+]] = arith.constant dense<2.000000e+00> : tensor<f32>
  // CHECK:      %[[P:.+]]:5 = linalg.generic
  // CHECK-SAME:   ins(%[[MIN]], %[[MAX]] : tensor<f32>, tensor<f32>)
  // CHECK:      linalg.generic
  // CHECK-SAME:   iterator_types = ["parallel"]
  // CHECK-SAME:   ins(%[[X]], %[[P]]#0, %[[P]]#1, %[[P]]#2, %[[P]]#3, %[[P]]#4 :
  %y = fakequant.args %x {min = -1.0, max = 2.0} : tensor<?xf32>
  // CHECK:      %[[Q:.+]]:2 = linalg.generic
  // CHECK:      linalg.generic
  // CHECK-SAME:   iterator_types = ["parallel"]
  // CHECK-SAME:   ins(%[[G]], %[[X]], %[[Q]]#0, %[[Q]]#1 :
  %dx = fakequant.args_gradient %g, %x {min = -1.0, max = 2.0} : tensor<?xf32>, tensor<?xf32>
  return %y, %dx : tensor<?xf32>, tensor<?xf32>
}

// -----

// Other ops stay, inside regions too.
// CHECK-LABEL: func.func @others(
// CHECK-SAME:    %[[X:.+]]: tensor<4xf32>, %[[C:.+]]: i1)
func.func @others(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  // CHECK: %[[A:.+]] = math.exp %[[X]] : tensor<4xf32>
  // CHECK: scf.if %[[C]]
  // CHECK: %[[Y:.+]] = linalg.generic {{.+}} ins(%[[A]],
  // CHECK: scf.yield %[[Y]]
  // CHECK: scf.yield %[[A]]
  // CHECK-NOT: fakequant
  %0 = math.exp %x : tensor<4xf32>
  %1 = scf.if %c -> tensor<4xf32> {
    %2 = fakequant.args %0 : tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  } else {
    scf.yield %0 : tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}
