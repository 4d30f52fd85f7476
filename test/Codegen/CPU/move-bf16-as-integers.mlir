// RUN: fq-opt %s -fq-move-bf16-as-integers -canonicalize | FileCheck %s -enable-var-scope
// RUN: fq-opt %s -fq-move-bf16-as-integers -fq-move-bf16-as-integers -canonicalize | FileCheck %s -enable-var-scope

// CHECK-LABEL: llvm.func @moves
// CHECK-SAME:    %[[P:.+]]: !llvm.ptr, %[[C:.+]]: vector<8xi1>, %[[BITS:.+]]: vector<8xi16>
// CHECK-NOT:     bf16
// CHECK:         %[[G:.+]] = llvm.load %[[P]] {alignment = 2 : i64} : !llvm.ptr -> vector<8xi16>
// CHECK:         %[[S:.+]] = llvm.select %[[C]], %[[G]], %[[BITS]] : vector<8xi1>, vector<8xi16>
// CHECK:         llvm.store %[[S]], %[[P]] {alignment = 16 : i64, nontemporal} : vector<8xi16>, !llvm.ptr
// CHECK-NOT:     bf16
// CHECK:         llvm.return
llvm.func @moves(%p: !llvm.ptr, %c: vector<8xi1>, %bits: vector<8xi16>) {
  %g = llvm.load %p {alignment = 2 : i64} : !llvm.ptr -> vector<8xbf16>
  %y = llvm.bitcast %bits : vector<8xi16> to vector<8xbf16>
  %s = llvm.select %c, %g, %y : vector<8xi1>, vector<8xbf16>
  llvm.store %s, %p {alignment = 16 : i64, nontemporal} : vector<8xbf16>, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @masked
// CHECK-SAME:    %[[P:.+]]: !llvm.ptr, %[[M:.+]]: vector<8xi1>
// CHECK:         %[[NOTHING:.+]] = llvm.bitcast %{{.+}} : vector<8xbf16> to vector<8xi16>
// CHECK:         %[[G:.+]] = llvm.intr.masked.load %[[P]], %[[M]], %[[NOTHING]] {alignment = 2 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xi16>) -> vector<8xi16>
// CHECK:         llvm.intr.masked.store %[[G]], %[[P]], %[[M]] {alignment = 2 : i32} : vector<8xi16>, vector<8xi1> into !llvm.ptr
llvm.func @masked(%p: !llvm.ptr, %m: vector<8xi1>) {
  %nothing = llvm.mlir.constant(dense<0.0> : vector<8xbf16>) : vector<8xbf16>
  %g = llvm.intr.masked.load %p, %m, %nothing {alignment = 2 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xbf16>) -> vector<8xbf16>
  llvm.intr.masked.store %g, %p, %m {alignment = 2 : i32} : vector<8xbf16>, vector<8xi1> into !llvm.ptr
  llvm.return
}

// A value used as bf16 elsewhere is cast back.

// CHECK-LABEL: llvm.func @used
// CHECK:         %[[BITS:.+]] = llvm.load %{{.+}} : !llvm.ptr -> i16
// CHECK:         %[[X:.+]] = llvm.bitcast %[[BITS]] : i16 to bf16
// CHECK:         llvm.return %[[X]] : bf16
llvm.func @used(%p: !llvm.ptr) -> bf16 {
  %x = llvm.load %p : !llvm.ptr -> bf16
  llvm.return %x : bf16
}

// CHECK-LABEL: llvm.func @others
// CHECK:         %[[X:.+]] = llvm.load %{{.+}} : !llvm.ptr -> f16
// CHECK:         llvm.store %[[X]], %{{.+}} : f16, !llvm.ptr
llvm.func @others(%p: !llvm.ptr) {
  %x = llvm.load %p : !llvm.ptr -> f16
  llvm.store %x, %p : f16, !llvm.ptr
  llvm.return
}
