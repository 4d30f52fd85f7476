//===- FakeQuantDialect.td - The fakequant dialect ---------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_DIALECT
#define FAKEQUANT_DIALECT

include "mlir/IR/OpBase.td"

def FakeQuant_Dialect : Dialect {
  let name = "fakequant";
  let summary = "Fake quantization with an exact numerical contract";
  let description = [{
    Fake quantization rounds each value of a tensor to one of 2^n levels and
    stays in floating point; its gradient lets the gradient through inside the
    range and sends the rest to the range's two ends. Each op of this dialect
    states its arithmetic exactly: every operation, its order, its rounding,
    and what becomes of NaN, infinities and empty ranges. Two back ends that
    keep the contract give the same bits.

    ## The arithmetic (TensorFlow family)

    Every operation is an IEEE operation in the compute type (f32 for f16, bf16
    and f32 data; f64 for f64 data), rounded once, in this order: no fused
    multiply-add, no reciprocal, no reassociation.

    ```
    qmin  = narrow_range ? 1 : 0               qmax = 2^num_bits - 1
    scale = (max - min) / (qmax - qmin)        inv  = (qmax - qmin) / (max - min)
    z     = qmin - min / scale
    zp    = z < qmin ? qmin : z > qmax ? qmax : round_half_away(z)
    nudged_min = (qmin - zp) * scale           nudged_max = (qmax - zp) * scale
    q0    = floor(-nudged_min * inv + 0.5)

    t = x > nudged_max ? nudged_max : x        c = t < nudged_min ? nudged_min : t
    y = floor(((c - nudged_min) * inv - q0) + 0.5) * scale     args, vars_per_channel
    y = floor(((c - nudged_min) / scale - q0) + 0.5) * scale   vars

    dx   = g * float(nudged_min <= x and x <= nudged_max)
    dmin = sum of g * float(x < nudged_min)
    dmax = sum of g * float(x > nudged_max)
    ```

    Where `min == max == 0` (`vars` and `vars_per_channel`), `y = 0` for every
    `x`, `dx = g` and `dmin = dmax = 0`.

    Data of 16 bits is widened to f32 and each result is rounded once. Sums are
    added in a fixed order that depends on shape and `axis` alone; see
    docs/numerics.md.

    ## Versions

    Bytecode records the version of the dialect, 1.0. A reader refuses a later
    major version.
  }];
  let cppNamespace = "::mlir::fakequant";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let hasConstantMaterializer = 1;
}

#endif // FAKEQUANT_DIALECT
