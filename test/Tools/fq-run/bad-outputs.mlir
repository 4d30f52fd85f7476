// Paths that cannot be written are refused before anything is computed, and
// nothing half-written stays.

// RUN: rm -rf %t && mkdir -p %t/out
// RUN: %python %S/make_npy.py %t/x.npy "np.ones((4, 3), 'f4')"

// RUN: not fq-run %s --input %t/x.npy --output %t/none/y.npy 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: '{{.*}}none/y.npy': expected a path that can be written but got: the folder '{{.*}}none' does not exist

// RUN: not fq-run %s --input %t/x.npy --output %t/out 2>&1 | FileCheck %s --check-prefix=IS-FOLDER
// IS-FOLDER: expected a path that can be written but got: a folder

// RUN: not fq-run %s --input %t/x.npy --output %t/x.npy/y.npy 2>&1 | FileCheck %s --check-prefix=IS-FILE
// IS-FILE: expected a path that can be written but got: the folder '{{.*}}x.npy' does not exist

// RUN: not fq-run %s --input %t/x.npy --output %t/out/y.npy --output %t/out/../out/y.npy 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: expected a path that can be written but got: the same file for two results

// RUN: not fq-run %s --input %t/x.npy --output %t/out/y.npy --output %t/out/z.npy 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: error: --output: expected 1 files, one a result, but got 2

// RUN: ls %t/out | count 0

// The device is full only when it is written to.
// RUN: not fq-run %s --input %t/x.npy --output /dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: error: '/dev/full': expected a path that can be written but got: No space left on device

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
