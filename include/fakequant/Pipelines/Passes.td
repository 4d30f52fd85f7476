//===- Passes.td - Verifiers of the pipelines' contracts ---*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_PIPELINES_PASSES
#define FAKEQUANT_PIPELINES_PASSES

include "mlir/Pass/PassBase.td"

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
