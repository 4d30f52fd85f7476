//===- TFToFakeQuant.h - TensorFlow's ops to fakequant ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_CONVERSION_TFTOFAKEQUANT_TFTOFAKEQUANT_H
#define FAKEQUANT_CONVERSION_TFTOFAKEQUANT_TFTOFAKEQUANT_H

namespace mlir {
class DialectRegistry;
class RewritePatternSet;

namespace fakequant {

/// Registers the dialects `tf`, `tfl` and `tf_type` without any op, attribute
/// or type of their own: all of their names are allowed in generic form and
/// kept as they are, so that text TensorFlow exported parses without
/// `--allow-unregistered-dialect`. A context that holds TensorFlow's own
/// dialects must not be given these.
void registerTensorFlowDialects(DialectRegistry &registry);

/// Adds the patterns that turn the six `tf.FakeQuantWithMinMax…` ops into
/// fakequant ops, remove the `tf.Identity` ops that feed or follow either
/// kind, and turn the `tf.Const` ops that feed them into `arith.constant`.
///
/// A pattern declines what it cannot convert, so an op that TensorFlow would
/// refuse stays. The pass `convert-tf-to-fakequant` reports these, and
/// `tfl.fake_quant`, before it changes anything. Patterns need no fixed point:
/// one visit of each op suffices, in any order.
void populateTFToFakeQuantPatterns(RewritePatternSet &patterns);

} // namespace fakequant
} // namespace mlir

#endif // FAKEQUANT_CONVERSION_TFTOFAKEQUANT_TFTOFAKEQUANT_H
