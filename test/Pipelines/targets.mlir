// One module for two architectures: vectors of each one's width, the triple, CPU
// and data layout on record; and what is no target is refused by the first
// pipeline that asks.

// RUN: fq-opt %s --fakequant-to-vector="target-triple=aarch64-linux-gnu target-cpu=neoverse-v1" | FileCheck %s --check-prefix=VECTOR128
// RUN: fq-opt %s --fakequant-to-vector="target-triple=x86_64-linux-gnu target-cpu=skylake-avx512" | FileCheck %s --check-prefix=VECTOR512
// VECTOR128: math.floor %{{.+}} : vector<4xf32>
// VECTOR512: math.floor %{{.+}} : vector<16xf32>

// RUN: fq-opt %s --fakequant-to-llvm="target-triple=aarch64-linux-gnu target-cpu=neoverse-v1" | FileCheck %s --check-prefixes=LLVM,ARM
// RUN: fq-opt %s --fakequant-to-llvm="target-triple=x86_64-linux-gnu target-cpu=x86-64-v3" | FileCheck %s --check-prefixes=LLVM,X86
// ARM:       module attributes {{.*}}llvm.data_layout = "e-m:e-{{.*}}"{{.*}}llvm.target_triple = "aarch64-unknown-linux-gnu"
// X86:       module attributes {{.*}}llvm.data_layout = "e-m:e-{{.*}}"{{.*}}llvm.target_triple = "x86_64-unknown-linux-gnu"
// LLVM:      llvm.func @f(
// LLVM-SAME:   denormal_fp_math = "dynamic,dynamic"
// ARM-SAME:    target_cpu = "neoverse-v1"
// X86-SAME:    target_cpu = "x86-64-v3"
// LLVM-SAME:   tensor_signature = (tensor<?xf32>) -> tensor<?xf32>
// LLVM:      llvm.func @_mlir_ciface_f(

// RUN: not fq-opt %s --fakequant-to-llvm="target-cpu=no-such-cpu" 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: target-cpu: expected 'host' or a CPU of {{.*}} but got 'no-such-cpu'
// RUN: not fq-opt %s --fakequant-to-llvm="target-triple=wasm32" 2>&1 | FileCheck %s --check-prefix=TRIPLE
// TRIPLE: error: target-triple: expected x86-64 or AArch64 but got 'wasm32{{.*}}'
// RUN: not fq-opt %s --fakequant-to-llvm="target-triple=x86_64-linux-gnu target-cpu=cortex-a72" 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: target-cpu: expected {{.*}}a CPU of x86_64 but got 'cortex-a72'

// RUN: fq-opt %s --fakequant-to-llvm="streaming-stores=always target-triple=x86_64-linux-gnu target-cpu=x86-64-v3" | FileCheck %s --check-prefix=STREAM
// RUN: fq-opt %s --fakequant-to-llvm="streaming-stores=never target-triple=x86_64-linux-gnu target-cpu=x86-64-v3" | FileCheck %s --check-prefix=PLAIN
// STREAM: llvm.store {{.*}}nontemporal
// STREAM: llvm.fence
// PLAIN-NOT: nontemporal
// PLAIN-NOT: llvm.fence

func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = fakequant.args %x : tensor<?xf32>
  return %y : tensor<?xf32>
}
