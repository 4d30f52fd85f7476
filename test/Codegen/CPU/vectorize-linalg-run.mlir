// Ops in and outside the class compute what they say. The numbers are small and
// whole, so that every order of additions gives the same.

// RUN: rm -rf %t && mkdir -p %t
// RUN: %python %S/Inputs/whole-numbers.py %t
// RUN: fq-run %s --entry matmul --input %t/a.npy --input %t/b.npy --expect %t/matmul.npy
// RUN: fq-run %s --entry transpose --input %t/a.npy --expect %t/transpose.npy
// RUN: fq-run %s --entry pooling --input %t/image.npy --input %t/window.npy --expect %t/pooling.npy
// RUN: fq-run %s --entry indices --input %t/a.npy --expect %t/indices.npy
// RUN: fq-run %s --entry maximum --input %t/a.npy --expect %t/maximum.npy
// RUN: fq-run %s --entry reverse_order --input %t/a.npy --expect %t/reverse_order.npy
// RUN: fq-run %s --entry slice --input %t/a.npy --expect %t/slice.npy

// Columns and runs, with what the accumulator holds before, and both at once.
// RUN: fq-run %s --entry column_sums --input %t/a.npy --input %t/row.npy --expect %t/column_sums.npy
// RUN: fq-run %s --entry run_sums --input %t/blocks.npy --expect %t/run_sums.npy
// RUN: fq-run %s --entry all_sum --input %t/a.npy --expect %t/all_sum.npy
// RUN: fq-run %s --entry mixed --input %t/blocks.npy --input %t/channels.npy --expect %t/mixed0.npy --expect %t/mixed1.npy

// A result that reads the buffer it is written to.
// RUN: fq-run %s --entry in_place --input %t/a.npy --expect %t/in_place.npy

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
#scalar = affine_map<(d0, d1) -> ()>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#middle = affine_map<(d0, d1, d2) -> (d1)>

func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @transpose(%a: tensor<37x19xf32>) -> tensor<19x37xf32> {
  %e = tensor.empty() : tensor<19x37xf32>
  %r = linalg.transpose ins(%a : tensor<37x19xf32>) outs(%e : tensor<19x37xf32>) permutation = [1, 0]
  return %r : tensor<19x37xf32>
}

func.func @pooling(%a: tensor<1x9x9x5xf32>, %w: tensor<3x3xf32>) -> tensor<1x7x7x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x7x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x7x5xf32>) -> tensor<1x7x7x5xf32>
  %r = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %w : tensor<1x9x9x5xf32>, tensor<3x3xf32>) outs(%f : tensor<1x7x7x5xf32>) -> tensor<1x7x7x5xf32>
  return %r : tensor<1x7x7x5xf32>
}

func.func @indices(%a: tensor<?x19xf32>) -> tensor<?x19xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?x19xf32>
  %e = tensor.empty(%d) : tensor<?x19xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<?x19xf32>) outs(%e : tensor<?x19xf32>) {
  ^bb0(%x: f32, %y: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %0 = arith.addf %x, %k : f32
    linalg.yield %0 : f32
  } -> tensor<?x19xf32>
  return %r : tensor<?x19xf32>
}

func.func @maximum(%a: tensor<?x19xf32>) -> tensor<19xf32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<19xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<19xf32>) -> tensor<19xf32>
  %r = linalg.generic {indexing_maps = [#id2, #column], iterator_types = ["reduction", "parallel"]} ins(%a : tensor<?x19xf32>) outs(%f : tensor<19xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.maximumf %x, %y : f32
    linalg.yield %0 : f32
  } -> tensor<19xf32>
  return %r : tensor<19xf32>
}

// The channel is the last loop, and the operand has it first.
func.func @reverse_order(%a: tensor<37x19xf32>) -> tensor<37xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<37xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<37xf32>) -> tensor<37xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, #column], iterator_types = ["reduction", "parallel"]} ins(%a : tensor<37x19xf32>) outs(%f : tensor<37xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.addf %y, %x : f32
    linalg.yield %0 : f32
  } -> tensor<37xf32>
  return %r : tensor<37xf32>
}

// A strided view of the argument.
func.func @slice(%a: tensor<37x19xf32>) -> tensor<30x7xf32> {
  %s = tensor.extract_slice %a[5, 3] [30, 7] [1, 2] : tensor<37x19xf32> to tensor<30x7xf32>
  %e = tensor.empty() : tensor<30x7xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<30x7xf32>) outs(%e : tensor<30x7xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.mulf %x, %x : f32
    linalg.yield %0 : f32
  } -> tensor<30x7xf32>
  return %r : tensor<30x7xf32>
}

func.func @column_sums(%a: tensor<?x19xf32>, %before: tensor<19xf64>) -> tensor<19xf64> {
  %r = linalg.generic {indexing_maps = [#id2, #column], iterator_types = ["reduction", "parallel"]} ins(%a : tensor<?x19xf32>) outs(%before : tensor<19xf64>) {
  ^bb0(%x: f32, %y: f64):
    %0 = arith.extf %x : f32 to f64
    %1 = arith.addf %0, %y : f64
    linalg.yield %1 : f64
  } -> tensor<19xf64>
  return %r : tensor<19xf64>
}

func.func @run_sums(%a: tensor<?x5x?xf32>) -> tensor<5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %r = linalg.generic {indexing_maps = [#id3, #middle], iterator_types = ["reduction", "parallel", "reduction"]} ins(%a : tensor<?x5x?xf32>) outs(%f : tensor<5xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.addf %y, %x : f32
    linalg.yield %0 : f32
  } -> tensor<5xf32>
  return %r : tensor<5xf32>
}

func.func @all_sum(%a: tensor<?x19xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [#id2, #scalar], iterator_types = ["reduction", "reduction"]} ins(%a : tensor<?x19xf32>) outs(%f : tensor<f32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.addf %y, %x : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

func.func @mixed(%a: tensor<?x5x?xf32>, %c: tensor<5xf32>) -> (tensor<?x5x?xf32>, tensor<5xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %d0 = tensor.dim %a, %c0 : tensor<?x5x?xf32>
  %d2 = tensor.dim %a, %c2 : tensor<?x5x?xf32>
  %e0 = tensor.empty(%d0, %d2) : tensor<?x5x?xf32>
  %e1 = tensor.empty() : tensor<5xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %r:2 = linalg.generic {indexing_maps = [#id3, #middle, #id3, #middle], iterator_types = ["reduction", "parallel", "reduction"]} ins(%a, %c : tensor<?x5x?xf32>, tensor<5xf32>) outs(%e0, %f1 : tensor<?x5x?xf32>, tensor<5xf32>) {
  ^bb0(%x: f32, %p: f32, %y: f32, %s: f32):
    %0 = arith.mulf %x, %p : f32
    %1 = arith.addf %s, %0 : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<?x5x?xf32>, tensor<5xf32>)
  return %r#0, %r#1 : tensor<?x5x?xf32>, tensor<5xf32>
}

func.func @in_place(%a: tensor<?x19xf32>) -> tensor<?x19xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?x19xf32>
  %e = tensor.empty(%d) : tensor<?x19xf32>
  %0 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<?x19xf32>) outs(%e : tensor<?x19xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<?x19xf32>
  %1 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<?x19xf32>) outs(%0 : tensor<?x19xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.mulf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?x19xf32>
  return %1 : tensor<?x19xf32>
}
