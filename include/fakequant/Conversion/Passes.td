//===- Passes.td - Passes that enter or leave the dialect --*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_CONVERSION_PASSES
#define FAKEQUANT_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def ConvertTFToFakeQuant : Pass<"convert-tf-to-fakequant"> {
  let summary = "Convert TensorFlow's fake-quantization ops to fakequant ops";
  let description = [{
    Converts the six `tf.FakeQuantWithMinMax…` ops, and the `tf.Identity` and
    `tf.Const` ops that feed or follow them. Every other op stays as it is.

    Attributes may be properties or an attribute dictionary; `num_bits`,
    `narrow_range`, and the `min` and `max` of the `Args` ops may be absent and
    then have TensorFlow's defaults; attributes without meaning for the
    arithmetic are dropped. Where the types of operands or results know less
    than the op needs, `tensor.cast` refines them.

    `tfl.fake_quant` is refused: its arithmetic is another one.

    ```mlir
    // Before
    %y = "tf.FakeQuantWithMinMaxVarsPerChannel"(%x, %min, %max)
        <{narrow_range = false, num_bits = 8 : i64}> {device = ""}
        : (tensor<?x24xf32>, tensor<24xf32>, tensor<24xf32>) -> tensor<?x24xf32>
    // After
    %y = fakequant.vars_per_channel %x, %min, %max
        : tensor<?x24xf32>, tensor<24xf32>, tensor<24xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::fakequant::FakeQuantDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ConvertFakeQuantToLinalg : Pass<"convert-fakequant-to-linalg"> {
  let summary = "Convert fakequant ops to linalg.generic on tensors";
  let description = [{
    Each op becomes a generic that computes the parameters of each channel from
    its range, and one generic over the elements: an elementwise result has the
    identity map, and a sum has the channel's map and is accumulated in f64 over
    `reduction` loops. Where the sums' type is not f64, a last generic rounds
    them, once. All math comes from the op's interface.

    Operands must be ranked.

    ```mlir
    // Before
    %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %g, %x, %min, %max
        : tensor<?x24xf32>, tensor<?x24xf32>, tensor<24xf32>, tensor<24xf32>
    // After
    %parameters:3 = linalg.generic {iterator_types = ["parallel"]}
        ins(%min, %max) outs(…) {…}
    %0:3 = linalg.generic {iterator_types = ["reduction", "parallel"]}
        ins(%g, %x, %parameters#0, %parameters#1, %parameters#2)
        outs(%dx_init, %dmin_zero, %dmax_zero) {…}
    %dmin = linalg.generic … { arith.truncf … }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

#endif // FAKEQUANT_CONVERSION_PASSES
