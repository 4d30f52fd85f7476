// An op in a loop takes no more of the stack in each iteration, in a loop of the
// user's that is parallel neither.

// RUN: %python -c "import numpy as n; n.save('%t.x.npy', n.linspace(-3, 3, 2000, dtype='f4')); n.save('%t.a.npy', n.full(2000, -1, 'f4')); n.save('%t.b.npy', n.full(2000, 1, 'f4')); n.save('%t.n.npy', n.zeros(20000, 'f4'))"
// RUN: fq-run %s --entry serial --input %t.x.npy --input %t.n.npy --input %t.a.npy --input %t.b.npy --output %t.y.npy
// RUN: fq-run %s --entry once --input %t.x.npy --input %t.a.npy --input %t.b.npy --expect %t.y.npy

func.func @serial(%x: tensor<2000xf32>, %n: tensor<?xf32>, %min: tensor<2000xf32>, %max: tensor<2000xf32>) -> tensor<2000xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = tensor.dim %n, %c0 : tensor<?xf32>
  %y = scf.for %i = %c0 to %size step %c1 iter_args(%z = %x) -> (tensor<2000xf32>) {
    %1 = fakequant.vars_per_channel %z, %min, %max : tensor<2000xf32>, tensor<2000xf32>, tensor<2000xf32>
    scf.yield %1 : tensor<2000xf32>
  }
  return %y : tensor<2000xf32>
}

// Quantizing what is quantized changes nothing.
func.func @once(%x: tensor<2000xf32>, %min: tensor<2000xf32>, %max: tensor<2000xf32>) -> tensor<2000xf32> {
  %y = fakequant.vars_per_channel %x, %min, %max : tensor<2000xf32>, tensor<2000xf32>, tensor<2000xf32>
  return %y : tensor<2000xf32>
}
