// RUN: fq-opt %s -fq-expand-narrow-floats -split-input-file | FileCheck %s -enable-var-scope

// f64 to f16 through f32, rounded to odd, so that the second rounding decides.

// CHECK-LABEL: func.func @f64_to_f16
// CHECK-SAME:    %[[X:.+]]: vector<4xf64>
// CHECK-DAG:     %[[ONE:.+]] = arith.constant dense<1> : vector<4xi32>
// CHECK:         %[[NEAREST:.+]] = arith.truncf %[[X]] : vector<4xf64> to vector<4xf32>
// CHECK:         %[[BACK:.+]] = arith.extf %[[NEAREST]] : vector<4xf32> to vector<4xf64>
// CHECK:         %[[INEXACT:.+]] = arith.cmpf one, %[[BACK]], %[[X]]
// CHECK:         %[[AWAY:.+]] = arith.cmpi ugt
// CHECK:         %[[BITS:.+]] = arith.bitcast %[[NEAREST]] : vector<4xf32> to vector<4xi32>
// CHECK:         %[[DOWN:.+]] = arith.andi %[[AWAY]], %[[INEXACT]]
// CHECK:         %[[STEP:.+]] = arith.extui %[[DOWN]]
// CHECK:         %[[ZERO:.+]] = arith.subi %[[BITS]], %[[STEP]]
// CHECK:         %[[ODD:.+]] = arith.ori %[[ZERO]], %[[ONE]]
// CHECK:         %[[CHOSEN:.+]] = arith.select %[[INEXACT]], %[[ODD]], %[[ZERO]]
// CHECK:         %[[F32:.+]] = arith.bitcast %[[CHOSEN]] : vector<4xi32> to vector<4xf32>
// CHECK:         %[[Y:.+]] = arith.truncf %[[F32]] : vector<4xf32> to vector<4xf16>
// CHECK:         return %[[Y]]
func.func @f64_to_f16(%x: vector<4xf64>) -> vector<4xf16> {
  %y = arith.truncf %x : vector<4xf64> to vector<4xf16>
  return %y : vector<4xf16>
}

// -----

// bf16 and f32 by integer operations alone.

// CHECK-LABEL: func.func @bf16(
// CHECK-NOT:     arith.{{extf|truncf}}
// CHECK:         %[[BITS:.+]] = arith.bitcast %{{.+}} : bf16 to i16
// CHECK:         %[[WIDE:.+]] = arith.extui %[[BITS]] : i16 to i32
// CHECK:         %[[SHIFTED:.+]] = arith.shli %[[WIDE]], %{{.+}} : i32
// CHECK:         %[[F32:.+]] = arith.bitcast %[[SHIFTED]] : i32 to f32
// CHECK:         %[[P:.+]] = arith.mulf %[[F32]], %[[F32]] : f32
// CHECK-NOT:     arith.{{extf|truncf}}
// CHECK:         arith.bitcast %{{.+}} : i16 to bf16
func.func @bf16(%x: bf16) -> bf16 {
  %w = arith.extf %x : bf16 to f32
  %p = arith.mulf %w, %w : f32
  %y = arith.truncf %p : f32 to bf16
  return %y : bf16
}

// -----

// CHECK-LABEL: func.func @f64_to_bf16(
// CHECK:         arith.truncf %{{.+}} : f64 to f32
// CHECK-NOT:     arith.truncf
// CHECK:         arith.bitcast %{{.+}} : i16 to bf16
func.func @f64_to_bf16(%x: f64) -> bf16 {
  %y = arith.truncf %x : f64 to bf16
  return %y : bf16
}

// -----

// Arithmetic on bf16 is done in f32 and rounded after each operation, which
// folding must not undo.

// CHECK-LABEL: func.func @arithmetic(
// CHECK-SAME:    %[[X:.+]]: vector<8xbf16>
// CHECK-NOT:     fastmath
// CHECK-NOT:     arith.mulf {{.*}}bf16
// CHECK:         %[[P:.+]] = arith.mulf %{{.+}}, %{{.+}} : vector<8xf32>
// CHECK:         arith.bitcast %[[P]] : vector<8xf32> to vector<8xi32>
// CHECK:         arith.shrui
// CHECK:         arith.trunci {{.*}} : vector<8xi32> to vector<8xi16>
// CHECK:         arith.shli
// CHECK:         arith.addf %{{.+}}, %{{.+}} : vector<8xf32>
// CHECK:         math.floor %{{.+}} : vector<8xf32>
// CHECK:         arith.cmpf olt, %{{.+}}, %{{.+}} : vector<8xf32>
// CHECK:         arith.select %{{.+}} : vector<8xi1>, vector<8xbf16>
func.func @arithmetic(%x: vector<8xbf16>) -> vector<8xbf16> {
  %p = arith.mulf %x, %x : vector<8xbf16>
  %s = arith.addf %p, %x : vector<8xbf16>
  %f = math.floor %s : vector<8xbf16>
  %c = arith.cmpf olt, %f, %x : vector<8xbf16>
  %y = arith.select %c, %x, %f : vector<8xi1>, vector<8xbf16>
  return %y : vector<8xbf16>
}

// -----

// Integers that f32 does not hold go through f64.

// CHECK-LABEL: func.func @integers(
// CHECK-DAG:     arith.sitofp %{{.+}} : i32 to f64
// CHECK-DAG:     arith.uitofp %{{.+}} : i8 to f32
func.func @integers(%i: i32, %j: i8) -> (bf16, bf16) {
  %x = arith.sitofp %i : i32 to bf16
  %y = arith.uitofp %j : i8 to bf16
  return %x, %y : bf16, bf16
}

// -----

// What is exact, or one instruction, stays.

// CHECK-LABEL: func.func @untouched(
// CHECK-NEXT:    arith.truncf %{{.+}} : f64 to f32
// CHECK-NEXT:    arith.truncf %{{.+}} : f32 to f16
// CHECK-NEXT:    arith.extf %{{.+}} : f16 to f32
// CHECK-NEXT:    arith.truncf %{{.+}} to_nearest_even : f64 to f16
// CHECK-NEXT:    arith.mulf %{{.+}}, %{{.+}} : f16
// CHECK-NEXT:    return
func.func @untouched(%d: f64, %f: f32, %h: f16) -> (f32, f16, f32, f16, f16) {
  %0 = arith.truncf %d : f64 to f32
  %1 = arith.truncf %f : f32 to f16
  %2 = arith.extf %h : f16 to f32
  %3 = arith.truncf %d to_nearest_even : f64 to f16
  %4 = arith.mulf %h, %h : f16
  return %0, %1, %2, %3, %4 : f32, f16, f32, f16, f16
}
