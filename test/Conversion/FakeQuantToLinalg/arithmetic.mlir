// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The contract's formulas, operation by operation (see docs/numerics.md). An op
// more, an op less or another order is another answer.

// RUN: fq-opt %s -convert-fakequant-to-linalg -cse -split-input-file \
// RUN:   | FileCheck %s -enable-var-scope -implicit-check-not=fastmath

// CHECK-LABEL: func.func @vars(
func.func @vars(%x: tensor<?xf32>, %min: tensor<f32>, %max: tensor<f32>) -> tensor<?xf32> {
  // CHECK:      ^bb0(%[[MIN:[^:]+]]: f32, %[[MAX:[^:]+]]: f32, {{.+}}):
  // CHECK-NEXT:   %[[QMIN:.+]] = arith.constant 0.000000e+00 : f32
  // CHECK-NEXT:   %[[QMAX:.+]] = arith.constant 1.500000e+01 : f32
  // CHECK-NEXT:   %[[WIDTH:.+]] = arith.subf %[[MAX]], %[[MIN]] : f32
  // CHECK-NEXT:   %[[SCALE:.+]] = arith.divf %[[WIDTH]], %[[QMAX]] : f32
  // CHECK-NEXT:   %[[INV:.+]] = arith.divf %[[QMAX]], %[[WIDTH]] : f32
  // CHECK-NEXT:   %[[OFFSET:.+]] = arith.divf %[[MIN]], %[[SCALE]] : f32
  // CHECK-NEXT:   %[[Z:.+]] = arith.subf %[[QMIN]], %[[OFFSET]] : f32
  // CHECK-NEXT:   %[[ROUND:.+]] = math.round %[[Z]] : f32
  // CHECK-NEXT:   %[[LOW:.+]] = arith.cmpf olt, %[[Z]], %[[QMIN]] : f32
  // CHECK-NEXT:   %[[HIGH:.+]] = arith.cmpf ogt, %[[Z]], %[[QMAX]] : f32
  // CHECK-NEXT:   %[[NOT_LOW:.+]] = arith.select %[[HIGH]], %[[QMAX]], %[[ROUND]] : f32
  // CHECK-NEXT:   %[[ZP:.+]] = arith.select %[[LOW]], %[[QMIN]], %[[NOT_LOW]] : f32
  // CHECK-NEXT:   %[[STEPS_BELOW:.+]] = arith.subf %[[QMIN]], %[[ZP]] : f32
  // CHECK-NEXT:   %[[NUDGED_MIN:.+]] = arith.mulf %[[STEPS_BELOW]], %[[SCALE]] : f32
  // CHECK-NEXT:   %[[STEPS_ABOVE:.+]] = arith.subf %[[QMAX]], %[[ZP]] : f32
  // CHECK-NEXT:   %[[NUDGED_MAX:.+]] = arith.mulf %[[STEPS_ABOVE]], %[[SCALE]] : f32
  // CHECK-NEXT:   %[[NEG:.+]] = arith.negf %[[NUDGED_MIN]] : f32
  // CHECK-NEXT:   %[[ZERO_STEPS:.+]] = arith.mulf %[[NEG]], %[[INV]] : f32
  // CHECK-NEXT:   %[[HALF:.+]] = arith.constant 5.000000e-01 : f32
  // CHECK-NEXT:   %[[SHIFTED:.+]] = arith.addf %[[ZERO_STEPS]], %[[HALF]] : f32
  // CHECK-NEXT:   %[[Q0:.+]] = math.floor %[[SHIFTED]] : f32
  // CHECK-NEXT:   %[[MIN_ZERO:.+]] = arith.cmpf oeq, %[[MIN]], %[[QMIN]] : f32
  // CHECK-NEXT:   %[[MAX_ZERO:.+]] = arith.cmpf oeq, %[[MAX]], %[[QMIN]] : f32
  // CHECK-NEXT:   %[[BOTH:.+]] = arith.andi %[[MIN_ZERO]], %[[MAX_ZERO]] : i1
  // CHECK-NEXT:   %[[ZERO_RANGE:.+]] = arith.uitofp %[[BOTH]] : i1 to f32
  // The step that the element divides by is the scale.
  // CHECK-NEXT:   linalg.yield %[[NUDGED_MIN]], %[[NUDGED_MAX]], %[[SCALE]], %[[Q0]], %[[SCALE]], %[[ZERO_RANGE]] :

  // CHECK:      ^bb0(%[[X:[^:]+]]: f32, %[[NMIN:[^:]+]]: f32, %[[NMAX:[^:]+]]: f32, %[[STEP:[^:]+]]: f32, %[[P3:[^:]+]]: f32, %[[P4:[^:]+]]: f32, %[[P5:[^:]+]]: f32, %{{[^:]+}}: f32):
  // CHECK-NEXT:   %[[ABOVE:.+]] = arith.cmpf ogt, %[[X]], %[[NMAX]] : f32
  // CHECK-NEXT:   %[[T:.+]] = arith.select %[[ABOVE]], %[[NMAX]], %[[X]] : f32
  // CHECK-NEXT:   %[[BELOW:.+]] = arith.cmpf olt, %[[T]], %[[NMIN]] : f32
  // CHECK-NEXT:   %[[C:.+]] = arith.select %[[BELOW]], %[[NMIN]], %[[T]] : f32
  // CHECK-NEXT:   %[[DISTANCE:.+]] = arith.subf %[[C]], %[[NMIN]] : f32
  // CHECK-NEXT:   %[[STEPS:.+]] = arith.divf %[[DISTANCE]], %[[STEP]] : f32
  // CHECK-NEXT:   %[[FROM_ZERO:.+]] = arith.subf %[[STEPS]], %[[P3]] : f32
  // CHECK-NEXT:   %[[ELEMENT_HALF:.+]] = arith.constant 5.000000e-01 : f32
  // CHECK-NEXT:   %[[PLUS_HALF:.+]] = arith.addf %[[FROM_ZERO]], %[[ELEMENT_HALF]] : f32
  // CHECK-NEXT:   %[[LEVEL:.+]] = math.floor %[[PLUS_HALF]] : f32
  // CHECK-NEXT:   %[[Y:.+]] = arith.mulf %[[LEVEL]], %[[P4]] : f32
  // CHECK-NEXT:   %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
  // CHECK-NEXT:   %[[IS_ZERO_RANGE:.+]] = arith.cmpf une, %[[P5]], %[[ZERO]] : f32
  // CHECK-NEXT:   %[[RESULT:.+]] = arith.select %[[IS_ZERO_RANGE]], %[[ZERO]], %[[Y]] : f32
  // CHECK-NEXT:   linalg.yield %[[RESULT]] : f32
  %y = fakequant.vars %x, %min, %max {num_bits = 4} : tensor<?xf32>, tensor<f32>, tensor<f32>
  return %y : tensor<?xf32>
}

// -----

// Args and per channel multiply by the inverse; a narrow range starts at 1 and
// has a step less. A constant range is never zero.
// CHECK-LABEL: func.func @args_narrow(
func.func @args_narrow(%x: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK:      ^bb0(%[[MIN:[^:]+]]: f32, %[[MAX:[^:]+]]: f32, {{.+}}):
  // CHECK-DAG:    %[[QMIN:.+]] = arith.constant 1.000000e+00 : f32
  // CHECK-DAG:    %[[QMAX:.+]] = arith.constant 2.550000e+02 : f32
  // CHECK-DAG:    %[[STEPS:.+]] = arith.constant 2.540000e+02 : f32
  // CHECK:        %[[WIDTH:.+]] = arith.subf %[[MAX]], %[[MIN]] : f32
  // CHECK-NEXT:   %[[SCALE:.+]] = arith.divf %[[WIDTH]], %[[STEPS]] : f32
  // CHECK-NEXT:   %[[INV:.+]] = arith.divf %[[STEPS]], %[[WIDTH]] : f32
  // CHECK-NEXT:   %[[OFFSET:.+]] = arith.divf %[[MIN]], %[[SCALE]] : f32
  // CHECK-NEXT:   %[[Z:.+]] = arith.subf %[[QMIN]], %[[OFFSET]] : f32
  // CHECK:        arith.cmpf olt, %[[Z]], %[[QMIN]] : f32
  // CHECK:        arith.cmpf ogt, %[[Z]], %[[QMAX]] : f32
  // CHECK:        %[[Q0:.+]] = math.floor
  // CHECK-NEXT:   linalg.yield %{{.+}}, %{{.+}}, %[[INV]], %[[Q0]], %[[SCALE]] : f32, f32, f32, f32, f32

  // CHECK:      ^bb0(%[[X:[^:]+]]: f32, %[[NMIN:[^:]+]]: f32, %[[NMAX:[^:]+]]: f32, %[[STEP:[^:]+]]: f32, %[[P3:[^:]+]]: f32, %[[P4:[^:]+]]: f32, %{{[^:]+}}: f32):
  // CHECK:        %[[DISTANCE:.+]] = arith.subf %{{.+}}, %[[NMIN]] : f32
  // CHECK-NEXT:   %[[COUNT:.+]] = arith.mulf %[[DISTANCE]], %[[STEP]] : f32
  // CHECK-NEXT:   arith.subf %[[COUNT]], %[[P3]] : f32
  // CHECK:        %[[LEVEL:.+]] = math.floor
  // CHECK-NEXT:   %[[Y:.+]] = arith.mulf %[[LEVEL]], %[[P4]] : f32
  // CHECK-NEXT:   linalg.yield %[[Y]] : f32
  %y = fakequant.args %x {narrow_range = true} : tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @vars_per_channel(
func.func @vars_per_channel(%x: tensor<?x3xf32>, %min: tensor<3xf32>, %max: tensor<3xf32>) -> tensor<?x3xf32> {
  // CHECK:      %[[QMAX:.+]] = arith.constant 6.553500e+04 : f32
  // CHECK-NEXT: %[[WIDTH:.+]] = arith.subf
  // CHECK-NEXT: %[[SCALE:.+]] = arith.divf %[[WIDTH]], %[[QMAX]] : f32
  // CHECK-NEXT: %[[INV:.+]] = arith.divf %[[QMAX]], %[[WIDTH]] : f32
  // CHECK:      linalg.yield %{{.+}}, %{{.+}}, %[[INV]], %{{.+}}, %[[SCALE]], %{{.+}} :
  // CHECK:      %[[DISTANCE:.+]] = arith.subf
  // CHECK-NEXT: arith.mulf %[[DISTANCE]],
  %y = fakequant.vars_per_channel %x, %min, %max {num_bits = 16} : tensor<?x3xf32>, tensor<3xf32>, tensor<3xf32>
  return %y : tensor<?x3xf32>
}

// -----

// The mask is a factor, not a select of 1 and 0, so that NaN and infinite
// gradients behave as in TensorFlow.
// CHECK-LABEL: func.func @gradient(
func.func @gradient(%g: tensor<?x3xf32>, %x: tensor<?x3xf32>, %min: tensor<3xf32>, %max: tensor<3xf32>)
    -> (tensor<?x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  // CHECK:      linalg.yield %{{.+}}, %{{.+}}, %{{.+}} : f32, f32, f32
  // CHECK:      ^bb0(%[[G:[^:]+]]: f32, %[[X:[^:]+]]: f32, %[[MIN:[^:]+]]: f32, %[[MAX:[^:]+]]: f32, %[[P2:[^:]+]]: f32, %{{[^:]+}}: f32, %[[SUM_MIN:[^:]+]]: f64, %[[SUM_MAX:[^:]+]]: f64):
  // CHECK-NEXT:   %[[GE:.+]] = arith.cmpf oge, %[[X]], %[[MIN]] : f32
  // CHECK-NEXT:   %[[LE:.+]] = arith.cmpf ole, %[[X]], %[[MAX]] : f32
  // CHECK-NEXT:   %[[INSIDE:.+]] = arith.andi %[[GE]], %[[LE]] : i1
  // CHECK-NEXT:   %[[INSIDE_MASK:.+]] = arith.uitofp %[[INSIDE]] : i1 to f32
  // CHECK-NEXT:   %[[DX:.+]] = arith.mulf %[[G]], %[[INSIDE_MASK]] : f32
  // CHECK-NEXT:   %[[BELOW:.+]] = arith.cmpf olt, %[[X]], %[[MIN]] : f32
  // CHECK-NEXT:   %[[BELOW_MASK:.+]] = arith.uitofp %[[BELOW]] : i1 to f32
  // CHECK-NEXT:   %[[DMIN:.+]] = arith.mulf %[[G]], %[[BELOW_MASK]] : f32
  // CHECK-NEXT:   %[[ABOVE:.+]] = arith.cmpf ogt, %[[X]], %[[MAX]] : f32
  // CHECK-NEXT:   %[[ABOVE_MASK:.+]] = arith.uitofp %[[ABOVE]] : i1 to f32
  // CHECK-NEXT:   %[[DMAX:.+]] = arith.mulf %[[G]], %[[ABOVE_MASK]] : f32
  // CHECK-NEXT:   %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
  // CHECK-NEXT:   %[[PASSES:.+]] = arith.cmpf une, %[[P2]], %[[ZERO]] : f32
  // CHECK-NEXT:   %[[DX_OUT:.+]] = arith.select %[[PASSES]], %[[G]], %[[DX]] : f32
  // CHECK-NEXT:   %[[DMIN_OUT:.+]] = arith.select %[[PASSES]], %[[ZERO]], %[[DMIN]] : f32
  // CHECK-NEXT:   %[[DMAX_OUT:.+]] = arith.select %[[PASSES]], %[[ZERO]], %[[DMAX]] : f32
  // Each addend is widened, then added: sum first.
  // CHECK-NEXT:   %[[DMIN_WIDE:.+]] = arith.extf %[[DMIN_OUT]] : f32 to f64
  // CHECK-NEXT:   %[[NEW_MIN:.+]] = arith.addf %[[SUM_MIN]], %[[DMIN_WIDE]] : f64
  // CHECK-NEXT:   %[[DMAX_WIDE:.+]] = arith.extf %[[DMAX_OUT]] : f32 to f64
  // CHECK-NEXT:   %[[NEW_MAX:.+]] = arith.addf %[[SUM_MAX]], %[[DMAX_WIDE]] : f64
  // CHECK-NEXT:   linalg.yield %[[DX_OUT]], %[[NEW_MIN]], %[[NEW_MAX]] : f32, f64, f64
  %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %g, %x, %min, %max : tensor<?x3xf32>, tensor<?x3xf32>, tensor<3xf32>, tensor<3xf32>
  return %dx, %dmin, %dmax : tensor<?x3xf32>, tensor<3xf32>, tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @args_gradient(
func.func @args_gradient(%g: tensor<?xf32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK:      linalg.yield %{{.+}}, %{{.+}} : f32, f32
  // CHECK:      ^bb0(%[[G:[^:]+]]: f32, %[[X:[^:]+]]: f32, %[[MIN:[^:]+]]: f32, %[[MAX:[^:]+]]: f32, %{{[^:]+}}: f32):
  // CHECK-NEXT:   %[[GE:.+]] = arith.cmpf oge, %[[X]], %[[MIN]] : f32
  // CHECK-NEXT:   %[[LE:.+]] = arith.cmpf ole, %[[X]], %[[MAX]] : f32
  // CHECK-NEXT:   %[[INSIDE:.+]] = arith.andi %[[GE]], %[[LE]] : i1
  // CHECK-NEXT:   %[[MASK:.+]] = arith.uitofp %[[INSIDE]] : i1 to f32
  // CHECK-NEXT:   %[[DX:.+]] = arith.mulf %[[G]], %[[MASK]] : f32
  // CHECK-NEXT:   linalg.yield %[[DX]] : f32
  %dx = fakequant.args_gradient %g, %x : tensor<?xf32>, tensor<?xf32>
  return %dx : tensor<?xf32>
}
