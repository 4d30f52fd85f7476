// RUN: fq-opt %s -fq-set-cpu-target="target-cpu=x86-64-v3 target-triple=x86_64-linux-gnu" | FileCheck %s
// RUN: not fq-opt %s -fq-set-cpu-target="target-cpu=no-such-cpu" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not fq-opt %s -fq-set-cpu-target="target-cpu=x86-64 target-triple=x86_64-linux-gnu" 2>&1 | FileCheck %s --check-prefix=BASELINE
// RUN: not fq-opt %s -fq-set-cpu-target="target-cpu=i686 target-triple=x86_64-linux-gnu" 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: not fq-opt %s -fq-set-cpu-target="target-cpu=generic target-triple=riscv64-linux-gnu" 2>&1 | FileCheck %s --check-prefix=FOREIGN

// UNKNOWN: error: target-cpu: expected {{.*}} but got 'no-such-cpu'
// BASELINE: set-cpu-target.mlir:[[#@LINE+13]]:{{.*}}: error: expected a target-cpu that rounds vectors to integral values, x86-64-v2 or later, but got 'x86-64'
// NARROW: error: target-cpu: expected a 64-bit CPU but got 'i686'
// FOREIGN: error: target-triple: expected x86-64 or AArch64 but got 'riscv64

// CHECK: llvm.target_triple = "x86_64-unknown-linux-gnu"
llvm.mlir.global private constant @limit(dense<1.0e-40> : tensor<4xf32>) : !llvm.array<4 x f32>

// CHECK-LABEL: llvm.func @f
// CHECK-SAME: denormal_fp_math = "dynamic,dynamic"
// CHECK-SAME: target_cpu = "x86-64-v3"
llvm.func @f(%p: !llvm.ptr) -> vector<8xf32> {
  %x = llvm.load %p : !llvm.ptr -> vector<8xf32>
  // A folder must not see what the constant holds.
  %y = llvm.intr.floor(%x) : (vector<8xf32>) -> vector<8xf32>
  // CHECK: %[[ADDRESS:.+]] = llvm.mlir.addressof @limit
  // CHECK: %[[HIDDEN:.+]] = llvm.inline_asm "", "=r,0" %[[ADDRESS]]
  // CHECK: llvm.load %[[HIDDEN]]
  %a = llvm.mlir.addressof @limit : !llvm.ptr
  %l = llvm.load %a : !llvm.ptr -> f32
  %i = llvm.mlir.constant(0 : i32) : i32
  %r = llvm.insertelement %l, %y[%i : i32] : vector<8xf32>
  llvm.return %r : vector<8xf32>
}

// CHECK: llvm.func @external()
// CHECK-NOT: target_cpu
llvm.func @external()
