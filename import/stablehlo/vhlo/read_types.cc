#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/Dialect/Shape/IR/Shape.h"

#include "indexical/import/stablehlo/dialect/stablehlo.h"
#include "indexical/import/stablehlo/vhlo/encoding.h"
#include "indexical/import/stablehlo/vhlo/read.h"

namespace indexical::vhlo {

namespace {

using llvm::SmallVector;
using mlir::DialectBytecodeReader;
using mlir::failed;
using mlir::FailureOr;
using mlir::IntegerType;
using mlir::MLIRContext;
using mlir::Type;

// Returns the type that has no fields, or null for any other code.
Type plainType(MLIRContext *context, uint64_t code) {
  auto integer = [&](unsigned width) {
    return IntegerType::get(context, width);
  };
  auto natural = [&](unsigned width) {
    return IntegerType::get(context, width, IntegerType::Unsigned);
  };
  switch (code) {
    case kBool:
      return integer(1);
    case kFloatBF16:
      return mlir::BFloat16Type::get(context);
    case kFloatF16:
      return mlir::Float16Type::get(context);
    case kFloatF32:
      return mlir::Float32Type::get(context);
    case kFloatF64:
      return mlir::Float64Type::get(context);
    case kFloatF8E4M3FN:
      return mlir::Float8E4M3FNType::get(context);
    case kFloatF8E5M2:
      return mlir::Float8E5M2Type::get(context);
    case kIndex:
      return mlir::IndexType::get(context);
    case kIntegerSI4:
      return integer(4);
    case kIntegerSI8:
      return integer(8);
    case kIntegerSI16:
      return integer(16);
    case kIntegerSI32:
      return integer(32);
    case kIntegerSI64:
      return integer(64);
    case kIntegerUI4:
      return natural(4);
    case kIntegerUI8:
      return natural(8);
    case kIntegerUI16:
      return natural(16);
    case kIntegerUI32:
      return natural(32);
    case kIntegerUI64:
      return natural(64);
    case kToken:
      return stablehlo::TokenType::get(context);
    case kWitness:
      return mlir::shape::WitnessType::get(context);
    case kFloatF8E4M3FNUZ:
      return mlir::Float8E4M3FNUZType::get(context);
    case kFloatF8E5M2FNUZ:
      return mlir::Float8E5M2FNUZType::get(context);
    case kFloatF8E4M3B11FNUZ:
      return mlir::Float8E4M3B11FNUZType::get(context);
    case kIntegerSI2:
      return integer(2);
    case kIntegerUI2:
      return natural(2);
    case kNone:
      return mlir::NoneType::get(context);
    case kFloatTF32:
      return mlir::FloatTF32Type::get(context);
    case kFloatF8E4M3:
      return mlir::Float8E4M3Type::get(context);
    case kFloatF8E3M4:
      return mlir::Float8E3M4Type::get(context);
    case kFloatF4E2M1FN:
      return mlir::Float4E2M1FNType::get(context);
    case kFloatF6E2M3FN:
      return mlir::Float6E2M3FNType::get(context);
    case kFloatF6E3M2FN:
      return mlir::Float6E3M2FNType::get(context);
    case kFloatF8E8M0FNU:
      return mlir::Float8E8M0FNUType::get(context);
    default:
      return nullptr;
  }
}

Type readTensor(DialectBytecodeReader &reader, mlir::Attribute encoding) {
  SmallVector<int64_t> shape;
  Type element;
  if (failed(reader.readSignedVarInts(shape)) ||
      failed(reader.readType(element)))
    return nullptr;
  return mlir::RankedTensorType::getChecked([&] { return reader.emitError(); },
                                            shape, element, encoding);
}

// A memref whose layout is the identity.
Type readBuffer(DialectBytecodeReader &reader) {
  SmallVector<int64_t> shape;
  Type element;
  if (failed(reader.readSignedVarInts(shape)) ||
      failed(reader.readType(element)))
    return nullptr;
  return mlir::MemRefType::getChecked(
      [&] { return reader.emitError(); }, shape, element,
      mlir::MemRefLayoutAttrInterface(), mlir::Attribute());
}

FailureOr<double> readDouble(DialectBytecodeReader &reader) {
  FailureOr<llvm::APFloat> value =
      reader.readAPFloatWithKnownSemantics(llvm::APFloat::IEEEdouble());
  if (failed(value)) return mlir::failure();
  return value->convertToDouble();
}

// The fields that both quantized types begin with.
struct Quantized {
  uint64_t flags = 0;
  Type storage, expressed;

  mlir::LogicalResult read(DialectBytecodeReader &reader) {
    return mlir::success(mlir::succeeded(reader.readVarInt(flags)) &&
                         mlir::succeeded(reader.readType(storage)) &&
                         mlir::succeeded(reader.readType(expressed)));
  }
};

Type readQuantized(DialectBytecodeReader &reader) {
  Quantized type;
  int64_t zero, least, most;
  if (failed(type.read(reader))) return nullptr;
  FailureOr<double> scale = readDouble(reader);
  if (failed(scale) || failed(reader.readSignedVarInt(zero)) ||
      failed(reader.readSignedVarInt(least)) ||
      failed(reader.readSignedVarInt(most)))
    return nullptr;
  return mlir::quant::UniformQuantizedType::getChecked(
      [&] { return reader.emitError(); }, type.flags, type.storage,
      type.expressed, *scale, zero, least, most);
}

Type readQuantizedPerAxis(DialectBytecodeReader &reader) {
  Quantized type;
  uint64_t dimension;
  SmallVector<double> scales;
  SmallVector<int64_t> zeros;
  int64_t least, most;
  auto readScale = [&](double &scale) -> mlir::LogicalResult {
    FailureOr<double> value = readDouble(reader);
    if (failed(value)) return mlir::failure();
    scale = *value;
    return mlir::success();
  };
  if (failed(type.read(reader)) || failed(reader.readVarInt(dimension)) ||
      failed(reader.readSignedVarInt(least)) ||
      failed(reader.readSignedVarInt(most)) ||
      failed(reader.readList(scales, readScale)) ||
      failed(reader.readSignedVarInts(zeros)))
    return nullptr;
  if (dimension > INT32_MAX) {
    reader.emitError() << "the scales lie along dimension " << dimension
                       << ", which no tensor has";
    return nullptr;
  }
  return mlir::quant::UniformQuantizedPerAxisType::getChecked(
      [&] { return reader.emitError(); }, type.flags, type.storage,
      type.expressed, scales, zeros, static_cast<int32_t>(dimension), least,
      most);
}

Type readFunction(DialectBytecodeReader &reader) {
  SmallVector<Type> inputs, results;
  if (failed(reader.readTypes(inputs)) || failed(reader.readTypes(results)))
    return nullptr;
  return mlir::FunctionType::get(reader.getContext(), inputs, results);
}

}  // namespace

Type readType(DialectBytecodeReader &reader) {
  uint64_t code;
  if (failed(reader.readVarInt(code))) return nullptr;
  MLIRContext *context = reader.getContext();
  if (Type plain = plainType(context, code)) return plain;
  auto refuse = [&] { return reader.emitError(); };
  Type element;
  SmallVector<Type> elements;
  mlir::Attribute encoding;
  switch (code) {
    case kComplex:
      if (failed(reader.readType(element))) return nullptr;
      return mlir::ComplexType::getChecked(refuse, element);
    case kFunction:
      return readFunction(reader);
    case kRankedTensor:
      return readTensor(reader, nullptr);
    case kRankedTensorWithEncoding:
      if (failed(reader.readAttribute(encoding))) return nullptr;
      return readTensor(reader, encoding);
    case kTuple:
      if (failed(reader.readTypes(elements))) return nullptr;
      return mlir::TupleType::get(context, elements);
    case kUniformQuantized:
      return readQuantized(reader);
    case kUniformQuantizedPerAxis:
      return readQuantizedPerAxis(reader);
    case kBuffer:
      return readBuffer(reader);
    case kFuture:
      if (failed(reader.readTypes(elements))) return nullptr;
      return stablehlo::FutureType::get(context, elements);
    case kUnrankedTensor:
      if (failed(reader.readType(element))) return nullptr;
      return mlir::UnrankedTensorType::getChecked(refuse, element);
    default:
      reader.emitError() << "VHLO has no type with the number " << code
                         << " that is known here; the last one is "
                         << uint64_t{kLastType};
      return nullptr;
  }
}

}  // namespace indexical::vhlo
