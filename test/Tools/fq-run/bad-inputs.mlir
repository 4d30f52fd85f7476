// Files that cannot be an argument: each is refused with what was expected and
// what was found, and nothing is written.

// RUN: rm -rf %t && mkdir -p %t

// RUN: not fq-run %s --input %t/none.npy --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: input 0: '{{.*}}none.npy': expected a file that can be read but got: No such file or directory

// RUN: %python %S/make_npy.py %t/bad.npy "np.ones((4, 3), 'f4')" --resize -1
// RUN: not fq-run %s --input %t/bad.npy --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: error: input 0: '{{.*}}bad.npy': expected 48 bytes of data for f32[4x3] but got 47

// RUN: %python %S/make_npy.py %t/bad.npy "np.ones((4, 3), 'f4')" --resize 1
// RUN: not fq-run %s --input %t/bad.npy --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=LONG
// LONG: expected 48 bytes of data for f32[4x3] but got 49

// RUN: %python %S/make_npy.py %t/bad.npy "np.ones((4, 3), 'f4')" --resize -100
// RUN: not fq-run %s --input %t/bad.npy --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=HEADER
// HEADER: expected 118 bytes of header but got 66

// RUN: echo "not a tensor" > %t/bad.npy
// RUN: not fq-run %s --input %t/bad.npy --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=MAGIC
// MAGIC: expected a .npy file but got one without NumPy's magic string

// RUN: %python %S/make_npy.py %t/bad.npy "np.asfortranarray(np.ones((4, 3), 'f4'))"
// RUN: not fq-run %s --input %t/bad.npy --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=FORTRAN
// FORTRAN: expected row-major data (C order) but got Fortran order

// RUN: %python %S/make_npy.py %t/bad.npy "np.ones((4, 3), '>f4')"
// RUN: not fq-run %s --input %t/bad.npy --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=ENDIAN
// ENDIAN: expected little-endian data but got the big-endian type '>f4'

// RUN: %python %S/make_npy.py %t/bad.npy "np.ones((4, 3), 'c8')"
// RUN: not fq-run %s --input %t/bad.npy --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=COMPLEX
// COMPLEX: expected an element type out of {{.*}} but got '<c8'

// RUN: %python %S/make_npy.py %t/bad.npy "np.ones((4, 3), 'f8')"
// RUN: not fq-run %s --input %t/bad.npy --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=DTYPE
// DTYPE: error: input 0 ('{{.*}}bad.npy'): expected f32[?x3] but got f64[4x3]

// RUN: %python %S/make_npy.py %t/bad.npy "np.ones((4, 2), 'f4')"
// RUN: not fq-run %s --input %t/bad.npy --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=STATIC
// STATIC: error: input 0 ('{{.*}}bad.npy'): expected f32[?x3] but got f32[4x2]

// RUN: %python %S/make_npy.py %t/bad.npy "np.float32(1)"
// RUN: not fq-run %s --input %t/bad.npy --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: expected f32[?x3] but got f32[]

// RUN: %python %S/make_npy.py %t/x.npy "np.ones((4, 3), 'f4')"
// RUN: not fq-run %s --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: error: --input: expected 1 files, one an argument of 'twice', but got 0
// RUN: not fq-run %s --input %t/x.npy --input %t/x.npy --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: --input: expected 1 files, one an argument of 'twice', but got 2

// RUN: %python %S/make_npy.py %t/bad.npy "np.ones((5, 3), 'f4')"
// RUN: not fq-run %s --input %t/x.npy --output %t/y.npy --expect %t/bad.npy 2>&1 | FileCheck %s --check-prefix=EXPECT
// EXPECT: error: result 0 ('{{.*}}bad.npy'): expected f32[4x3], as the function gives, but got f32[5x3]
// RUN: not fq-run %s --input %t/x.npy --output %t/y.npy --expect %t/none.npy 2>&1 | FileCheck %s --check-prefix=NO-EXPECT
// NO-EXPECT: error: result 0: '{{.*}}none.npy': expected a file that can be read
// RUN: not fq-run %s --input %t/x.npy --output %t/y.npy --expect %t/x.npy --expect %t/x.npy 2>&1 | FileCheck %s --check-prefix=EXPECTS
// EXPECTS: error: --expect: expected 1 files, one a result, but got 2

// RUN: not ls %t/y.npy

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
