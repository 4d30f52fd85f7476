// RUN: fq-opt %s -fq-select-masked-products | FileCheck %s -enable-var-scope

// CHECK-LABEL: llvm.func @vectors
// CHECK-SAME:    %[[X:.+]]: vector<16xf32>, %[[C:.+]]: vector<16xi1>
// -0.
// CHECK:         %[[KNOWN:.+]] = llvm.mlir.constant(-2147483648 : i32) : i32
// CHECK:         %[[BITS:.+]] = llvm.inline_asm "", "=r,0" %[[KNOWN]] : (i32) -> i32
// CHECK:         %[[SCALAR:.+]] = llvm.bitcast %[[BITS]] : i32 to f32
// CHECK:         %[[FIRST:.+]] = llvm.insertelement %[[SCALAR]], %{{.+}} : vector<16xf32>
// CHECK:         %[[HIDDEN:.+]] = llvm.shufflevector %[[FIRST]], %{{.+}} [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// CHECK-NOT:     llvm.uitofp
// CHECK:         %[[ZERO:.+]] = llvm.mlir.constant(dense<0.000000e+00> : vector<16xf32>) : vector<16xf32>
// CHECK:         %[[A:.+]] = llvm.fadd %[[X]], %[[HIDDEN]] : vector<16xf32>
// CHECK:         %[[B:.+]] = llvm.fmul %[[X]], %[[ZERO]] : vector<16xf32>
// CHECK:         %[[Y:.+]] = llvm.select %[[C]], %[[A]], %[[B]] : vector<16xi1>, vector<16xf32>
// CHECK:         llvm.return %[[Y]]
llvm.func @vectors(%x: vector<16xf32>, %c: vector<16xi1>) -> vector<16xf32> {
  %m = llvm.uitofp %c : vector<16xi1> to vector<16xf32>
  %y = llvm.fmul %x, %m : vector<16xf32>
  llvm.return %y : vector<16xf32>
}

// The mask may stand on the left and have other uses, and the type be f64.

// CHECK-LABEL: llvm.func @scalars
// CHECK-SAME:    %[[X:.+]]: f64, %[[C:.+]]: i1, %[[D:.+]]: i1
// CHECK:         %[[BITS:.+]] = llvm.inline_asm "", "=r,0" %{{.+}} : (i64) -> i64
// CHECK:         %[[HIDDEN:.+]] = llvm.bitcast %[[BITS]] : i64 to f64
// CHECK-NOT:     llvm.inline_asm
// CHECK:         %[[M:.+]] = llvm.uitofp %[[C]]
// CHECK:         llvm.fadd %[[X]], %[[HIDDEN]]
// CHECK:         llvm.select %[[C]], %{{.+}}, %{{.+}} : i1, f64
// CHECK:         llvm.fadd %[[X]], %[[HIDDEN]]
// CHECK:         llvm.select %[[D]], %{{.+}}, %{{.+}} : i1, f64
// CHECK:         llvm.fadd %{{.+}}, %[[M]]
llvm.func @scalars(%x: f64, %c: i1, %d: i1) -> f64 {
  %m = llvm.uitofp %c : i1 to f64
  %y = llvm.fmul %m, %x : f64
  %n = llvm.uitofp %d : i1 to f64
  %z = llvm.fmul %x, %n : f64
  %0 = llvm.fadd %y, %z : f64
  %1 = llvm.fadd %0, %m : f64
  llvm.return %1 : f64
}

// Other factors, f16, and vectors whose length is not known stay.

// CHECK-LABEL: llvm.func @other_factors
// CHECK:         llvm.uitofp
// CHECK:         llvm.fmul %{{.+}}, %{{.+}} : f32
// CHECK:         llvm.fmul %{{.+}}, %{{.+}} : f16
// CHECK:         llvm.fmul %{{.+}}, %{{.+}} : vector<[4]xf32>
// CHECK-NOT:     llvm.select
llvm.func @other_factors(%s: vector<[4]xf32>, %t: vector<[4]xi1>, %x: f32, %i: i8, %h: f16, %c: i1) -> !llvm.struct<(f32, f16)> {
  %m = llvm.uitofp %i : i8 to f32
  %y = llvm.fmul %x, %m : f32
  %n = llvm.uitofp %c : i1 to f16
  %z = llvm.fmul %h, %n : f16
  %o = llvm.uitofp %t : vector<[4]xi1> to vector<[4]xf32>
  %p = llvm.fmul %s, %o : vector<[4]xf32>
  %0 = llvm.mlir.undef : !llvm.struct<(f32, f16)>
  %1 = llvm.insertvalue %y, %0[0] : !llvm.struct<(f32, f16)>
  %2 = llvm.insertvalue %z, %1[1] : !llvm.struct<(f32, f16)>
  llvm.return %2 : !llvm.struct<(f32, f16)>
}
