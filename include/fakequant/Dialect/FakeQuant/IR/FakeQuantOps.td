//===- FakeQuantOps.td - Fake-quantization ops -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_OPS
#define FAKEQUANT_OPS

include "fakequant/Dialect/FakeQuant/IR/FakeQuantDialect.td"
include "fakequant/Dialect/FakeQuant/IR/FakeQuantInterfaces.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Types and bases
//===----------------------------------------------------------------------===//

def FakeQuant_FloatTensor : TensorOf<[F16, BF16, F32, F64]> {
  let summary = "tensor of f16, bf16, f32 or f64 values";
}

/// `operandFormat` names each operand, so that the parser knows their number
/// before it infers the results' types.
class FakeQuant_Op<string mnemonic, string operandFormat>
    : Op<FakeQuant_Dialect, mnemonic, [
        Pure, InferTypeOpAdaptor,
        DeclareOpInterfaceMethods<FakeQuant_OpInterface>]> {
  let assemblyFormat = operandFormat # " attr-dict `:` type(operands)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

// The sentences that the ops share, so that none can drift from its siblings.
defvar FakeQuant_FormulasText = [{
    The arithmetic is the dialect's (see the head of the page), with
    `nudged_min`, `nudged_max`, `scale`, `inv` and `q0` computed from}];
defvar FakeQuant_LevelsText = [{
    `num_bits` is 8 and `narrow_range` false where absent.

    Constraints:

    - (C1) `2 <= num_bits <= 16`.}];
defvar FakeQuant_ArgsText = [{
    - (C2) `min` and `max`, rounded to the compute type, are finite and
      `min < max`.}];
defvar FakeQuant_VarsText = [{
    - (C2) `min` and `max` have rank 0.
    - (C3) `min` and `max` have the element type of `inputs`, or both f32 where
      that has 16 bits.}];
defvar FakeQuant_ChannelText = [{
    - (C2) `min` and `max` have rank 1 and the length of dimension `axis`.
    - (C3) `min` and `max` have the element type of `inputs`, or both f32 where
      that has 16 bits.
    - (C4) `inputs` has rank 1 or more, and `-rank <= axis < rank`; a negative
      axis counts from the end.}];
defvar FakeQuant_GradientText = [{
    - (C5) `gradients` has the shape and the element type of `inputs`.}];
defvar FakeQuant_EdgesText = [{

    Edge cases: NaN in `x` stays NaN. `x` beyond the nudged range is clamped to
    it. A value halfway between two levels takes the upper one.}];
defvar FakeQuant_InvertedText = [{
    `min > max` is no error: the formulas are evaluated as they stand. `min == max == 0` gives
    `+0` for every `x`; `min == max != 0` gives NaN.}];
defvar FakeQuant_GradientEdgesText = [{

    Edge cases: the mask is a factor 1 or 0, so a NaN or infinite gradient
    outside the range gives NaN in `dx`, and one inside the range gives NaN in
    both sums. NaN in `x` counts as in no part of the range.}];
defvar FakeQuant_GradientInvertedText = [{
    `min == max == 0` gives `dx = g`, bit for bit, and sums of `+0`. An empty
    tensor has sums of `+0`.}];


//===----------------------------------------------------------------------===//
// Constant range
//===----------------------------------------------------------------------===//

def FakeQuant_ArgsOp : FakeQuant_Op<"args", "$inputs"> {
  let summary = "fake quantization with a constant range";
  let description = !strconcat(
    FakeQuant_FormulasText,
    [{
    the attributes `min` and `max`: -6 and 6 where absent.}],
    FakeQuant_LevelsText,
    FakeQuant_ArgsText,
    [{

    Example:

    ```mlir
    %y = fakequant.args %x {min = -1.0, max = 1.0} : tensor<2x8xf32>
    %y = fakequant.args %x {num_bits = 4, narrow_range = true} : tensor<?x8xbf16>
    ```}],
    FakeQuant_EdgesText,
    [{

    Source: TensorFlow's `FakeQuantWithMinMaxArgs`.
  }]);
  let arguments = (ins
    FakeQuant_FloatTensor:$inputs,
    DefaultValuedAttr<F64Attr, "-6.0">:$min,
    DefaultValuedAttr<F64Attr, "6.0">:$max,
    DefaultValuedAttr<I64Attr, "8">:$num_bits,
    DefaultValuedAttr<BoolAttr, "false">:$narrow_range
  );
  let results = (outs FakeQuant_FloatTensor:$outputs);
}

def FakeQuant_ArgsGradientOp
    : FakeQuant_Op<"args_gradient", "$gradients `,` $inputs"> {
  let summary = "gradient of fake quantization with a constant range";
  let description = !strconcat(
    FakeQuant_FormulasText,
    [{
    the attributes `min` and `max`: -6 and 6 where absent. The range is
    constant, so `dx` is the only result.}],
    FakeQuant_LevelsText,
    FakeQuant_ArgsText,
    FakeQuant_GradientText,
    [{

    Example:

    ```mlir
    %dx = fakequant.args_gradient %g, %x {min = -1.0, max = 1.0}
        : tensor<2x8xf32>, tensor<2x8xf32>
    ```}],
    FakeQuant_GradientEdgesText,
    [{

    Source: TensorFlow's `FakeQuantWithMinMaxArgsGradient`.
  }]);
  let arguments = (ins
    FakeQuant_FloatTensor:$gradients,
    FakeQuant_FloatTensor:$inputs,
    DefaultValuedAttr<F64Attr, "-6.0">:$min,
    DefaultValuedAttr<F64Attr, "6.0">:$max,
    DefaultValuedAttr<I64Attr, "8">:$num_bits,
    DefaultValuedAttr<BoolAttr, "false">:$narrow_range
  );
  let results = (outs FakeQuant_FloatTensor:$backprops_wrt_input);
}

//===----------------------------------------------------------------------===//
// One range for the tensor
//===----------------------------------------------------------------------===//

def FakeQuant_VarsOp : FakeQuant_Op<"vars", "$inputs `,` $min `,` $max"> {
  let summary = "fake quantization with one range for the tensor";
  let description = !strconcat(
    FakeQuant_FormulasText,
    [{
    the scalars `min` and `max`; `y` divides by `scale`.}],
    FakeQuant_LevelsText,
    FakeQuant_VarsText,
    [{

    Example:

    ```mlir
    %y = fakequant.vars %x, %min, %max {num_bits = 4}
        : tensor<2x8xf32>, tensor<f32>, tensor<f32>
    ```}],
    FakeQuant_EdgesText,
    FakeQuant_InvertedText,
    [{

    Source: TensorFlow's `FakeQuantWithMinMaxVars`.
  }]);
  let arguments = (ins
    FakeQuant_FloatTensor:$inputs,
    FakeQuant_FloatTensor:$min,
    FakeQuant_FloatTensor:$max,
    DefaultValuedAttr<I64Attr, "8">:$num_bits,
    DefaultValuedAttr<BoolAttr, "false">:$narrow_range
  );
  let results = (outs FakeQuant_FloatTensor:$outputs);
}

def FakeQuant_VarsGradientOp
    : FakeQuant_Op<"vars_gradient",
                   "$gradients `,` $inputs `,` $min `,` $max"> {
  let summary = "gradient of fake quantization with one range for the tensor";
  let description = !strconcat(
    FakeQuant_FormulasText,
    [{
    the scalars `min` and `max`. The sums run over the whole tensor and have the
    type of `min`.}],
    FakeQuant_LevelsText,
    FakeQuant_VarsText,
    FakeQuant_GradientText,
    [{

    Example:

    ```mlir
    %dx, %dmin, %dmax = fakequant.vars_gradient %g, %x, %min, %max
        : tensor<2x8xf32>, tensor<2x8xf32>, tensor<f32>, tensor<f32>
    ```}],
    FakeQuant_GradientEdgesText,
    FakeQuant_GradientInvertedText,
    [{

    Source: TensorFlow's `FakeQuantWithMinMaxVarsGradient`.
  }]);
  let arguments = (ins
    FakeQuant_FloatTensor:$gradients,
    FakeQuant_FloatTensor:$inputs,
    FakeQuant_FloatTensor:$min,
    FakeQuant_FloatTensor:$max,
    DefaultValuedAttr<I64Attr, "8">:$num_bits,
    DefaultValuedAttr<BoolAttr, "false">:$narrow_range
  );
  let results = (outs
    FakeQuant_FloatTensor:$backprops_wrt_input,
    FakeQuant_FloatTensor:$backprop_wrt_min,
    FakeQuant_FloatTensor:$backprop_wrt_max
  );
}

//===----------------------------------------------------------------------===//
// A range for each channel
//===----------------------------------------------------------------------===//

def FakeQuant_VarsPerChannelOp
    : FakeQuant_Op<"vars_per_channel", "$inputs `,` $min `,` $max"> {
  let summary = "fake quantization with a range for each channel";
  let description = !strconcat(
    FakeQuant_FormulasText,
    [{
    `min[c]` and `max[c]` for the elements whose index along `axis` is `c`.
    Without `axis` the channels are the last dimension.}],
    FakeQuant_LevelsText,
    FakeQuant_ChannelText,
    [{

    Example:

    ```mlir
    %y = fakequant.vars_per_channel %x, %min, %max
        : tensor<?x8x8x24xf32>, tensor<24xf32>, tensor<24xf32>
    %y = fakequant.vars_per_channel %x, %min, %max {axis = 1}
        : tensor<?x24x8x8xf16>, tensor<24xf32>, tensor<24xf32>
    ```}],
    FakeQuant_EdgesText,
    FakeQuant_InvertedText,
    [{

    Source: TensorFlow's `FakeQuantWithMinMaxVarsPerChannel`, which knows the
    last dimension only.
  }]);
  let arguments = (ins
    FakeQuant_FloatTensor:$inputs,
    FakeQuant_FloatTensor:$min,
    FakeQuant_FloatTensor:$max,
    DefaultValuedAttr<I64Attr, "8">:$num_bits,
    DefaultValuedAttr<BoolAttr, "false">:$narrow_range,
    DefaultValuedAttr<I64Attr, "-1">:$axis
  );
  let results = (outs FakeQuant_FloatTensor:$outputs);
}

def FakeQuant_VarsPerChannelGradientOp
    : FakeQuant_Op<"vars_per_channel_gradient",
                   "$gradients `,` $inputs `,` $min `,` $max"> {
  let summary = "gradient of fake quantization with a range for each channel";
  let description = !strconcat(
    FakeQuant_FormulasText,
    [{
    `min[c]` and `max[c]` for the elements whose index along `axis` is `c`.
    Without `axis` the channels are the last dimension. The sums run over every
    other dimension and have the type of `min`.}],
    FakeQuant_LevelsText,
    FakeQuant_ChannelText,
    FakeQuant_GradientText,
    [{

    Example:

    ```mlir
    %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %g, %x, %min, %max
        : tensor<?x24xf32>, tensor<?x24xf32>, tensor<24xf32>, tensor<24xf32>
    ```}],
    FakeQuant_GradientEdgesText,
    FakeQuant_GradientInvertedText,
    [{

    Source: TensorFlow's `FakeQuantWithMinMaxVarsPerChannelGradient`, which
    knows the last dimension only.
  }]);
  let arguments = (ins
    FakeQuant_FloatTensor:$gradients,
    FakeQuant_FloatTensor:$inputs,
    FakeQuant_FloatTensor:$min,
    FakeQuant_FloatTensor:$max,
    DefaultValuedAttr<I64Attr, "8">:$num_bits,
    DefaultValuedAttr<BoolAttr, "false">:$narrow_range,
    DefaultValuedAttr<I64Attr, "-1">:$axis
  );
  let results = (outs
    FakeQuant_FloatTensor:$backprops_wrt_input,
    FakeQuant_FloatTensor:$backprop_wrt_min,
    FakeQuant_FloatTensor:$backprop_wrt_max
  );
}

#endif // FAKEQUANT_OPS
