//===- FakeQuantInterfaces.td - What lowerings know of an op *- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_INTERFACES
#define FAKEQUANT_INTERFACES

include "mlir/IR/OpBase.td"

def FakeQuant_OpInterface : OpInterface<"FakeQuantOpInterface"> {
  let description = [{
    All that a lowering needs to know of a fake-quantization op. The math of an
    op is written once, in its two emitters: the parameters of a channel from
    its range, and the contribution of one element to each result. A lowering
    decides loops, vectors, chunks and threads, and never looks at an op's name.
  }];
  let cppNamespace = "::mlir::fakequant";

  let methods = [
    InterfaceMethod<[{
      The operands that are read once an element, all of one shape, in the order
      in which `emitElement` takes them: `[x]`, or `[g, x]` for a gradient.
      }],
      "::llvm::SmallVector<::mlir::Value>", "getElementOperands">,
    InterfaceMethod<[{
      The dimension that holds the channels, counted from the front, or none
      where one range serves the whole tensor. Element operands must be ranked.
      }],
      "::std::optional<int64_t>", "getChannelAxis">,
    InterfaceMethod<[{
      The operands that describe the range, one value a channel (rank 1) or one
      value (rank 0). Empty where the range is constant.
      }],
      "::llvm::SmallVector<::mlir::Value>", "getRangeOperands">,
    InterfaceMethod<[{
      The constants that stand for range operands where there are none, in the
      compute type; empty otherwise.
      }],
      "::llvm::SmallVector<::llvm::APFloat>", "getRangeConstants">,
    InterfaceMethod<[{
      The type all arithmetic happens in: f64 for f64 data, f32 otherwise.
      }],
      "::mlir::FloatType", "getComputeType">,
    InterfaceMethod<[{
      One descriptor for each result: elementwise, or a channel's sum together
      with the type it is accumulated in.
      }],
      "::llvm::SmallVector<::mlir::fakequant::ResultDescriptor>",
      "getResultDescriptors">,
    InterfaceMethod<[{
      How many values `emitParameters` returns.
      }],
      "unsigned", "getNumParameters">,
    InterfaceMethod<[{
      Emits the parameters of one channel, scalars of the compute type, from
      `range`, one scalar of the compute type for each range operand or constant.
      Emits only `arith` and `math` ops, none with a fast-math flag.
      }],
      "::llvm::SmallVector<::mlir::Value>", "emitParameters",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$range)>,
    InterfaceMethod<[{
      Emits what one element contributes to each result, in the compute type:
      the value of an elementwise result, the addend of a sum. `operands` are
      the element operands widened to the compute type; `parameters` are what
      `emitParameters` gave for the element's channel. Emits only `arith` and
      `math` ops that map over vectors, none with a fast-math flag.
      }],
      "::llvm::SmallVector<::mlir::Value>", "emitElement",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$operands, "::mlir::ValueRange":$parameters)>
  ];
}

#endif // FAKEQUANT_INTERFACES
