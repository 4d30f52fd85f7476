// RUN: fq-opt %s -pass-pipeline='builtin.module(func.func(fq-merge-generics))' -split-input-file | FileCheck %s -enable-var-scope
// RUN: fq-opt %s -pass-pipeline='builtin.module(func.func(fq-merge-generics))' -split-input-file -o %t.once
// RUN: fq-opt %t.once -pass-pipeline='builtin.module(func.func(fq-merge-generics))' -split-input-file -o %t.twice
// RUN: diff %t.once %t.twice

#id = affine_map<(d0, d1) -> (d0, d1)>
#channel = affine_map<(d0, d1) -> (d1)>

// Equal operands are shared, what the second needs moves before the first, and
// a loop that one of them reduces over is a reduction.

// CHECK-DAG: [[$ID:#.+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: [[$CHANNEL:#.+]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func @elementwise_and_sum
// CHECK-SAME:    %[[G:[^:]+]]: tensor<?x?xf32>, %[[B:[^:]+]]: tensor<?xf32>, %[[M:[^:]+]]: tensor<?x?xf32>
// CHECK-DAG:     %[[E:.+]] = tensor.empty(%{{.+}}, %{{.+}}) : tensor<?x?xf32>
// CHECK-DAG:     %[[T:.+]] = tensor.empty(%{{.+}}) : tensor<?xf32>
// CHECK-DAG:     %[[S:.+]] = linalg.fill ins(%{{.+}} : f32) outs(%[[T]] : tensor<?xf32>)
// CHECK:         %[[R:.+]]:2 = linalg.generic
// CHECK-SAME:      indexing_maps = {{\[}}[[$ID]], [[$CHANNEL]], [[$ID]], [[$ID]], [[$CHANNEL]]], iterator_types = ["reduction", "parallel"]
// CHECK-SAME:      ins(%[[G]], %[[B]], %[[M]] : tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>) outs(%[[E]], %[[S]] : tensor<?x?xf32>, tensor<?xf32>)
// CHECK-NEXT:    ^bb0(%[[G0:.+]]: f32, %[[B0:.+]]: f32, %[[M0:.+]]: f32, %{{.+}}: f32, %[[S0:.+]]: f32):
// CHECK-NEXT:      %[[DX:.+]] = arith.mulf %[[G0]], %[[B0]]
// CHECK-NEXT:      %[[P:.+]] = arith.mulf %[[G0]], %[[M0]]
// CHECK-NEXT:      %[[Q:.+]] = arith.addf %[[P]], %[[B0]]
// CHECK-NEXT:      %[[S1:.+]] = arith.addf %[[S0]], %[[Q]]
// CHECK-NEXT:      linalg.yield %[[DX]], %[[S1]] : f32, f32
// CHECK:         math.absf %[[R]]#0
// CHECK:         return %{{.+}}, %[[R]]#1
func.func @elementwise_and_sum(%g: tensor<?x?xf32>, %b: tensor<?xf32>, %m: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %g, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %g, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%d0, %d1) : tensor<?x?xf32>
  %dx = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel"]} ins(%g, %b : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%g0: f32, %b0: f32, %e0: f32):
    %0 = arith.mulf %g0, %b0 : f32
    linalg.yield %0 : f32
  } -> tensor<?x?xf32>
  %abs = math.absf %dx : tensor<?x?xf32>
  %zero = arith.constant 0.0 : f32
  %d2 = tensor.dim %b, %c0 : tensor<?xf32>
  %t = tensor.empty(%d2) : tensor<?xf32>
  %s = linalg.fill ins(%zero : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id, #channel, #channel], iterator_types = ["reduction", "parallel"]} ins(%m, %g, %b : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>) outs(%s : tensor<?xf32>) {
  ^bb0(%m0: f32, %g0: f32, %b0: f32, %s0: f32):
    %0 = arith.mulf %g0, %m0 : f32
    %1 = arith.addf %0, %b0 : f32
    %2 = arith.addf %s0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<?xf32>
  return %abs, %sum : tensor<?x?xf32>, tensor<?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#channel = affine_map<(d0, d1) -> (d1)>

// An operand that one of them overwrites is read by both through its
// destination: this is what fq-split-mixed-generics makes of one op in place.

// CHECK-LABEL: func @in_place
// CHECK-SAME:    %[[G:[^:]+]]: tensor<?x?xf32>, %[[S:[^:]+]]: tensor<?xf32>
// CHECK:         %[[R:.+]]:2 = linalg.generic
// CHECK-SAME:      iterator_types = ["reduction", "parallel"]} outs(%[[S]], %[[G]] : tensor<?xf32>, tensor<?x?xf32>)
// CHECK-NEXT:    ^bb0(%[[S0:.+]]: f32, %[[G0:.+]]: f32):
// CHECK-NEXT:      %[[S1:.+]] = arith.addf %[[S0]], %[[G0]]
// CHECK-NEXT:      %[[DX:.+]] = arith.negf %[[G0]]
// CHECK-NEXT:      linalg.yield %[[S1]], %[[DX]] : f32, f32
// CHECK:         return %[[R]]#1, %[[R]]#0
func.func @in_place(%g: tensor<?x?xf32>, %s: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %sum = linalg.generic {indexing_maps = [#id, #channel], iterator_types = ["reduction", "parallel"]} ins(%g : tensor<?x?xf32>) outs(%s : tensor<?xf32>) {
  ^bb0(%g0: f32, %s0: f32):
    %0 = arith.addf %s0, %g0 : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %dx = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%g : tensor<?x?xf32>) {
  ^bb0(%g0: f32):
    %0 = arith.negf %g0 : f32
    linalg.yield %0 : f32
  } -> tensor<?x?xf32>
  return %dx, %sum : tensor<?x?xf32>, tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// Three become one.

// CHECK-LABEL: func @three
// CHECK:         %[[R:.+]]:3 = linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[R]]#0, %[[R]]#1, %[[R]]#2
func.func @three(%x: tensor<16xf32>, %e: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%x0: f32, %y0: f32):
    %0 = math.absf %x0 : f32
    linalg.yield %0 : f32
  } -> tensor<16xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%x0: f32, %y0: f32):
    %0 = math.floor %x0 : f32
    linalg.yield %0 : f32
  } -> tensor<16xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%x0: f32, %y0: f32):
    %0 = arith.negf %x0 : f32
    linalg.yield %0 : f32
  } -> tensor<16xf32>
  return %a, %b, %c : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// The second depends on the first, through another op.

// CHECK-LABEL: func @dependent
// CHECK:         %[[A:.+]] = linalg.generic
// CHECK:         %[[H:.+]] = math.floor %[[A]]
// CHECK:         %[[B:.+]] = linalg.generic
// CHECK-SAME:      ins(%{{.+}}, %[[H]] :
// CHECK:         return %[[B]]
func.func @dependent(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x0: f32, %y0: f32):
    %0 = math.absf %x0 : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %h = math.floor %a : tensor<?xf32>
  %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %h : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x0: f32, %h0: f32, %y0: f32):
    %0 = arith.addf %x0, %h0 : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  return %b : tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// The second depends on a value that its body captures and on an op with
// effects, which cannot move.

// CHECK-LABEL: func @captured
// CHECK:         linalg.generic
// CHECK:           math.absf
// CHECK:         %[[V:.+]] = memref.load
// CHECK:         linalg.generic
// CHECK:           arith.addf %{{.+}}, %[[V]]
func.func @captured(%x: tensor<?xf32>, %e: tensor<?xf32>, %m: memref<f32>, %v: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x0: f32, %y0: f32):
    %0 = math.absf %x0 : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  memref.store %v, %m[] : memref<f32>
  %l = memref.load %m[] : memref<f32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x0: f32, %y0: f32):
    %0 = arith.addf %x0, %l : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  return %a, %b : tensor<?xf32>, tensor<?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>
#channel = affine_map<(d0, d1) -> (d1)>

// They share no operand in the loops' order, differ in attributes, or are in
// different blocks.

// CHECK-LABEL: func @untouched
// CHECK:         linalg.generic
// CHECK:           math.absf
// CHECK:         linalg.generic
// CHECK:           math.floor
// CHECK:         linalg.generic
// CHECK:           math.ceil
// CHECK:         linalg.generic
// CHECK:           math.round
// CHECK:         scf.if
// CHECK:           linalg.generic
// CHECK:             arith.negf
func.func @untouched(%x: tensor<4x4xf32>, %b: tensor<4xf32>, %e: tensor<4x4xf32>, %z: tensor<4x4xf32>, %on: i1) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %p = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %b : tensor<4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x0: f32, %b0: f32, %y0: f32):
    %0 = math.absf %x0 : f32
    %1 = arith.addf %0, %b0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x4xf32>
  %q = linalg.generic {indexing_maps = [#transposed, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x0: f32, %y0: f32):
    %0 = math.floor %x0 : f32
    linalg.yield %0 : f32
  } -> tensor<4x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel"]} ins(%z, %b : tensor<4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x0: f32, %b0: f32, %y0: f32):
    %0 = math.ceil %x0 : f32
    %1 = arith.addf %0, %b0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x4xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) attrs = {other} {
  ^bb0(%x0: f32, %y0: f32):
    %0 = math.round %x0 : f32
    linalg.yield %0 : f32
  } -> tensor<4x4xf32>
  %t = scf.if %on -> tensor<4x4xf32> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
    ^bb0(%x0: f32, %y0: f32):
      %1 = arith.negf %x0 : f32
      linalg.yield %1 : f32
    } -> tensor<4x4xf32>
    scf.yield %0 : tensor<4x4xf32>
  } else {
    scf.yield %x : tensor<4x4xf32>
  }
  return %p, %q, %r, %s, %t : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}
