//===- TensorSignatureTest.cpp --------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading signatures from functions and checking inputs against them.
//
//===----------------------------------------------------------------------===//

#include "fakequant/Execution/TensorSignature.h"
#include "TestSupport.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::fakequant;
using namespace mlir::fakequant::test;

namespace {

class TensorSignatureTest : public ::testing::Test {
protected:
  TensorSignatureTest() { context.loadDialect<LLVM::LLVMDialect>(); }

  /// The signature of a function with these attributes.
  llvm::Expected<TensorSignature> read(const std::string &attributes) {
    module = parseSourceString<ModuleOp>(
        "llvm.func @f() attributes {" + attributes + "}", &context);
    if (!module)
      return llvm::createStringError("the test itself does not parse");
    return TensorSignature::get(module->lookupSymbol("f"));
  }

  static std::vector<HostTensor> makeInputs(
      std::initializer_list<std::pair<DType, std::vector<int64_t>>> types) {
    std::vector<HostTensor> inputs;
    for (const auto &[dtype, shape] : types)
      inputs.push_back(llvm::cantFail(HostTensor::allocate(dtype, shape)));
    return inputs;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

constexpr const char *kGradient =
    "tensor_signature = (tensor<?x3xf32>, tensor<?x3xf32>, tensor<3xf32>) -> "
    "(tensor<?x3xf32>, tensor<3xf32>, tensor<f64>), "
    "result_dims = [array<i64: 0, 0, -1, -1>, array<i64: -1, -1>, array<i64>],"
    "equal_dims = array<i64: 0, 0, 1, 0>";

TEST_F(TensorSignatureTest, ReadsTypes) {
  TensorSignature signature = llvm::cantFail(read(kGradient));
  ASSERT_EQ(signature.getOperands().size(), 3u);
  ASSERT_EQ(signature.getResults().size(), 3u);
  const TensorSignature::Tensor &x = signature.getOperands()[1];
  EXPECT_EQ(formatTensorType(x.dtype, x.shape), "f32[?x3]");
  const TensorSignature::Tensor &last = signature.getResults()[2];
  EXPECT_EQ(formatTensorType(last.dtype, last.shape), "f64[]");
}

TEST_F(TensorSignatureTest, ComputesResultShapes) {
  TensorSignature signature = llvm::cantFail(read(kGradient));
  for (int64_t rows : {0, 1, 5}) {
    auto inputs = makeInputs(
        {{DType::F32, {rows, 3}}, {DType::F32, {rows, 3}}, {DType::F32, {3}}});
    EXPECT_EQ(messageOf(signature.checkInputs(inputs, {"g", "x", "m"})), "");
    auto shapes = signature.computeResultShapes(inputs);
    ASSERT_EQ(shapes.size(), 3u);
    EXPECT_EQ(shapes[0], (SmallVector<int64_t, 4>{rows, 3}));
    EXPECT_EQ(shapes[1], (SmallVector<int64_t, 4>{3}));
    EXPECT_TRUE(shapes[2].empty());
  }
}

TEST_F(TensorSignatureTest, ChecksInputs) {
  TensorSignature signature = llvm::cantFail(read(kGradient));
  auto check = [&](const std::vector<HostTensor> &inputs) {
    std::vector<std::string> names = {"g.npy", "x.npy", "m.npy"};
    names.resize(inputs.size());
    return messageOf(signature.checkInputs(inputs, names));
  };
  EXPECT_EQ(check(makeInputs({{DType::F32, {5, 3}}})),
            "expected 3 inputs but got 1");
  EXPECT_EQ(
      check(makeInputs(
          {{DType::F32, {5, 3}}, {DType::F64, {5, 3}}, {DType::F32, {3}}})),
      "input 1 ('x.npy'): expected f32[?x3] but got f64[5x3]");
  EXPECT_EQ(
      check(makeInputs(
          {{DType::F32, {5, 3, 1}}, {DType::F32, {5, 3}}, {DType::F32, {3}}})),
      "input 0 ('g.npy'): expected f32[?x3] but got f32[5x3x1]");
  EXPECT_EQ(
      check(makeInputs(
          {{DType::F32, {5, 3}}, {DType::F32, {5, 3}}, {DType::F32, {4}}})),
      "input 2 ('m.npy'): expected f32[3] but got f32[4]");
  EXPECT_EQ(
      check(makeInputs(
          {{DType::F32, {5, 3}}, {DType::F32, {4, 3}}, {DType::F32, {3}}})),
      "input 1 ('x.npy'): expected size 5 in dimension 0, as in dimension "
      "0 of input 0 ('g.npy'), but got 4");
}

TEST_F(TensorSignatureTest, NeedsNoDimsWhereAllIsStatic) {
  EXPECT_EQ(messageOf(read("tensor_signature = (tensor<2x3xbf16>) -> "
                           "tensor<2x3xi1>")),
            "");
}

TEST_F(TensorSignatureTest, RefusesMissingOrStrangeAttributes) {
  expectContains(messageOf(read("")),
                 "function 'f': expected the attribute 'tensor_signature'");
  expectContains(messageOf(read("tensor_signature = f32")),
                 "expected the attribute 'tensor_signature'");
  expectContains(messageOf(read("tensor_signature = (tensor<*xf32>) -> ()")),
                 "but operand 0 is tensor<*xf32>");
  expectContains(messageOf(read("tensor_signature = () -> tensor<2xf128>")),
                 "but result 0 is tensor<2xf128>");
  expectContains(messageOf(read("tensor_signature = (f32) -> ()")),
                 "but operand 0 is f32");
  std::string dynamic = "tensor_signature = (tensor<?xf32>) -> tensor<?xf32>";
  expectContains(messageOf(read(dynamic)),
                 "expected the attribute 'result_dims' to tell the size of "
                 "dimension 0 of result 0");
  expectContains(
      messageOf(read(dynamic + ", result_dims = [array<i64: -1, -1>]")),
      "dimension 0 of result 0");
  expectContains(messageOf(read(dynamic + ", result_dims = []")),
                 "expected 1 arrays in 'result_dims' but got 0");
  expectContains(
      messageOf(read(dynamic + ", result_dims = [array<i64: 0>]")),
      "expected array<i64> with 2 numbers as element 0 of 'result_dims' but "
      "got 1");
  expectContains(messageOf(read(dynamic + ", result_dims = [\"a\"]")),
                 "but got another type");
  for (const char *pair : {"1, 0", "0, 1", "-2, 0", "0, -1"})
    expectContains(
        messageOf(read(dynamic + ", result_dims = [array<i64: " + pair + ">]")),
        std::string("but got (") + pair + ")");
  dynamic += ", result_dims = [array<i64: 0, 0>], equal_dims = ";
  expectContains(messageOf(read(dynamic + "array<i64: 0, 0, 3, 0>")),
                 "in 'equal_dims' but got (3, 0)");
  expectContains(messageOf(read(dynamic + "array<i64: -1, 0, 0, 0>")),
                 "in 'equal_dims' but got (-1, 0)");
  expectContains(messageOf(read(dynamic + "array<i64: 0, 0, 0>")),
                 "four numbers an equality as 'equal_dims' but got 3");
  expectContains(messageOf(read(dynamic + "[]")), "but got another type");
}

TEST_F(TensorSignatureTest, ChecksSizesThatAreStaticElsewhere) {
  TensorSignature signature = llvm::cantFail(
      read("tensor_signature = (tensor<?xf32>, tensor<f32>) -> tensor<7xf32>, "
           "equal_dims = array<i64: 0, 0, -1, 7>"));
  EXPECT_EQ(messageOf(signature.checkInputs(
                makeInputs({{DType::F32, {7}}, {DType::F32, {}}}), {"x", "m"})),
            "");
  EXPECT_EQ(messageOf(signature.checkInputs(
                makeInputs({{DType::F32, {6}}, {DType::F32, {}}}), {"x", "m"})),
            "input 0 ('x'): expected size 7 in dimension 0, but got 6");
}

} // namespace
