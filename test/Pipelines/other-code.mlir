// A module of which fake quantization is a part: calls, loops, branches, buffers
// and a matmul run beside it, whatever stage the run starts from.

// RUN: rm -rf %t && mkdir -p %t
// RUN: %python -c "import numpy as np; np.save(r'%t/x.npy', np.float32([[2.579, -0.6, 2.6], [0, 1, -9]])); np.save(r'%t/w.npy', np.float32([[0, 1, 0], [1, 0, 0], [0, 0, 2]])); np.save(r'%t/n.npy', np.int64(3))"
// RUN: fq-run %s --entry network --input %t/x.npy --input %t/w.npy | FileCheck %s --check-prefix=NETWORK
// RUN: fq-run %s --entry layer --input %t/x.npy | FileCheck %s --check-prefix=LAYER
// RUN: fq-run %s --entry with_buffer --input %t/x.npy | FileCheck %s --check-prefix=BUFFER

// The layer is an entry, and called as a function.
// LAYER:   0 f32 2x3 {{.*}} 2.4, -0.6, 2.4, 0, 1, -0.6
// NETWORK: 0 f32 2x3 {{.*}} -0.6, 2.4, 2.4, 1, 0, -0.6
// BUFFER:  0 f32 2x3 {{.*}} 7.2, -1.8, 7.2, 0, 3, -1.8

// From later stages the same.
// RUN: fq-opt %s --fakequant-to-linalg -o %t/linalg.mlir
// RUN: fq-run %t/linalg.mlir --entry network --input %t/x.npy --input %t/w.npy | FileCheck %s --check-prefix=NETWORK
// RUN: fq-opt %s --fakequant-to-vector -o %t/vector.mlir
// RUN: fq-run %t/vector.mlir --entry network --input %t/x.npy --input %t/w.npy | FileCheck %s --check-prefix=NETWORK
// RUN: fq-run %t/vector.mlir --entry with_buffer --input %t/x.npy | FileCheck %s --check-prefix=BUFFER
// RUN: fq-opt %s --fakequant-to-llvm -o %t/llvm.mlir
// RUN: fq-run %t/llvm.mlir --entry network --input %t/x.npy --input %t/w.npy | FileCheck %s --check-prefix=NETWORK

// A stage again changes nothing that counts.
// RUN: fq-opt %t/linalg.mlir --fakequant-to-linalg -o %t/again.mlir && diff %t/linalg.mlir %t/again.mlir
// RUN: fq-opt %t/llvm.mlir --fakequant-to-llvm -o %t/again.mlir
// RUN: fq-run %t/again.mlir --entry network --input %t/x.npy --input %t/w.npy | FileCheck %s --check-prefix=NETWORK
// RUN: fq-opt %t/vector.mlir --fakequant-to-vector -o %t/again.mlir
// RUN: fq-run %t/again.mlir --entry network --input %t/x.npy --input %t/w.npy | FileCheck %s --check-prefix=NETWORK

func.func @layer(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %min = arith.constant dense<-0.5> : tensor<3xf32>
  %max = arith.constant dense<2.5> : tensor<3xf32>
  %y = fakequant.vars_per_channel %x, %min, %max {num_bits = 4} : tensor<?x3xf32>, tensor<3xf32>, tensor<3xf32>
  return %y : tensor<?x3xf32>
}

func.func @network(%x: tensor<?x3xf32>, %w: tensor<3x3xf32>) -> tensor<2x3xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %y = call @layer(%x) : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %d = tensor.dim %y, %c0 : tensor<?x3xf32>
  %e = tensor.empty(%d) : tensor<?x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
  %p = linalg.matmul ins(%y, %w : tensor<?x3xf32>, tensor<3x3xf32>) outs(%f : tensor<?x3xf32>) -> tensor<?x3xf32>
  %isEmpty = arith.cmpi eq, %d, %c0 : index
  %r = scf.if %isEmpty -> tensor<?x3xf32> {
    scf.yield %y : tensor<?x3xf32>
  } else {
    %q = func.call @layer(%p) : (tensor<?x3xf32>) -> tensor<?x3xf32>
    scf.yield %q : tensor<?x3xf32>
  }
  // What comes out of a branch or a call has no size that the signature knows.
  %s = tensor.cast %r : tensor<?x3xf32> to tensor<2x3xf32>
  return %s : tensor<2x3xf32>
}

// Buffers and loops of the module's own.
func.func private @triple(%m: memref<?x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %three = arith.constant 3.0 : f32
  %n = memref.dim %m, %c0 : memref<?x3xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      %v = memref.load %m[%i, %j] : memref<?x3xf32>
      %w = arith.mulf %v, %three : f32
      memref.store %w, %m[%i, %j] : memref<?x3xf32>
    }
  }
  return
}

func.func @with_buffer(%x: tensor<?x3xf32>) -> tensor<2x3xf32> {
  %c0 = arith.constant 0 : index
  %y = call @layer(%x) : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %n = tensor.dim %y, %c0 : tensor<?x3xf32>
  %m = memref.alloc(%n) : memref<?x3xf32>
  bufferization.materialize_in_destination %y in writable %m : (tensor<?x3xf32>, memref<?x3xf32>) -> ()
  call @triple(%m) : (memref<?x3xf32>) -> ()
  %r = bufferization.to_tensor %m restrict : memref<?x3xf32> to tensor<?x3xf32>
  %s = tensor.cast %r : tensor<?x3xf32> to tensor<2x3xf32>
  return %s : tensor<2x3xf32>
}
