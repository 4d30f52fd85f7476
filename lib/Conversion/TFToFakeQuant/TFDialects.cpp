//===- TFDialects.cpp - Permissive stand-ins for TensorFlow's dialects ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dialects that know nothing and allow everything. Upstream keeps an unknown
// op of such a dialect with its properties `<{…}>`, and an unknown type as an
// opaque one; unknown attributes need the hook below to be kept likewise.
//
//===----------------------------------------------------------------------===//

#include "fakequant/Conversion/TFToFakeQuant/TFToFakeQuant.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;

namespace {

class PermissiveDialect : public Dialect {
protected:
  PermissiveDialect(StringRef name, MLIRContext *context, TypeID id)
      : Dialect(name, context, id) {
    allowUnknownOperations();
    allowUnknownTypes();
  }

public:
  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    return OpaqueAttr::get(StringAttr::get(getContext(), getNamespace()),
                           parser.getFullSymbolSpec(),
                           type ? type : NoneType::get(getContext()));
  }
};

class TFDialect : public PermissiveDialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TFDialect)
  static constexpr StringLiteral getDialectNamespace() { return "tf"; }
  explicit TFDialect(MLIRContext *context)
      : PermissiveDialect(getDialectNamespace(), context,
                          TypeID::get<TFDialect>()) {}
};

class TFLDialect : public PermissiveDialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TFLDialect)
  static constexpr StringLiteral getDialectNamespace() { return "tfl"; }
  explicit TFLDialect(MLIRContext *context)
      : PermissiveDialect(getDialectNamespace(), context,
                          TypeID::get<TFLDialect>()) {}
};

class TFTypeDialect : public PermissiveDialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TFTypeDialect)
  static constexpr StringLiteral getDialectNamespace() { return "tf_type"; }
  explicit TFTypeDialect(MLIRContext *context)
      : PermissiveDialect(getDialectNamespace(), context,
                          TypeID::get<TFTypeDialect>()) {}
};

} // namespace

void fakequant::registerTensorFlowDialects(DialectRegistry &registry) {
  registry.insert<TFDialect, TFLDialect, TFTypeDialect>();
}
