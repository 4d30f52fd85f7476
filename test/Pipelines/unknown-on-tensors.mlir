// An op that nobody knows how to bufferize, between ops that are lowered, is
// named where it stands.

// RUN: fq-opt %s --fakequant-to-linalg | FileCheck %s
// RUN: not fq-opt %s --fakequant-to-vector 2>&1 | FileCheck %s --check-prefix=ERROR

// CHECK: linalg.generic
// CHECK: tf.Relu
// ERROR: unknown-on-tensors.mlir:[[#@LINE+3]]:{{.*}}: error: 'tf.Relu' op cannot be bufferized; expected none beside ops that are lowered to buffers
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = fakequant.args %x : tensor<?xf32>
  %r = "tf.Relu"(%y) : (tensor<?xf32>) -> tensor<?xf32>
  %z = fakequant.args %r : tensor<?xf32>
  return %z : tensor<?xf32>
}
