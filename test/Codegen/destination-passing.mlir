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

// expected-error @+1 {{expected ranked tensors in the signature of an entry but got 'tensor<*xf32>'}}
func.func @unranked(%x: tensor<*xf32>) {
  return
}
