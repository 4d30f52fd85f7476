// RUN: fq-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(func.func(fq-vectorize-linalg{vector-bits=256}))'

func.func @too_large(%x: memref<9223372036854775807x4xf32>, %y: memref<9223372036854775807x4xf32>) {
  // expected-error @below {{expected operands of at most 2^56 elements but got 'memref<9223372036854775807x4xf32>'}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : memref<9223372036854775807x4xf32>) outs(%y : memref<9223372036854775807x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  return
}
