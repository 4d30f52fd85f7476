// An op that is not the pipelines' business stays until the last one, which
// reports it where it stands.

// RUN: fq-opt %s --fakequant-to-linalg | FileCheck %s
// RUN: fq-opt %s --fakequant-to-vector | FileCheck %s
// RUN: not fq-opt %s --fakequant-to-llvm 2>&1 | FileCheck %s --check-prefix=LEFT

// The verifiers alone.
// RUN: not fq-opt %s -fq-verify-linalg-contract 2>&1 | FileCheck %s --check-prefix=CONTRACT
// RUN: not fq-opt %s -fq-verify-vector-contract 2>&1 | FileCheck %s --check-prefix=CONTRACT2

// CONTRACT: leftovers.mlir:[[#@LINE+9]]:{{.*}}: error: 'fakequant.args' op cannot be lowered by the pipeline 'fakequant-to-linalg'
// CONTRACT2: leftovers.mlir:[[#@LINE+8]]:{{.*}}: error: 'fakequant.args' op cannot be lowered by the pipeline 'fakequant-to-vector'

// CHECK-LABEL: func.func @left
// CHECK: tf.Mystery
// LEFT: leftovers.mlir:[[#@LINE+5]]:{{.*}}: error: {{.*}}tf.Mystery
func.func @left(%x: memref<4xf32>, %t: tensor<4xf32>) {

  %u = "tf.Cheap"() : () -> i32
  %y = fakequant.args %t : tensor<4xf32>
  "tf.Mystery"(%x) : (memref<4xf32>) -> ()
  return
}
