// RUN: fq-opt %s -fq-outline-parallel-loops -canonicalize | FileCheck %s

// The body moves, constants and stack included; one iteration starts no
// threads.

// CHECK-LABEL: func.func private @fill_parallel_0(
// CHECK-SAME:    %[[I:.+]]: index, %[[M:.+]]: memref<?xf32>) attributes {llvm.linkage = #llvm.linkage<internal>}
// CHECK-DAG:     %[[ONES:.+]] = arith.constant dense<1.000000e+00> : vector<4xf32>
// CHECK-DAG:     %[[OWN:.+]] = memref.alloca() : memref<4xf32>
// CHECK:         vector.store %[[ONES]], %[[OWN]]
// CHECK:         return

// CHECK-LABEL: func.func @fill(
// CHECK-SAME:    %[[N:.+]]: index, %[[M:.+]]: memref<?xf32>)
// CHECK:         %[[SEVERAL:.+]] = arith.cmpi sgt, %[[N]], %c1
// CHECK:         scf.if %[[SEVERAL]] {
// CHECK:           scf.parallel (%[[I:.+]]) = (%c0) to (%[[N]]) step (%c1) {
// CHECK-NEXT:        func.call @fill_parallel_0(%[[I]], %[[M]])
// CHECK-NEXT:        scf.reduce
// CHECK:         } else {
// CHECK:           scf.for %[[J:.+]] = %c0 to %[[N]] step %c1 {
// CHECK-NEXT:        func.call @fill_parallel_0(%[[J]], %[[M]])
func.func @fill(%n: index, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ones = arith.constant dense<1.0> : vector<4xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %own = memref.alloca() : memref<4xf32>
    vector.store %ones, %own[%c0] : memref<4xf32>, vector<4xf32>
    %v = memref.load %own[%c1] : memref<4xf32>
    memref.store %v, %m[%i] : memref<?xf32>
    scf.reduce
  }
  return
}

// A name that is taken is not used twice.

func.func private @twice_parallel_0()

// CHECK-LABEL: func.func private @twice_parallel_1(
// CHECK-LABEL: func.func private @twice_parallel_2(
// CHECK-LABEL: func.func @twice(
func.func @twice(%m: memref<8xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %i, %m[%i] : memref<8xindex>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %c0, %m[%i] : memref<8xindex>
    scf.reduce
  }
  return
}

// Other shapes of loops are left alone.

// CHECK-LABEL: func.func @two_dimensions(
// CHECK:         scf.parallel
// CHECK:           memref.store
func.func @two_dimensions(%n: index, %m: memref<?x?xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    memref.store %v, %m[%i, %j] : memref<?x?xf32>
    scf.reduce
  }
  return
}
