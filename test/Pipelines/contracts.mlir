// What each pipeline leaves, of a module that holds other ops too.

// RUN: fq-opt %s --fakequant-to-linalg | FileCheck %s --check-prefix=LINALG
// RUN: fq-opt %s --fakequant-to-vector="target-cpu=x86-64-v4 target-triple=x86_64-linux-gnu" | FileCheck %s --check-prefix=VECTOR
// RUN: fq-opt %s --fakequant-to-llvm="target-cpu=x86-64-v4 target-triple=x86_64-linux-gnu" -o %t.mlir
// RUN: FileCheck %s --check-prefix=LLVM --input-file=%t.mlir

// Each pipeline starts from any stage before it, its own included.
// RUN: fq-opt %s --fakequant-to-linalg --fakequant-to-vector --fakequant-to-llvm --fakequant-to-llvm | FileCheck %s --check-prefix=LLVM

// LINALG-LABEL: func.func @mixed
// LINALG-NOT: fakequant.
// LINALG-NOT: tf.FakeQuant
// LINALG: linalg.matmul
// LINALG: scf.for
// VECTOR-LABEL: func.func @mixed
// VECTOR-NOT: linalg.
// VECTOR: vector<16xf32>
// LLVM-LABEL: llvm.func @mixed
// LLVM-NOT: {{(func|scf|memref|arith|vector|linalg|math|cf)\.}}
// LLVM: llvm.func @_mlir_ciface_mixed
func.func @mixed(%x: tensor<?x16xf32>, %w: tensor<16x16xf32>, %min: tensor<f32>, %max: tensor<f32>, %n: index) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %y = "tf.FakeQuantWithMinMaxVars"(%x, %min, %max) {num_bits = 4 : i64} : (tensor<?x16xf32>, tensor<f32>, tensor<f32>) -> tensor<?x16xf32>
  %d = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%d) : tensor<?x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %p = linalg.matmul ins(%y, %w : tensor<?x16xf32>, tensor<16x16xf32>) outs(%f : tensor<?x16xf32>) -> tensor<?x16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %p) -> tensor<?x16xf32> {
    %q = fakequant.args %t : tensor<?x16xf32>
    scf.yield %q : tensor<?x16xf32>
  }
  return %r : tensor<?x16xf32>
}
