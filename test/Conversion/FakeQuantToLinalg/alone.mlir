// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The pass alone, on IR that loads no dialect but ours: the ones it creates are
// its own to load. On any op, and twice.

// RUN: fq-opt %s -convert-fakequant-to-linalg | FileCheck %s
// RUN: fq-opt %s -convert-fakequant-to-linalg -convert-fakequant-to-linalg | FileCheck %s
// RUN: fq-opt %s -pass-pipeline='builtin.module(builtin.module(convert-fakequant-to-linalg))' | FileCheck %s
// RUN: fq-opt %s -pass-pipeline='builtin.module(any(convert-fakequant-to-linalg))' | FileCheck %s

// CHECK-NOT: fakequant.
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK-NOT: fakequant.
module {
  module {
    %x = "builtin.unrealized_conversion_cast"() : () -> tensor<?x4xf32>
    %m = "builtin.unrealized_conversion_cast"() : () -> tensor<4xf32>
    %y = fakequant.args %x : tensor<?x4xf32>
    %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %y, %x, %m, %m : tensor<?x4xf32>, tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
