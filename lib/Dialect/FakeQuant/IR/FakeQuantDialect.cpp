//===- FakeQuantDialect.cpp - Dialect registration and versions -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fakequant/Dialect/FakeQuant/IR/FakeQuant.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fakequant;

#include "fakequant/Dialect/FakeQuant/IR/FakeQuantDialect.cpp.inc"

namespace {

struct Version : public DialectVersion {
  Version(uint64_t major, uint64_t minor) : major(major), minor(minor) {}
  uint64_t major, minor;
};

/// Records the dialect's version in bytecode and refuses what a later major
/// version wrote. Ops use the generic encoding of their properties.
class VersionedBytecode : public BytecodeDialectInterface {
public:
  VersionedBytecode(Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const override {
    writer.writeVarInt(kVersionMajor);
    writer.writeVarInt(kVersionMinor);
  }

  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const override {
    uint64_t major, minor;
    if (failed(reader.readVarInt(major)) || failed(reader.readVarInt(minor)))
      return nullptr;
    if (major > kVersionMajor) {
      reader.emitError() << "expected fakequant dialect version "
                         << kVersionMajor << ".x or earlier but got " << major
                         << "." << minor;
      return nullptr;
    }
    return std::make_unique<Version>(major, minor);
  }

  LogicalResult upgradeFromVersion(Operation *,
                                   const DialectVersion &) const override {
    // There is one version so far.
    return success();
  }
};

} // namespace

void FakeQuantDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "fakequant/Dialect/FakeQuant/IR/FakeQuantOps.cpp.inc"
      >();
  addInterfaces<VersionedBytecode>();
}

Operation *FakeQuantDialect::materializeConstant(OpBuilder &builder,
                                                 Attribute value, Type type,
                                                 Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
