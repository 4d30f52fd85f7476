// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: fq-opt %s | FileCheck %s -enable-var-scope
// RUN: fq-opt %s | fq-opt | FileCheck %s -enable-var-scope
// RUN: fq-opt %s -mlir-print-op-generic | fq-opt | FileCheck %s -enable-var-scope

// CHECK-LABEL: func.func @args(
// CHECK-SAME:    %[[X:.+]]: tensor<2x8xf32>)
func.func @args(%x: tensor<2x8xf32>) {
  // Defaults are not printed.
  // CHECK-NEXT: %{{.+}} = fakequant.args %[[X]] : tensor<2x8xf32>
  %0 = fakequant.args %x : tensor<2x8xf32>
  // CHECK-NEXT: %{{.+}} = fakequant.args %[[X]] : tensor<2x8xf32>
  %1 = fakequant.args %x {min = -6.0, max = 6.0, num_bits = 8, narrow_range = false} : tensor<2x8xf32>
  // CHECK-NEXT: %{{.+}} = fakequant.args %[[X]] {max = 1.000000e+00 : f64, min = -1.000000e+00 : f64, narrow_range = true, num_bits = 4 : i64} : tensor<2x8xf32>
  %2 = fakequant.args %x {min = -1.0, max = 1.0, num_bits = 4, narrow_range = true} : tensor<2x8xf32>
  // CHECK-NEXT: %{{.+}} = fakequant.args %[[X]] {num_bits = 2 : i64} : tensor<2x8xf32>
  %3 = fakequant.args %x {num_bits = 2} : tensor<2x8xf32>
  // CHECK-NEXT: %{{.+}} = fakequant.args %[[X]] {num_bits = 16 : i64} : tensor<2x8xf32>
  %4 = fakequant.args %x {num_bits = 16} : tensor<2x8xf32>
  // CHECK-NEXT: %{{.+}} = fakequant.args %[[X]] : tensor<2x8xf32>
  %5 = "fakequant.args"(%x) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  // CHECK-NEXT: %{{.+}} = fakequant.args %[[X]] {num_bits = 3 : i64} : tensor<2x8xf32>
  %6 = "fakequant.args"(%x) <{num_bits = 3 : i64}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return
}

// CHECK-LABEL: func.func @args_gradient(
// CHECK-SAME:    %[[G:.+]]: tensor<2x8xf32>, %[[X:.+]]: tensor<2x8xf32>)
func.func @args_gradient(%g: tensor<2x8xf32>, %x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK-NEXT: %[[DX:.+]] = fakequant.args_gradient %[[G]], %[[X]] {min = 0.000000e+00 : f64} : tensor<2x8xf32>, tensor<2x8xf32>
  %dx = fakequant.args_gradient %g, %x {min = 0.0} : tensor<2x8xf32>, tensor<2x8xf32>
  // CHECK-NEXT: return %[[DX]]
  return %dx : tensor<2x8xf32>
}

// CHECK-LABEL: func.func @vars(
// CHECK-SAME:    %[[X:.+]]: tensor<2x8xf32>, %[[MIN:.+]]: tensor<f32>, %[[MAX:.+]]: tensor<f32>)
func.func @vars(%x: tensor<2x8xf32>, %min: tensor<f32>, %max: tensor<f32>) -> tensor<2x8xf32> {
  // CHECK-NEXT: %[[Y:.+]] = fakequant.vars %[[X]], %[[MIN]], %[[MAX]] {num_bits = 4 : i64} : tensor<2x8xf32>, tensor<f32>, tensor<f32>
  %y = fakequant.vars %x, %min, %max {num_bits = 4} : tensor<2x8xf32>, tensor<f32>, tensor<f32>
  // CHECK-NEXT: return %[[Y]]
  return %y : tensor<2x8xf32>
}

// CHECK-LABEL: func.func @vars_gradient(
// CHECK-SAME:    %[[G:.+]]: tensor<2x8xf32>, %[[X:.+]]: tensor<2x8xf32>, %[[MIN:.+]]: tensor<f32>, %[[MAX:.+]]: tensor<f32>)
func.func @vars_gradient(%g: tensor<2x8xf32>, %x: tensor<2x8xf32>, %min: tensor<f32>, %max: tensor<f32>)
    -> (tensor<2x8xf32>, tensor<f32>, tensor<f32>) {
  // CHECK-NEXT: %[[DX:.+]], %[[DMIN:.+]], %[[DMAX:.+]] = fakequant.vars_gradient %[[G]], %[[X]], %[[MIN]], %[[MAX]] : tensor<2x8xf32>, tensor<2x8xf32>, tensor<f32>, tensor<f32>
  %dx, %dmin, %dmax = fakequant.vars_gradient %g, %x, %min, %max : tensor<2x8xf32>, tensor<2x8xf32>, tensor<f32>, tensor<f32>
  // CHECK-NEXT: return %[[DX]], %[[DMIN]], %[[DMAX]]
  return %dx, %dmin, %dmax : tensor<2x8xf32>, tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @vars_per_channel(
// CHECK-SAME:    %[[X:.+]]: tensor<?x24x8xf32>, %[[MIN:.+]]: tensor<24xf32>, %[[MAX:.+]]: tensor<24xf32>)
func.func @vars_per_channel(%x: tensor<?x24x8xf32>, %min: tensor<24xf32>, %max: tensor<24xf32>) {
  // CHECK-NEXT: %{{.+}} = fakequant.vars_per_channel %[[X]], %[[MIN]], %[[MAX]] {axis = 1 : i64} : tensor<?x24x8xf32>, tensor<24xf32>, tensor<24xf32>
  %0 = fakequant.vars_per_channel %x, %min, %max {axis = 1} : tensor<?x24x8xf32>, tensor<24xf32>, tensor<24xf32>
  // CHECK-NEXT: %{{.+}} = fakequant.vars_per_channel %[[X]], %[[MIN]], %[[MAX]] {axis = -2 : i64} : tensor<?x24x8xf32>, tensor<24xf32>, tensor<24xf32>
  %1 = fakequant.vars_per_channel %x, %min, %max {axis = -2} : tensor<?x24x8xf32>, tensor<24xf32>, tensor<24xf32>
  return
}

// CHECK-LABEL: func.func @vars_per_channel_gradient(
// CHECK-SAME:    %[[G:.+]]: tensor<?x24xf32>, %[[X:.+]]: tensor<?x24xf32>, %[[MIN:.+]]: tensor<24xf32>, %[[MAX:.+]]: tensor<24xf32>)
func.func @vars_per_channel_gradient(%g: tensor<?x24xf32>, %x: tensor<?x24xf32>, %min: tensor<24xf32>, %max: tensor<24xf32>)
    -> (tensor<?x24xf32>, tensor<24xf32>, tensor<24xf32>) {
  // CHECK-NEXT: %[[DX:.+]], %[[DMIN:.+]], %[[DMAX:.+]] = fakequant.vars_per_channel_gradient %[[G]], %[[X]], %[[MIN]], %[[MAX]] : tensor<?x24xf32>, tensor<?x24xf32>, tensor<24xf32>, tensor<24xf32>
  %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %g, %x, %min, %max {axis = -1} : tensor<?x24xf32>, tensor<?x24xf32>, tensor<24xf32>, tensor<24xf32>
  // CHECK-NEXT: return %[[DX]], %[[DMIN]], %[[DMAX]]
  return %dx, %dmin, %dmax : tensor<?x24xf32>, tensor<24xf32>, tensor<24xf32>
}

// Data of 16 bits takes a range of its own type or of f32; sums have min's.
// CHECK-LABEL: func.func @element_types(
func.func @element_types(%h: tensor<3xf16>, %b: tensor<3xbf16>, %d: tensor<3xf64>,
                         %mh: tensor<f16>, %mb: tensor<3xbf16>, %mf: tensor<f32>, %mf3: tensor<3xf32>, %md: tensor<3xf64>) {
  // CHECK: fakequant.vars_gradient %{{.+}} : tensor<3xf16>, tensor<3xf16>, tensor<f16>, tensor<f16>
  %0:3 = fakequant.vars_gradient %h, %h, %mh, %mh : tensor<3xf16>, tensor<3xf16>, tensor<f16>, tensor<f16>
  // CHECK: fakequant.vars_gradient %{{.+}} : tensor<3xf16>, tensor<3xf16>, tensor<f32>, tensor<f32>
  %1:3 = fakequant.vars_gradient %h, %h, %mf, %mf : tensor<3xf16>, tensor<3xf16>, tensor<f32>, tensor<f32>
  // CHECK: fakequant.vars_per_channel_gradient %{{.+}} : tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>
  %2:3 = fakequant.vars_per_channel_gradient %b, %b, %mb, %mb : tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>
  // CHECK: fakequant.vars_per_channel %{{.+}} : tensor<3xbf16>, tensor<3xf32>, tensor<3xf32>
  %3 = fakequant.vars_per_channel %b, %mf3, %mf3 : tensor<3xbf16>, tensor<3xf32>, tensor<3xf32>
  // CHECK: fakequant.vars_per_channel %{{.+}} : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>
  %4 = fakequant.vars_per_channel %d, %md, %md : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>
  // CHECK: fakequant.args %{{.+}} : tensor<3xf64>
  %5 = fakequant.args %d : tensor<3xf64>
  return
}

// Any rank, dynamic sizes, empty tensors, encodings.
// CHECK-LABEL: func.func @shapes(
func.func @shapes(%scalar: tensor<f32>, %empty: tensor<0x3xf32>, %dynamic: tensor<?x?xf32>, %unranked: tensor<*xf32>,
                  %m: tensor<f32>, %m3: tensor<3xf32>, %md: tensor<?xf32>, %mu: tensor<*xf32>, %encoded: tensor<3xf32, "encoding">) {
  // CHECK: fakequant.vars %{{.+}} : tensor<f32>, tensor<f32>, tensor<f32>
  %0 = fakequant.vars %scalar, %m, %m : tensor<f32>, tensor<f32>, tensor<f32>
  // CHECK: fakequant.vars_per_channel %{{.+}} : tensor<0x3xf32>, tensor<3xf32>, tensor<3xf32>
  %1 = fakequant.vars_per_channel %empty, %m3, %m3 : tensor<0x3xf32>, tensor<3xf32>, tensor<3xf32>
  // CHECK: fakequant.vars_per_channel_gradient %{{.+}} : tensor<?x?xf32>, tensor<0x3xf32>, tensor<?xf32>, tensor<3xf32>
  %2:3 = fakequant.vars_per_channel_gradient %dynamic, %empty, %md, %m3 : tensor<?x?xf32>, tensor<0x3xf32>, tensor<?xf32>, tensor<3xf32>
  // CHECK: fakequant.vars_per_channel_gradient %{{.+}} : tensor<*xf32>, tensor<?x?xf32>, tensor<*xf32>, tensor<?xf32>
  %3:3 = fakequant.vars_per_channel_gradient %unranked, %dynamic, %mu, %md : tensor<*xf32>, tensor<?x?xf32>, tensor<*xf32>, tensor<?xf32>
  // CHECK: fakequant.vars_per_channel %{{.+}} : tensor<3xf32, "encoding">, tensor<3xf32>, tensor<3xf32>
  %4 = fakequant.vars_per_channel %encoded, %m3, %m3 : tensor<3xf32, "encoding">, tensor<3xf32>, tensor<3xf32>
  return
}

// The smallest ranges that are still ranges, in f32 and in f64.
// CHECK-LABEL: func.func @narrowest_ranges(
func.func @narrowest_ranges(%x: tensor<3xf32>, %d: tensor<3xf64>) {
  // CHECK: fakequant.args %{{.+}} {max = 1.4012984643248171E-45 : f64, min = 0.000000e+00 : f64}
  %0 = fakequant.args %x {min = 0.0, max = 1.4012984643248171E-45} : tensor<3xf32>
  // CHECK: fakequant.args %{{.+}} {max = 1.0000000000000002 : f64, min = 1.000000e+00 : f64}
  %1 = fakequant.args %d {min = 1.0, max = 1.0000000000000002} : tensor<3xf64>
  return
}
