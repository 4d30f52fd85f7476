// Ops outside the class become scalar loops, and a remark says why.

// RUN: fq-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(fq-vectorize-linalg{vector-bits=256}))' --remarks-filter='fq-.*' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.mlir

// REMARK: remark: [Missed] vectorized {{.*}} Reason="operand #0 is read in another order", Remark="scalar loops"
// CHECK-LABEL: func.func @transposed
// CHECK-NOT: linalg
// CHECK: memref.load
func.func @transposed(%x: memref<4x8xf32>, %y: memref<8x4xf32>) {
  linalg.transpose ins(%x : memref<4x8xf32>) outs(%y : memref<8x4xf32>) permutation = [1, 0]
  return
}

// -----

// REMARK: remark: [Missed] {{.*}} Reason="operand #0 is not contiguous"
// CHECK-LABEL: func.func @strided
// CHECK-NOT: linalg
func.func @strided(%x: memref<4x8xf32, strided<[16, 1]>>, %y: memref<4x8xf32>) {
  linalg.exp ins(%x : memref<4x8xf32, strided<[16, 1]>>) outs(%y : memref<4x8xf32>)
  return
}

// -----

// REMARK: remark: [Missed] {{.*}} Reason="its body uses loop indices"
// CHECK-LABEL: func.func @index
// CHECK-NOT: linalg
func.func @index(%y: memref<8xindex>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%y : memref<8xindex>) {
  ^bb0(%a: index):
    %0 = linalg.index 0 : index
    linalg.yield %0 : index
  }
  return
}

// -----

// REMARK: remark: [Missed] {{.*}} Reason="result #0 is neither elementwise nor a sum"
// CHECK-LABEL: func.func @maximum
// CHECK-NOT: linalg
func.func @maximum(%x: memref<4x8xf32>, %y: memref<8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%x : memref<4x8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %a, %b : f32
    linalg.yield %0 : f32
  }
  return
}
