// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Folds happen only where they are right in every bit, whether the program
// flushes denormals or not: nothing to round, or a range that is zero.

// RUN: fq-opt %s -canonicalize -split-input-file | FileCheck %s -enable-var-scope

// CHECK-LABEL: func.func @empty(
// CHECK-SAME:    %[[G:.+]]: tensor<0x4xf32>, %[[X:.+]]: tensor<0x4xf32>, %[[M:.+]]: tensor<f32>, %[[C:.+]]: tensor<4xf32>)
func.func @empty(%g: tensor<0x4xf32>, %x: tensor<0x4xf32>, %m: tensor<f32>, %c: tensor<4xf32>)
    -> (tensor<0x4xf32>, tensor<0x4xf32>, tensor<0x4xf32>, tensor<0x4xf32>,
        tensor<0x4xf32>, tensor<f32>, tensor<f32>, tensor<0x4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-DAG: %[[ZEROS:.+]] = arith.constant dense<0.000000e+00> : tensor<4xf32>
  // CHECK-NOT: fakequant
  // CHECK: return %[[X]], %[[G]], %[[X]], %[[X]], %[[G]], %[[ZERO]], %[[ZERO]], %[[G]], %[[ZEROS]], %[[ZEROS]]
  %0 = fakequant.args %x : tensor<0x4xf32>
  %1 = fakequant.args_gradient %g, %x : tensor<0x4xf32>, tensor<0x4xf32>
  %2 = fakequant.vars %x, %m, %m : tensor<0x4xf32>, tensor<f32>, tensor<f32>
  %3 = fakequant.vars_per_channel %x, %c, %c : tensor<0x4xf32>, tensor<4xf32>, tensor<4xf32>
  %4:3 = fakequant.vars_gradient %g, %x, %m, %m : tensor<0x4xf32>, tensor<0x4xf32>, tensor<f32>, tensor<f32>
  %5:3 = fakequant.vars_per_channel_gradient %g, %x, %c, %c : tensor<0x4xf32>, tensor<0x4xf32>, tensor<4xf32>, tensor<4xf32>
  return %0, %1, %2, %3, %4#0, %4#1, %4#2, %5#0, %5#1, %5#2
      : tensor<0x4xf32>, tensor<0x4xf32>, tensor<0x4xf32>, tensor<0x4xf32>,
        tensor<0x4xf32>, tensor<f32>, tensor<f32>, tensor<0x4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// One operand that is known to be empty is enough.
// CHECK-LABEL: func.func @empty_inputs(
// CHECK-SAME:    %[[G:.+]]: tensor<?x4xf16>, %[[X:.+]]: tensor<0x4xf16>, %[[C:.+]]: tensor<4xf32>)
func.func @empty_inputs(%g: tensor<?x4xf16>, %x: tensor<0x4xf16>, %c: tensor<4xf32>)
    -> (tensor<?x4xf16>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[ZEROS:.+]] = arith.constant dense<0.000000e+00> : tensor<4xf32>
  // CHECK: return %[[G]], %[[ZEROS]], %[[ZEROS]]
  %0:3 = fakequant.vars_per_channel_gradient %g, %x, %c, %c : tensor<?x4xf16>, tensor<0x4xf16>, tensor<4xf32>, tensor<4xf32>
  return %0#0, %0#1, %0#2 : tensor<?x4xf16>, tensor<4xf32>, tensor<4xf32>
}

// -----

// No channels: sums have no elements.
// CHECK-LABEL: func.func @no_channels(
// CHECK-SAME:    %[[G:.+]]: tensor<7x0xf32>
func.func @no_channels(%g: tensor<7x0xf32>, %c: tensor<0xf32>) -> (tensor<7x0xf32>, tensor<0xf32>) {
  // CHECK: %[[EMPTY:.+]] = arith.constant dense<0.000000e+00> : tensor<0xf32>
  // CHECK: return %[[G]], %[[EMPTY]]
  %0:3 = fakequant.vars_per_channel_gradient %g, %g, %c, %c : tensor<7x0xf32>, tensor<7x0xf32>, tensor<0xf32>, tensor<0xf32>
  return %0#0, %0#2 : tensor<7x0xf32>, tensor<0xf32>
}

// -----

// CHECK-LABEL: func.func @zero_range(
// CHECK-SAME:    %[[G:.+]]: tensor<2x3xf32>, %[[X:.+]]: tensor<2x3xf32>)
func.func @zero_range(%g: tensor<2x3xf32>, %x: tensor<2x3xf32>)
    -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<f32>, tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  // CHECK-DAG: %[[Y:.+]] = arith.constant dense<0.000000e+00> : tensor<2x3xf32>
  // The sums are +0 for a range of -0 too.
  // CHECK-DAG: %[[SUM:.+]] = arith.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-DAG: %[[SUMS:.+]] = arith.constant dense<0.000000e+00> : tensor<3xf32>
  // CHECK-NOT: fakequant
  // CHECK: return %[[Y]], %[[Y]], %[[G]], %[[SUM]], %[[SUM]], %[[G]], %[[SUMS]], %[[SUMS]]
  %zero = arith.constant dense<0.0> : tensor<f32>
  %minus_zero = arith.constant dense<-0.0> : tensor<f32>
  %zeros = arith.constant dense<[0.0, -0.0, 0.0]> : tensor<3xf32>
  %minus_zeros = arith.constant dense<-0.0> : tensor<3xf32>
  %0 = fakequant.vars %x, %minus_zero, %zero : tensor<2x3xf32>, tensor<f32>, tensor<f32>
  %1 = fakequant.vars_per_channel %x, %minus_zeros, %zeros : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>
  %2:3 = fakequant.vars_gradient %g, %x, %minus_zero, %zero : tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<f32>
  %3:3 = fakequant.vars_per_channel_gradient %g, %x, %minus_zeros, %zeros : tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>
  return %0, %1, %2#0, %2#1, %2#2, %3#0, %3#1, %3#2
      : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<f32>, tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>
}

// -----

// A forward needs a static shape for its zeros; a gradient does not.
// CHECK-LABEL: func.func @zero_range_dynamic(
// CHECK-SAME:    %[[G:.+]]: tensor<?x3xf32>, %[[X:.+]]: tensor<?x3xf32>)
func.func @zero_range_dynamic(%g: tensor<?x3xf32>, %x: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<f32>) {
  // CHECK: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : tensor<f32>
  // CHECK: %[[Y:.+]] = fakequant.vars %[[X]], %[[ZERO]], %[[ZERO]]
  // CHECK: return %[[Y]], %[[G]], %[[ZERO]]
  %zero = arith.constant dense<0.0> : tensor<f32>
  %0 = fakequant.vars %x, %zero, %zero : tensor<?x3xf32>, tensor<f32>, tensor<f32>
  %1:3 = fakequant.vars_gradient %g, %x, %zero, %zero : tensor<?x3xf32>, tensor<?x3xf32>, tensor<f32>, tensor<f32>
  return %0, %1#0, %1#1 : tensor<?x3xf32>, tensor<?x3xf32>, tensor<f32>
}

// -----

// Not zero: one channel is not, one limit is not, a limit is a denormal (which
// is zero only where denormals are flushed), a limit is not constant.
// CHECK-LABEL: func.func @not_a_zero_range(
func.func @not_a_zero_range(%x: tensor<2x3xf32>, %m: tensor<f32>)
    -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  // CHECK: fakequant.vars_per_channel
  // CHECK: fakequant.vars
  // CHECK: fakequant.vars
  // CHECK: fakequant.vars
  %zeros = arith.constant dense<0.0> : tensor<3xf32>
  %some = arith.constant dense<[0.0, 0.0, 1.0]> : tensor<3xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %denormal = arith.constant dense<1.0e-45> : tensor<f32>
  %0 = fakequant.vars_per_channel %x, %zeros, %some : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>
  %1 = fakequant.vars %x, %zero, %one : tensor<2x3xf32>, tensor<f32>, tensor<f32>
  %2 = fakequant.vars %x, %zero, %denormal : tensor<2x3xf32>, tensor<f32>, tensor<f32>
  %3 = fakequant.vars %x, %m, %zero : tensor<2x3xf32>, tensor<f32>, tensor<f32>
  return %0, %1, %2, %3 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// Constant data is not evaluated, and fake quantization twice is not once: the
// second may round the first's result to another value.
// CHECK-LABEL: func.func @nothing_else(
// CHECK-SAME:    %[[X:.+]]: tensor<2xf32>)
func.func @nothing_else(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // CHECK: %[[C:.+]] = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  // CHECK: %[[A:.+]] = fakequant.args %[[C]]
  // CHECK: %[[B:.+]] = fakequant.args %[[X]]
  // CHECK: %[[D:.+]] = fakequant.args %[[B]]
  // CHECK: return %[[A]], %[[D]]
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = fakequant.args %c : tensor<2xf32>
  %1 = fakequant.args %x : tensor<2xf32>
  %2 = fakequant.args %1 : tensor<2xf32>
  return %0, %2 : tensor<2xf32>, tensor<2xf32>
}

// -----

// Shapes, encodings and constants that a fold must survive.
// CHECK-LABEL: func.func @odd_types(
func.func @odd_types(%u: tensor<*xf32>, %e: tensor<0xf32, "encoding">, %x: tensor<3xf32>, %m: tensor<*xf32>)
    -> (tensor<*xf32>, tensor<0xf32, "encoding">, tensor<3xf32>, tensor<*xf32>) {
  // CHECK: fakequant.vars
  // CHECK: fakequant.vars
  // CHECK: fakequant.vars_gradient
  %zero = arith.constant dense<0.0> : tensor<f32>
  %resource = arith.constant dense_resource<blob> : tensor<f32>
  %0 = fakequant.vars %u, %zero, %zero : tensor<*xf32>, tensor<f32>, tensor<f32>
  %1 = fakequant.args %e : tensor<0xf32, "encoding">
  %2 = fakequant.vars %x, %resource, %zero : tensor<3xf32>, tensor<f32>, tensor<f32>
  %3:3 = fakequant.vars_gradient %x, %x, %m, %zero : tensor<3xf32>, tensor<3xf32>, tensor<*xf32>, tensor<f32>
  return %0, %1, %2, %3#1 : tensor<*xf32>, tensor<0xf32, "encoding">, tensor<3xf32>, tensor<*xf32>
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x0400000000000000"
    }
  }
#-}

// -----

// Ops without uses go.
// CHECK-LABEL: func.func @dead(
// CHECK-NEXT:    return
func.func @dead(%x: tensor<3xf32>, %m: tensor<f32>) {
  %0 = fakequant.args %x : tensor<3xf32>
  %1:3 = fakequant.vars_gradient %x, %0, %m, %m : tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<f32>
  return
}
