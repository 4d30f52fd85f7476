//===- InitAll.h - Everything a tool registers ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_INITALL_H
#define FAKEQUANT_INITALL_H

namespace mlir {
class DialectRegistry;

namespace fakequant {

/// Registers the fakequant dialect with its extensions, TensorFlow's dialects
/// as far as the importer reads them, and every upstream dialect and extension
/// that the pipelines use.
void registerAll(DialectRegistry &registry);

/// Registers this project's passes and pipelines, and nothing else, with the
/// global pass registry.
void registerAllPasses();

} // namespace fakequant
} // namespace mlir

#endif // FAKEQUANT_INITALL_H
