// A module of fakequant ops is lowered and run without a further flag. Sizes
// that have to agree between arguments are checked when they are known.

// RUN: rm -rf %t && mkdir -p %t
// RUN: %python %S/make_npy.py %t/x.npy "np.float32([[2.579, -0.6, 2.6]])"
// RUN: %python %S/make_npy.py %t/g.npy "np.float32([[1, 2, 4]])"
// RUN: %python %S/make_npy.py %t/min.npy "np.float32([-0.5, -0.5, -0.5])"
// RUN: %python %S/make_npy.py %t/max.npy "np.float32([2.5, 2.5, 2.5])"

// RUN: fq-run %s --entry forward --input %t/x.npy --input %t/min.npy --input %t/max.npy | FileCheck %s --check-prefix=FORWARD
// FORWARD: 0 f32 1x3 -0.6 2.4 1.4 2.4, -0.6, 2.4

// RUN: fq-run %s --entry gradient --input %t/g.npy --input %t/x.npy --input %t/min.npy --input %t/max.npy | FileCheck %s --check-prefix=GRADIENT
// GRADIENT:      0 f32 1x3 0 2 {{.*}} 0, 2, 0
// GRADIENT-NEXT: 1 f32 3 0 0 0 0, 0, 0
// GRADIENT-NEXT: 2 f32 3 0 4 {{.*}} 1, 0, 4

// Gradients of more rows than inputs.
// RUN: %python %S/make_npy.py %t/g2.npy "np.ones((2, 3), 'f4')"
// RUN: not fq-run %s --entry gradient --input %t/g2.npy --input %t/x.npy --input %t/min.npy --input %t/max.npy 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: error: input 1 ('{{.*}}x.npy'): expected size 2 in dimension 0, as in dimension 0 of input 0 ('{{.*}}g2.npy'), but got 1

// The same lowered by hand first.
// RUN: fq-opt %s --fakequant-to-linalg -o %t/linalg.mlir
// RUN: fq-run %t/linalg.mlir --entry forward --input %t/x.npy --input %t/min.npy --input %t/max.npy | FileCheck %s --check-prefix=FORWARD
// RUN: fq-opt %s --fakequant-to-llvm -o %t/llvm.mlir
// RUN: fq-run %t/llvm.mlir --entry forward --input %t/x.npy --input %t/min.npy --input %t/max.npy | FileCheck %s --check-prefix=FORWARD

func.func @forward(%x: tensor<?x3xf32>, %min: tensor<3xf32>, %max: tensor<3xf32>) -> tensor<?x3xf32> {
  %y = fakequant.vars_per_channel %x, %min, %max {num_bits = 4} : tensor<?x3xf32>, tensor<3xf32>, tensor<3xf32>
  return %y : tensor<?x3xf32>
}

func.func @gradient(%g: tensor<?x3xf32>, %x: tensor<?x3xf32>, %min: tensor<3xf32>, %max: tensor<3xf32>) -> (tensor<?x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %g, %x, %min, %max {num_bits = 4} : tensor<?x3xf32>, tensor<?x3xf32>, tensor<3xf32>, tensor<3xf32>
  return %dx, %dmin, %dmax : tensor<?x3xf32>, tensor<3xf32>, tensor<3xf32>
}
