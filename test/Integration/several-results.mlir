// A result whose buffer another one could overwrite keeps its value, fused or
// not.

// RUN: %python -c "import numpy as n; r = n.random.default_rng(5); x, y = r.normal(0, 2, (2, 4, 4)).astype('f4'); n.save('%t.x.npy', x); n.save('%t.y.npy', y)"
// RUN: fq-run %s --entry alone --input %t.x.npy --output %t.a.npy

// RUN: fq-opt %s --fakequant-to-llvm=fuse=true -o %t.fused.mlir
// RUN: fq-opt %s --fakequant-to-llvm=fuse=false -o %t.apart.mlir
// RUN: fq-run %t.fused.mlir --entry inserted --input %t.x.npy --input %t.y.npy --output %t.i.npy --output %t.b.npy
// RUN: fq-run %t.apart.mlir --entry inserted --input %t.x.npy --input %t.y.npy --expect %t.i.npy --expect %t.a.npy
// RUN: fq-run %t.fused.mlir --entry inserted --input %t.x.npy --input %t.y.npy --expect %t.i.npy --expect %t.a.npy

// RUN: %python -c "import numpy as n; a, y = n.load('%t.a.npy'), n.load('%t.y.npy'); n.save('%t.sum.npy', a + y); n.save('%t.difference.npy', a - y)"
// RUN: fq-run %t.fused.mlir --entry two --input %t.x.npy --input %t.y.npy --expect %t.sum.npy --expect %t.difference.npy
// RUN: fq-run %t.apart.mlir --entry two --input %t.x.npy --input %t.y.npy --expect %t.sum.npy --expect %t.difference.npy

func.func @alone(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %a = fakequant.args %x : tensor<4x4xf32>
  return %a : tensor<4x4xf32>
}

func.func @inserted(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %f = tensor.extract %y[%c0, %c0] : tensor<4x4xf32>
  %a = fakequant.args %x : tensor<4x4xf32>
  %b = tensor.insert %f into %a[%c0, %c0] : tensor<4x4xf32>
  return %b, %a : tensor<4x4xf32>, tensor<4x4xf32>
}

func.func @two(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %a = fakequant.args %x : tensor<4x4xf32>
  %b = arith.addf %a, %y : tensor<4x4xf32>
  %c = arith.subf %a, %y : tensor<4x4xf32>
  return %b, %c : tensor<4x4xf32>, tensor<4x4xf32>
}
