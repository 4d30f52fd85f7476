//===- Passes.td - Code generation for CPUs ----------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_CODEGEN_CPU_PASSES
#define FAKEQUANT_CODEGEN_CPU_PASSES

include "mlir/Pass/PassBase.td"

def VectorizeLinalg
    : InterfacePass<"fq-vectorize-linalg", "::mlir::FunctionOpInterface"> {
  let summary = "Lower linalg on buffers to loops over vectors";
  let description = [{
    Lowers each `linalg` op on memrefs to one pass over memory. Elementwise ops
    and ops with sums over all dimensions but a run of adjacent ones (the
    channel) become loops over vectors of the target's width: the loops are
    collapsed to the fewest, tails are masked, and a generic with several
    results stays one loop nest. An op outside this class becomes scalar loops,
    and a remark says why.

    A `memref.copy` between buffers that are not contiguous becomes loops too.

    Three nests cover the class:

    - *flat*: an elementwise op without channel operands runs over one index;
    - *columns*: the elements are rows of a table with one column for each
      channel, or for each of several copies of the channels so that narrow
      rows still fill vectors; sums in a buffer of one row;
    - *runs*: where 16 or more contiguous elements share a channel, vectors run
      along them.

    Sums (`acc + x`, or `acc + extf(x)` from f32 to f64) are added in the order
    of docs/numerics.md, which depends on the shape alone: blocks of eight
    addends pairwise in the type of `x`, blocks in the type of `acc`, chunks,
    columns. Written with the wide accumulator, the result is within `2^-22` of
    the sum of magnitudes, and a 128th of that.

    Each nest has two schedules, chosen by whether the operands together outgrow
    the last-level cache, when the op runs if the sizes are not known before.
    Neither changes the order of sums.

    - *resident*: eight rows of a table at a time, which share what they need of
      their columns;
    - *large*: two rows at a time, wide rows in panels of at most eight vectors,
      with software prefetches 12 KiB ahead in the order in which tiles are
      taken (in no other order is memory as fast as in its own). Sums of two
      rows wait in a buffer for those of the next.

    With streaming stores, the large schedule writes elementwise results past the
    caches, in whole vectors and cache lines at aligned addresses. Where the rows
    of a table, or the runs, start at such addresses, a tile stores its results
    itself. Where they do not, results follow behind the tile: those of columns
    wait in a buffer for what completes their line, those of runs are computed
    again; never before the sums have seen their elements, so that a result may
    take the place of an operand. Which of the two holds is decided when the op
    runs, unless sizes and `aligned-results` say so. Several results that are not
    aligned alike are stored plainly; so are rows of up to 80 columns and runs of
    up to 1024 elements that are not aligned. `always` takes the large schedule for every size.

    With `parallel`, the chunks of the order of sums, 65536 elements or more each
    and 64 at most, become the iterations of an `scf.parallel`. Each chunk has
    sums of its own, which are added in order behind the loop: the bits are the
    same for any number of threads. Where chunks are few, their channels are
    shared out too: these have no sums in common. Elementwise ops are cut
    likewise.

    Operands that are not contiguous, and maps other than the identity, the
    channel's and the scalar one, are outside the class.

    ```mlir
    // Before
    linalg.generic {iterator_types = ["reduction", "parallel"]}
        ins(%g, %x, %lo, %hi : memref<?x24xf32>, …)
        outs(%dx, %dmin, %dmax : memref<?x24xf32>, memref<24xf64>, …) {…}
    // After
    scf.for %block = … {
      scf.for %column = %c0 to %c48 step %c16 {
        %0 = vector.load %g_flat[…] : memref<?xf32>, vector<16xf32>
        …
      }
    }
    ```
  }];
  let options = [
    Option<"targetTriple", "target-triple", "std::string", /*default=*/"",
           "Target triple; empty for the host's">,
    Option<"targetCPU", "target-cpu", "std::string", /*default=*/"\"host\"",
           "CPU whose vector width is used, or 'host'">,
    Option<"vectorBits", "vector-bits", "unsigned", /*default=*/"0",
           "Width of a vector register in bits; 0 for the target's">,
    Option<"streamingStores", "streaming-stores", "std::string",
           /*default=*/"\"never\"",
           "When elementwise results bypass the caches: 'auto', where the "
           "operands outgrow the last-level cache; 'always', for every size; "
           "'never'">,
    Option<"alignedResults", "aligned-results", "bool", /*default=*/"false",
           "Rely on results of public functions that start at multiples of 64 "
           "bytes">,
    Option<"parallel", "parallel", "bool", /*default=*/"false",
           "Emit the loop over chunks as scf.parallel">
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect",
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def OutlineParallelLoops
    : Pass<"fq-outline-parallel-loops", "::mlir::ModuleOp"> {
  let summary = "Move the bodies of scf.parallel loops into functions";
  let description = [{
    The body of each one-dimensional `scf.parallel` without reductions moves into
    a private function, which the loop calls. What the body keeps on the stack is
    then each call's own. A loop of one iteration or none becomes a plain one:
    it starts no threads.

    ```mlir
    // Before
    scf.parallel (%i) = (%c0) to (%n) step (%c1) { … }
    // After
    %several = arith.cmpi slt, %c1, %n : index
    scf.if %several {
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        func.call @f_parallel(%i, …) : (index, …) -> ()
      }
    } else {
      scf.for %i = %c0 to %n step %c1 {
        func.call @f_parallel(%i, …) : (index, …) -> ()
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::scf::SCFDialect"];
}

def ExpandNarrowFloats : Pass<"fq-expand-narrow-floats"> {
  let summary = "Expand conversions to 16-bit floats into single roundings";
  let description = [{
    Expands conversions that hardware or run-time libraries round twice, flush,
    or lack:

    - `arith.truncf` from f64 to f16 or bf16 becomes a rounding to odd in f32,
      with integer operations, and a conversion from there. The result is
      rounded once, to nearest even.
    - `arith.extf` and `arith.truncf` between bf16 and f32 become integer
      operations that keep denormals.
    - Other `arith` and `math` ops on bf16 become ops on f32 between such
      conversions.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def MoveBF16AsIntegers : Pass<"fq-move-bf16-as-integers"> {
  let summary = "Load, store and select bf16 values as integers";
  let description = [{
    In the LLVM dialect, loads, stores (masked ones too) and selects of bf16
    become those of i16 with bitcasts around them, which cancel out against the
    ones of `fq-expand-narrow-floats`. LLVM would widen a select to f32 and, on
    x86-64 without AVX512-BF16, call a run-time library for each element to
    come back.

    ```mlir
    // Before
    %y = llvm.bitcast %bits : vector<8xi16> to vector<8xbf16>
    %s = llvm.select %c, %g, %y : vector<8xi1>, vector<8xbf16>
    llvm.store %s, %p : vector<8xbf16>, !llvm.ptr
    // After
    %s = llvm.select %c, %g_bits, %bits : vector<8xi1>, vector<8xi16>
    llvm.store %s, %p : vector<8xi16>, !llvm.ptr
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def SelectMaskedProducts
    : Pass<"fq-select-masked-products", "::mlir::LLVM::LLVMFuncOp"> {
  let summary = "Turn products with a converted i1 into selects";
  let description = [{
    In the LLVM dialect, `x * uitofp(c)` with an i1 `c` becomes
    `select(c, x + -0, x * 0)`, for f32 and f64. The bits are those of the
    product in every case: `x * 0` keeps NaN, infinity (as NaN) and the sign of
    zero; `x + -0` is `x * 1`, which quiets a NaN, and flushes a denormal in that
    mode. So that LLVM does not drop that sum, the -0 comes out of an empty
    inline asm in the entry block. Neither depends on the condition: several
    masks of one value share them, and no vector of ones and zeros is made from
    each mask.

    ```mlir
    // Before
    %m = llvm.uitofp %c : vector<16xi1> to vector<16xf32>
    %y = llvm.fmul %x, %m : vector<16xf32>
    // After
    %a = llvm.fadd %x, %hidden : vector<16xf32>
    %b = llvm.fmul %x, %zero : vector<16xf32>
    %y = llvm.select %c, %a, %b : vector<16xi1>, vector<16xf32>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def SetCPUTarget : Pass<"fq-set-cpu-target", "::mlir::ModuleOp"> {
  let summary = "Record the target CPU in LLVM dialect functions";
  let description = [{
    Sets the target triple and data layout of the module, and the CPU and
    features of each `llvm.func` with a body, and states that the mode for
    denormals is the caller's (`denormal-fp-math` is `dynamic,dynamic`), so that
    LLVM folds nothing that depends on it.

    Refuses an unknown CPU, and one that lacks an instruction the module needs
    and would call a library for each element instead: x86-64 without SSE4.1
    cannot round vectors, and without F16C cannot convert f16. The message names
    the lowest level that works.
  }];
  let options = [
    Option<"targetTriple", "target-triple", "std::string", /*default=*/"",
           "Target triple; empty for the host's">,
    Option<"targetCPU", "target-cpu", "std::string", /*default=*/"\"host\"",
           "CPU to generate code for, or 'host'">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // FAKEQUANT_CODEGEN_CPU_PASSES
