//===- JitTest.cpp --------------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiling and calling functions in the LLVM dialect.
//
//===----------------------------------------------------------------------===//

#include "fakequant/Execution/Jit.h"
#include "TestSupport.h"
#include "fakequant/Execution/FlushDenormals.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::fakequant;
using namespace mlir::fakequant::test;

namespace {

/// Writes the words of its first descriptor, of rank 2, as i64 into its second.
constexpr const char *kCopyDescriptor = R"(
  llvm.func @_mlir_ciface_f(%x: !llvm.ptr, %y: !llvm.ptr) {
    %n = llvm.mlir.constant(7 : i64) : i64
    %size = llvm.mlir.constant(56 : i64) : i64
    %field = llvm.getelementptr %y[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %to = llvm.load %field : !llvm.ptr -> !llvm.ptr
    "llvm.intr.memcpy"(%to, %x, %size) <{isVolatile = false}>
        : (!llvm.ptr, !llvm.ptr, i64) -> ()
    llvm.return
  })";

/// Scalars: y = x * factor.
std::string makeScale(const std::string &factor) {
  return R"(
  llvm.func @_mlir_ciface_f(%x: !llvm.ptr, %y: !llvm.ptr) {
    %xField = llvm.getelementptr %x[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %yField = llvm.getelementptr %y[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %from = llvm.load %xField : !llvm.ptr -> !llvm.ptr
    %to = llvm.load %yField : !llvm.ptr -> !llvm.ptr
    %value = llvm.load %from : !llvm.ptr -> f32
    %factor = llvm.mlir.constant()" +
         factor + R"( : f32) : f32
    %product = llvm.fmul %value, %factor : f32
    llvm.store %product, %to : f32, !llvm.ptr
    llvm.return
  })";
}

class JitTest : public ::testing::Test {
protected:
  JitTest() {
    DialectRegistry registry;
    registry.insert<LLVM::LLVMDialect>();
    registerJitTranslations(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.getDiagEngine().registerHandler([](Diagnostic &) {});
  }

  llvm::Expected<JitFunction> compile(const std::string &text,
                                      unsigned numTensors,
                                      const JitOptions &options = {}) {
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return llvm::createStringError("the test itself does not parse");
    return JitFunction::compile(*module, "f", numTensors, options);
  }

  float scale(const std::string &factor, float value, bool flush) {
    JitOptions options;
    options.flushDenormals = flush;
    JitFunction function =
        llvm::cantFail(compile(makeScale(factor), 2, options));
    HostTensor x = makeTensor<float>(DType::F32, {}, {value});
    HostTensor y = makeTensor<float>(DType::F32, {}, {-1});
    JitCall call = llvm::cantFail(JitCall::bind(function, {&x, &y}));
    FlushDenormals mode(flush);
    call();
    return static_cast<float>(y.getAsDouble(0));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(JitTest, PassesDescriptors) {
  JitFunction function = llvm::cantFail(compile(kCopyDescriptor, 2));
  HostTensor words = llvm::cantFail(HostTensor::allocate(DType::I64, {7}));
  for (std::vector<int64_t> shape :
       {std::vector<int64_t>{5, 3}, {0, 3}, {3, 0}}) {
    HostTensor x = llvm::cantFail(HostTensor::allocate(DType::F32, shape));
    JitCall call = llvm::cantFail(JitCall::bind(function, {&x, &words}));
    call();
    auto *got = static_cast<const int64_t *>(words.getData());
    EXPECT_EQ(got[0], reinterpret_cast<intptr_t>(x.getData()));
    EXPECT_EQ(got[1], reinterpret_cast<intptr_t>(x.getData()));
    EXPECT_EQ(got[2], 0);
    EXPECT_EQ(got[3], shape[0]);
    EXPECT_EQ(got[4], shape[1]);
    EXPECT_EQ(got[5], shape[1]);
    EXPECT_EQ(got[6], 1);
  }
  EXPECT_EQ(messageOf(JitCall::bind(function, {&words})),
            "expected 2 tensors but got 1");
}

TEST_F(JitTest, CallsStayValidWhenMoved) {
  JitFunction function = llvm::cantFail(compile(makeScale("3.0"), 2));
  HostTensor x = makeTensor<float>(DType::F32, {}, {2});
  HostTensor y = makeTensor<float>(DType::F32, {}, {0});
  JitCall call = llvm::cantFail(JitCall::bind(function, {&x, &y}));
  JitCall movedCall = std::move(call);
  JitFunction movedFunction = std::move(function);
  movedCall();
  EXPECT_EQ(y.getAsDouble(0), 6.0);
}

TEST_F(JitTest, FlushesDenormalsOnlyWhenAsked) {
  EXPECT_EQ(scale("0.5", 1.17549435e-38f, false), 5.87747175e-39f);
  if (FlushDenormals::isSupported()) {
    EXPECT_EQ(scale("0.5", 1.17549435e-38f, true), 0.0f);
    EXPECT_EQ(scale("4.0", 5.87747175e-39f, true), 0.0f);
  }
  // The mode is back to what it was.
  EXPECT_EQ(scale("0.5", 1.17549435e-38f, false), 5.87747175e-39f);
}

TEST_F(JitTest, RefusesUnknownSymbols) {
  std::string message = messageOf(compile(R"(
    llvm.func @fakequant_test_nowhere()
    llvm.func @_mlir_ciface_f() {
      llvm.call @fakequant_test_nowhere() : () -> ()
      llvm.return
    })",
                                          0));
  expectContains(message, "expected code that links but got");
  expectContains(message, "fakequant_test_nowhere");
}

TEST_F(JitTest, RefusesModulesThatAreNotLowered) {
  expectContains(messageOf(compile("module { module {} }", 0)),
                 "expected a module in the LLVM dialect");
  expectContains(messageOf(compile("", 0)),
                 "expected a function '_mlir_ciface_f' with a body");
  expectContains(messageOf(compile("llvm.func @_mlir_ciface_f()", 0)),
                 "expected a function '_mlir_ciface_f' with a body");
  expectContains(messageOf(compile(makeScale("1.0"), 3)),
                 "to take 3 pointers, one a tensor");
  expectContains(messageOf(compile("llvm.func @_mlir_ciface_f(%x: i64) { "
                                   "llvm.return }",
                                   1)),
                 "to take 1 pointers, one a tensor");
}

TEST_F(JitTest, RefusesCPUs) {
  JitOptions options;
  options.targetCPU = "no-such-cpu";
  expectContains(messageOf(compile(makeScale("1.0"), 2, options)),
                 "target-cpu: expected 'host' or a CPU of");
  for (const char *cpu : {"", "help", "no-such-cpu"})
    expectContains(messageOf(checkTargetCPU(cpu)),
                   std::string("but got '") + cpu + "'");
  EXPECT_EQ(messageOf(checkTargetCPU("host")), "");
#ifdef __x86_64__
  EXPECT_EQ(messageOf(checkTargetCPU("x86-64")), "");
  expectContains(messageOf(checkTargetCPU("i386")), "expected a 64-bit CPU");
  expectContains(messageOf(checkTargetCPU("cortex-a72")),
                 "a CPU of x86_64 but got 'cortex-a72'");
#endif
}

TEST_F(JitTest, RefusesModulesForAnotherTarget) {
  std::string other =
#ifdef __aarch64__
      "x86_64-unknown-linux-gnu";
#else
      "aarch64-unknown-linux-gnu";
#endif
  expectContains(
      messageOf(compile("module attributes {llvm.target_triple = \"" + other +
                            "\"} {" + makeScale("1.0") + "}",
                        2)),
      "but it was lowered for");
}

} // namespace
