// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// 16-bit data is widened on the way in and rounded once on the way out; all
// between is f32. f64 computes in f64.

// RUN: fq-opt %s -convert-fakequant-to-linalg -split-input-file \
// RUN:   | FileCheck %s -enable-var-scope

// CHECK-LABEL: func.func @f16_with_its_own_range(
func.func @f16_with_its_own_range(%x: tensor<?x3xf16>, %min: tensor<3xf16>, %max: tensor<3xf16>) -> tensor<?x3xf16> {
  // Parameters are f32 whatever the range.
  // CHECK:      linalg.generic
  // CHECK-SAME:   ins(%{{.+}}, %{{.+}} : tensor<3xf16>, tensor<3xf16>) outs({{.+}} : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  // CHECK-NEXT: ^bb0(%[[MIN:[^:]+]]: f16, %[[MAX:[^:]+]]: f16,
  // CHECK-NEXT:   %[[MIN_WIDE:.+]] = arith.extf %[[MIN]] : f16 to f32
  // CHECK-NEXT:   %[[MAX_WIDE:.+]] = arith.extf %[[MAX]] : f16 to f32
  // CHECK:        arith.subf %[[MAX_WIDE]], %[[MIN_WIDE]] : f32
  // CHECK:      linalg.generic
  // CHECK:      ^bb0(%[[X:[^:]+]]: f16,
  // CHECK-NEXT:   %[[X_WIDE:.+]] = arith.extf %[[X]] : f16 to f32
  // CHECK-NEXT:   arith.cmpf ogt, %[[X_WIDE]], %{{.+}} : f32
  // CHECK:        arith.cmpf une
  // CHECK:        %[[Y:.+]] = arith.select {{.+}} : f32
  // CHECK-NEXT:   %[[Y_NARROW:.+]] = arith.truncf %[[Y]] : f32 to f16
  // CHECK-NEXT:   linalg.yield %[[Y_NARROW]] : f16
  %y = fakequant.vars_per_channel %x, %min, %max : tensor<?x3xf16>, tensor<3xf16>, tensor<3xf16>
  return %y : tensor<?x3xf16>
}

// -----

// Sums have min's type, and are rounded to it from f64 at once: no detour over
// f32, which would round twice.
// CHECK-LABEL: func.func @bf16_sums(
func.func @bf16_sums(%x: tensor<?xbf16>, %min: tensor<bf16>, %max: tensor<bf16>) -> (tensor<?xbf16>, tensor<bf16>, tensor<bf16>) {
  // CHECK:      %[[E:.+]]:3 = linalg.generic {{.+}}"reduction"
  // CHECK-SAME:   outs(%{{.+}}, %{{.+}}, %{{.+}} : tensor<?xbf16>, tensor<f64>, tensor<f64>)
  // CHECK-NEXT: ^bb0(%[[G:[^:]+]]: bf16, %[[X:[^:]+]]: bf16, %{{[^:]+}}: f32,
  // CHECK-NEXT:   %[[G_WIDE:.+]] = arith.extf %[[G]] : bf16 to f32
  // CHECK-NEXT:   %[[X_WIDE:.+]] = arith.extf %[[X]] : bf16 to f32
  // CHECK:        arith.truncf %{{.+}} : f32 to bf16
  // CHECK:      %[[DMIN:.+]] = linalg.generic {{.+}} ins(%[[E]]#1 : tensor<f64>) outs(%{{.+}} : tensor<bf16>)
  // CHECK:        arith.truncf %{{.+}} : f64 to bf16
  // CHECK:      %[[DMAX:.+]] = linalg.generic {{.+}} ins(%[[E]]#2 : tensor<f64>) outs(%{{.+}} : tensor<bf16>)
  // CHECK:        arith.truncf %{{.+}} : f64 to bf16
  // CHECK:      return %[[E]]#0, %[[DMIN]], %[[DMAX]]
  %dx, %dmin, %dmax = fakequant.vars_gradient %x, %x, %min, %max : tensor<?xbf16>, tensor<?xbf16>, tensor<bf16>, tensor<bf16>
  return %dx, %dmin, %dmax : tensor<?xbf16>, tensor<bf16>, tensor<bf16>
}

// -----

// CHECK-LABEL: func.func @bf16_with_f32_range(
func.func @bf16_with_f32_range(%x: tensor<?xbf16>, %min: tensor<f32>, %max: tensor<f32>) -> (tensor<?xbf16>, tensor<f32>, tensor<f32>) {
  // CHECK:      linalg.generic
  // CHECK-SAME:   ins(%{{.+}}, %{{.+}} : tensor<f32>, tensor<f32>)
  // CHECK-NOT:    arith.extf
  // CHECK:      %[[E:.+]]:3 = linalg.generic {{.+}}"reduction"
  // CHECK:      linalg.generic {{.+}} ins(%[[E]]#1 : tensor<f64>) outs(%{{.+}} : tensor<f32>)
  // CHECK:      linalg.generic {{.+}} ins(%[[E]]#2 : tensor<f64>) outs(%{{.+}} : tensor<f32>)
  %dx, %dmin, %dmax = fakequant.vars_gradient %x, %x, %min, %max : tensor<?xbf16>, tensor<?xbf16>, tensor<f32>, tensor<f32>
  return %dx, %dmin, %dmax : tensor<?xbf16>, tensor<f32>, tensor<f32>
}

// -----

// Nothing is converted, so nothing is rounded after the sums either.
// CHECK-LABEL: func.func @f64(
func.func @f64(%x: tensor<?xf64>, %min: tensor<f64>, %max: tensor<f64>) -> (tensor<?xf64>, tensor<f64>, tensor<f64>) {
  // CHECK-NOT:  f32
  // CHECK:      %[[P:.+]]:3 = linalg.generic
  // CHECK:      arith.constant 2.550000e+02 : f64
  // CHECK:      %[[E:.+]]:3 = linalg.generic
  // CHECK-NOT:  arith.extf
  // CHECK-NOT:  arith.truncf
  // CHECK-NOT:  linalg.generic
  // CHECK:      return %[[E]]#0, %[[E]]#1, %[[E]]#2
  %dx, %dmin, %dmax = fakequant.vars_gradient %x, %x, %min, %max : tensor<?xf64>, tensor<?xf64>, tensor<f64>, tensor<f64>
  return %dx, %dmin, %dmax : tensor<?xf64>, tensor<f64>, tensor<f64>
}

// -----

// A constant range is rounded to the compute type, not to the data's.
// CHECK-LABEL: func.func @args(
func.func @args(%h: tensor<?xf16>, %d: tensor<?xf64>) -> (tensor<?xf16>, tensor<?xf64>) {
  // CHECK: arith.constant dense<1.000000e-01> : tensor<f32>
  // CHECK: arith.constant dense<1.000000e+05> : tensor<f32>
  %0 = fakequant.args %h {min = 0.1, max = 100000.0} : tensor<?xf16>
  // CHECK: arith.constant dense<1.000000e-01> : tensor<f64>
  // CHECK: arith.constant dense<1.000000e+300> : tensor<f64>
  %1 = fakequant.args %d {min = 0.1, max = 1.0e300} : tensor<?xf64>
  return %0, %1 : tensor<?xf16>, tensor<?xf64>
}

// -----

// An encoding is kept where the op's type has it.
// CHECK-LABEL: func.func @encoding(
// CHECK-SAME:    %[[X:.+]]: tensor<4xf32, "encoding">)
func.func @encoding(%x: tensor<4xf32, "encoding">) -> tensor<4xf32, "encoding"> {
  // CHECK: %[[Y:.+]] = linalg.generic {{.+}} ins(%[[X]],
  // CHECK: %[[CAST:.+]] = tensor.cast %[[Y]] : tensor<4xf32> to tensor<4xf32, "encoding">
  // CHECK: return %[[CAST]]
  %y = fakequant.args %x : tensor<4xf32, "encoding">
  return %y : tensor<4xf32, "encoding">
}
