// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Bytecode keeps every attribute, those with default values too.

// RUN: fq-opt %s -o %t.before.mlir
// RUN: fq-opt %s -emit-bytecode -o %t.mlirbc
// RUN: fq-opt %t.mlirbc -o %t.after.mlir
// RUN: diff %t.before.mlir %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir

// Bytecode records the version of the dialect. A later minor version is read,
// a later major one is refused.
// RUN: %python %S/Inputs/set-bytecode-version.py 1.7 < %t.mlirbc > %t.minor.mlirbc
// RUN: fq-opt %t.minor.mlirbc | diff %t.before.mlir -
// RUN: %python %S/Inputs/set-bytecode-version.py 2.0 < %t.mlirbc > %t.major.mlirbc
// RUN: not fq-opt %t.major.mlirbc 2>&1 | FileCheck %s -check-prefix=MAJOR

// MAJOR: error: expected fakequant dialect version 1.x or earlier but got 2.0

// CHECK-LABEL: func.func @args(
// CHECK-SAME:    %[[X:.+]]: tensor<2x?xbf16>)
func.func @args(%x: tensor<2x?xbf16>) -> tensor<2x?xbf16> {
  // CHECK: fakequant.args_gradient %[[X]], %{{.+}} {max = 2.500000e-01 : f64, min = -1.250000e-01 : f64, narrow_range = true, num_bits = 16 : i64} : tensor<2x?xbf16>, tensor<2x?xbf16>
  %y = fakequant.args %x : tensor<2x?xbf16>
  %dx = fakequant.args_gradient %x, %y {min = -0.125, max = 0.25, num_bits = 16, narrow_range = true} : tensor<2x?xbf16>, tensor<2x?xbf16>
  return %dx : tensor<2x?xbf16>
}

func.func @vars(%x: tensor<*xf64>, %min: tensor<f64>, %max: tensor<f64>) -> tensor<*xf64> {
  %y = fakequant.vars %x, %min, %max {num_bits = 2} : tensor<*xf64>, tensor<f64>, tensor<f64>
  %dx, %dmin, %dmax = fakequant.vars_gradient %x, %y, %min, %max {narrow_range = true} : tensor<*xf64>, tensor<*xf64>, tensor<f64>, tensor<f64>
  return %dx : tensor<*xf64>
}

// CHECK-LABEL: func.func @vars_per_channel(
func.func @vars_per_channel(%x: tensor<?x3x5xf16>, %min: tensor<3xf32>, %max: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK: fakequant.vars_per_channel %{{.+}} {axis = 1 : i64} : tensor<?x3x5xf16>, tensor<3xf32>, tensor<3xf32>
  %y = fakequant.vars_per_channel %x, %min, %max {axis = 1} : tensor<?x3x5xf16>, tensor<3xf32>, tensor<3xf32>
  // Attributes that are not the op's own are kept as well.
  // CHECK: fakequant.vars_per_channel_gradient %{{.+}} {axis = -2 : i64, note = "x", num_bits = 5 : i64} :
  %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %x, %y, %min, %max {axis = -2, num_bits = 5, note = "x"} : tensor<?x3x5xf16>, tensor<?x3x5xf16>, tensor<3xf32>, tensor<3xf32>
  return %dmin : tensor<3xf32>
}
