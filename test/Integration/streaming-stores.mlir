// Results are the same bits whether they bypass the caches or not: rows that
// fill vectors and rows that do not, columns, runs, and a flat op.

// RUN: %python -c "import numpy as n; r = n.random.default_rng(7); d = '%t.'; \
// RUN:   [n.save(d + k, r.normal(0, 2, s).astype('f4')) for k, s in dict(a=(301, 64), b=(301, 64), c=(77, 100), d=(77, 100), e=(3, 5, 48), f=(3, 5, 48), g=(3, 5, 50), h=(3, 5, 50)).items()]; \
// RUN:   [n.save(d + 'min%%d' %% c, n.linspace(-2, -1, c).astype('f4')) for c in (64, 100, 5)]; \
// RUN:   [n.save(d + 'max%%d' %% c, n.linspace(1, 2, c).astype('f4')) for c in (64, 100, 5)]"

// RUN: fq-opt %s --fakequant-to-llvm="streaming-stores=never" -o %t.never.mlir
// RUN: fq-opt %s --fakequant-to-llvm="streaming-stores=always" -o %t.always.mlir
// RUN: FileCheck %s --input-file=%t.always.mlir
// RUN: FileCheck %s --input-file=%t.never.mlir --check-prefix=NEVER

// RUN: fq-run %t.never.mlir --entry columns --input %t.a.npy --input %t.b.npy --input %t.min64.npy --input %t.max64.npy --output %t.dx.npy --output %t.dmin.npy --output %t.dmax.npy
// RUN: fq-run %t.always.mlir --entry columns --input %t.a.npy --input %t.b.npy --input %t.min64.npy --input %t.max64.npy --expect %t.dx.npy --expect %t.dmin.npy --expect %t.dmax.npy
// RUN: fq-run %t.never.mlir --entry copied_columns --input %t.c.npy --input %t.d.npy --input %t.min100.npy --input %t.max100.npy --output %t.dx.npy --output %t.dmin.npy --output %t.dmax.npy
// RUN: fq-run %t.always.mlir --entry copied_columns --input %t.c.npy --input %t.d.npy --input %t.min100.npy --input %t.max100.npy --expect %t.dx.npy --expect %t.dmin.npy --expect %t.dmax.npy
// RUN: fq-run %t.never.mlir --entry runs --input %t.e.npy --input %t.f.npy --input %t.min5.npy --input %t.max5.npy --output %t.dx.npy --output %t.dmin.npy --output %t.dmax.npy
// RUN: fq-run %t.always.mlir --entry runs --input %t.e.npy --input %t.f.npy --input %t.min5.npy --input %t.max5.npy --expect %t.dx.npy --expect %t.dmin.npy --expect %t.dmax.npy
// RUN: fq-run %t.never.mlir --entry runs --input %t.g.npy --input %t.h.npy --input %t.min5.npy --input %t.max5.npy --output %t.dx.npy --output %t.dmin.npy --output %t.dmax.npy
// RUN: fq-run %t.always.mlir --entry runs --input %t.g.npy --input %t.h.npy --input %t.min5.npy --input %t.max5.npy --expect %t.dx.npy --expect %t.dmin.npy --expect %t.dmax.npy
// RUN: fq-run %t.never.mlir --entry flat --input %t.c.npy --output %t.y.npy
// RUN: fq-run %t.always.mlir --entry flat --input %t.c.npy --expect %t.y.npy

// RUN: not fq-opt %s --fakequant-to-llvm="streaming-stores=often" 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: expected streaming-stores to be auto, always or never but got 'often'

// CHECK: llvm.store {{.*}} {alignment = {{[0-9]+}} : i64, nontemporal}
// CHECK: llvm.fence seq_cst
// NEVER-NOT: nontemporal
// NEVER-NOT: llvm.fence

func.func @columns(%g: tensor<?x64xf32>, %x: tensor<?x64xf32>, %min: tensor<64xf32>, %max: tensor<64xf32>) -> (tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %g, %x, %min, %max : tensor<?x64xf32>, tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>
  return %dx, %dmin, %dmax : tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>
}

func.func @copied_columns(%g: tensor<?x100xf32>, %x: tensor<?x100xf32>, %min: tensor<100xf32>, %max: tensor<100xf32>) -> (tensor<?x100xf32>, tensor<100xf32>, tensor<100xf32>) {
  %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %g, %x, %min, %max : tensor<?x100xf32>, tensor<?x100xf32>, tensor<100xf32>, tensor<100xf32>
  return %dx, %dmin, %dmax : tensor<?x100xf32>, tensor<100xf32>, tensor<100xf32>
}

func.func @runs(%g: tensor<?x5x?xf32>, %x: tensor<?x5x?xf32>, %min: tensor<5xf32>, %max: tensor<5xf32>) -> (tensor<?x5x?xf32>, tensor<5xf32>, tensor<5xf32>) {
  %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %g, %x, %min, %max {axis = 1} : tensor<?x5x?xf32>, tensor<?x5x?xf32>, tensor<5xf32>, tensor<5xf32>
  return %dx, %dmin, %dmax : tensor<?x5x?xf32>, tensor<5xf32>, tensor<5xf32>
}

func.func @flat(%x: tensor<?x100xf32>) -> tensor<?x100xf32> {
  %y = fakequant.args %x {min = -1.0, max = 1.5} : tensor<?x100xf32>
  return %y : tensor<?x100xf32>
}
