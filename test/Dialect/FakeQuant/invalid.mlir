// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One case for each way to break a constraint; the numbers are those of the
// ops' descriptions.

// RUN: fq-opt %s -split-input-file -verify-diagnostics

// C1: 2 <= num_bits <= 16.

func.func @c1_num_bits_0(%x: tensor<4xf32>) {
  // expected-error @below {{'fakequant.args' op expected num_bits between 2 and 16 but got 0}}
  %0 = fakequant.args %x {num_bits = 0} : tensor<4xf32>
  return
}

// -----

func.func @c1_num_bits_1(%x: tensor<4xf32>) {
  // expected-error @below {{'fakequant.args_gradient' op expected num_bits between 2 and 16 but got 1}}
  %0 = fakequant.args_gradient %x, %x {num_bits = 1} : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @c1_num_bits_17(%x: tensor<4xf32>, %m: tensor<f32>) {
  // expected-error @below {{'fakequant.vars' op expected num_bits between 2 and 16 but got 17}}
  %0 = fakequant.vars %x, %m, %m {num_bits = 17} : tensor<4xf32>, tensor<f32>, tensor<f32>
  return
}

// -----

func.func @c1_num_bits_negative(%x: tensor<4xf32>, %m: tensor<f32>) {
  // expected-error @below {{'fakequant.vars_gradient' op expected num_bits between 2 and 16 but got -1}}
  %0:3 = fakequant.vars_gradient %x, %x, %m, %m {num_bits = -1} : tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>
  return
}

// -----

func.func @c1_num_bits_2_to_the_40(%x: tensor<4xf32>, %m: tensor<4xf32>) {
  // expected-error @below {{'fakequant.vars_per_channel' op expected num_bits between 2 and 16 but got 1099511627776}}
  %0 = fakequant.vars_per_channel %x, %m, %m {num_bits = 1099511627776} : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @c1_num_bits_generic(%x: tensor<4xf32>, %m: tensor<4xf32>) {
  // expected-error @below {{'fakequant.vars_per_channel_gradient' op expected num_bits between 2 and 16 but got 17}}
  %0:3 = "fakequant.vars_per_channel_gradient"(%x, %x, %m, %m) <{num_bits = 17 : i64}> : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @num_bits_i32(%x: tensor<4xf32>) {
  // expected-error @below {{attribute 'num_bits' failed to satisfy constraint: 64-bit signless integer attribute}}
  %0 = fakequant.args %x {num_bits = 8 : i32} : tensor<4xf32>
  return
}

// -----

func.func @num_bits_string(%x: tensor<4xf32>) {
  // expected-error @below {{attribute 'num_bits' failed to satisfy constraint: 64-bit signless integer attribute}}
  %0 = "fakequant.args"(%x) {num_bits = "8"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// C2 of the ops with a constant range: finite, and min < max, in the compute
// type.

func.func @c2_min_above_max(%x: tensor<4xf32>) {
  // expected-error @below {{'fakequant.args' op expected min < max in 'f32' but got min = 1.000000e+00 and max = -1.000000e+00}}
  %0 = fakequant.args %x {min = 1.0, max = -1.0} : tensor<4xf32>
  return
}

// -----

func.func @c2_min_equals_max(%x: tensor<4xf32>) {
  // expected-error @below {{'fakequant.args_gradient' op expected min < max in 'f32' but got min = 1.000000e+00 and max = 1.000000e+00}}
  %0 = fakequant.args_gradient %x, %x {min = 1.0, max = 1.0} : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @c2_zero_range(%x: tensor<4xf32>) {
  // expected-error @below {{'fakequant.args' op expected min < max in 'f32' but got min = -0.000000e+00 and max = 0.000000e+00}}
  %0 = fakequant.args %x {min = -0.0, max = 0.0} : tensor<4xf32>
  return
}

// -----

func.func @c2_equal_when_rounded(%x: tensor<4xbf16>) {
  // expected-error @below {{'fakequant.args' op expected min < max in 'f32' but got}}
  %0 = fakequant.args %x {min = 1.0, max = 1.0000000000000002} : tensor<4xbf16>
  return
}

// -----

func.func @c2_nan(%x: tensor<4xf32>) {
  // expected-error @below {{'fakequant.args' op expected finite min and max in 'f32' but got min = nan and max = 6.000000e+00}}
  %0 = fakequant.args %x {min = 0x7FF8000000000000 : f64} : tensor<4xf32>
  return
}

// -----

func.func @c2_infinite_max(%x: tensor<4xf32>) {
  // expected-error @below {{'fakequant.args_gradient' op expected finite min and max in 'f32' but got min = -6.000000e+00 and max = INF}}
  %0 = fakequant.args_gradient %x, %x {max = 0x7FF0000000000000 : f64} : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @c2_infinite_min(%x: tensor<4xf64>) {
  // expected-error @below {{'fakequant.args' op expected finite min and max in 'f64' but got min = -INF and max = 6.000000e+00}}
  %0 = fakequant.args %x {min = 0xFFF0000000000000 : f64} : tensor<4xf64>
  return
}

// -----

func.func @c2_infinite_when_rounded(%x: tensor<4xf16>) {
  // expected-error @below {{'fakequant.args' op expected finite min and max in 'f32' but got min = -6.000000e+00 and max = 1.000000e+39}}
  %0 = fakequant.args %x {max = 1.0e39} : tensor<4xf16>
  return
}

// -----

func.func @f32_limit(%x: tensor<4xf32>) {
  // expected-error @below {{attribute 'min' failed to satisfy constraint: 64-bit float attribute}}
  %0 = fakequant.args %x {min = -1.0 : f32} : tensor<4xf32>
  return
}

// -----

// C2 of the ops with range operands: rank 0, or rank 1 and the channels' length.

func.func @c2_vars_min_rank(%x: tensor<4xf32>, %min: tensor<1xf32>, %max: tensor<f32>) {
  // expected-error @below {{'fakequant.vars' op expected min of rank 0 but got 'tensor<1xf32>'}}
  %0 = fakequant.vars %x, %min, %max : tensor<4xf32>, tensor<1xf32>, tensor<f32>
  return
}

// -----

func.func @c2_vars_max_rank(%x: tensor<4xf32>, %min: tensor<f32>, %max: tensor<?xf32>) {
  // expected-error @below {{'fakequant.vars_gradient' op expected max of rank 0 but got 'tensor<?xf32>'}}
  %0:3 = fakequant.vars_gradient %x, %x, %min, %max : tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<?xf32>
  return
}

// -----

func.func @c2_channel_min_rank(%x: tensor<4xf32>, %min: tensor<f32>, %max: tensor<4xf32>) {
  // expected-error @below {{'fakequant.vars_per_channel' op expected min of rank 1 but got 'tensor<f32>'}}
  %0 = fakequant.vars_per_channel %x, %min, %max : tensor<4xf32>, tensor<f32>, tensor<4xf32>
  return
}

// -----

func.func @c2_channel_max_rank(%x: tensor<4xf32>, %min: tensor<4xf32>, %max: tensor<4x1xf32>) {
  // expected-error @below {{'fakequant.vars_per_channel_gradient' op expected max of rank 1 but got 'tensor<4x1xf32>'}}
  %0:3 = fakequant.vars_per_channel_gradient %x, %x, %min, %max : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x1xf32>
  return
}

// -----

func.func @c2_min_length(%x: tensor<2x4xf32>, %min: tensor<2xf32>, %max: tensor<4xf32>) {
  // expected-error @below {{'fakequant.vars_per_channel' op expected min of length 4, the size of the channel dimension of 'tensor<2x4xf32>', but got 2}}
  %0 = fakequant.vars_per_channel %x, %min, %max : tensor<2x4xf32>, tensor<2xf32>, tensor<4xf32>
  return
}

// -----

func.func @c2_max_length(%x: tensor<2x4xf32>, %min: tensor<2xf32>, %max: tensor<4xf32>) {
  // expected-error @below {{'fakequant.vars_per_channel' op expected max of length 2, the size of the channel dimension of 'tensor<2x4xf32>', but got 4}}
  %0 = fakequant.vars_per_channel %x, %min, %max {axis = 0} : tensor<2x4xf32>, tensor<2xf32>, tensor<4xf32>
  return
}

// -----

func.func @c2_lengths_differ(%x: tensor<2x?xf32>, %min: tensor<2xf32>, %max: tensor<4xf32>) {
  // expected-error @below {{'fakequant.vars_per_channel' op expected min and max of one length but got 2 and 4}}
  %0 = fakequant.vars_per_channel %x, %min, %max : tensor<2x?xf32>, tensor<2xf32>, tensor<4xf32>
  return
}

// -----

// The gradients know the size that the inputs do not.
func.func @c2_gradient_length(%g: tensor<2x4xf32>, %x: tensor<2x?xf32>, %min: tensor<3xf32>, %max: tensor<3xf32>) {
  // expected-error @below {{'fakequant.vars_per_channel_gradient' op expected min of length 4, the size of the channel dimension of 'tensor<2x4xf32>', but got 3}}
  %0:3 = fakequant.vars_per_channel_gradient %g, %x, %min, %max : tensor<2x4xf32>, tensor<2x?xf32>, tensor<3xf32>, tensor<3xf32>
  return
}

// -----

// C3: elements of the range.

func.func @c3_min_element(%x: tensor<4xf32>, %min: tensor<f16>, %max: tensor<f32>) {
  // expected-error @below {{'fakequant.vars' op expected min of 'f32' values but got 'tensor<f16>'}}
  %0 = fakequant.vars %x, %min, %max : tensor<4xf32>, tensor<f16>, tensor<f32>
  return
}

// -----

func.func @c3_max_element(%x: tensor<4xf64>, %min: tensor<4xf64>, %max: tensor<4xf32>) {
  // expected-error @below {{'fakequant.vars_per_channel' op expected max of 'f64' values but got 'tensor<4xf32>'}}
  %0 = fakequant.vars_per_channel %x, %min, %max : tensor<4xf64>, tensor<4xf64>, tensor<4xf32>
  return
}

// -----

func.func @c3_element_beside_16_bits(%x: tensor<4xf16>, %min: tensor<4xbf16>, %max: tensor<4xbf16>) {
  // expected-error @below {{'fakequant.vars_per_channel' op expected min of 'f16' or f32 values but got 'tensor<4xbf16>'}}
  %0 = fakequant.vars_per_channel %x, %min, %max : tensor<4xf16>, tensor<4xbf16>, tensor<4xbf16>
  return
}

// -----

func.func @c3_elements_differ(%x: tensor<4xf16>, %min: tensor<f32>, %max: tensor<f16>) {
  // expected-error @below {{'fakequant.vars_gradient' op expected min and max of one element type but got 'tensor<f32>' and 'tensor<f16>'}}
  %0:3 = fakequant.vars_gradient %x, %x, %min, %max : tensor<4xf16>, tensor<4xf16>, tensor<f32>, tensor<f16>
  return
}

// -----

// C4: rank 1 or more, and an axis within.

func.func @c4_rank_0(%x: tensor<f32>, %m: tensor<1xf32>) {
  // expected-error @below {{'fakequant.vars_per_channel' op expected inputs of rank 1 or more but got 'tensor<f32>'}}
  %0 = fakequant.vars_per_channel %x, %m, %m : tensor<f32>, tensor<1xf32>, tensor<1xf32>
  return
}

// -----

func.func @c4_rank_0_gradient(%x: tensor<f32>, %m: tensor<1xf32>) {
  // expected-error @below {{'fakequant.vars_per_channel_gradient' op expected inputs of rank 1 or more but got 'tensor<f32>'}}
  %0:3 = fakequant.vars_per_channel_gradient %x, %x, %m, %m : tensor<f32>, tensor<f32>, tensor<1xf32>, tensor<1xf32>
  return
}

// -----

func.func @c4_axis_above(%x: tensor<2x4xf32>, %m: tensor<4xf32>) {
  // expected-error @below {{'fakequant.vars_per_channel' op expected axis between -2 and 1 for inputs 'tensor<2x4xf32>' but got 2}}
  %0 = fakequant.vars_per_channel %x, %m, %m {axis = 2} : tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @c4_axis_below(%x: tensor<2x4xf32>, %m: tensor<4xf32>) {
  // expected-error @below {{'fakequant.vars_per_channel_gradient' op expected axis between -2 and 1 for inputs 'tensor<2x4xf32>' but got -3}}
  %0:3 = fakequant.vars_per_channel_gradient %x, %x, %m, %m {axis = -3} : tensor<2x4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @c4_axis_extreme(%x: tensor<2x4xf32>, %m: tensor<4xf32>) {
  // expected-error @below {{'fakequant.vars_per_channel' op expected axis between -2 and 1 for inputs 'tensor<2x4xf32>' but got -9223372036854775808}}
  %0 = fakequant.vars_per_channel %x, %m, %m {axis = -9223372036854775808} : tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// C5: gradients like inputs.

func.func @c5_shape(%g: tensor<2x4xf32>, %x: tensor<2x5xf32>) {
  // expected-error @below {{'fakequant.args_gradient' op expected gradients of the shape and element type of inputs, 'tensor<2x5xf32>', but got 'tensor<2x4xf32>'}}
  %0 = fakequant.args_gradient %g, %x : tensor<2x4xf32>, tensor<2x5xf32>
  return
}

// -----

func.func @c5_rank(%g: tensor<?xf32>, %x: tensor<?x?xf32>, %m: tensor<f32>) {
  // expected-error @below {{'fakequant.vars_gradient' op expected gradients of the shape and element type of inputs, 'tensor<?x?xf32>', but got 'tensor<?xf32>'}}
  %0:3 = fakequant.vars_gradient %g, %x, %m, %m : tensor<?xf32>, tensor<?x?xf32>, tensor<f32>, tensor<f32>
  return
}

// -----

func.func @c5_element(%g: tensor<2x4xf32>, %x: tensor<2x4xf16>, %m: tensor<4xf32>) {
  // expected-error @below {{'fakequant.vars_per_channel_gradient' op expected gradients of the shape and element type of inputs, 'tensor<2x4xf16>', but got 'tensor<2x4xf32>'}}
  %0:3 = fakequant.vars_per_channel_gradient %g, %x, %m, %m : tensor<2x4xf32>, tensor<2x4xf16>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// What types and traits say.

func.func @integer_inputs(%x: tensor<4xi32>) {
  // expected-error @below {{'fakequant.args' op operand #0 must be tensor of f16, bf16, f32 or f64 values, but got 'tensor<4xi32>'}}
  %0 = fakequant.args %x : tensor<4xi32>
  return
}

// -----

func.func @integer_gradients(%g: tensor<4xi8>, %x: tensor<4xf32>, %m: tensor<f32>) {
  // expected-error @below {{'fakequant.vars_gradient' op operand #0 must be tensor of f16, bf16, f32 or f64 values, but got 'tensor<4xi8>'}}
  %0:3 = fakequant.vars_gradient %g, %x, %m, %m : tensor<4xi8>, tensor<4xf32>, tensor<f32>, tensor<f32>
  return
}

// -----

func.func @integer_min(%x: tensor<4xf32>, %min: tensor<4xi64>, %max: tensor<4xf32>) {
  // expected-error @below {{'fakequant.vars_per_channel' op operand #1 must be tensor of f16, bf16, f32 or f64 values, but got 'tensor<4xi64>'}}
  %0 = fakequant.vars_per_channel %x, %min, %max : tensor<4xf32>, tensor<4xi64>, tensor<4xf32>
  return
}

// -----

func.func @other_floats(%x: tensor<4xf8E5M2>) {
  // expected-error @below {{'fakequant.args' op operand #0 must be tensor of f16, bf16, f32 or f64 values, but got 'tensor<4xf8E5M2>'}}
  %0 = fakequant.args %x : tensor<4xf8E5M2>
  return
}

// -----

func.func @scalar(%x: f32) {
  // expected-error @below {{'fakequant.args' op operand #0 must be tensor of f16, bf16, f32 or f64 values, but got 'f32'}}
  %0 = fakequant.args %x : f32
  return
}

// -----

func.func @memref(%x: memref<4xf32, 1>, %m: memref<f32>) {
  // expected-error @below {{'fakequant.vars_gradient' op operand #0 must be tensor of f16, bf16, f32 or f64 values, but got 'memref<4xf32, 1>'}}
  %0:3 = fakequant.vars_gradient %x, %x, %m, %m : memref<4xf32, 1>, memref<4xf32, 1>, memref<f32>, memref<f32>
  return
}

// -----

func.func @vector(%x: vector<4xf32>, %m: f32) {
  // expected-error @below {{'fakequant.vars' op operand #0 must be tensor of f16, bf16, f32 or f64 values, but got 'vector<4xf32>'}}
  %0 = "fakequant.vars"(%x, %m, %m) : (vector<4xf32>, f32, f32) -> vector<4xf32>
  return
}

// -----

// A result type that disagrees.

func.func @result_shape(%x: tensor<4xf32>) {
  // expected-error @below {{op failed to infer returned types}}
  // expected-error @below {{'fakequant.args' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<5xf32>'}}
  %0 = "fakequant.args"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @result_element(%x: tensor<4xf16>, %m: tensor<f32>) {
  // expected-error @below {{op failed to infer returned types}}
  // expected-error @below {{'fakequant.vars_gradient' op inferred type(s) 'tensor<4xf16>', 'tensor<f32>', 'tensor<f32>' are incompatible with return type(s) of operation 'tensor<4xf16>', 'tensor<f16>', 'tensor<f32>'}}
  %0:3 = "fakequant.vars_gradient"(%x, %x, %m, %m) : (tensor<4xf16>, tensor<4xf16>, tensor<f32>, tensor<f32>) -> (tensor<4xf16>, tensor<f16>, tensor<f32>)
  return
}

// -----

func.func @result_dynamic(%x: tensor<4xf32>, %m: tensor<4xf32>) {
  // expected-error @below {{op failed to infer returned types}}
  // expected-error @below {{'fakequant.vars_per_channel' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  %0 = "fakequant.vars_per_channel"(%x, %m, %m) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

// Wrong counts, in both spellings.

func.func @no_operands() {
  // expected-error @below {{'fakequant.args' op requires a single operand}}
  %0 = "fakequant.args"() : () -> tensor<4xf32>
  return
}

// -----

func.func @two_operands(%x: tensor<4xf32>) {
  // expected-error @below {{'fakequant.vars_gradient' op expected 4 operands, but found 2}}
  %0:3 = "fakequant.vars_gradient"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @one_result(%x: tensor<4xf32>, %m: tensor<f32>) {
  // expected-error @below {{'fakequant.vars_gradient' op expected 3 results}}
  %0 = "fakequant.vars_gradient"(%x, %x, %m, %m) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @custom_one_operand(%x: tensor<f32>) {
  // expected-error @below {{expected ','}}
  %0:3 = fakequant.vars_gradient %x : tensor<f32>
  return
}

// -----

func.func @custom_three_types(%x: tensor<f32>) {
  // expected-error @below {{number of operands and types do not match: got 4 operands and 3 types}}
  %0:3 = fakequant.vars_gradient %x, %x, %x, %x : tensor<f32>, tensor<f32>, tensor<f32>
  return
}
