// Conversions from f64 to 16 bits are rounded once: numbers next to a tie of the
// 16-bit type, so close that f32 takes them for the tie itself.

// RUN: rm -rf %t && mkdir -p %t
// RUN: %python %S/Inputs/round-once.py %t
// RUN: fq-run %s --entry f16 --input %t/x.npy --expect %t/f16.npy
// RUN: fq-run %s --entry bf16 --input %t/x.npy --expect %t/bf16.npy
// RUN: fq-run %s --entry bf16_from_f32 --input %t/x32.npy --expect %t/bf16-from-f32.npy
// RUN: fq-run %s --entry f32_from_bf16 --input %t/all-bf16.npy --expect %t/f32-from-bf16.npy

// Denormals are kept where f32 flushes its own, too.
// RUN: fq-run %s --entry bf16_from_f32 --input %t/x32.npy --expect %t/bf16-from-f32.npy --flush-denormals
// RUN: fq-run %s --entry f32_from_bf16 --input %t/all-bf16.npy --expect %t/f32-from-bf16.npy --flush-denormals

#id = affine_map<(d0) -> (d0)>

func.func @f16(%x: tensor<?xf64>) -> tensor<?xf16> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf64>
  %e = tensor.empty(%d) : tensor<?xf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<?xf64>) outs(%e : tensor<?xf16>) {
  ^bb0(%a: f64, %b: f16):
    %0 = arith.truncf %a : f64 to f16
    linalg.yield %0 : f16
  } -> tensor<?xf16>
  return %y : tensor<?xf16>
}

func.func @bf16(%x: tensor<?xf64>) -> tensor<?xbf16> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf64>
  %e = tensor.empty(%d) : tensor<?xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<?xf64>) outs(%e : tensor<?xbf16>) {
  ^bb0(%a: f64, %b: bf16):
    %0 = arith.truncf %a : f64 to bf16
    linalg.yield %0 : bf16
  } -> tensor<?xbf16>
  return %y : tensor<?xbf16>
}

func.func @bf16_from_f32(%x: tensor<?xf32>) -> tensor<?xbf16> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%e : tensor<?xbf16>) {
  ^bb0(%a: f32, %b: bf16):
    %0 = arith.truncf %a : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<?xbf16>
  return %y : tensor<?xbf16>
}

func.func @f32_from_bf16(%x: tensor<?xbf16>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xbf16>
  %e = tensor.empty(%d) : tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<?xbf16>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: bf16, %b: f32):
    %0 = arith.extf %a : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  return %y : tensor<?xf32>
}
