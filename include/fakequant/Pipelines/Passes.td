//===- Passes.td - Verifiers of the pipelines' contracts ---*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_PIPELINES_PASSES
#define FAKEQUANT_PIPELINES_PASSES

include "mlir/Pass/PassBase.td"

def DeallocateBuffers : Pass<"fq-deallocate-buffers", "::mlir::ModuleOp"> {
  let summary = "Free the buffers that bufferization allocated";
  let description = [{
    Runs upstream's ownership-based deallocation on each function. A function
    that frees buffers already, or that holds ops of the LLVM dialect or ops
    that are not registered, is left as it is: its buffers are somebody else's
    business. Then reports an op on tensors without a buffer form between ops
    that are on buffers.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"];
}

def VerifyLinalgContract : Pass<"fq-verify-linalg-contract"> {
  let summary = "Verify that no fake-quantization op is left";
  let description = [{
    The contract of `fakequant-to-linalg`: no op with `FakeQuantOpInterface` and
    no fake-quantization op of TensorFlow is left. Any other op may be.
  }];
}

def VerifyVectorContract : Pass<"fq-verify-vector-contract"> {
  let summary = "Verify that no fake-quantization op and no linalg op is left";
  let description = [{
    The contract of `fakequant-to-vector`: that of `fakequant-to-linalg`, and no
    `linalg` op is left. Any other op may be.
  }];
}

def VerifyLLVMContract : Pass<"fq-verify-llvm-contract"> {
  let summary = "Verify that only the LLVM dialect is left";
  let description = [{
    The contract of `fakequant-to-llvm`: every op inside the module belongs to
    the LLVM dialect.
  }];
}

#endif // FAKEQUANT_PIPELINES_PASSES
