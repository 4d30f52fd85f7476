// --flush-denormals: 2 * (a denormal) is a denormal, or 0.

// RUN: rm -rf %t && mkdir -p %t
// RUN: %python %S/make_npy.py %t/x.npy "np.float32([[1e-40, -1e-40, 1]])"
// RUN: %python %S/make_npy.py %t/y.npy "np.float32(2) * np.load(r'%t/x.npy')"
// RUN: %python %S/make_npy.py %t/flushed.npy "np.float32([[0, -0.0, 2]])"
// RUN: fq-run %s --input %t/x.npy --expect %t/y.npy
// RUN: fq-run %s --input %t/x.npy --expect %t/flushed.npy --flush-denormals
// RUN: not fq-run %s --input %t/x.npy --expect %t/y.npy --flush-denormals

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
