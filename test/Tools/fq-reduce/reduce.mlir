// Reduces a module to the op that a test script looks for.

// RUN: %python -c "open('%t.sh', 'w').write('#!/bin/sh\ngrep -q fakequant.args $1 && exit 1\nexit 0\n')"
// RUN: chmod +x %t.sh
// RUN: fq-reduce %s -reduction-tree='traversal-mode=0 test=%t.sh' | FileCheck %s

// CHECK-NOT: @unrelated
// CHECK: func.func @kept
// CHECK: fakequant.args
func.func @unrelated(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @kept(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = fakequant.args %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
