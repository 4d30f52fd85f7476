// RUN: fq-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(fq-vectorize-linalg{target-triple=x86_64-linux-gnu target-cpu=x86-64-v4},canonicalize,cse))' | FileCheck %s

// A flat op: whole vectors, then one masked vector.

// CHECK-LABEL: func.func @flat
// CHECK-SAME:    %[[X:.+]]: memref<1000xf32>, %[[Y:.+]]: memref<1000xf32>
func.func @flat(%x: memref<1000xf32>, %y: memref<1000xf32>) {
  // CHECK: scf.for %[[I:.+]] = %c0 to %c992 step %c16
  // CHECK:   %[[V:.+]] = vector.load %[[X]][%[[I]]] : memref<1000xf32>, vector<16xf32>
  // CHECK:   %[[P:.+]] = arith.mulf %[[V]], %[[V]] : vector<16xf32>
  // CHECK:   vector.store %[[P]], %[[Y]][%[[I]]]
  // CHECK: %[[MASK:.+]] = vector.constant_mask [8] : vector<16xi1>
  // CHECK: vector.maskedload %[[X]][%c992], %[[MASK]]
  // CHECK: vector.maskedstore %[[Y]][%c992], %[[MASK]]
  // CHECK-NOT: scf.for
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : memref<1000xf32>) outs(%y : memref<1000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.mulf %a, %a : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A size that is known at run time only chooses between two nests: one that
// asks for lines ahead of time, for operands that outgrow the 32 MiB that a
// last-level cache has unless the host's is known, and a plain one.

// CHECK-LABEL: func.func @dynamic_size
// CHECK-SAME:    %[[X:.+]]: memref<?xf32>, %[[Y:.+]]: memref<?xf32>
func.func @dynamic_size(%x: memref<?xf32>, %y: memref<?xf32>) {
  // CHECK: %[[SIZE:.+]] = memref.dim %[[X]]
  // CHECK: %[[LARGE:.+]] = arith.cmpi sge, %[[SIZE]], %c4194305
  // CHECK: scf.if %[[LARGE]]
  // CHECK:   scf.for
  // CHECK:     memref.prefetch %[[X]]{{.*}}, read, locality<2>, data
  // CHECK:     vector.load
  // CHECK: } else {
  // CHECK:   scf.for
  // CHECK-NOT: memref.prefetch
  // CHECK:     vector.load
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.mulf %a, %a : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// What the caches hold: eight rows at a time, added pairwise, widened once for
// the block.

// CHECK-LABEL: func.func @sums
// CHECK-SAME:    %[[X:.+]]: memref<64x1024xf32>, %[[S:.+]]: memref<1024xf64>
func.func @sums(%x: memref<64x1024xf32>, %s: memref<1024xf64>) {
  // CHECK: %[[FLAT:.+]] = memref.collapse_shape %[[X]] {{\[\[}}0, 1]]
  // CHECK: scf.for %[[BLOCK:.+]] = %c0 to %c8 step %c1
  // CHECK-NOT: memref.prefetch
  // CHECK:   scf.for %[[J:.+]] = %{{.+}} step %c16
  // CHECK:     %[[R0:.+]] = vector.load %[[FLAT]]
  // CHECK:     %[[R1:.+]] = vector.load %[[FLAT]]
  // CHECK:     %[[S01:.+]] = arith.addf %[[R0]], %[[R1]] : vector<16xf32>
  // CHECK:     %[[R2:.+]] = vector.load %[[FLAT]]
  // CHECK:     %[[R3:.+]] = vector.load %[[FLAT]]
  // CHECK:     %[[S23:.+]] = arith.addf %[[R2]], %[[R3]] : vector<16xf32>
  // CHECK:     %[[S03:.+]] = arith.addf %[[S01]], %[[S23]] : vector<16xf32>
  // CHECK:     %[[S47:.+]] = arith.addf
  // CHECK:     %[[ALL:.+]] = arith.addf %[[S03]], %{{.+}} : vector<16xf32>
  // CHECK:     %[[WIDE:.+]] = arith.extf %[[ALL]] : vector<16xf32> to vector<16xf64>
  // CHECK:     %[[BEFORE:.+]] = vector.load %[[ACC:.+]][%[[J]]]
  // CHECK:     %[[AFTER:.+]] = arith.addf %[[BEFORE]], %[[WIDE]] : vector<16xf64>
  // CHECK:     vector.store %[[AFTER]], %[[ACC]][%[[J]]]
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

// Larger operands: two rows at a time in panels of eight vectors, with the
// sums of two rows waiting for those of the next two.

// CHECK-LABEL: func.func @large_sums
// CHECK-SAME:    %[[X:.+]]: memref<16384x1024xf32>, %[[S:.+]]: memref<1024xf64>
func.func @large_sums(%x: memref<16384x1024xf32>, %s: memref<1024xf64>) {
  // CHECK: %[[FLAT:.+]] = memref.collapse_shape %[[X]] {{\[\[}}0, 1]]
  // CHECK: scf.for %[[PANEL:.+]] = %c0 to %c1024 step %c128
  // CHECK:   scf.for %[[J:.+]] = %[[PANEL]] to %{{.+}} step %c16
  // CHECK:     memref.prefetch %[[FLAT]]
  // CHECK:     memref.prefetch %[[FLAT]]
  // CHECK:     %[[R0:.+]] = vector.load %[[FLAT]]
  // CHECK:     %[[R1:.+]] = vector.load %[[FLAT]]
  // CHECK:     %[[S01:.+]] = arith.addf %[[R0]], %[[R1]] : vector<16xf32>
  // CHECK:     vector.store %[[S01]], %[[WAITING:.+]][
  // CHECK:   scf.for
  // CHECK:     %[[S23:.+]] = arith.addf
  // CHECK:     %[[S01_AGAIN:.+]] = vector.load %[[WAITING]][
  // CHECK:     %[[S03:.+]] = arith.addf %[[S01_AGAIN]], %[[S23]]
  // CHECK:     vector.store %[[S03]], %[[WAITING_LONGER:.+]][
  // CHECK:   scf.for
  // CHECK:     vector.store %{{.+}}, %[[WAITING]][
  // CHECK:   scf.for
  // CHECK:     %[[S67:.+]] = arith.addf
  // CHECK:     %[[S45:.+]] = vector.load %[[WAITING]][
  // CHECK:     %[[S47:.+]] = arith.addf %[[S45]], %[[S67]]
  // CHECK:     %[[S03_AGAIN:.+]] = vector.load %[[WAITING_LONGER]][
  // CHECK:     %[[ALL:.+]] = arith.addf %[[S03_AGAIN]], %[[S47]]
  // CHECK:     arith.extf %[[ALL]] : vector<16xf32> to vector<16xf64>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%x : memref<16384x1024xf32>) outs(%s : memref<1024xf64>) {
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

// Addends of 16 bits are widened before they are added.

// CHECK-LABEL: func.func @narrow_addends
// CHECK:         vector.load {{.*}} vector<16xf16>
// CHECK-NEXT:    arith.extf {{.*}} : vector<16xf16> to vector<16xf32>
// CHECK:         arith.addf {{.*}} : vector<16xf32>
// CHECK-NOT:     arith.addf {{.*}} : vector<16xf16>
func.func @narrow_addends(%x: memref<16x128xf16>, %s: memref<128xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%x : memref<16x128xf16>) outs(%s : memref<128xf32>) {
  ^bb0(%a: f16, %b: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.addf %b, %0 : f32
    linalg.yield %1 : f32
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

// -----

// A select by something of the channel alone is left out where that holds for
// no channel.

// CHECK-LABEL: func.func @special_channels
// CHECK-SAME:    %[[X:.+]]: memref<16x64xf32>, %[[SPECIAL:.+]]: memref<64xf32>, %[[Y:.+]]: memref<16x64xf32>
// CHECK:         %[[ANY:.+]] = scf.for %[[C:.+]] = %c0 to %c64 step %c1 iter_args(%[[BEFORE:.+]] = %false) -> (i1)
// CHECK:           %[[S:.+]] = memref.load %[[SPECIAL]][%[[C]]]
// CHECK:           %[[IS:.+]] = arith.cmpf une, %[[S]]
// CHECK:           arith.ori %[[BEFORE]], %[[IS]] : i1
// CHECK:         scf.if %[[ANY]] {
// CHECK:           arith.select
// CHECK:         } else {
// CHECK-NOT:       arith.select
// CHECK:         return
func.func @special_channels(%x: memref<16x64xf32>, %special: memref<64xf32>, %y: memref<16x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %special : memref<16x64xf32>, memref<64xf32>) outs(%y : memref<16x64xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.mulf %a, %a : f32
    %1 = arith.cmpf une, %s, %zero : f32
    %2 = arith.select %1, %a, %0 : f32
    linalg.yield %2 : f32
  }
  return
}
