// RUN: fq-opt %s -pass-pipeline='builtin.module(func.func(fq-fuse-elementwise))' -split-input-file | FileCheck %s -enable-var-scope
// RUN: fq-opt %s -pass-pipeline='builtin.module(func.func(fq-fuse-elementwise))' -split-input-file -o %t.once
// RUN: fq-opt %t.once -pass-pipeline='builtin.module(func.func(fq-fuse-elementwise))' -split-input-file -o %t.twice
// RUN: diff %t.once %t.twice

// Chains of producers of both operands end in the generic with three results;
// its destinations take their sizes from an operand of the chain.

#id = affine_map<(d0, d1) -> (d0, d1)>
#channel = affine_map<(d0, d1) -> (d1)>

// CHECK-DAG: [[$ID:#.+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: [[$CHANNEL:#.+]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func @into_three_results
// CHECK-SAME:    %[[G:[^:]+]]: tensor<?x?xf32>, %[[M:[^:]+]]: tensor<?x?xf32>, %[[X:[^:]+]]: tensor<?x?xf32>, %[[Z:[^:]+]]: tensor<?x?xf32>, %[[LIMIT:[^:]+]]: tensor<?xf32>, %[[DMIN:[^:]+]]: tensor<?xf64>, %[[DMAX:[^:]+]]: tensor<?xf64>
// CHECK-DAG:     %[[ROWS:.+]] = tensor.dim %[[G]], %c0
// CHECK-DAG:     %[[COLUMNS:.+]] = tensor.dim %[[G]], %c1
// CHECK:         %[[DX:.+]] = tensor.empty(%[[ROWS]], %[[COLUMNS]])
// CHECK-NEXT:    %[[R:.+]]:3 = linalg.generic
// CHECK-SAME:      indexing_maps = {{\[}}[[$ID]], [[$ID]], [[$ID]], [[$ID]], [[$CHANNEL]], [[$ID]], [[$CHANNEL]], [[$CHANNEL]]], iterator_types = ["reduction", "parallel"]
// CHECK-SAME:      ins(%[[G]], %[[M]], %[[X]], %[[Z]], %[[LIMIT]] :
// CHECK-SAME:      outs(%[[DX]], %[[DMIN]], %[[DMAX]] :
// CHECK-NEXT:    ^bb0(%[[G0:.+]]: f32, %[[M0:.+]]: f32, %[[X0:.+]]: f32, %[[Z0:.+]]: f32, %[[LIMIT0:.+]]: f32, %[[_:.+]]: f32, %[[DMIN0:.+]]: f64, %[[DMAX0:.+]]: f64):
// CHECK-DAG:       %[[H:.+]] = arith.mulf %[[G0]], %[[M0]]
// CHECK-DAG:       %[[RELU:.+]] = arith.maximumf %[[X0]], %[[Z0]]
// CHECK-DAG:       %[[ABS:.+]] = math.absf %[[RELU]]
// CHECK:           arith.cmpf ole, %[[ABS]], %[[LIMIT0]]
// CHECK:           linalg.yield
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[R]]#0, %[[R]]#1, %[[R]]#2
func.func @into_three_results(%g: tensor<?x?xf32>, %m: tensor<?x?xf32>, %x: tensor<?x?xf32>, %zero: tensor<?x?xf32>, %limit: tensor<?xf32>, %dmin: tensor<?xf64>, %dmax: tensor<?xf64>) -> (tensor<?x?xf32>, tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = arith.mulf %g, %m : tensor<?x?xf32>
  %relu = arith.maximumf %x, %zero : tensor<?x?xf32>
  %abs = math.absf %relu : tensor<?x?xf32>
  %d0 = tensor.dim %h, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %h, %c1 : tensor<?x?xf32>
  %dx = tensor.empty(%d0, %d1) : tensor<?x?xf32>
  %r:3 = linalg.generic {indexing_maps = [#id, #id, #channel, #id, #channel, #channel], iterator_types = ["reduction", "parallel"]} ins(%h, %abs, %limit : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>) outs(%dx, %dmin, %dmax : tensor<?x?xf32>, tensor<?xf64>, tensor<?xf64>) {
  ^bb0(%g0: f32, %x0: f32, %limit0: f32, %dx0: f32, %dmin0: f64, %dmax0: f64):
    %inside = arith.cmpf ole, %x0, %limit0 : f32
    %mask = arith.uitofp %inside : i1 to f32
    %masked = arith.mulf %g0, %mask : f32
    %g64 = arith.extf %g0 : f32 to f64
    %s0 = arith.addf %dmin0, %g64 : f64
    %s1 = arith.subf %dmax0, %g64 : f64
    linalg.yield %masked, %s0, %s1 : f32, f64, f64
  } -> (tensor<?x?xf32>, tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1, %r#2 : tensor<?x?xf32>, tensor<?xf64>, tensor<?xf64>
}

// -----

// Named ops, a broadcast among them, into an elementwise generic.

// CHECK-DAG: [[$ID:#.+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: [[$COLUMN:#.+]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func @named_ops
// CHECK-SAME:    %[[X:[^:]+]]: tensor<?x4xf32>, %[[B:[^:]+]]: tensor<4xf32>, %[[E:[^:]+]]: tensor<?x4xf32>
// CHECK:         %[[R:.+]] = linalg.generic
// CHECK-SAME:      indexing_maps = {{\[}}[[$ID]], [[$COLUMN]], [[$ID]]]
// CHECK-SAME:      ins(%[[X]], %[[B]] :
// CHECK-SAME:      outs(%[[E]] :
// CHECK-NEXT:    ^bb0(%[[X0:.+]]: f32, %[[B0:.+]]: f32, %{{.+}}: f32):
// CHECK-NEXT:      %[[EXP:.+]] = math.exp %[[X0]]
// CHECK-NEXT:      %[[ADD:.+]] = arith.addf %[[EXP]], %[[B0]]
// CHECK-NEXT:      %[[MUL:.+]] = arith.mulf %[[ADD]], %[[X0]]
// CHECK-NEXT:      %[[FLOOR:.+]] = math.floor %[[MUL]]
// CHECK-NEXT:      linalg.yield %[[FLOOR]]
// CHECK-NOT:     linalg
// CHECK:         return %[[R]]
func.func @named_ops(%x: tensor<?x4xf32>, %b: tensor<4xf32>, %e: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %exp = linalg.map { math.exp } ins(%x : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>)
  %rows = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<?x4xf32>) dimensions = [0]
  %add = linalg.add ins(%exp, %rows : tensor<?x4xf32>, tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %mul = linalg.elementwise kind=#linalg.elementwise_kind<mul> ins(%add, %x : tensor<?x4xf32>, tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %floor = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%mul : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) {
  ^bb0(%x0: f32, %y0: f32):
    %0 = math.floor %x0 : f32
    linalg.yield %0 : f32
  } -> tensor<?x4xf32>
  return %floor : tensor<?x4xf32>
}

// -----

// One op that reads a producer twice is one use.

// CHECK-LABEL: func @read_twice
// CHECK-SAME:    %[[X:[^:]+]]: tensor<8xf32>
// CHECK:         %[[E:.+]] = tensor.empty() : tensor<8xf32>
// CHECK-NEXT:    %[[R:.+]] = linalg.generic
// CHECK-SAME:      ins(%[[X]] : tensor<8xf32>) outs(%[[E]] : tensor<8xf32>)
// CHECK-NEXT:    ^bb0(%[[X0:.+]]: f32, %{{.+}}: f32):
// CHECK-NEXT:      %[[ABS:.+]] = math.absf %[[X0]]
// CHECK-NEXT:      arith.mulf %[[ABS]], %[[ABS]]
// CHECK:         return %[[R]]
func.func @read_twice(%x: tensor<8xf32>) -> tensor<8xf32> {
  %abs = math.absf %x : tensor<8xf32>
  %square = arith.mulf %abs, %abs : tensor<8xf32>
  return %square : tensor<8xf32>
}

// -----

// The index of an element is that of the fused loops.

// CHECK-LABEL: func @index
// CHECK:         linalg.generic
// CHECK:           %[[COLUMN:.+]] = linalg.index 1
// CHECK:           %[[VALUE:.+]] = arith.index_cast %[[COLUMN]] : index to i32
// CHECK:           arith.addi %[[VALUE]], %{{.+}} : i32
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @index(%e: tensor<?x?xi32>, %sum: tensor<?xi32>, %x: tensor<?x?xi32>) -> tensor<?xi32> {
  %iota = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<?x?xi32>) {
  ^bb0(%y0: i32):
    %column = linalg.index 1 : index
    %0 = arith.index_cast %column : index to i32
    linalg.yield %0 : i32
  } -> tensor<?x?xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%iota, %x : tensor<?x?xi32>, tensor<?x?xi32>) outs(%sum : tensor<?xi32>) {
  ^bb0(%i0: i32, %x0: i32, %s0: i32):
    %0 = arith.addi %i0, %x0 : i32
    %1 = arith.addi %s0, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// -----

// A constant stays an operand: its arithmetic is done when the program runs.

// CHECK-LABEL: func @constant
// CHECK-SAME:    %[[X:[^:]+]]: tensor<f32>
// CHECK:         %[[C:.+]] = arith.constant dense<{{.+}}e-41> : tensor<f32>
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[C]], %[[X]] : tensor<f32>, tensor<f32>)
func.func @constant(%x: tensor<f32>) -> tensor<f32> {
  %c = arith.constant dense<1.0e-40> : tensor<f32>
  %e = tensor.empty() : tensor<f32>
  %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%c : tensor<f32>) outs(%e : tensor<f32>) {
  ^bb0(%c0: f32, %y0: f32):
    %1 = arith.addf %c0, %c0 : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  %2 = arith.mulf %0, %x : tensor<f32>
  return %2 : tensor<f32>
}

// -----

// A tensor of equal elements is no operand.

// CHECK-LABEL: func @splats
// CHECK-SAME:    %[[X:[^:]+]]: tensor<4x?xf32>, %[[S:[^:]+]]: f32
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[X]] : tensor<4x?xf32>)
// CHECK-NEXT:    ^bb0(%[[X0:.+]]: f32, %{{.+}}: f32):
// CHECK-NEXT:      %[[MIN:.+]] = arith.minimumf %[[X0]], %[[S]] : f32
// CHECK-NEXT:      linalg.yield %[[MIN]]
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @splats(%x: tensor<4x?xf32>, %s: f32, %n: index) -> tensor<4x?xf32> {
  %t = tensor.splat %s[%n] : tensor<4x?xf32>
  %r = arith.minimumf %x, %t : tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// Nor is a constant of equal elements, also on its way into several results.

// CHECK-LABEL: func @relu
// CHECK-SAME:    %[[X:[^:]+]]: tensor<8x4xf32>
// CHECK:         %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[X]] : tensor<8x4xf32>)
// CHECK-NEXT:    ^bb0(%[[X0:.+]]: f32, %{{.+}}: f32, %[[S0:.+]]: f32):
// CHECK-NEXT:      %[[MAX:.+]] = arith.maximumf %[[X0]], %[[ZERO]] : f32
// CHECK-NEXT:      arith.addf %[[S0]], %[[MAX]]
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @relu(%x: tensor<8x4xf32>, %e: tensor<8x4xf32>, %s: tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>) {
  %zero = arith.constant dense<0.0> : tensor<8x4xf32>
  %relu = arith.maximumf %x, %zero : tensor<8x4xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%relu : tensor<8x4xf32>) outs(%e, %s : tensor<8x4xf32>, tensor<4xf32>) {
  ^bb0(%x0: f32, %e0: f32, %s0: f32):
    %0 = arith.addf %s0, %x0 : f32
    linalg.yield %x0, %0 : f32, f32
  } -> (tensor<8x4xf32>, tensor<4xf32>)
  return %r#0, %r#1 : tensor<8x4xf32>, tensor<4xf32>
}

// -----

// A producer with two uses stays.

// CHECK-LABEL: func @two_uses
// CHECK:         %[[H:.+]] = linalg.generic
// CHECK:           math.absf
// CHECK:         %[[R:.+]] = linalg.generic
// CHECK-SAME:      ins(%[[H]] :
// CHECK:           math.floor
// CHECK:         return %[[H]], %[[R]]
func.func @two_uses(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %h = math.absf %x : tensor<?xf32>
  %r = math.floor %h : tensor<?xf32>
  return %h, %r : tensor<?xf32>, tensor<?xf32>
}

// -----

// So does one that is broadcast, whose value would be computed again for every
// row, or transposed.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @other_order
// CHECK-SAME:    %[[X:[^:]+]]: tensor<?x?xf32>
// CHECK:         %[[H:.+]] = linalg.generic
// CHECK:           math.absf
// CHECK:         %[[T:.+]] = linalg.generic
// CHECK:           math.floor
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[X]], %[[H]], %[[T]] :
func.func @other_order(%x: tensor<?x?xf32>, %b: tensor<?xf32>, %t: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %h = math.absf %b : tensor<?xf32>
  %u = math.floor %t : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1, d0)>, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %h, %u : tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %h0: f32, %u0: f32, %y0: f32):
    %0 = arith.addf %x0, %h0 : f32
    %1 = arith.addf %0, %u0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// One with several results stays, also where it is read by the identity map;
// so does one that reads its destination.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @several_results
// CHECK:         %[[P:.+]]:2 = linalg.generic
// CHECK:         %[[Q:.+]] = linalg.generic
// CHECK-NOT:       ins(
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[P]]#0, %[[Q]] :
func.func @several_results(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %p:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%e, %e : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%x0: f32, %y0: f32, %y1: f32):
    %0 = math.absf %x0 : f32
    %1 = math.floor %x0 : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  %q = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : tensor<?xf32>) {
  ^bb0(%x0: f32):
    %0 = math.absf %x0 : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %r = arith.addf %p#0, %q : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// One outside of a loop stays out of it, and ops that compute nothing or are
// not elementwise stay named.

// CHECK-LABEL: func @untouched
// CHECK:         linalg.fill
// CHECK:         linalg.matmul
// CHECK:         linalg.transpose
// CHECK:         %[[H:.+]] = linalg.generic
// CHECK:           math.absf
// CHECK:         scf.for
// CHECK:           linalg.generic
// CHECK-SAME:        ins(%[[H]], %{{.+}} :
func.func @untouched(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %p = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%fill : tensor<4x4xf32>) -> tensor<4x4xf32>
  %t = linalg.transpose ins(%p : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %h = math.absf %t : tensor<4x4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> tensor<4x4xf32> {
    %0 = arith.addf %h, %s : tensor<4x4xf32>
    scf.yield %0 : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// -----

// A producer with other broadcasts than its consumer's channel would make
// scalar loops of one pass over memory, with sums in another order.

// CHECK-LABEL: func @other_broadcast
// CHECK:         linalg.generic
// CHECK:         linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]
func.func @other_broadcast(%g: tensor<?x24xf32>, %row: tensor<?xf32>, %sum: tensor<24xf64>) -> tensor<24xf64> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %g, %c0 : tensor<?x24xf32>
  %empty = tensor.empty(%rows) : tensor<?x24xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%g, %row : tensor<?x24xf32>, tensor<?xf32>) outs(%empty : tensor<?x24xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%h : tensor<?x24xf32>) outs(%sum : tensor<24xf64>) {
  ^bb0(%a: f32, %b: f64):
    %0 = arith.extf %a : f32 to f64
    %1 = arith.addf %b, %0 : f64
    linalg.yield %1 : f64
  } -> tensor<24xf64>
  return %r : tensor<24xf64>
}

// -----

// A destination that a loop without iterations leaves as it is stays.

// CHECK-LABEL: func @kept_destination
// CHECK-SAME:    %[[X:[^:]+]]: tensor<4xf32>, %[[Y:[^:]+]]: tensor<4x?xf32>
// CHECK:         linalg.generic {{.*}} outs(%[[X]] : tensor<4xf32>)
func.func @kept_destination(%x: tensor<4xf32>, %y: tensor<4x?xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x, %y : tensor<4xf32>, tensor<4x?xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
