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

// -----

// Vectors pack what a buffer does not.

// REMARK: remark: [Missed] {{.*}} Reason="operand #0 has elements that vectors pack"
// CHECK-LABEL: func.func @packed
// CHECK-NOT: linalg
// CHECK: memref.load
func.func @packed(%c: memref<40xi1>, %y: memref<40xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%c : memref<40xi1>) outs(%y : memref<40xf32>) {
  ^bb0(%a: i1, %b: f32):
    %0 = arith.uitofp %a : i1 to f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A lane that does not exist must not divide by zero.

// REMARK: remark: [Missed] {{.*}} Reason="'arith.divsi' may not run for elements that do not exist"
// CHECK-LABEL: func.func @division
// CHECK-NOT: vector
func.func @division(%x: memref<37xi32>, %y: memref<37xi32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : memref<37xi32>) outs(%y : memref<37xi32>) {
  ^bb0(%a: i32, %b: i32):
    %0 = arith.divsi %a, %a : i32
    linalg.yield %0 : i32
  }
  return
}

// -----

// The plan of what is vectorized. Lanes are a power of two: i40 takes the room
// of i64.

// REMARK: remark: [Passed] vectorized | {{.*}}Remark="one pass over memory", bytes=2560, bytes an element=16, lanes=4, large from elements={{[0-9]+}}, large tile=2x4, nest="columns or runs", panel columns=32, parallel=false, prefetch distance=1536, resident tile=8x4, streaming=false, sums=0, tails=masked
// CHECK-LABEL: func.func @plan
// CHECK: vector<4xi40>
func.func @plan(%x: memref<2x2x40xi64>, %c: memref<2xi64>, %y: memref<2x2x40xi64>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %c : memref<2x2x40xi64>, memref<2xi64>) outs(%y : memref<2x2x40xi64>) {
  ^bb0(%a: i64, %b: i64, %o: i64):
    %0 = arith.trunci %a : i64 to i40
    %1 = arith.extsi %0 : i40 to i64
    %2 = arith.addi %1, %b : i64
    linalg.yield %2 : i64
  }
  return
}
