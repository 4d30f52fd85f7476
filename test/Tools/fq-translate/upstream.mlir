// Upstream's translations are there too.

// RUN: fq-translate --help | FileCheck %s --check-prefix=HELP
// HELP-DAG: --import-llvm
// HELP-DAG: --mlir-to-llvmir
// HELP-DAG: --mlir-to-cpp
// HELP-DAG: --mlir-to-asm {{.*}} translate the LLVM dialect to assembly for the module's target-cpu
// HELP-DAG: --mlir-to-object {{.*}} translate the LLVM dialect to an object for the module's target-cpu

// RUN: fq-translate --mlir-to-llvmir %s | FileCheck %s
// RUN: fq-translate --mlir-to-llvmir %s | fq-translate --import-llvm | FileCheck %s --check-prefix=BACK
// RUN: fq-translate --mlir-to-asm %s | FileCheck %s --check-prefix=ASM

// Of the CPU's features, those of the module are used, and no others.
// RUN: sed s/,+fma/,-avx512vl/ %s | fq-translate --mlir-to-asm | FileCheck %s --check-prefix=FEATURES

// CHECK: target triple = "x86_64-unknown-linux-gnu"
// CHECK: define <4 x float> @f(<4 x float> %[[X:.+]], <4 x float> %[[Y:.+]]) #[[ATTRIBUTES:.+]] {
// CHECK:   %[[Z:.+]] = fmul <4 x float> %[[X]], %[[Y]]
// CHECK:   fadd <4 x float> %[[Z]], %[[X]]
// CHECK: attributes #[[ATTRIBUTES]] = { "target-cpu"="x86-64-v2" "target-features"="+avx,+fma" }

// BACK: llvm.func @f(%{{.+}}: vector<4xf32>, %{{.+}}: vector<4xf32>) -> vector<4xf32>

// Never contracted, though the CPU could.
// ASM:      vmulps
// ASM-NEXT: vaddps
// FEATURES:      vmulps
// FEATURES-NEXT: vaddps

module attributes {llvm.target_triple = "x86_64-unknown-linux-gnu"} {
  llvm.func @f(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> attributes {
      target_cpu = "x86-64-v2", target_features = #llvm.target_features<["+avx", "+fma"]>} {
    %z = llvm.fmul %x, %y : vector<4xf32>
    %w = llvm.fadd %z, %x : vector<4xf32>
    llvm.return %w : vector<4xf32>
  }
}
