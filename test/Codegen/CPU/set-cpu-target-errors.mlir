// RUN: split-file %s %t

// What the CPU cannot do without a call for each element, at the op's location.

// RUN: not fq-opt %t/half.mlir -fq-set-cpu-target="target-triple=x86_64-linux-gnu target-cpu=x86-64-v2" 2>&1 | FileCheck %t/half.mlir
// RUN: fq-opt %t/half.mlir -fq-set-cpu-target="target-triple=x86_64-linux-gnu target-cpu=ivybridge" | FileCheck %t/half.mlir --check-prefix=F16C
// RUN: fq-opt %t/half.mlir -fq-set-cpu-target="target-triple=aarch64-linux-gnu target-cpu=generic" | FileCheck %t/half.mlir --check-prefix=ARM

// Nothing is refused that the module does not need.
// RUN: fq-opt %t/plain.mlir -fq-set-cpu-target="target-triple=x86_64-linux-gnu target-cpu=x86-64" | FileCheck %t/plain.mlir

// A triple of another architecture needs a CPU. One of the two is foreign here.
// RUN: not fq-opt %t/plain.mlir -fq-set-cpu-target="target-triple=aarch64-linux-gnu" -fq-set-cpu-target="target-triple=x86_64-linux-gnu" 2>&1 | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: error: target-cpu: expected a CPU of {{aarch64|x86_64}}, which is not the host's architecture, but got 'host'

// RUN: not fq-opt %t/plain.mlir -fq-set-cpu-target="target-triple=aarch64-linux-gnu target-cpu=skylake" 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: target-cpu: expected {{.*}}a CPU of aarch64 but got 'skylake'
// RUN: not fq-opt %t/plain.mlir -fq-set-cpu-target="target-triple=i686-linux-gnu target-cpu=i686" 2>&1 | FileCheck %s --check-prefix=BITS
// BITS: error: target-triple: expected x86-64 or AArch64 but got 'i686-unknown-linux-gnu'
// RUN: not fq-opt %t/plain.mlir -fq-set-cpu-target="target-triple=aarch64_be-linux-gnu target-cpu=generic" 2>&1 | FileCheck %s --check-prefix=BIG
// BIG: error: target-triple: expected x86-64 or AArch64 but got 'aarch64_be-unknown-linux-gnu'

// The pass before it that asks for a CPU says the same.
// RUN: not fq-opt %t/plain.mlir -pass-pipeline='builtin.module(func.func(fq-vectorize-linalg{target-cpu=no-such-cpu}))' 2>&1 | FileCheck %s --check-prefix=VECTORIZE
// VECTORIZE: error: target-cpu: expected 'host' or a CPU of {{.*}} but got 'no-such-cpu'
// RUN: not fq-opt %t/plain.mlir -pass-pipeline='builtin.module(func.func(fq-vectorize-linalg{streaming-stores=sometimes}))' 2>&1 | FileCheck %s --check-prefix=STREAMING
// STREAMING: error: expected streaming-stores to be auto, always or never but got 'sometimes'

// RUN: not fq-opt %t/plain.mlir -pass-pipeline='builtin.module(func.func(fq-vectorize-linalg{vector-bits=96}))' 2>&1 | FileCheck %s --check-prefix=POWER
// POWER: error: expected vector-bits to be a power of two but got 96

//--- half.mlir
// CHECK: half.mlir:[[#@LINE+8]]:8: error: expected a target-cpu that converts f16, x86-64-v3 or later, but got 'x86-64-v2'
// F16C:  llvm.target_triple = "x86_64-unknown-linux-gnu"
// F16C:  llvm.func @half
// F16C-SAME: target_cpu = "ivybridge"
// ARM:   llvm.target_triple = "aarch64-unknown-linux-gnu"
// ARM:   llvm.func @half
// ARM-SAME: target_cpu = "generic"
llvm.func @half(%x: vector<8xf16>) -> vector<8xf32> {
  %y = llvm.fpext %x : vector<8xf16> to vector<8xf32>
  llvm.return %y : vector<8xf32>
}

//--- plain.mlir
// CHECK: llvm.func @plain
// CHECK-SAME: target_cpu = "x86-64"
llvm.func @plain(%x: f32) -> f32 {
  %y = llvm.fadd %x, %x : f32
  llvm.return %y : f32
}
