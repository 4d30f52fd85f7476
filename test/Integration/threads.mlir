// Results are the same bits for any number of threads, streamed or not, for
// vectors of 256 and 512 bits, in both modes for denormals; the data has many.

// RUN: %python -c "import numpy as n; r = n.random.default_rng(11); d = '%t.'; \
// RUN:   [n.save(d + k, (r.normal(0, 2, s) * n.where(r.random(s) < 0.1, 1e-39, 1)).astype('f4')) for k, s in dict(a=(9001, 64), b=(9001, 64), c=(1999, 301), d=(1999, 301), e=(40, 5, 3000), f=(40, 5, 3000), h=(12, 41000), i=(12, 41000), j=(9, 33001), k=(9, 33001)).items()]; \
// RUN:   [n.save(d + 'min%%d' %% c, n.linspace(-2, -1, c).astype('f4')) for c in (64, 301, 5, 12, 33001)]; \
// RUN:   [n.save(d + 'max%%d' %% c, n.linspace(1, 2, c).astype('f4')) for c in (64, 301, 5, 12, 33001)]"

// RUN: fq-opt %s --fakequant-to-llvm -o %t.plain.mlir
// RUN: fq-opt %s --fakequant-to-llvm="threads=openmp streaming-stores=always" -o %t.always.mlir
// RUN: fq-opt %s --fakequant-to-llvm="threads=openmp streaming-stores=never target-cpu=x86-64-v3" -o %t.never.mlir
// RUN: FileCheck %s --input-file=%t.always.mlir

// RUN: %python %S/Inputs/same_bits.py --fq-run fq-run --entry columns --input %t.a.npy --input %t.b.npy --input %t.min64.npy --input %t.max64.npy --results 3 %t.plain.mlir %t.always.mlir:1 %t.always.mlir:3 %t.always.mlir:8 %t.never.mlir:2
// RUN: %python %S/Inputs/same_bits.py --fq-run fq-run --entry odd_rows --input %t.c.npy --input %t.d.npy --input %t.min301.npy --input %t.max301.npy --results 3 %t.plain.mlir %t.always.mlir:1 %t.always.mlir:3 %t.always.mlir:8 %t.never.mlir:2
// RUN: %python %S/Inputs/same_bits.py --fq-run fq-run --entry runs --input %t.e.npy --input %t.f.npy --input %t.min5.npy --input %t.max5.npy --results 3 %t.plain.mlir %t.always.mlir:1 %t.always.mlir:3 %t.always.mlir:8 %t.never.mlir:2
// RUN: %python %S/Inputs/same_bits.py --fq-run fq-run --entry channel_first --input %t.h.npy --input %t.i.npy --input %t.min12.npy --input %t.max12.npy --results 3 %t.plain.mlir %t.always.mlir:1 %t.always.mlir:3 %t.always.mlir:8 %t.never.mlir:2
// RUN: %python %S/Inputs/same_bits.py --fq-run fq-run --entry wide_rows --input %t.j.npy --input %t.k.npy --input %t.min33001.npy --input %t.max33001.npy --results 3 %t.plain.mlir %t.always.mlir:1 %t.always.mlir:3 %t.always.mlir:8 %t.never.mlir:2
// RUN: %python %S/Inputs/same_bits.py --fq-run fq-run --entry forward_channel_first --input %t.h.npy --input %t.min12.npy --input %t.max12.npy --results 1 %t.plain.mlir %t.always.mlir:1 %t.always.mlir:3 %t.always.mlir:8 %t.never.mlir:2
// RUN: %python %S/Inputs/same_bits.py --fq-run fq-run --entry forward --input %t.a.npy --input %t.min64.npy --input %t.max64.npy --results 1 %t.plain.mlir %t.always.mlir:1 %t.always.mlir:3 %t.always.mlir:8 %t.never.mlir:2
// RUN: %python %S/Inputs/same_bits.py --fq-run fq-run --entry flat --input %t.a.npy --results 1 %t.plain.mlir %t.always.mlir:1 %t.always.mlir:3 %t.always.mlir:8 %t.never.mlir:2

// CHECK-LABEL: llvm.func internal @columns_parallel_0(
// CHECK-LABEL: llvm.func @columns(
// CHECK:         omp.parallel {
// CHECK:           omp.wsloop {
// CHECK:             llvm.call @columns_parallel_0(

// RUN: not fq-opt %s --fakequant-to-llvm="threads=two" 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: for the --threads option: Cannot find option named 'two'!

// RUN: not fq-run %s --entry flat --input %t.a.npy --threads 100000 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: --threads: expected at most 1024 but got 100000

func.func @columns(%g: tensor<?x64xf32>, %x: tensor<?x64xf32>, %min: tensor<64xf32>, %max: tensor<64xf32>) -> (tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %g, %x, %min, %max : tensor<?x64xf32>, tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>
  return %dx, %dmin, %dmax : tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>
}

func.func @odd_rows(%g: tensor<1999x301xf32>, %x: tensor<1999x301xf32>, %min: tensor<301xf32>, %max: tensor<301xf32>) -> (tensor<1999x301xf32>, tensor<301xf32>, tensor<301xf32>) {
  %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %g, %x, %min, %max : tensor<1999x301xf32>, tensor<1999x301xf32>, tensor<301xf32>, tensor<301xf32>
  return %dx, %dmin, %dmax : tensor<1999x301xf32>, tensor<301xf32>, tensor<301xf32>
}

func.func @runs(%g: tensor<?x5x?xf32>, %x: tensor<?x5x?xf32>, %min: tensor<5xf32>, %max: tensor<5xf32>) -> (tensor<?x5x?xf32>, tensor<5xf32>, tensor<5xf32>) {
  %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %g, %x, %min, %max {axis = 1} : tensor<?x5x?xf32>, tensor<?x5x?xf32>, tensor<5xf32>, tensor<5xf32>
  return %dx, %dmin, %dmax : tensor<?x5x?xf32>, tensor<5xf32>, tensor<5xf32>
}

// One chunk in the order of sums, which threads share by channels.
func.func @channel_first(%g: tensor<?x?xf32>, %x: tensor<?x?xf32>, %min: tensor<?xf32>, %max: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %g, %x, %min, %max {axis = 0} : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>
  return %dx, %dmin, %dmax : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>
}

func.func @forward_channel_first(%x: tensor<12x41000xf32>, %min: tensor<12xf32>, %max: tensor<12xf32>) -> tensor<12x41000xf32> {
  %y = fakequant.vars_per_channel %x, %min, %max {axis = 0} : tensor<12x41000xf32>, tensor<12xf32>, tensor<12xf32>
  return %y : tensor<12x41000xf32>
}

// And by panels, with a block and a row, and columns that are no whole vector.
func.func @wide_rows(%g: tensor<9x33001xf32>, %x: tensor<9x33001xf32>, %min: tensor<33001xf32>, %max: tensor<33001xf32>) -> (tensor<9x33001xf32>, tensor<33001xf32>, tensor<33001xf32>) {
  %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %g, %x, %min, %max : tensor<9x33001xf32>, tensor<9x33001xf32>, tensor<33001xf32>, tensor<33001xf32>
  return %dx, %dmin, %dmax : tensor<9x33001xf32>, tensor<33001xf32>, tensor<33001xf32>
}

func.func @forward(%x: tensor<?x64xf32>, %min: tensor<64xf32>, %max: tensor<64xf32>) -> tensor<?x64xf32> {
  %y = fakequant.vars_per_channel %x, %min, %max : tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>
  return %y : tensor<?x64xf32>
}

func.func @flat(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %y = fakequant.args %x {min = -1.0, max = 1.5} : tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
