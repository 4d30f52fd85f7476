// RUN: fq-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(fq-vectorize-linalg{vector-bits=512},canonicalize,cse))' | FileCheck %s

// A flat op: whole vectors, then one masked vector.

// CHECK-LABEL: func.func @flat
// CHECK-SAME:    %[[X:.+]]: memref<?xf32>, %[[Y:.+]]: memref<?xf32>
func.func @flat(%x: memref<?xf32>, %y: memref<?xf32>) {
  // CHECK: %[[SIZE:.+]] = memref.dim %[[X]]
  // CHECK: %[[VECTORS:.+]] = arith.divui %[[SIZE]], %c16
  // CHECK: %[[WHOLE:.+]] = arith.muli %[[VECTORS]], %c16
  // CHECK: scf.for %[[I:.+]] = %c0 to %[[WHOLE]] step %c16
  // CHECK:   %[[V:.+]] = vector.load %[[X]][%[[I]]] : memref<?xf32>, vector<16xf32>
  // CHECK:   %[[P:.+]] = arith.mulf %[[V]], %[[V]] : vector<16xf32>
  // CHECK:   vector.store %[[P]], %[[Y]][%[[I]]]
  // CHECK: scf.for %[[J:.+]] = %[[WHOLE]] to %[[SIZE]] step %c16
  // CHECK:   %[[REST:.+]] = arith.subi %[[SIZE]], %[[J]]
  // CHECK:   %[[LANES:.+]] = arith.minsi %[[REST]], %c16
  // CHECK:   %[[MASK:.+]] = vector.create_mask %[[LANES]] : vector<16xi1>
  // CHECK:   vector.maskedload %[[X]][%[[J]]], %[[MASK]]
  // CHECK:   vector.maskedstore %[[Y]][%[[J]]], %[[MASK]]
  // CHECK-NOT: scf.for
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.mulf %a, %a : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Wide static rows: four rows at a time, added pairwise, widened once for the
// eight rows of a block.

// CHECK-LABEL: func.func @sums
// CHECK-SAME:    %[[X:.+]]: memref<64x1024xf32>, %[[S:.+]]: memref<1024xf64>
func.func @sums(%x: memref<64x1024xf32>, %s: memref<1024xf64>) {
  // CHECK: %[[FLAT:.+]] = memref.collapse_shape %[[X]] {{\[\[}}0, 1]]
  // CHECK: scf.for %[[BLOCK:.+]] = %c0 to %c8 step %c1
  // CHECK:   scf.for %[[J:.+]] = %c0 to %c1024 step %c16
  // CHECK:     %[[R0:.+]] = vector.load %[[FLAT]]
  // CHECK:     %[[R1:.+]] = vector.load %[[FLAT]]
  // CHECK:     %[[S01:.+]] = arith.addf %[[R0]], %[[R1]] : vector<16xf32>
  // CHECK:     %[[R2:.+]] = vector.load %[[FLAT]]
  // CHECK:     %[[R3:.+]] = vector.load %[[FLAT]]
  // CHECK:     %[[S23:.+]] = arith.addf %[[R2]], %[[R3]] : vector<16xf32>
  // CHECK:     %[[S03:.+]] = arith.addf %[[S01]], %[[S23]] : vector<16xf32>
  // CHECK:     vector.store %[[S03]], %[[PENDING:.+]][%[[J]]]
  // CHECK:   scf.for %[[K:.+]] = %c0 to %c1024 step %c16
  // CHECK:     %[[FIRST:.+]] = vector.load %[[PENDING]][%[[K]]]
  // CHECK:     %[[ALL:.+]] = arith.addf %[[FIRST]], %{{.+}} : vector<16xf32>
  // CHECK:     %[[WIDE:.+]] = arith.extf %[[ALL]] : vector<16xf32> to vector<16xf64>
  // CHECK:     %[[BEFORE:.+]] = vector.load %[[ACC:.+]][%[[K]]]
  // CHECK:     %[[AFTER:.+]] = arith.addf %[[BEFORE]], %[[WIDE]] : vector<16xf64>
  // CHECK:     vector.store %[[AFTER]], %[[ACC]][%[[K]]]
  // No tail: the rows and the blocks are whole.
  // CHECK-NOT: create_mask
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%x : memref<64x1024xf32>) outs(%s : memref<1024xf64>) {
  ^bb0(%a: f32, %b: f64):
    %0 = arith.extf %a : f32 to f64
    %1 = arith.addf %b, %0 : f64
    linalg.yield %1 : f64
  }
  return
}

// -----

// Sixteen or more contiguous elements of one channel: vectors run along them,
// and the channel's parameter is a broadcast.

// CHECK-LABEL: func.func @runs
// CHECK-SAME:    %[[X:.+]]: memref<?x5x64xf32>, %[[P:.+]]: memref<5xf32>
func.func @runs(%x: memref<?x5x64xf32>, %p: memref<5xf32>, %y: memref<?x5x64xf32>) {
  // CHECK: scf.for
  // CHECK:   scf.for %[[C:.+]] = %c0 to %c5 step %c1
  // CHECK:     %[[SCALAR:.+]] = memref.load %[[P]][%[[C]]]
  // CHECK:     vector.broadcast %[[SCALAR]] : f32 to vector<16xf32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %p : memref<?x5x64xf32>, memref<5xf32>) outs(%y : memref<?x5x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// An elementwise result that reads its own buffer.

// CHECK-LABEL: func.func @in_place
// CHECK-SAME:    %[[X:.+]]: memref<32xf32>
func.func @in_place(%x: memref<32xf32>) {
  // CHECK: scf.for %[[I:.+]] =
  // CHECK:   %[[V:.+]] = vector.load %[[X]][%[[I]]]
  // CHECK:   %[[N:.+]] = arith.negf %[[V]]
  // CHECK:   vector.store %[[N]], %[[X]][%[[I]]]
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%x : memref<32xf32>) {
  ^bb0(%a: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A copy that would need a run-time library becomes loops; a plain one stays.

// CHECK-LABEL: func.func @copies
// CHECK-SAME:    %[[A:.+]]: memref<4x8xf32>, %[[B:.+]]: memref<4x8xf32>, %[[C:.+]]: memref<4x8xf32, strided<[16, 1]>>
func.func @copies(%a: memref<4x8xf32>, %b: memref<4x8xf32>, %c: memref<4x8xf32, strided<[16, 1]>>) {
  // CHECK: memref.copy %[[A]], %[[B]]
  memref.copy %a, %b : memref<4x8xf32> to memref<4x8xf32>
  // CHECK: %[[V:.+]] = memref.load %[[A]]
  // CHECK: memref.store %[[V]], %[[C]]
  // CHECK-NOT: memref.copy
  memref.copy %a, %c : memref<4x8xf32> to memref<4x8xf32, strided<[16, 1]>>
  return
}
