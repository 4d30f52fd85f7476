// RUN: fq-opt %s -pass-pipeline='builtin.module(func.func(fq-reuse-dead-operands))' -split-input-file | FileCheck %s -enable-var-scope
// RUN: fq-opt %s -pass-pipeline='builtin.module(func.func(fq-reuse-dead-operands))' -split-input-file -o %t.once
// RUN: fq-opt %t.once -pass-pipeline='builtin.module(func.func(fq-reuse-dead-operands))' -split-input-file -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: fq-opt %t.once -one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map allow-return-allocs-from-loops" -split-input-file | FileCheck %s -check-prefix=BUFFERS -enable-var-scope

#id = affine_map<(d0, d1) -> (d0, d1)>
#channel = affine_map<(d0, d1) -> (d1)>

// A writable argument is overwritten, and each sum has a fill of its own.

// CHECK-DAG: [[$ID:#.+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: [[$CHANNEL:#.+]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func @writable_argument
// CHECK-SAME:    %[[G:[^:]+]]: tensor<?x?xf32> {bufferization.writable = true}, %[[X:[^:]+]]: tensor<?x?xf32>,
// CHECK-DAG:     %[[E0:.+]] = tensor.empty(%{{.+}}) : tensor<?xf64>
// CHECK-DAG:     %[[E1:.+]] = tensor.empty(%{{.+}}) : tensor<?xf64>
// CHECK-DAG:     %[[S0:.+]] = linalg.fill ins(%{{.+}} : f64) outs(%[[E0]] : tensor<?xf64>)
// CHECK-DAG:     %[[S1:.+]] = linalg.fill ins(%{{.+}} : f64) outs(%[[E1]] : tensor<?xf64>)
// CHECK-NOT:     tensor.empty
// CHECK:         linalg.generic
// CHECK-SAME:      indexing_maps = {{\[}}[[$ID]], [[$ID]], [[$CHANNEL]], [[$CHANNEL]]], iterator_types = ["reduction", "parallel"]
// CHECK-SAME:      ins(%[[X]] : tensor<?x?xf32>) outs(%[[G]], %[[S0]], %[[S1]] : tensor<?x?xf32>, tensor<?xf64>, tensor<?xf64>)
// CHECK-NEXT:    ^bb0(%[[X0:.+]]: f32, %[[G0:.+]]: f32, %[[DMIN0:.+]]: f64, %[[DMAX0:.+]]: f64):
// CHECK-NEXT:      %[[DX:.+]] = arith.mulf %[[G0]], %[[X0]]
// CHECK-NEXT:      %[[G64:.+]] = arith.extf %[[G0]]
// CHECK-NEXT:      %[[DMIN:.+]] = arith.addf %[[DMIN0]], %[[G64]]
// CHECK-NEXT:      %[[DMAX:.+]] = arith.subf %[[DMAX0]], %[[G64]]
// CHECK-NEXT:      linalg.yield %[[DX]], %[[DMIN]], %[[DMAX]]

// BUFFERS-LABEL: func @writable_argument
// BUFFERS-SAME:    %[[G:[^:]+]]: memref<?x?xf32>
// BUFFERS-COUNT-2: memref.alloc(%{{.+}}) {{.*}} : memref<?xf64>
// BUFFERS-NOT:     memref.alloc
// BUFFERS-NOT:     memref.copy
// BUFFERS:         linalg.generic
// BUFFERS-SAME:      outs(%[[G]], %{{.+}}, %{{.+}} : memref<?x?xf32>, memref<?xf64>, memref<?xf64>)
// BUFFERS-NOT:     memref.copy
// BUFFERS:         return %[[G]],
func.func @writable_argument(%g: tensor<?x?xf32> {bufferization.writable = true}, %x: tensor<?x?xf32>, %n: index) -> (tensor<?x?xf32>, tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %d0 = tensor.dim %g, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%d0, %n) : tensor<?x?xf32>
  %t = tensor.empty(%n) : tensor<?xf64>
  %s = linalg.fill ins(%zero : f64) outs(%t : tensor<?xf64>) -> tensor<?xf64>
  %r:3 = linalg.generic {indexing_maps = [#id, #id, #id, #channel, #channel], iterator_types = ["reduction", "parallel"]} ins(%g, %x : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e, %s, %s : tensor<?x?xf32>, tensor<?xf64>, tensor<?xf64>) {
  ^bb0(%g0: f32, %x0: f32, %e0: f32, %s0: f64, %t0: f64):
    %0 = arith.mulf %g0, %x0 : f32
    %1 = arith.extf %g0 : f32 to f64
    %2 = arith.addf %s0, %1 : f64
    %3 = arith.subf %t0, %1 : f64
    linalg.yield %0, %2, %3 : f32, f64, f64
  } -> (tensor<?x?xf32>, tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1, %r#2 : tensor<?x?xf32>, tensor<?xf64>, tensor<?xf64>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// A result with a buffer of its own is overwritten, down a chain; uses before
// and sizes do no harm.

// CHECK-LABEL: func @chain
// CHECK-SAME:    %[[G:[^:]+]]: tensor<4x?xf32>
// CHECK:         %[[H:.+]] = linalg.generic
// CHECK-SAME:      ins(%[[G]] :
// CHECK:         %[[S:.+]] = linalg.generic
// CHECK-SAME:      ins(%[[H]] : tensor<4x?xf32>) outs(%{{.+}} : tensor<f32>)
// CHECK:         %[[A:.+]] = linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "parallel"]} outs(%[[H]] : tensor<4x?xf32>)
// CHECK:           math.absf
// CHECK:         %[[B:.+]] = linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "parallel"]} outs(%[[A]] : tensor<4x?xf32>)
// CHECK:           math.floor
// CHECK:         tensor.dim %[[H]]
// CHECK:         return %[[B]], %[[S]]

// BUFFERS-LABEL: func @chain
// BUFFERS-COUNT-1: memref.alloc(%{{.+}}) {{.*}} : memref<4x?xf32>
// BUFFERS-NOT:     memref.alloc
// BUFFERS-NOT:     memref.copy
// BUFFERS:         return
func.func @chain(%g: tensor<4x?xf32>, %n: index, %s: tensor<f32> {bufferization.writable = true}) -> (tensor<4x?xf32>, tensor<f32>, index) {
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<4x?xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%g : tensor<4x?xf32>) outs(%e : tensor<4x?xf32>) {
  ^bb0(%x0: f32, %y0: f32):
    %0 = arith.negf %x0 : f32
    linalg.yield %0 : f32
  } -> tensor<4x?xf32>
  %sum = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%h : tensor<4x?xf32>) outs(%s : tensor<f32>) {
  ^bb0(%x0: f32, %s0: f32):
    %0 = arith.addf %s0, %x0 : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%h : tensor<4x?xf32>) outs(%e : tensor<4x?xf32>) {
  ^bb0(%x0: f32, %y0: f32):
    %0 = math.absf %x0 : f32
    linalg.yield %0 : f32
  } -> tensor<4x?xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x?xf32>) outs(%e : tensor<4x?xf32>) {
  ^bb0(%x0: f32, %y0: f32):
    %0 = math.floor %x0 : f32
    linalg.yield %0 : f32
  } -> tensor<4x?xf32>
  %dim = tensor.dim %h, %c1 : tensor<4x?xf32>
  return %b, %sum, %dim : tensor<4x?xf32>, tensor<f32>, index
}

// -----

#id = affine_map<(d0) -> (d0)>

// Two results take two operands; one operand that is read twice counts once.

// CHECK-LABEL: func @two_operands
// CHECK-SAME:    %[[A:[^:]+]]: tensor<8xf32> {{.*}}, %[[B:[^:]+]]: tensor<8xf32>
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel"]} outs(%[[A]], %[[B]] : tensor<8xf32>, tensor<8xf32>)
// CHECK-NEXT:    ^bb0(%[[A0:.+]]: f32, %[[B0:.+]]: f32):
// CHECK-NEXT:      %[[P:.+]] = arith.mulf %[[A0]], %[[A0]]
// CHECK-NEXT:      %[[Q:.+]] = arith.addf %[[P]], %[[B0]]
// CHECK-NEXT:      linalg.yield %[[P]], %[[Q]]
func.func @two_operands(%a: tensor<8xf32> {bufferization.writable = true}, %b: tensor<8xf32> {bufferization.writable = true}) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel"]} ins(%a, %a, %b : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e, %e : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %b0: f32, %y0: f32, %y1: f32):
    %0 = arith.mulf %a0, %a1 : f32
    %1 = arith.addf %0, %b0 : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// A result with a destination stays where it is.

// CHECK-LABEL: func @destination
// CHECK-SAME:    %[[G:[^:]+]]: tensor<8xf32>
// CHECK:         %[[E:.+]] = tensor.empty
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[G]] : tensor<8xf32>) outs(%[[E]] : tensor<8xf32>)
func.func @destination(%g: tensor<8xf32> {bufferization.writable = true}, %out: memref<?xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%g : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x0: f32, %y0: f32):
    %0 = math.absf %x0 : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %cast = tensor.cast %r : tensor<8xf32> to tensor<?xf32>
  bufferization.materialize_in_destination %cast in restrict writable %out : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>

// Not writable; used later; also read transposed; of another type; in a loop.

// CHECK-LABEL: func @untouched
// CHECK-SAME:    %[[A:[^:]+]]: tensor<4x4xf32>, %[[B:[^:]+]]: tensor<4x4xf32> {{.*}}, %[[C:[^:]+]]: tensor<4x4xf32> {{.*}}, %[[D:[^:]+]]: tensor<4x4xi32> {{.*}}, %[[N:[^:]+]]: index
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[A]], %[[B]], %[[C]], %[[C]], %[[D]] :
// CHECK:         scf.for
// CHECK:           linalg.generic
// CHECK-SAME:        ins(%[[B]], %{{.+}} : tensor<4x4xf32>, tensor<4x4xf32>)
func.func @untouched(%a: tensor<4x4xf32>, %b: tensor<4x4xf32> {bufferization.writable = true}, %c: tensor<4x4xf32> {bufferization.writable = true}, %d: tensor<4x4xi32> {bufferization.writable = true}, %n: index) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id, #transposed, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b, %c, %c, %d : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xi32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a0: f32, %b0: f32, %c0_: f32, %c1_: f32, %d0: i32, %y0: f32):
    %0 = arith.addf %a0, %b0 : f32
    %1 = arith.addf %c0_, %c1_ : f32
    %2 = arith.sitofp %d0 : i32 to f32
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    linalg.yield %4 : f32
  } -> tensor<4x4xf32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %r) -> tensor<4x4xf32> {
    %u = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%b, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
    ^bb0(%b0: f32, %t0: f32, %y0: f32):
      %0 = arith.addf %b0, %t0 : f32
      linalg.yield %0 : f32
    } -> tensor<4x4xf32>
    scf.yield %u : tensor<4x4xf32>
  }
  return %s : tensor<4x4xf32>
}
