// RUN: fq-opt %s -split-input-file -fq-destination-passing -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @entry
// CHECK-SAME:    %[[X:.+]]: tensor<?x4xf32> {bufferization.writable = false}
// CHECK-SAME:    %[[G:.+]]: tensor<?x4xf32> {bufferization.writable = true}
// CHECK-SAME:    %[[OUT:.+]]: memref<?x4xf32>)
// CHECK-NOT:     ->
// CHECK-SAME:    equal_dims = array<i64: 0, 0, 1, 0>
// CHECK-SAME:    llvm.emit_c_interface
// CHECK-SAME:    result_dims = [array<i64: 0, 0, -1, -1>]
// CHECK-SAME:    tensor_signature = (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
func.func @entry(%x: tensor<?x4xf32>, %g: tensor<?x4xf32> {bufferization.writable = true}) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%d) : tensor<?x4xf32>
  // CHECK: %[[R:.+]] = linalg.add
  %r = linalg.add ins(%x, %g : tensor<?x4xf32>, tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  // CHECK: bufferization.materialize_in_destination %[[R]] in restrict writable %[[OUT]]
  // CHECK: return
  return %r : tensor<?x4xf32>
}

// -----

// Callers inside the module keep a private copy; scalar results stay.

// CHECK-LABEL: func.func @callee
// CHECK-SAME:    memref<2xf32>) -> f32
func.func @callee(%x: tensor<2xf32>, %s: f32) -> (tensor<2xf32>, f32) {
  // CHECK: return %{{.+}} : f32
  return %x, %s : tensor<2xf32>, f32
}
// CHECK: func.func @caller
func.func @caller(%x: tensor<2xf32>, %s: f32) -> tensor<2xf32> {
  // CHECK: call @[[COPY:.+]](%
  %0:2 = func.call @callee(%x, %s) : (tensor<2xf32>, f32) -> (tensor<2xf32>, f32)
  return %0#0 : tensor<2xf32>
}
// CHECK: func.func private @[[COPY]](%{{.+}}: tensor<2xf32>, %{{.+}}: f32) -> (tensor<2xf32>, f32)

// -----

// A size that only a cast knows must hold for the argument.

// CHECK-LABEL: func.func @cast
// CHECK-SAME: equal_dims = array<i64: 0, 0, -1, 4>
// CHECK-SAME: result_dims = [array<i64: -1, 4>]
func.func @cast(%x: tensor<?xf32>) -> tensor<?xf32> {
  %s = tensor.cast %x : tensor<?xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.exp ins(%s : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %d = tensor.cast %r : tensor<4xf32> to tensor<?xf32>
  return %d : tensor<?xf32>
}

// -----

// Returns that differ in a size leave it unknown.

// CHECK-LABEL: func.func @two_returns
// CHECK-SAME: result_dims = [array<i64: -1, -1>, array<i64: 1, 0>]
func.func @two_returns(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: i1) -> (tensor<?xf32>, tensor<?xf32>) {
  cf.cond_br %c, ^first, ^second
^first:
  return %a, %b : tensor<?xf32>, tensor<?xf32>
^second:
  return %b, %b : tensor<?xf32>, tensor<?xf32>
}

// -----

// A returned cast says a size too.

// CHECK-LABEL: func.func @returned_cast
// CHECK-SAME: equal_dims = array<i64: 0, 0, -1, 8>
func.func @returned_cast(%a: tensor<?xf32>) -> tensor<8xf32> {
  %r = tensor.cast %a : tensor<?xf32> to tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// What a called function needs of its operands.

// CHECK-LABEL: func.func @calls
// CHECK-SAME: equal_dims = array<i64: 0, 0, 1, 0>
func.func @calls(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  %r = func.call @adds(%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}
func.func private @adds(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %a, %c0 : tensor<?xf32>
  %empty = tensor.empty(%size) : tensor<?xf32>
  %r = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// A function that never returns.

// CHECK-LABEL: func.func @endless
// CHECK-SAME: result_dims = [array<i64: -1, -1>]
func.func @endless(%a: tensor<?xf32>) -> tensor<?xf32> {
  cf.br ^loop
^loop:
  cf.br ^loop
}

// -----

// expected-error @+1 {{expected ranked tensors in the signature of an entry but got 'tensor<*xf32>'}}
func.func @unranked(%x: tensor<*xf32>) {
  return
}
