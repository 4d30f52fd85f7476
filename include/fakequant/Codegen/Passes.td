//===- Passes.td - Passes on linalg for every target -------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Codegen knows linalg, never fakequant.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_CODEGEN_PASSES
#define FAKEQUANT_CODEGEN_PASSES

include "mlir/Pass/PassBase.td"

def FuseElementwise
    : InterfacePass<"fq-fuse-elementwise", "::mlir::FunctionOpInterface"> {
  let summary = "Fuse elementwise producers into the generics that read them";
  let description = [{
    Fuses an elementwise producer into the `linalg.generic` that reads it, also
    where that has several results and `reduction` loops. A producer is fused
    when

    - it is elementwise with one result, and this is its only use, and
    - the consumer reads each of its values once, in the consumer's own element
      order: a producer that is broadcast stays apart, since fusing it would
      compute it again for every element.

    Elementwise named ops and elementwise `arith` and `math` ops on tensors are
    turned into generics first; other named ops stay as they are.

    ```mlir
    // Before
    %h = linalg.generic {"parallel"} ins(%g, %m) { arith.mulf }
    %r:3 = linalg.generic {"reduction", "parallel"} ins(%h, %x, …) {…}
    // After
    %r:3 = linalg.generic {"reduction", "parallel"} ins(%g, %m, %x, …)
        { arith.mulf … }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def DropUnusedResults
    : InterfacePass<"fq-drop-unused-results", "::mlir::FunctionOpInterface"> {
  let summary = "Drop results of generics that nobody uses";
  let description = [{
    Removes the results of `linalg.generic` ops on tensors that have no use,
    with their `outs` operands, and the operands and body ops that only served
    them. Where no result is a reduction any more, the `reduction` loops become
    `parallel`.

    ```mlir
    // Before: only %r#0 has uses.
    %r:3 = linalg.generic {"reduction", "parallel"} ins(%g, %x, …)
        outs(%dx, %dmin, %dmax) {…}
    // After
    %r = linalg.generic {"parallel", "parallel"} ins(%g, %x, …) outs(%dx) {…}
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def SplitMixedGenerics
    : InterfacePass<"fq-split-mixed-generics", "::mlir::FunctionOpInterface"> {
  let summary = "Split generics that mix elementwise results and reductions";
  let description = [{
    Splits each `linalg.generic` on tensors that has both elementwise results
    and reductions into two: one with `parallel` loops and the elementwise
    results, one with the reductions. Each keeps the operands it reads. The
    inverse of `fq-merge-generics`, for code generators that do better with the
    split form.

    ```mlir
    // Before
    %r:3 = linalg.generic {"reduction", "parallel"} ins(%g, %x, …)
        outs(%dx, %dmin, %dmax) {…}
    // After
    %s:2 = linalg.generic {"reduction", "parallel"} ins(%g, %x, …)
        outs(%dmin, %dmax) {…}
    %e = linalg.generic {"parallel", "parallel"} ins(%g, %x, …) outs(%dx) {…}
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def MergeGenerics
    : InterfacePass<"fq-merge-generics", "::mlir::FunctionOpInterface"> {
  let summary = "Merge generics over the same loops and operands";
  let description = [{
    Merges two `linalg.generic` ops on tensors of one block into one with the
    results of both, where they have the same loop ranges, share an operand
    that both read in the loops' order, and neither depends on the other. A
    loop that is a reduction in one of them is a reduction in the result. One
    pass over memory then serves both. The inverse of
    `fq-split-mixed-generics`.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def ReuseDeadOperands
    : InterfacePass<"fq-reuse-dead-operands", "::mlir::FunctionOpInterface"> {
  let summary = "Compute elementwise results in the buffer of a dead operand";
  let description = [{
    Gives an elementwise result of a `linalg.generic` the buffer of an operand,
    before bufferization: the operand moves from `ins` to `outs`, is read
    through its block argument, and one-shot bufferization then writes in
    place. An operand qualifies when it is read by the identity map, has the
    result's type, is not used after this op, and may be written: the result of
    an op that has a buffer of its own, or a function argument with
    `bufferization.writable = true`. A result that leaves the function through
    `bufferization.materialize_in_destination` has a buffer already and stays.

    It also gives each `outs` operand that starts from a shared `tensor.empty`
    or `linalg.fill` one of its own, since bufferization would copy a shared
    one.

    ```mlir
    // Before: %g is not used afterwards, and may be written.
    %dx = linalg.generic ins(%g, %x, …) outs(%empty)
        { ^bb0(%gi, %xi, …, %out): … }
    // After
    %dx = linalg.generic ins(%x, …) outs(%g) { ^bb0(%xi, …, %gi): … }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def DestinationPassing
    : Pass<"fq-destination-passing", "::mlir::ModuleOp"> {
  let summary = "Give entries the calling convention: results as arguments";
  let description = [{
    Turns each public function with tensor operands and results into
    destination-passing style: every result becomes a trailing argument that
    the function writes (`bufferization.materialize_in_destination`), and the
    function returns nothing. Operands are not written, unless they carry
    `bufferization.writable = true`.

    The tensor signature stays readable at every later stage, in attributes of
    the function:

    - `tensor_signature`: the function type over tensors, operands to results;
    - `result_dims`: for each result an array of pairs (argument, dimension):
      where the size of that dimension comes from; (-1, -1) where the type says
      it, (-1, size) where the body does;
    - `equal_dims`: quadruples (argument, dimension, argument, dimension) of
      sizes that a caller must make equal, or (argument, dimension, -1, size)
      where the size is static elsewhere.

    Where a function is called from inside the module, the callers go on with a
    private copy of it in its old form. Unranked tensors in the signature of an
    entry are refused.

    ```mlir
    // Before
    func.func @f(%x: tensor<?x24xf32>) -> tensor<?x24xf32> {
      …
      return %y : tensor<?x24xf32>
    }
    // After
    func.func @f(%x: tensor<?x24xf32> {bufferization.writable = false},
                 %out: memref<?x24xf32>) attributes {
        equal_dims = array<i64: …>, llvm.emit_c_interface,
        result_dims = [array<i64: 0, 0, -1, -1>],
        tensor_signature = (tensor<?x24xf32>) -> tensor<?x24xf32>} {
      …
      bufferization.materialize_in_destination %y in restrict writable %out
          : (tensor<?x24xf32>, memref<?x24xf32>) -> ()
      return
    }
    ```

    See docs/abi.md.
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect"];
}

def HoistStackBuffers
    : InterfacePass<"fq-hoist-stack-buffers", "::mlir::FunctionOpInterface"> {
  let summary = "Allocate stack buffers once for each call";
  let description = [{
    Moves each `memref.alloca` of static size to the start of its function, or of
    the parallel loop or allocation scope around it. In the body of a loop it
    would take more of the stack in every iteration: it is given back only when
    the function returns.

    ```mlir
    // Before
    scf.for … {
      %buffer = memref.alloca() : memref<2000xf32>
    // After
    %buffer = memref.alloca() : memref<2000xf32>
    scf.for … {
    ```
  }];
}

#endif // FAKEQUANT_CODEGEN_PASSES
