// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The pass alone, on IR of TensorFlow's dialect only: the dialects it creates
// ops of are its own to load.

// RUN: fq-opt %s -convert-tf-to-fakequant | FileCheck %s
// RUN: fq-opt %s -convert-tf-to-fakequant -convert-tf-to-fakequant | FileCheck %s
// RUN: fq-opt %s -pass-pipeline='builtin.module(any(convert-tf-to-fakequant))' | FileCheck %s

// Nothing to do is no failure.
// RUN: echo 'module {}' | fq-opt -convert-tf-to-fakequant | FileCheck %s -check-prefix=EMPTY
// EMPTY: module {

// CHECK: %[[MIN:.+]] = arith.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[X:.+]] = "tf.Placeholder"() : () -> tensor<?x4xf32>
// CHECK: %[[CAST:.+]] = tensor.cast %[[X]] : tensor<?x4xf32> to tensor<2x4xf32>
// CHECK: fakequant.vars %[[CAST]], %[[MIN]], %[[MIN]] : tensor<2x4xf32>, tensor<f32>, tensor<f32>
module {
  module {
    %min = "tf.Const"() {value = dense<-1.0> : tensor<f32>} : () -> tensor<f32>
    %x = "tf.Placeholder"() : () -> tensor<?x4xf32>
    %y = "tf.FakeQuantWithMinMaxVars"(%x, %min, %min) : (tensor<?x4xf32>, tensor<f32>, tensor<f32>) -> tensor<2x4xf32>
  }
}
