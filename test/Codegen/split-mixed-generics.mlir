// RUN: fq-opt %s -pass-pipeline='builtin.module(func.func(fq-split-mixed-generics))' -split-input-file | FileCheck %s -enable-var-scope
// RUN: fq-opt %s -pass-pipeline='builtin.module(func.func(fq-split-mixed-generics))' -split-input-file -o %t.once
// RUN: fq-opt %t.once -pass-pipeline='builtin.module(func.func(fq-split-mixed-generics))' -split-input-file -o %t.twice
// RUN: diff %t.once %t.twice

#id = affine_map<(d0, d1) -> (d0, d1)>
#channel = affine_map<(d0, d1) -> (d1)>

// The reductions keep their loops and their order; each op has what it reads.

// CHECK-DAG: [[$ID:#.+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: [[$CHANNEL:#.+]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func @mixed
// CHECK-SAME:    %[[G:[^:]+]]: tensor<?x?xf32>, %[[X:[^:]+]]: tensor<?x?xf32>, %[[M:[^:]+]]: tensor<?x?xf32>, %[[E:[^:]+]]: tensor<?x?xf32>, %[[S:[^:]+]]: tensor<?xf32>, %[[T:[^:]+]]: tensor<?xf32>
// CHECK:         %[[SUMS:.+]]:2 = linalg.generic
// CHECK-SAME:      indexing_maps = {{\[}}[[$ID]], [[$ID]], [[$CHANNEL]], [[$CHANNEL]]], iterator_types = ["reduction", "parallel"]
// CHECK-SAME:      ins(%[[G]], %[[X]] : tensor<?x?xf32>, tensor<?x?xf32>) outs(%[[S]], %[[T]] : tensor<?xf32>, tensor<?xf32>)
// CHECK-NEXT:    ^bb0(%[[G0:.+]]: f32, %[[X0:.+]]: f32, %[[S0:.+]]: f32, %[[T0:.+]]: f32):
// CHECK-NEXT:      %[[P:.+]] = arith.mulf %[[G0]], %[[X0]]
// CHECK-NEXT:      %[[S1:.+]] = arith.addf %[[S0]], %[[P]]
// CHECK-NEXT:      %[[T1:.+]] = arith.addf %[[T0]], %[[X0]]
// CHECK-NEXT:      linalg.yield %[[S1]], %[[T1]] : f32, f32
// CHECK:         %[[DX:.+]] = linalg.generic
// CHECK-SAME:      indexing_maps = {{\[}}[[$ID]], [[$ID]], [[$ID]], [[$ID]]], iterator_types = ["parallel", "parallel"]
// CHECK-SAME:      ins(%[[G]], %[[X]], %[[M]] : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) outs(%[[E]] : tensor<?x?xf32>)
// CHECK-NEXT:    ^bb0(%[[G0:.+]]: f32, %[[X0:.+]]: f32, %[[M0:.+]]: f32, %{{.+}}: f32):
// CHECK-NEXT:      %[[P:.+]] = arith.mulf %[[G0]], %[[X0]]
// CHECK-NEXT:      %[[Q:.+]] = arith.mulf %[[P]], %[[M0]]
// CHECK-NEXT:      linalg.yield %[[Q]] : f32
// CHECK:         return %[[SUMS]]#0, %[[DX]], %[[SUMS]]#1
func.func @mixed(%g: tensor<?x?xf32>, %x: tensor<?x?xf32>, %m: tensor<?x?xf32>, %e: tensor<?x?xf32>, %s: tensor<?xf32>, %t: tensor<?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>, tensor<?xf32>) {
  %r:3 = linalg.generic {indexing_maps = [#id, #id, #id, #channel, #id, #channel], iterator_types = ["reduction", "parallel"]} ins(%g, %x, %m : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) outs(%s, %e, %t : tensor<?xf32>, tensor<?x?xf32>, tensor<?xf32>) {
  ^bb0(%g0: f32, %x0: f32, %m0: f32, %s0: f32, %e0: f32, %t0: f32):
    %0 = arith.mulf %g0, %x0 : f32
    %1 = arith.mulf %0, %m0 : f32
    %2 = arith.addf %s0, %0 : f32
    %3 = arith.addf %t0, %x0 : f32
    linalg.yield %2, %1, %3 : f32, f32, f32
  } -> (tensor<?xf32>, tensor<?x?xf32>, tensor<?xf32>)
  return %r#0, %r#1, %r#2 : tensor<?xf32>, tensor<?x?xf32>, tensor<?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// In place: the sum, over everything, reads the operand before it is
// overwritten.

// CHECK-LABEL: func @in_place
// CHECK-SAME:    %[[G:[^:]+]]: tensor<3x?xf32>, %[[S:[^:]+]]: tensor<f32>
// CHECK:         %[[SUM:.+]] = linalg.generic
// CHECK-SAME:      iterator_types = ["reduction", "reduction"]
// CHECK-SAME:      ins(%[[G]] : tensor<3x?xf32>) outs(%[[S]] : tensor<f32>)
// CHECK:         %[[DX:.+]] = linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "parallel"]} outs(%[[G]] : tensor<3x?xf32>)
// CHECK-NEXT:    ^bb0(%[[G0:.+]]: f32):
// CHECK-NEXT:      arith.negf %[[G0]]
// CHECK:         return %[[DX]], %[[SUM]]
func.func @in_place(%g: tensor<3x?xf32>, %s: tensor<f32>) -> (tensor<3x?xf32>, tensor<f32>) {
  %r:2 = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} outs(%g, %s : tensor<3x?xf32>, tensor<f32>) {
  ^bb0(%g0: f32, %s0: f32):
    %0 = arith.negf %g0 : f32
    %1 = arith.addf %s0, %g0 : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<3x?xf32>, tensor<f32>)
  return %r#0, %r#1 : tensor<3x?xf32>, tensor<f32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#channel = affine_map<(d0, d1) -> (d1)>

// A running sum stays whole, as do a body with effects, reductions alone and
// elementwise results alone.

// CHECK-LABEL: func @untouched
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%{{.+}}, %{{.+}} : tensor<?x?xf32>, tensor<?xf32>)
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      %[[S1:.+]] = arith.addf
// CHECK-NEXT:      linalg.yield %[[S1]], %[[S1]]
// CHECK:         linalg.generic
// CHECK:           cf.assert
// CHECK:           linalg.yield %{{.+}}, %{{.+}} : f32, f32
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%{{.+}}, %{{.+}} : tensor<?xf32>, tensor<?xf32>)
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%{{.+}}, %{{.+}} : tensor<?x?xf32>, tensor<?x?xf32>)
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @untouched(%g: tensor<?x?xf32>, %e: tensor<?x?xf32>, %s: tensor<?xf32>, %ok: i1) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %a:2 = linalg.generic {indexing_maps = [#id, #id, #channel], iterator_types = ["reduction", "parallel"]} ins(%g : tensor<?x?xf32>) outs(%e, %s : tensor<?x?xf32>, tensor<?xf32>) {
  ^bb0(%g0: f32, %e0: f32, %s0: f32):
    %0 = arith.addf %s0, %g0 : f32
    linalg.yield %0, %0 : f32, f32
  } -> (tensor<?x?xf32>, tensor<?xf32>)
  %b:2 = linalg.generic {indexing_maps = [#id, #id, #channel], iterator_types = ["reduction", "parallel"]} ins(%g : tensor<?x?xf32>) outs(%e, %s : tensor<?x?xf32>, tensor<?xf32>) {
  ^bb0(%g0: f32, %e0: f32, %s0: f32):
    cf.assert %ok, "expected true"
    %0 = arith.addf %s0, %g0 : f32
    linalg.yield %g0, %0 : f32, f32
  } -> (tensor<?x?xf32>, tensor<?xf32>)
  %c:2 = linalg.generic {indexing_maps = [#id, #channel, #channel], iterator_types = ["reduction", "parallel"]} ins(%g : tensor<?x?xf32>) outs(%s, %s : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%g0: f32, %s0: f32, %t0: f32):
    %0 = arith.addf %s0, %g0 : f32
    %1 = arith.maximumf %t0, %g0 : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  %d:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%g : tensor<?x?xf32>) outs(%e, %e : tensor<?x?xf32>, tensor<?x?xf32>) {
  ^bb0(%g0: f32, %e0: f32, %f0: f32):
    %0 = math.absf %g0 : f32
    linalg.yield %0, %g0 : f32, f32
  } -> (tensor<?x?xf32>, tensor<?x?xf32>)
  return %a#0, %a#1, %b#0, %b#1, %c#0, %c#1, %d#0, %d#1 : tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
