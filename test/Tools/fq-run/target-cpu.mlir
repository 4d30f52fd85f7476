// CPUs: names LLVM does not know, and one of another architecture.

// RUN: rm -rf %t && mkdir -p %t
// RUN: %python %S/make_npy.py %t/x.npy "np.ones((4, 3), 'f4')"
// RUN: %python %S/make_npy.py %t/y.npy "2 * np.ones((4, 3), 'f4')"

// RUN: fq-run %s --input %t/x.npy --target-cpu host --expect %t/y.npy
// RUN: not fq-run %s --input %t/x.npy --target-cpu no-such-cpu 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: target-cpu: expected 'host' or a CPU of {{.*}} but got 'no-such-cpu'
// RUN: not fq-run %s --input %t/x.npy --target-cpu help 2>&1 | FileCheck %s --check-prefix=HELP
// HELP: but got 'help'
// RUN: not fq-run %s --input %t/x.npy --target-cpu= 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: but got ''
// RUN: not fq-run %s --input %t/x.npy --target-cpu gfx90a 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: but got 'gfx90a'

llvm.func @twice(%x: !llvm.ptr, %y: !llvm.ptr) attributes {
    tensor_signature = (tensor<?x3xf32>) -> tensor<?x3xf32>,
    result_dims = [array<i64: 0, 0, -1, -1>]} {
  llvm.call @_mlir_ciface_twice(%x, %y) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}

llvm.func @_mlir_ciface_twice(%x: !llvm.ptr, %y: !llvm.ptr) {
  %xField = llvm.getelementptr %x[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %yField = llvm.getelementptr %y[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %rowsField = llvm.getelementptr %x[3] : (!llvm.ptr) -> !llvm.ptr, i64
  %from = llvm.load %xField : !llvm.ptr -> !llvm.ptr
  %to = llvm.load %yField : !llvm.ptr -> !llvm.ptr
  %rows = llvm.load %rowsField : !llvm.ptr -> i64
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %three = llvm.mlir.constant(3 : i64) : i64
  %two = llvm.mlir.constant(2.0 : f32) : f32
  %end = llvm.mul %rows, %three : i64
  llvm.br ^head(%zero : i64)
^head(%i: i64):
  %more = llvm.icmp "slt" %i, %end : i64
  llvm.cond_br %more, ^body, ^exit
^body:
  %a = llvm.getelementptr %from[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %b = llvm.getelementptr %to[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %value = llvm.load %a : !llvm.ptr -> f32
  %product = llvm.fmul %value, %two : f32
  llvm.store %product, %b : f32, !llvm.ptr
  %next = llvm.add %i, %one : i64
  llvm.br ^head(%next : i64)
^exit:
  llvm.return
}
