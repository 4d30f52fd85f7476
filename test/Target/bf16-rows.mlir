// Rows of no whole vectors, streamed: bf16 needs no library on a CPU that does
// not convert it.

// RUN: fq-opt %s --fakequant-to-llvm="target-triple=x86_64-linux-gnu target-cpu=x86-64-v3 streaming-stores=always" | fq-translate --mlir-to-asm -o %t.s
// RUN: FileCheck %s --input-file=%t.s
// CHECK-LABEL: rows:
// CHECK-NOT: __truncsfbf2
// CHECK: ret

func.func @rows(%x: tensor<16x129xbf16>, %min: tensor<129xbf16>, %max: tensor<129xbf16>) -> tensor<16x129xbf16> {
  %y = fakequant.vars_per_channel %x, %min, %max : tensor<16x129xbf16>, tensor<129xbf16>, tensor<129xbf16>
  return %y : tensor<16x129xbf16>
}
