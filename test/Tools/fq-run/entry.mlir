// Which function is called.

// RUN: not fq-run %s 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: entry.mlir:{{.*}}: error: expected one public function with a body, or --entry, but got 2: 'first', 'second'

// RUN: not fq-run %s --entry third 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: expected --entry to name a public function but got 'third'; public functions: 'first', 'second'

// RUN: not fq-run %s --entry declared 2>&1 | FileCheck %s --check-prefix=DECLARED
// DECLARED: entry.mlir:[[@LINE+11]]:{{[0-9]+}}: error: expected a function with a body as the entry but 'declared' is a declaration; public functions: 'first', 'second'

// RUN: not fq-run %s --entry hidden 2>&1 | FileCheck %s --check-prefix=HIDDEN
// HIDDEN: error: expected a public function as the entry but 'hidden' is private

// RUN: not fq-run %s --entry internal 2>&1 | FileCheck %s --check-prefix=INTERNAL
// INTERNAL: error: expected a public function as the entry but 'internal' is private

// RUN: echo "module {}" | not fq-run - 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: expected one public function with a body, or --entry, but got 0{{$}}

llvm.func @declared(!llvm.ptr)
llvm.func @first(%x: !llvm.ptr) { llvm.return }
llvm.func @_mlir_ciface_first(%x: !llvm.ptr) { llvm.return }
llvm.func @second(%x: !llvm.ptr) { llvm.return }
llvm.func @_mlir_ciface_second(%x: !llvm.ptr) { llvm.return }
llvm.func @hidden() attributes {sym_visibility = "private"} { llvm.return }
llvm.func internal @internal() { llvm.return }
