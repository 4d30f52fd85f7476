// REQUIRES: clang
// RUN: rm -rf %t && mkdir -p %t
// RUN: fq-opt %s --fakequant-to-llvm -o %t/llvm.mlir

// An object, linked with C and with C++; and one out of the assembly.

// RUN: fq-translate --mlir-to-object %t/llvm.mlir -o %t/f.o
// RUN: %host-cc %S/Inputs/call-forward.c %t/f.o -o %t/c.exe
// RUN: %t/c.exe | FileCheck %s --check-prefix=RESULT
// RUN: %host-cc -x c++ %S/Inputs/call-forward.c -x none %t/f.o -o %t/cxx.exe
// RUN: %t/cxx.exe | FileCheck %s --check-prefix=RESULT
// RUN: fq-translate --mlir-to-asm %t/llvm.mlir -o %t/f.s
// RUN: %host-cc %S/Inputs/call-forward.c %t/f.s -o %t/s.exe
// RUN: %t/s.exe | FileCheck %s --check-prefix=RESULT
// RUN: fq-translate --mlir-to-llvmir %t/llvm.mlir -o %t/f.ll
// RUN: %host-cc -Wno-override-module -O2 -ffp-contract=off %S/Inputs/call-forward.c %t/f.ll -o %t/ll.exe
// RUN: %t/ll.exe | FileCheck %s --check-prefix=RESULT

// The same, bit for bit, as fq-run's.
// RESULT:      2.4000001 -0.600000024 2.4000001
// RESULT-NEXT: 0 1 -0.600000024

// The standard input and output do as well, and the answer is always the same.
// RUN: fq-translate --mlir-to-object < %t/llvm.mlir > %t/piped.o
// RUN: cmp %t/f.o %t/piped.o
// RUN: fq-opt %t/llvm.mlir --emit-bytecode -o %t/llvm.mlirbc
// RUN: fq-translate --mlir-to-object %t/llvm.mlirbc -o %t/bytecode.o
// RUN: cmp %t/f.o %t/bytecode.o

// What it offers: entries and their wrappers.
// RUN: llvm-nm --defined-only --extern-only %t/f.o | FileCheck %s --check-prefix=SYMBOLS
// SYMBOLS-DAG: T _mlir_ciface_forward
// SYMBOLS-DAG: T forward

// RUN: FileCheck %s --check-prefix=ASM --input-file=%t/f.s
// ASM-DAG: {{^}}forward:
// ASM-DAG: {{^}}_mlir_ciface_forward:

// RUN: FileCheck %s --check-prefix=IR --input-file=%t/f.ll
// IR: define void @forward(
// IR: define void @_mlir_ciface_forward(

func.func @forward(%x: tensor<?x3xf32>, %min: tensor<3xf32>, %max: tensor<3xf32>) -> tensor<?x3xf32> {
  %y = fakequant.vars_per_channel %x, %min, %max {num_bits = 4} : tensor<?x3xf32>, tensor<3xf32>, tensor<3xf32>
  return %y : tensor<?x3xf32>
}
