// Results are shown, written and compared.

// RUN: rm -rf %t && mkdir -p %t
// RUN: %python %S/make_npy.py %t/x.npy "np.float32([[1, -2, 0.5], [4, 0, 0.1]])"
// RUN: %python %S/make_npy.py %t/y.npy "np.float32([[2, -4, 1], [8, 0, 0.2]])"

// RUN: fq-run %s --input %t/x.npy | FileCheck %s --check-prefix=TABLE
// RUN: fq-run - --input %t/x.npy < %s | FileCheck %s --check-prefix=TABLE
// RUN: fq-opt %s --emit-bytecode -o %t/module.mlirbc
// RUN: fq-run %t/module.mlirbc --input %t/x.npy | FileCheck %s --check-prefix=TABLE

// TABLE:      result type shape min max mean first values
// TABLE-NEXT: 0 f32 2x3 -4 8 1.2 2, -4, 1, 8, 0, 0.2
// TABLE-NOT:  {{.}}

// An empty tensor, and one that is longer than the table.
// RUN: %python %S/make_npy.py %t/empty.npy "np.zeros((0, 3), 'f4')"
// RUN: fq-run %s --input %t/empty.npy | FileCheck %s --check-prefix=EMPTY
// EMPTY: 0 f32 0x3 - - - -{{$}}
// RUN: %python %S/make_npy.py %t/nan.npy "np.float32([[np.nan, 1, 2], [3, 4, 5], [6, 7, 8]])"
// RUN: fq-run %s --input %t/nan.npy | FileCheck %s --check-prefix=NAN
// NAN: 0 f32 3x3 2 16 9 nan, 2, 4, 6, 8, 10, ... (1 NaN)

// With --output there is no table, and NumPy reads the file.
// RUN: fq-run %s --input %t/x.npy --output %t/out.npy | count 0
// RUN: %python -c "import numpy as np, sys; np.testing.assert_array_equal(np.load(sys.argv[1]), np.load(sys.argv[2]))" %t/out.npy %t/y.npy

// RUN: fq-run %s --input %t/x.npy --expect %t/y.npy | FileCheck %s --check-prefix=EQUAL
// EQUAL: result type shape
// EQUAL: result 0: equals '{{.*}}y.npy' bit for bit (6 elements)

// NaN equals NaN, whatever its bits; 0 does not equal -0.
// RUN: %python %S/make_npy.py %t/nan2.npy "-2 * np.load(r'%t/nan.npy') * -1"
// RUN: fq-run %s --input %t/nan.npy --expect %t/nan2.npy | FileCheck %s --check-prefix=EQUAL-NAN
// EQUAL-NAN: bit for bit (9 elements)
// RUN: %python %S/make_npy.py %t/zero.npy "np.float32([[2, -4, 1], [8, -0.0, 0.2]])"
// RUN: not fq-run %s --input %t/x.npy --expect %t/zero.npy 2>&1 >/dev/null | FileCheck %s --check-prefix=ZERO
// ZERO: result 0: 1 of 6 differs from '{{.*}}zero.npy'; first at [1, 1]: got 0, expected -0; largest error 0{{$}}

// RUN: %python %S/make_npy.py %t/off.npy "np.float32([[2, -4.5, 1], [8.25, 0, np.inf]])"
// RUN: not fq-run %s --input %t/x.npy --expect %t/off.npy 2>&1 >/dev/null | FileCheck %s --check-prefix=DIFFER
// DIFFER: result 0: 3 of 6 differ from '{{.*}}off.npy'; first at [0, 1]: got -4, expected -4.5; largest error 0.5 at [0, 1]; 1 pair with a NaN or an infinity

// The tolerance is relative to the largest finite magnitude of the file: 8.25.
// RUN: not fq-run %s --input %t/x.npy --expect %t/off.npy --tolerance 0.05 2>&1 >/dev/null | FileCheck %s --check-prefix=TOLERANCE
// TOLERANCE: result 0: 2 of 6 differ by more than 0.05 * 8.25 from '{{.*}}off.npy'; first at [0, 1]: got -4, expected -4.5; largest error 0.5
// RUN: %python %S/make_npy.py %t/near.npy "np.float32([[2, -4.5, 1], [8.25, 0, 0.2]])"
// RUN: fq-run %s --input %t/x.npy --expect %t/near.npy --tolerance 0.1 | FileCheck %s --check-prefix=WITHIN
// WITHIN: result 0: equals '{{.*}}near.npy' within 0.1 * 8.25 (6 elements); largest error 0.5 at [0, 1]

// A result is written also where it differs, so that it can be looked at.
// RUN: not fq-run %s --input %t/x.npy --expect %t/off.npy --output %t/written.npy
// RUN: cmp %t/written.npy %t/out.npy

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
