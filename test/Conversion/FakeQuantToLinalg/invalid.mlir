// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: fq-opt %s -convert-fakequant-to-linalg -split-input-file -verify-diagnostics

func.func @unranked_inputs(%x: tensor<*xf32>) -> tensor<*xf32> {
  // expected-error @below {{'fakequant.args' op expected ranked operands but got 'tensor<*xf32>'; infer shapes or insert a tensor.cast first}}
  %y = fakequant.args %x : tensor<*xf32>
  return %y : tensor<*xf32>
}

// -----

func.func @unranked_gradients(%g: tensor<*xf32>, %x: tensor<4xf32>) -> tensor<*xf32> {
  // expected-error @below {{'fakequant.args_gradient' op expected ranked operands but got 'tensor<*xf32>'}}
  %dx = fakequant.args_gradient %g, %x : tensor<*xf32>, tensor<4xf32>
  return %dx : tensor<*xf32>
}

// -----

func.func @unranked_range(%x: tensor<4xf32>, %min: tensor<f32>, %max: tensor<*xf32>) -> tensor<4xf32> {
  // expected-error @below {{'fakequant.vars' op expected ranked operands but got 'tensor<*xf32>'}}
  %y = fakequant.vars %x, %min, %max : tensor<4xf32>, tensor<f32>, tensor<*xf32>
  return %y : tensor<4xf32>
}
