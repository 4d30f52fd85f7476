// RUN: fq-opt %s --fakequant-to-linalg | FileCheck %s --check-prefix=FUSED
// RUN: fq-opt %s --fakequant-to-linalg="fuse=false" | FileCheck %s --check-prefix=APART
// RUN: fq-opt %s --fakequant-to-linalg="split=true" | FileCheck %s --check-prefix=SPLIT
// RUN: fq-opt %s --fakequant-to-vector="target-cpu=x86-64-v3 target-triple=x86_64-linux-gnu" | FileCheck %s --check-prefix=AVX2
// RUN: not fq-opt %s --fakequant-to-vector="target-cpu=nonsense" 2>&1 | FileCheck %s --check-prefix=BAD

// FUSED-LABEL: func.func @f
// FUSED: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]}
// FUSED: arith.mulf
// FUSED-NOT: iterator_types = ["reduction", "parallel"]

// APART-LABEL: func.func @f
// APART: %[[H:.+]] = arith.mulf {{.*}} : tensor<?x8xf32>
// APART: iterator_types = ["reduction", "parallel"]} ins(%[[H]]

// SPLIT-LABEL: func.func @f
// SPLIT-DAG: iterator_types = ["reduction", "parallel"]
// SPLIT-DAG: iterator_types = ["parallel", "parallel"]

// AVX2: vector<8xf32>
// AVX2-NOT: vector<16xf32>

// BAD: error: target-cpu: expected {{.*}} but got 'nonsense'
func.func @f(%g: tensor<?x8xf32>, %m: tensor<?x8xf32>, %x: tensor<?x8xf32>, %min: tensor<8xf32>, %max: tensor<8xf32>) -> (tensor<?x8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %h = arith.mulf %g, %m : tensor<?x8xf32>
  %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %h, %x, %min, %max : tensor<?x8xf32>, tensor<?x8xf32>, tensor<8xf32>, tensor<8xf32>
  return %dx, %dmin, %dmax : tensor<?x8xf32>, tensor<8xf32>, tensor<8xf32>
}
