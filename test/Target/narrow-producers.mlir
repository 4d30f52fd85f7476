// Arithmetic of a producer in bf16, fused into an op: in f32, with a rounding
// after each operation by integer instructions, on CPUs with instructions for
// bf16 (which flush) and without (where LLVM would call a library).

// RUN: fq-opt %s --fakequant-to-llvm="target-triple=x86_64-linux-gnu target-cpu=x86-64-v3" | fq-translate --mlir-to-asm -o %t.v3.s
// RUN: fq-opt %s --fakequant-to-llvm="target-triple=x86_64-linux-gnu target-cpu=sapphirerapids" | fq-translate --mlir-to-asm -o %t.spr.s
// RUN: fq-opt %s --fakequant-to-llvm="target-triple=aarch64-linux-gnu target-cpu=neoverse-v1" | fq-translate --mlir-to-asm -o %t.v1.s
// RUN: grep -E "call|vcvtne" %t.v3.s %t.spr.s | not grep -vE "callq[[:space:]]+(f$|f@PLT|mem(set|cpy))"
// RUN: grep -E "[[:space:]](bl|bfcvt.*)[[:space:]]" %t.v1.s | not grep -vE "bl[[:space:]]+(f$|mem(set|cpy))"
// RUN: FileCheck %s --input-file=%t.v3.s

// CHECK:      f:
// CHECK:      Loop Header
// CHECK:      vmulps {{.*}}%ymm
// CHECK:      vpsrld $16, {{.*}}%ymm
// CHECK:      vroundps {{.*}}%ymm

#id = affine_map<(d0, d1) -> (d0, d1)>

func.func @f(%x: tensor<?x24xbf16>, %min: tensor<24xf32>, %max: tensor<24xf32>) -> tensor<?x24xbf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : bf16
  %d = tensor.dim %x, %c0 : tensor<?x24xbf16>
  %e = tensor.empty(%d) : tensor<?x24xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x24xbf16>) outs(%e : tensor<?x24xbf16>) {
  ^bb0(%a: bf16, %b: bf16):
    %m = arith.maximumf %a, %zero : bf16
    %s = arith.mulf %m, %m : bf16
    linalg.yield %s : bf16
  } -> tensor<?x24xbf16>
  %y = fakequant.vars_per_channel %r, %min, %max : tensor<?x24xbf16>, tensor<24xf32>, tensor<24xf32>
  return %y : tensor<?x24xbf16>
}
