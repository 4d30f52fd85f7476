// Times as text and as JSON.

// RUN: rm -rf %t && mkdir -p %t
// RUN: %python %S/make_npy.py %t/x.npy "np.ones((4, 3), 'f4')"
// RUN: %python %S/make_npy.py %t/one.npy "np.ones((4, 3), 'f4')"

// RUN: fq-run %s --input %t/x.npy --output %t/y.npy --repeat 5 --threads 2 | FileCheck %s
// CHECK:      entry    twice
// CHECK-NEXT: compile  {{[0-9.]+}} ms (lowering 0.0, code generation {{[0-9.]+}})
// CHECK-NEXT: call     min {{[0-9.e-]+}} ms, median {{[0-9.e-]+}} ms (5 timed)
// CHECK-NEXT: bytes    96, {{[0-9.e+-]+}} GB/s

// One line, these keys, nothing else; alone it means --repeat 1.
// RUN: fq-run %s --input %t/x.npy --json --repeat 3 > %t/times.json
// RUN: %python -c "import json, sys; d = json.load(open(sys.argv[1])); assert list(d) == ['entry', 'repeat', 'compile_ms', 'min_ms', 'median_ms', 'bytes', 'gb_per_s'], d; assert (d['entry'], d['repeat'], d['bytes']) == ('twice', 3, 96), d; assert 0 < d['min_ms'] <= d['median_ms'], d" %t/times.json
// RUN: fq-run %s --input %t/x.npy --json | FileCheck %s --check-prefix=JSON
// JSON-NOT: {{^[^{]}}
// JSON: {"entry":"twice","repeat":1,"compile_ms":{{[0-9.e-]+}},"min_ms":{{[0-9.e-]+}},"median_ms":{{[0-9.e-]+}},"bytes":96,"gb_per_s":{{[0-9.e+-]+}}}

// A difference is reported on standard error and nothing is timed.
// RUN: not fq-run %s --input %t/x.npy --json --expect %t/one.npy 2> %t/difference | count 0
// RUN: FileCheck %s --check-prefix=DIFFERENCE --input-file %t/difference
// DIFFERENCE: result 0: 12 of 12 differ

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
