// How the results of operands that outgrow the caches are stored.

// RUN: fq-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(fq-vectorize-linalg{target-triple=x86_64-linux-gnu target-cpu=x86-64-v4 streaming-stores=always},canonicalize,cse))' | FileCheck %s
// RUN: fq-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(fq-vectorize-linalg{target-triple=x86_64-linux-gnu target-cpu=x86-64-v4 streaming-stores=always aligned-results=true},canonicalize,cse))' | FileCheck %s --check-prefix=ALIGNED

// Rows of whole vectors: tiles store themselves if the results start at an
// aligned address, which is looked up unless it is promised. If not, their
// results wait, and vectors at aligned addresses follow; what is left at the end
// of a row goes to the front of the next one.

// CHECK-LABEL:   func.func @whole_vectors
// CHECK-SAME:      %{{.+}}, %[[DX:.+]]: memref<800x256xf32>
// CHECK:           %[[WAITING:.+]] = memref.alloca() {alignment = 64 : i64} : memref<2192xf32>
// CHECK:           %[[FLAT:.+]] = memref.collapse_shape %[[DX]]
// CHECK:           %[[ADDRESS:.+]] = memref.extract_aligned_pointer_as_index %[[FLAT]]
// CHECK:           %[[REST:.+]] = arith.remui %[[ADDRESS]], %c64
// CHECK:           %[[BEHIND:.+]] = arith.divui %[[REST]], %c4
// CHECK:           %[[HOLDS:.+]] = arith.cmpi eq, %[[BEHIND]], %c0
// CHECK:           scf.if %[[HOLDS]] {
// CHECK-NOT:         scf.index_switch
// CHECK:             vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK:             llvm.fence seq_cst
// CHECK:           } else {
// CHECK:             scf.index_switch
// CHECK:               vector.store %{{.+}}, %[[WAITING]]
// CHECK:               arith.addf
// CHECK-NOT:           nontemporal
// CHECK:             default {
// CHECK:             scf.for %{{.+}} = %c0 to %c2 step %c1
// CHECK:               vector.maskedstore %[[FLAT]]
// CHECK:               scf.for %[[P:.+]] =
// CHECK:                 %[[V:.+]] = vector.load %[[WAITING]]
// CHECK:                 vector.store %[[V]], %[[FLAT]][%[[P]]] {alignment = 64 : i64, nontemporal = true}
// CHECK:               scf.if
// CHECK:                 vector.maskedstore %[[FLAT]]
// CHECK:               } else {
// CHECK:                 %[[LEFT:.+]] = vector.load %[[WAITING]]
// CHECK:                 vector.store %[[LEFT]], %[[WAITING]]
// CHECK:             llvm.fence seq_cst

// ALIGNED-LABEL: func.func @whole_vectors
// ALIGNED-NOT:     extract_aligned_pointer
// ALIGNED-NOT:     scf.index_switch
// ALIGNED:         vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// ALIGNED-NOT:     scf.index_switch
#identity = affine_map<(d0, d1) -> (d0, d1)>
#channel = affine_map<(d0, d1) -> (d1)>
func.func @whole_vectors(%x: memref<800x256xf32>, %c: memref<256xf32>, %dx: memref<800x256xf32>, %s: memref<256xf64>) {
  linalg.generic {indexing_maps = [#identity, #channel, #identity, #channel], iterator_types = ["reduction", "parallel"]}
      ins(%x, %c : memref<800x256xf32>, memref<256xf32>) outs(%dx, %s : memref<800x256xf32>, memref<256xf64>) {
  ^bb0(%a: f32, %b: f32, %old: f32, %sum: f64):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.extf %a : f32 to f64
    %2 = arith.addf %sum, %1 : f64
    linalg.yield %0, %2 : f32, f64
  }
  return
}

// -----

// Rows that are not whole vectors: no address makes all of them aligned. Both
// ends of a row are stored with masks, to lines that are asked for in time.

// CHECK-LABEL:   func.func @odd_rows
// CHECK:           scf.index_switch
// CHECK:             memref.prefetch %{{.+}}, read, locality<2>, data
// CHECK:             memref.prefetch %{{.+}}, write, locality<3>, data
// CHECK:           scf.for %{{.+}} = %c0 to %c2 step %c1
// CHECK:             vector.maskedstore
// CHECK:             scf.for
// CHECK:               vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK:             vector.maskedstore
// CHECK:           llvm.fence seq_cst

// ALIGNED-LABEL: func.func @odd_rows
// ALIGNED-NOT:     extract_aligned_pointer
// ALIGNED:         scf.index_switch
#identity = affine_map<(d0, d1) -> (d0, d1)>
#channel = affine_map<(d0, d1) -> (d1)>
func.func @odd_rows(%x: memref<800x1001xf32>, %dx: memref<800x1001xf32>, %s: memref<1001xf64>) {
  linalg.generic {indexing_maps = [#identity, #identity, #channel], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<800x1001xf32>) outs(%dx, %s : memref<800x1001xf32>, memref<1001xf64>) {
  ^bb0(%a: f32, %old: f32, %sum: f64):
    %0 = arith.negf %a : f32
    %1 = arith.extf %a : f32 to f64
    %2 = arith.addf %sum, %1 : f64
    linalg.yield %0, %2 : f32, f64
  }
  return
}

// -----

// The promise is the caller's, for results of public functions. What is
// allocated here is known; what a private function gets is not.

// ALIGNED-LABEL: func.func private @private
// ALIGNED:         extract_aligned_pointer
func.func private @private(%x: memref<800x256xf32>, %y: memref<800x256xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<800x256xf32>) outs(%y : memref<800x256xf32>) {
  ^bb0(%a: f32, %old: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  return
}

// Nor is an operand that may be written to.

// ALIGNED-LABEL: func.func @writable
// ALIGNED:         extract_aligned_pointer
// ALIGNED-LABEL: func.func @result
// ALIGNED-NOT:     extract_aligned_pointer
// ALIGNED:         nontemporal
// ALIGNED-LABEL: func.func @allocated
func.func @writable(%x: memref<800x256xf32>, %y: memref<800x256xf32>) attributes {tensor_signature = (tensor<800x256xf32>) -> tensor<800x256xf32>} {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%x : memref<800x256xf32>) {
  ^bb0(%old: f32):
    %0 = arith.negf %old : f32
    linalg.yield %0 : f32
  }
  return
}

func.func @result(%x: memref<800x256xf32>, %y: memref<800x256xf32>) attributes {tensor_signature = (tensor<800x256xf32>) -> tensor<800x256xf32>} {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%y : memref<800x256xf32>) {
  ^bb0(%old: f32):
    %0 = arith.negf %old : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL:   func.func @allocated
// CHECK-NOT:       extract_aligned_pointer
// CHECK:           nontemporal
func.func @allocated(%x: memref<800x256xf32>) -> memref<800x256xf32> {
  %y = memref.alloc() {alignment = 64 : i64} : memref<800x256xf32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<800x256xf32>) outs(%y : memref<800x256xf32>) {
  ^bb0(%a: f32, %old: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  return %y : memref<800x256xf32>
}
