//===- Reference.h - The numerical contract, evaluated ----------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The six TensorFlow fake quantization ops over host arrays, written for trust:
// plain C++17 that follows the contract (DESIGN §2, docs/numerics.md) word by
// word and shares no code with the compiler. Tests use it as the arbiter.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_REFERENCE_REFERENCE_H
#define FAKEQUANT_REFERENCE_REFERENCE_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace mlir::fakequant::reference {

//===----------------------------------------------------------------------===//
// Element types and their conversions
//===----------------------------------------------------------------------===//

enum class ElementType { F16, BF16, F32, F64 };

/// The bytes of one element; 0 when `type` is none of the enumerators.
unsigned getByteWidth(ElementType type);

/// "f16", "bf16", "f32" or "f64"; "unknown" otherwise.
const char *getName(ElementType type);

/// Each of these rounds once, to nearest even, keeps denormals and quiets NaN.
/// They work on the bits, so neither the rounding mode nor flush-to-zero
/// enters.
uint16_t floatToF16(float value);
uint16_t floatToBF16(float value);
uint16_t doubleToF16(double value);
uint16_t doubleToBF16(double value);
float doubleToFloat(double value);

/// Exact, on the bits: a denormal stays what it is under flush-to-zero too.
float f16ToFloat(uint16_t bits);
float bf16ToFloat(uint16_t bits);
double floatToDouble(float value);

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// A dense row-major array on the host; rank 0 holds one element.
struct Tensor {
  ElementType type = ElementType::F32;
  std::vector<int64_t> shape;
  /// The elements in the host's byte order: their number times
  /// getByteWidth(type) bytes.
  std::vector<std::byte> data;

  /// `values` in row-major order, each rounded once to `type` from its f64.
  static Tensor fromValues(ElementType type, std::vector<int64_t> shape,
                           const std::vector<double> &values);

  /// The number of whole elements in `data`.
  int64_t getNumStored() const;

  /// Element `index` of `data`, exactly; NaN where there is none.
  double getValue(int64_t index) const;

  /// Every element of `data`, exactly.
  std::vector<double> getValues() const;
};

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// TensorFlow's FakeQuantWithMinMaxArgs, …Vars, …VarsPerChannel and their
/// gradients.
enum class Op {
  Args,
  ArgsGradient,
  Vars,
  VarsGradient,
  VarsPerChannel,
  VarsPerChannelGradient
};

struct Attributes {
  /// 2 to 16.
  int64_t numBits = 8;
  bool narrowRange = false;
  /// The channel's dimension; a negative one counts from the end. Only the
  /// per-channel ops read it.
  int64_t axis = -1;
  /// The range of the args ops, each rounded to the compute type. Only they
  /// read it.
  double min = -6.0;
  double max = 6.0;
};

/// Evaluates `op` and sets `results`, or returns false and sets `error` to one
/// line that says what was expected and what came.
///
/// Operands, in TensorFlow's order: inputs [, min, max] forward and gradients,
/// inputs [, min, max] backward. The data is of any element type; min and max
/// are of the data's type, or f32 beside 16-bit data; they are rank 0 (vars) or
/// as long as the channel's dimension (per channel). Results: y, or
/// dx [, dmin, dmax]; dmin and dmax have the type and shape of min.
///
/// 16-bit data is widened and computed in f32, f64 in f64. The sums are added
/// in the order of docs/numerics.md. The arithmetic is the host's: with
/// flush-to-zero switched on (see ScopedFlushDenormals) it flushes.
bool evaluate(Op op, const Attributes &attributes,
              const std::vector<Tensor> &operands, std::vector<Tensor> &results,
              std::string &error);

//===----------------------------------------------------------------------===//
// The order of sums by itself
//===----------------------------------------------------------------------===//

/// A shape with the dimensions before the channel's and those after it
/// multiplied up. A per-tensor sum has outer = elements, channels = inner = 1.
struct SumShape {
  int64_t outer = 0;
  int64_t channels = 0;
  int64_t inner = 0;
};

/// Adds `contribution(f)` for every row-major position f of `shape`, in the
/// order of docs/numerics.md with f32 blocks; the f64 sum of each channel
/// before its one rounding. Nothing is stored, so the sequence may be longer
/// than memory. `contribution` is called once a position, in no order to rely
/// on. An extent of zero or less makes the sums 0.
std::vector<double>
sumChannels(const SumShape &shape,
            const std::function<float(int64_t)> &contribution);

//===----------------------------------------------------------------------===//
// The floating point environment
//===----------------------------------------------------------------------===//

/// Switches flush-to-zero and denormals-are-zero on for this thread (x86: FTZ
/// and DAZ of MXCSR; AArch64: FZ of FPCR), and back at the end of its life.
class ScopedFlushDenormals {
public:
  /// With `enable` false it does nothing.
  explicit ScopedFlushDenormals(bool enable = true);
  ~ScopedFlushDenormals();
  ScopedFlushDenormals(const ScopedFlushDenormals &) = delete;
  ScopedFlushDenormals &operator=(const ScopedFlushDenormals &) = delete;

  /// Whether this target has the switch; without it the class does nothing.
  static bool isSupported();

private:
  uint64_t saved = 0;
  bool enabled;
};

} // namespace mlir::fakequant::reference

#endif // FAKEQUANT_REFERENCE_REFERENCE_H
