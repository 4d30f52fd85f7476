// RUN: fq-opt %s -pass-pipeline='builtin.module(func.func(fq-drop-unused-results))' -split-input-file | FileCheck %s -enable-var-scope
// RUN: fq-opt %s -pass-pipeline='builtin.module(func.func(fq-drop-unused-results))' -split-input-file -o %t.once
// RUN: fq-opt %t.once -pass-pipeline='builtin.module(func.func(fq-drop-unused-results))' -split-input-file -o %t.twice
// RUN: diff %t.once %t.twice

// Without the sum, its destination, its limit and its ops go, and no loop is a
// reduction. Asking for a size is no use.

#id = affine_map<(d0, d1) -> (d0, d1)>
#channel = affine_map<(d0, d1) -> (d1)>

// CHECK-DAG: [[$ID:#.+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func @no_sum
// CHECK-SAME:    %[[G:[^:]+]]: tensor<?x?xf32>, %[[LIMIT:[^:]+]]: tensor<?xf32>, %[[E:[^:]+]]: tensor<?x?xf32>, %[[S:[^:]+]]: tensor<?xf32>
// CHECK:         %[[R:.+]] = linalg.generic
// CHECK-SAME:      indexing_maps = {{\[}}[[$ID]], [[$ID]]], iterator_types = ["parallel", "parallel"]
// CHECK-SAME:      ins(%[[G]] : tensor<?x?xf32>) outs(%[[E]] : tensor<?x?xf32>) attrs = {keep = "this"}
// CHECK-NEXT:    ^bb0(%[[G0:.+]]: f32, %{{.+}}: f32):
// CHECK-NEXT:      %[[ABS:.+]] = math.absf %[[G0]]
// CHECK-NEXT:      linalg.yield %[[ABS]] : f32
// CHECK:         %[[DIM:.+]] = tensor.dim %[[S]], %c0
// CHECK:         return %[[R]], %[[DIM]]
func.func @no_sum(%g: tensor<?x?xf32>, %limit: tensor<?xf32>, %e: tensor<?x?xf32>, %s: tensor<?xf32>) -> (tensor<?x?xf32>, index) {
  %c0 = arith.constant 0 : index
  %r:2 = linalg.generic {indexing_maps = [#id, #channel, #id, #channel], iterator_types = ["reduction", "parallel"]} ins(%g, %limit : tensor<?x?xf32>, tensor<?xf32>) outs(%e, %s : tensor<?x?xf32>, tensor<?xf32>) attrs = {keep = "this"} {
  ^bb0(%g0: f32, %limit0: f32, %e0: f32, %s0: f32):
    %0 = math.absf %g0 : f32
    %1 = arith.minimumf %0, %limit0 : f32
    %2 = arith.addf %s0, %1 : f32
    linalg.yield %0, %2 : f32, f32
  } -> (tensor<?x?xf32>, tensor<?xf32>)
  %dim = tensor.dim %r#1, %c0 : tensor<?xf32>
  return %r#0, %dim : tensor<?x?xf32>, index
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#channel = affine_map<(d0, d1) -> (d1)>

// Without the elementwise result the loops stay; the destination it would have
// overwritten is still read, now as an input.

// CHECK-DAG: [[$ID:#.+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: [[$CHANNEL:#.+]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func @in_place
// CHECK-SAME:    %[[G:[^:]+]]: tensor<?x?xf32>, %[[M:[^:]+]]: tensor<?x?xf32>, %[[S:[^:]+]]: tensor<?xf32>
// CHECK:         %[[R:.+]] = linalg.generic
// CHECK-SAME:      indexing_maps = {{\[}}[[$ID]], [[$CHANNEL]]], iterator_types = ["reduction", "parallel"]
// CHECK-SAME:      ins(%[[G]] : tensor<?x?xf32>) outs(%[[S]] : tensor<?xf32>)
// CHECK-NEXT:    ^bb0(%[[G0:.+]]: f32, %[[S0:.+]]: f32):
// CHECK-NEXT:      %[[SUM:.+]] = arith.addf %[[S0]], %[[G0]]
// CHECK-NEXT:      linalg.yield %[[SUM]] : f32
// CHECK:         return %[[R]]
func.func @in_place(%g: tensor<?x?xf32>, %m: tensor<?x?xf32>, %s: tensor<?xf32>) -> tensor<?xf32> {
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #channel], iterator_types = ["reduction", "parallel"]} ins(%m : tensor<?x?xf32>) outs(%g, %s : tensor<?x?xf32>, tensor<?xf32>) {
  ^bb0(%m0: f32, %g0: f32, %s0: f32):
    %0 = arith.mulf %g0, %m0 : f32
    %1 = arith.addf %s0, %g0 : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<?x?xf32>, tensor<?xf32>)
  return %r#1 : tensor<?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#channel = affine_map<(d0, d1) -> (d1)>

// In place, and the sum is dropped: the loops are parallel.

// CHECK-LABEL: func @in_place_no_sum
// CHECK-SAME:    %[[G:[^:]+]]: tensor<?x?xf32>
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "parallel"]} outs(%[[G]] : tensor<?x?xf32>)
func.func @in_place_no_sum(%g: tensor<?x?xf32>, %s: tensor<?xf32>) -> tensor<?x?xf32> {
  %r:2 = linalg.generic {indexing_maps = [#id, #channel], iterator_types = ["reduction", "parallel"]} outs(%g, %s : tensor<?x?xf32>, tensor<?xf32>) {
  ^bb0(%g0: f32, %s0: f32):
    %0 = arith.negf %g0 : f32
    %1 = arith.addf %s0, %g0 : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<?x?xf32>, tensor<?xf32>)
  return %r#0 : tensor<?x?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#channel = affine_map<(d0, d1) -> (d1)>

// An unused sum stays where another result reads its running value, and so does
// the order of its loop.

// CHECK-LABEL: func @running_sum
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["reduction", "parallel"]
// CHECK-NEXT:    ^bb0(%[[G0:.+]]: f32, %{{.+}}: f32, %[[S0:.+]]: f32):
// CHECK-NEXT:      %[[S1:.+]] = arith.addf %[[S0]], %[[G0]]
// CHECK-NEXT:      linalg.yield %[[S0]], %[[S1]] : f32, f32
func.func @running_sum(%g: tensor<?x?xf32>, %e: tensor<?x?xf32>, %s: tensor<?xf32>) -> tensor<?x?xf32> {
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #channel], iterator_types = ["reduction", "parallel"]} ins(%g : tensor<?x?xf32>) outs(%e, %s : tensor<?x?xf32>, tensor<?xf32>) {
  ^bb0(%g0: f32, %e0: f32, %s0: f32):
    %0 = arith.addf %s0, %g0 : f32
    linalg.yield %s0, %0 : f32, f32
  } -> (tensor<?x?xf32>, tensor<?xf32>)
  return %r#0 : tensor<?x?xf32>
}

// -----

// An operand that alone tells a loop's range stays, unread.

// CHECK-LABEL: func @loop_range
// CHECK-SAME:    %[[B:[^:]+]]: tensor<?xf32>, %[[E:[^:]+]]: tensor<?x?xf32>, %[[S:[^:]+]]: tensor<?xf32>
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["reduction", "parallel"]
// CHECK-SAME:      ins(%[[B]], %[[E]] : tensor<?xf32>, tensor<?x?xf32>) outs(%[[S]] : tensor<?xf32>)
// CHECK-NEXT:    ^bb0(%[[B0:.+]]: f32, %{{.+}}: f32, %[[S0:.+]]: f32):
// CHECK-NEXT:      arith.addf %[[S0]], %[[B0]]
func.func @loop_range(%b: tensor<?xf32>, %e: tensor<?x?xf32>, %s: tensor<?xf32>) -> tensor<?xf32> {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%b : tensor<?xf32>) outs(%e, %s : tensor<?x?xf32>, tensor<?xf32>) {
  ^bb0(%b0: f32, %e0: f32, %s0: f32):
    %0 = arith.addf %s0, %b0 : f32
    linalg.yield %b0, %0 : f32, f32
  } -> (tensor<?x?xf32>, tensor<?xf32>)
  return %r#1 : tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// A generic without used results goes, unless its body has effects.

// CHECK-LABEL: func @dead
// CHECK-COUNT-1: linalg.generic
// CHECK:           cf.assert
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @dead(%x: tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) {
  ^bb0(%x0: f32, %y0: f32):
    %1 = math.absf %x0 : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) {
  ^bb0(%x0: f32, %y0: f32):
    %positive = arith.cmpf oge, %x0, %zero : f32
    cf.assert %positive, "expected no negative element"
    linalg.yield %x0 : f32
  } -> tensor<?xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#channel = affine_map<(d0, d1) -> (d1)>

// Results that are all used stay, and ops on buffers.

// CHECK-LABEL: func @untouched
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["reduction", "parallel"]
// CHECK:           linalg.yield %{{.+}}, %{{.+}} : f32, f32
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["reduction", "parallel"]
// CHECK-SAME:      outs(%{{.+}}, %{{.+}} : memref<?x?xf32>, memref<?xf32>)
func.func @untouched(%g: tensor<?x?xf32>, %e: tensor<?x?xf32>, %s: tensor<?xf32>, %gm: memref<?x?xf32>, %em: memref<?x?xf32>, %sm: memref<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #channel], iterator_types = ["reduction", "parallel"]} ins(%g : tensor<?x?xf32>) outs(%e, %s : tensor<?x?xf32>, tensor<?xf32>) {
  ^bb0(%g0: f32, %e0: f32, %s0: f32):
    %0 = arith.addf %s0, %g0 : f32
    linalg.yield %g0, %0 : f32, f32
  } -> (tensor<?x?xf32>, tensor<?xf32>)
  linalg.generic {indexing_maps = [#id, #id, #channel], iterator_types = ["reduction", "parallel"]} ins(%gm : memref<?x?xf32>) outs(%em, %sm : memref<?x?xf32>, memref<?xf32>) {
  ^bb0(%g0: f32, %e0: f32, %s0: f32):
    %0 = arith.addf %s0, %g0 : f32
    linalg.yield %g0, %0 : f32, f32
  }
  return %r#0, %r#1 : tensor<?x?xf32>, tensor<?xf32>
}
