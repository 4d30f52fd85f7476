// RUN: fq-opt %s -pass-pipeline='builtin.module(func.func(fq-hoist-stack-buffers))' | FileCheck %s

// CHECK-LABEL: func.func @loop
// CHECK:         memref.alloca() : memref<2000xf32>
// CHECK:         scf.for
// CHECK-NOT:       memref.alloca() : memref<2000xf32>
// CHECK:           memref.alloca(%{{.+}}) : memref<?xf32>
// CHECK:         scf.parallel
// CHECK-NEXT:      memref.alloca() : memref<8xf32>
// CHECK:           scf.for
func.func @loop(%n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloca() : memref<2000xf32>
    memref.store %v, %a[%c0] : memref<2000xf32>
    // Its size may change.
    %b = memref.alloca(%i) : memref<?xf32>
    memref.store %v, %b[%c0] : memref<?xf32>
  }
  // Iterations at the same time have one each.
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.for %j = %c0 to %n step %c1 {
      %c = memref.alloca() : memref<8xf32>
      memref.store %v, %c[%c0] : memref<8xf32>
    }
    scf.reduce
  }
  return
}
