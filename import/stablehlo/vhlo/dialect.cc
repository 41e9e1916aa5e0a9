#include "indexical/import/stablehlo/vhlo/dialect.h"

#include <memory>

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Shape/IR/Shape.h"

#include "indexical/import/stablehlo/dialect/stablehlo.h"
#include "indexical/import/stablehlo/vhlo/ops.h"
#include "indexical/import/stablehlo/vhlo/read.h"

MLIR_DEFINE_EXPLICIT_TYPE_ID(indexical::vhlo::VhloDialect)

namespace indexical::vhlo {

namespace {

using mlir::DialectBytecodeReader;

// Whatever version the artifact is of, its bytes read alike.
struct Version : mlir::DialectVersion {};

struct Reader : mlir::BytecodeDialectInterface {
  explicit Reader(mlir::Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  mlir::Type readType(DialectBytecodeReader &reader) const override {
    return vhlo::readType(reader);
  }
  mlir::Attribute readAttribute(DialectBytecodeReader &reader) const override {
    return vhlo::readAttribute(reader);
  }
  std::unique_ptr<mlir::DialectVersion> readVersion(
      DialectBytecodeReader &reader) const override {
    for (int part = 0; part < 3; ++part)
      if (uint64_t number; mlir::failed(reader.readVarInt(number)))
        return nullptr;
    return std::make_unique<Version>();
  }
};

// Since version 5 of bytecode, an op's attributes stand without their names, in
// the order of these; before, they are a dictionary, as all attributes are.
struct FieldReader
    : mlir::BytecodeOpInterface::ExternalModel<FieldReader, mlir::Operation *> {
  static mlir::LogicalResult readProperties(DialectBytecodeReader &reader,
                                            mlir::OperationState &state) {
    const Row *row = findRow(state.name.stripDialect());
    if (!row) return mlir::failure();
    for (const Field &field : row->fields) {
      mlir::Attribute value;
      if (mlir::failed(reader.readAttribute(value))) return mlir::failure();
      if (state.attributes.getNamed(field.name))
        return reader.emitError() << "`" << state.name.getStringRef()
                                  << "` has `" << field.name << "` twice";
      state.addAttribute(field.name, value);
    }
    return mlir::success();
  }
  void writeProperties(mlir::Operation *, mlir::DialectBytecodeWriter &) const {
  }
};

}  // namespace

VhloDialect::VhloDialect(mlir::MLIRContext *context)
    : ExtensibleDialect(getDialectNamespace(), context,
                        mlir::TypeID::get<VhloDialect>()) {
  context->loadDialect<stablehlo::StablehloDialect, mlir::func::FuncDialect,
                       mlir::quant::QuantDialect, mlir::shape::ShapeDialect>();
  addInterfaces<Reader>();
  auto accept = [](mlir::Operation *) { return mlir::success(); };
  for (const Row &row : rows())
    for (unsigned version = row.first; version <= row.last; ++version) {
      std::string name = (row.name + "_v" + llvm::Twine(version)).str();
      registerDynamicOp(
          mlir::DynamicOpDefinition::get(name, this, accept, accept));
      mlir::OperationName("vhlo." + name, context)
          .attachInterface<FieldReader>();
    }
}

}  // namespace indexical::vhlo
