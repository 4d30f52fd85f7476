// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What TensorFlow would refuse is reported at the op, and nothing aborts.

// RUN: fq-opt %s -convert-tf-to-fakequant -split-input-file -verify-diagnostics

func.func @too_few_operands(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tf.FakeQuantWithMinMaxVars' op expected 3 operands but got 1}}
  %0 = "tf.FakeQuantWithMinMaxVars"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @too_many_operands(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tf.FakeQuantWithMinMaxArgs' op expected 1 operands but got 2}}
  %0 = "tf.FakeQuantWithMinMaxArgs"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @no_operands() -> tensor<4xf32> {
  // expected-error @below {{'tf.FakeQuantWithMinMaxArgs' op expected 1 operands but got 0}}
  %0 = "tf.FakeQuantWithMinMaxArgs"() : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @too_few_results(%x: tensor<4xf32>, %min: tensor<f32>) -> tensor<4xf32> {
  // expected-error @below {{'tf.FakeQuantWithMinMaxVarsGradient' op expected 3 results but got 1}}
  %0 = "tf.FakeQuantWithMinMaxVarsGradient"(%x, %x, %min, %min) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @too_many_results(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tf.FakeQuantWithMinMaxArgsGradient' op expected 1 results but got 2}}
  %0:2 = "tf.FakeQuantWithMinMaxArgsGradient"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0 : tensor<4xf32>
}

// -----

func.func @no_results(%x: tensor<4xf32>) {
  // expected-error @below {{'tf.FakeQuantWithMinMaxArgs' op expected 1 results but got 0}}
  "tf.FakeQuantWithMinMaxArgs"(%x) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @region(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tf.FakeQuantWithMinMaxArgs' op expected no regions and no successors but got 1 and 0}}
  %0 = "tf.FakeQuantWithMinMaxArgs"(%x) ({}) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @successor(%x: tensor<4xf32>) {
  // expected-error @below {{'tf.FakeQuantWithMinMaxArgs' op expected no regions and no successors but got 0 and 1}}
  %0 = "tf.FakeQuantWithMinMaxArgs"(%x)[^next] : (tensor<4xf32>) -> tensor<4xf32>
^next:
  return
}

// -----

func.func @memref_operand(%x: memref<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tf.FakeQuantWithMinMaxArgs' op expected operand #0 to be a tensor but got 'memref<4xf32>'}}
  %0 = "tf.FakeQuantWithMinMaxArgs"(%x) : (memref<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @scalar_limit(%x: tensor<4xf32>, %min: tensor<f32>, %max: f32) -> tensor<4xf32> {
  // expected-error @below {{'tf.FakeQuantWithMinMaxVars' op expected operand #2 to be a tensor but got 'f32'}}
  %0 = "tf.FakeQuantWithMinMaxVars"(%x, %min, %max) : (tensor<4xf32>, tensor<f32>, f32) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @scalar_result(%x: tensor<4xf32>) -> f32 {
  // expected-error @below {{'tf.FakeQuantWithMinMaxArgs' op expected result #0 to be a tensor but got 'f32'}}
  %0 = "tf.FakeQuantWithMinMaxArgs"(%x) : (tensor<4xf32>) -> f32
  return %0 : f32
}

// -----

func.func @num_bits_string(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tf.FakeQuantWithMinMaxArgs' op expected num_bits to be an integer but got "x"}}
  %0 = "tf.FakeQuantWithMinMaxArgs"(%x) {num_bits = "x"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @num_bits_float(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tf.FakeQuantWithMinMaxArgs' op expected num_bits to be an integer but got 8.000000e+00 : f32}}
  %0 = "tf.FakeQuantWithMinMaxArgs"(%x) <{num_bits = 8.0 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @num_bits_bool(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tf.FakeQuantWithMinMaxArgs' op expected num_bits to be an integer but got true}}
  %0 = "tf.FakeQuantWithMinMaxArgs"(%x) {num_bits = true} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @num_bits_17(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'fakequant.args' op expected num_bits between 2 and 16 but got 17}}
  %0 = "tf.FakeQuantWithMinMaxArgs"(%x) {num_bits = 17 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @num_bits_negative(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'fakequant.args' op expected num_bits between 2 and 16 but got -1}}
  %0 = "tf.FakeQuantWithMinMaxArgs"(%x) {num_bits = -1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @num_bits_huge(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tf.FakeQuantWithMinMaxArgs' op expected num_bits between 2 and 16 but got 36893488147419103240 : i128}}
  %0 = "tf.FakeQuantWithMinMaxArgs"(%x) {num_bits = 36893488147419103240 : i128} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @num_bits_unsigned(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tf.FakeQuantWithMinMaxArgs' op expected num_bits between 2 and 16 but got 18446744073709551615 : ui64}}
  %0 = "tf.FakeQuantWithMinMaxArgs"(%x) {num_bits = 18446744073709551615 : ui64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @narrow_range(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tf.FakeQuantWithMinMaxArgs' op expected narrow_range to be true or false but got 1 : i64}}
  %0 = "tf.FakeQuantWithMinMaxArgs"(%x) {narrow_range = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @integer_limit(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tf.FakeQuantWithMinMaxArgs' op expected min to be a float of at most 64 bits but got -1 : i64}}
  %0 = "tf.FakeQuantWithMinMaxArgs"(%x) {min = -1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @wide_limit(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tf.FakeQuantWithMinMaxArgs' op expected max to be a float of at most 64 bits but got 1.000000e+00 : f128}}
  %0 = "tf.FakeQuantWithMinMaxArgs"(%x) {max = 1.0 : f128} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @properties(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tf.FakeQuantWithMinMaxArgs' op expected properties to be a dictionary but got "x"}}
  %0 = "tf.FakeQuantWithMinMaxArgs"(%x) <"x"> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @inverted_limits(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'fakequant.args' op expected min < max in 'f32' but got min = 1.000000e+00 and max = -1.000000e+00}}
  %0 = "tf.FakeQuantWithMinMaxArgs"(%x) <{min = 1.0 : f32, max = -1.0 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @integers(%x: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @below {{'fakequant.args' op operand #0 must be tensor of f16, bf16, f32 or f64 values, but got 'tensor<4xi32>'}}
  %0 = "tf.FakeQuantWithMinMaxArgs"(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @quantized(%x: tensor<4x!tf_type.qint8>) -> tensor<4x!tf_type.qint8> {
  // expected-error @below {{'fakequant.args' op operand #0 must be tensor of f16, bf16, f32 or f64 values, but got 'tensor<4x!tf_type.qint8>'}}
  %0 = "tf.FakeQuantWithMinMaxArgs"(%x) : (tensor<4x!tf_type.qint8>) -> tensor<4x!tf_type.qint8>
  return %0 : tensor<4x!tf_type.qint8>
}

// -----

func.func @mismatched_elements(%x: tensor<4xf32>, %min: tensor<f64>) -> tensor<4xf32> {
  // expected-error @below {{'fakequant.vars' op expected min of 'f32' values but got 'tensor<f64>'}}
  %0 = "tf.FakeQuantWithMinMaxVars"(%x, %min, %min) : (tensor<4xf32>, tensor<f64>, tensor<f64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @contradicting_shapes(%g: tensor<4x?xf32>, %x: tensor<5x3xf32>) -> tensor<?x?xf32> {
  // expected-error @below {{'fakequant.args_gradient' op expected gradients of the shape and element type of inputs, 'tensor<5x3xf32>', but got 'tensor<4x?xf32>'}}
  %0 = "tf.FakeQuantWithMinMaxArgsGradient"(%g, %x) : (tensor<4x?xf32>, tensor<5x3xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @contradicting_ranges(%x: tensor<?x?xf32>, %min: tensor<3xf32>, %max: tensor<4xf32>) -> tensor<?x?xf32> {
  // expected-error @below {{'fakequant.vars_per_channel' op expected min and max of one length but got 3 and 4}}
  %0 = "tf.FakeQuantWithMinMaxVarsPerChannel"(%x, %min, %max) : (tensor<?x?xf32>, tensor<3xf32>, tensor<4xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @rank_of_range(%x: tensor<4xf32>, %min: tensor<1xf32>, %max: tensor<f32>) -> tensor<4xf32> {
  // expected-error @below {{'fakequant.vars' op expected min of rank 0 but got 'tensor<1xf32>'}}
  %0 = "tf.FakeQuantWithMinMaxVars"(%x, %min, %max) : (tensor<4xf32>, tensor<1xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// TensorFlow aborts the process on this one.
func.func @scalar_per_channel(%x: tensor<f32>, %min: tensor<2xf32>) -> tensor<f32> {
  // expected-error @below {{'fakequant.vars_per_channel' op expected inputs of rank 1 or more but got 'tensor<f32>'}}
  %0 = "tf.FakeQuantWithMinMaxVarsPerChannel"(%x, %min, %min) : (tensor<f32>, tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @scalar_per_channel_gradient(%x: tensor<f32>, %min: tensor<1xf32>) -> (tensor<f32>, tensor<1xf32>, tensor<1xf32>) {
  // expected-error @below {{'fakequant.vars_per_channel_gradient' op expected inputs of rank 1 or more but got 'tensor<f32>'}}
  %0:3 = "tf.FakeQuantWithMinMaxVarsPerChannelGradient"(%x, %x, %min, %min) : (tensor<f32>, tensor<f32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<f32>, tensor<1xf32>, tensor<1xf32>)
  return %0#0, %0#1, %0#2 : tensor<f32>, tensor<1xf32>, tensor<1xf32>
}

// -----

func.func @result_shape(%x: tensor<4xf32>) -> tensor<5xf32> {
  // expected-error @below {{'tf.FakeQuantWithMinMaxArgs' op expected result #0 to be compatible with 'tensor<4xf32>' but got 'tensor<5xf32>'}}
  %0 = "tf.FakeQuantWithMinMaxArgs"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @result_element(%x: tensor<4xf32>) -> tensor<4xf16> {
  // expected-error @below {{'tf.FakeQuantWithMinMaxArgs' op expected result #0 to be compatible with 'tensor<4xf32>' but got 'tensor<4xf16>'}}
  %0 = "tf.FakeQuantWithMinMaxArgs"(%x) : (tensor<4xf32>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @sum_shape(%x: tensor<2x4xf32>, %min: tensor<4xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<f32>) {
  // expected-error @below {{'tf.FakeQuantWithMinMaxVarsPerChannelGradient' op expected result #2 to be compatible with 'tensor<4xf32>' but got 'tensor<f32>'}}
  %0:3 = "tf.FakeQuantWithMinMaxVarsPerChannelGradient"(%x, %x, %min, %min) : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<f32>)
  return %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<f32>
}

// -----

// Each op is reported, not the first alone.
func.func @several(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected num_bits between 2 and 16 but got 0}}
  %0 = "tf.FakeQuantWithMinMaxArgs"(%x) {num_bits = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{expected num_bits between 2 and 16 but got 1}}
  %1 = "tf.FakeQuantWithMinMaxArgs"(%0) {num_bits = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
