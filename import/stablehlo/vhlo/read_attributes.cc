#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/import/stablehlo/dialect/stablehlo.h"
#include "indexical/import/stablehlo/vhlo/encoding.h"
#include "indexical/import/stablehlo/vhlo/read.h"

namespace indexical::vhlo {

namespace {

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using mlir::Attribute;
using mlir::DialectBytecodeReader;
using mlir::failed;
using mlir::FailureOr;
using mlir::LogicalResult;
using mlir::Type;

//===-- Enumerations ------------------------------------------------------===//

// StableHLO's value of the same number: the two lists are one.
template <typename Value>
std::optional<Value> readValue(DialectBytecodeReader &reader, StringRef what,
                               std::optional<Value> symbolize(uint32_t)) {
  uint64_t number;
  if (failed(reader.readVarInt(number))) return std::nullopt;
  std::optional<Value> value = number <= UINT32_MAX
                                   ? symbolize(static_cast<uint32_t>(number))
                                   : std::nullopt;
  if (!value) reader.emitError() << what << " " << number << " is not known";
  return value;
}

template <typename Attr, typename Value>
Attribute readEnumeration(DialectBytecodeReader &reader, StringRef what,
                          std::optional<Value> symbolize(uint32_t)) {
  std::optional<Value> value = readValue(reader, what, symbolize);
  return value ? Attr::get(reader.getContext(), *value) : nullptr;
}

// StableHLO writes it as a number.
Attribute readApiVersion(DialectBytecodeReader &reader) {
  auto version = readValue(reader, "custom call's version",
                           &stablehlo::symbolizeCustomCallApiVersion);
  if (!version) return nullptr;
  return mlir::IntegerAttr::get(mlir::IntegerType::get(reader.getContext(), 32),
                                static_cast<uint32_t>(*version));
}

//===-- Numbers and strings -----------------------------------------------===//

Attribute readBoolean(DialectBytecodeReader &reader) {
  uint64_t value;
  if (failed(reader.readVarInt(value))) return nullptr;
  if (value > 1) {
    reader.emitError() << value << " is not a truth value";
    return nullptr;
  }
  return mlir::BoolAttr::get(reader.getContext(), value == 1);
}

Attribute readInteger(DialectBytecodeReader &reader) {
  Type type;
  if (failed(reader.readType(type))) return nullptr;
  if (!type.isIntOrIndex()) {
    reader.emitError() << "an integer is of type " << type;
    return nullptr;
  }
  unsigned width = type.isIndex() ? mlir::IndexType::kInternalStorageBitWidth
                                  : type.getIntOrFloatBitWidth();
  FailureOr<llvm::APInt> value = reader.readAPIntWithKnownWidth(width);
  if (failed(value)) return nullptr;
  return mlir::IntegerAttr::get(type, *value);
}

Attribute readFloat(DialectBytecodeReader &reader) {
  Type type;
  if (failed(reader.readType(type))) return nullptr;
  auto kind = llvm::dyn_cast<mlir::FloatType>(type);
  if (!kind) {
    reader.emitError() << "a floating point value is of type " << type;
    return nullptr;
  }
  FailureOr<llvm::APFloat> value =
      reader.readAPFloatWithKnownSemantics(kind.getFloatSemantics());
  if (failed(value)) return nullptr;
  return mlir::FloatAttr::get(type, *value);
}

Attribute readString(DialectBytecodeReader &reader) {
  StringRef text;
  if (failed(reader.readString(text))) return nullptr;
  return mlir::StringAttr::get(reader.getContext(), text);
}

//===-- Tensors -----------------------------------------------------------===//

// Returns the number of bits of an element in the bytes of a tensor, 1 for a
// truth value, or 0 if the type is not an element type of constants.
unsigned bitsOf(Type element) {
  if (element.isIndex()) return mlir::IndexType::kInternalStorageBitWidth;
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(element))
    return 2 * llvm::alignTo<8>(bitsOf(complex.getElementType()));
  if (!element.isIntOrFloat()) return 0;
  unsigned bits = element.getIntOrFloatBitWidth();
  return bits == 1 ? 1 : llvm::alignTo<8>(bits);
}

// Returns the number of elements, or nothing if it is too large for a constant.
std::optional<uint64_t> countOf(ArrayRef<int64_t> shape) {
  if (llvm::is_contained(shape, 0)) return 0;
  std::optional<uint64_t> count = 1;
  for (int64_t size : shape) {
    count = llvm::checkedMulUnsigned<uint64_t>(*count, size);
    if (!count || *count >= uint64_t{1} << 48) return std::nullopt;
  }
  return count;
}

// Truth values are written in three forms:
//
//   packed     eight to a byte, the first one in the lowest bit
//   splat      one byte for all elements, 0x00 or 0xff
//   unpacked   a byte for each element, 0x00 or 0x01; one byte 0x01 for all
//
// The unpacked form is that of an LLVM of early 2026. One byte for at most
// eight elements is packed, or it is 0xff.
std::optional<SmallVector<bool>> truthValues(ArrayRef<char> bytes,
                                             uint64_t count) {
  if (count == 0 && bytes.size() <= 1) return SmallVector<bool>();
  if (bytes.size() == 1 && (bytes[0] == 0 || bytes[0] == '\xff' || count == 1 ||
                            (bytes[0] == 1 && count > 8)))
    return SmallVector<bool>(1, bytes[0] & 1);
  SmallVector<bool> values;
  if (bytes.size() == llvm::divideCeil(count, 8)) {
    for (uint64_t i = 0; i < count; ++i)
      values.push_back(bytes[i / 8] >> (i % 8) & 1);
    return values;
  }
  if (bytes.size() != count) return std::nullopt;
  for (char byte : bytes) {
    if (byte != 0 && byte != 1) return std::nullopt;
    values.push_back(byte == 1);
  }
  return values;
}

Attribute readTensor(DialectBytecodeReader &reader) {
  Type type;
  ArrayRef<char> bytes;
  if (failed(reader.readType(type)) || failed(reader.readBlob(bytes)))
    return nullptr;
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  unsigned bits = tensor ? bitsOf(tensor.getElementType()) : 0;
  if (bits == 0 || !tensor.hasStaticShape()) {
    reader.emitError() << "a constant is of type " << type;
    return nullptr;
  }
  std::optional<uint64_t> count = countOf(tensor.getShape());
  if (!count) {
    reader.emitError() << "a constant has too many elements: " << type;
    return nullptr;
  }
  auto refuse = [&]() -> Attribute {
    reader.emitError() << bytes.size() << " bytes are not the elements of "
                       << type;
    return nullptr;
  };
  if (bits == 1) {
    std::optional<SmallVector<bool>> values = truthValues(bytes, *count);
    if (!values) return refuse();
    return mlir::DenseElementsAttr::get(tensor, *values);
  }
  // One element stands for all of them, even if there are none.
  const bool isSplat = bytes.size() == bits / 8;
  if (!isSplat && bytes.size() != *count * (bits / 8)) return refuse();
  if (*count == 0)
    return mlir::DenseElementsAttr::get(tensor, ArrayRef<Attribute>());
  return mlir::DenseElementsAttr::getFromRawBuffer(tensor, bytes);
}

//===-- Of other attributes -----------------------------------------------===//

Attribute readArray(DialectBytecodeReader &reader) {
  SmallVector<Attribute> elements;
  if (failed(reader.readAttributes(elements))) return nullptr;
  return mlir::ArrayAttr::get(reader.getContext(), elements);
}

Attribute readDictionary(DialectBytecodeReader &reader) {
  SmallVector<mlir::NamedAttribute> entries;
  uint64_t count;
  if (failed(reader.readVarInt(count))) return nullptr;
  for (uint64_t i = 0; i < count; ++i) {
    mlir::StringAttr name;
    Attribute value;
    if (failed(reader.readAttribute(name)) ||
        failed(reader.readAttribute(value)))
      return nullptr;
    if (name.empty()) {
      reader.emitError() << "a name in a dictionary is empty";
      return nullptr;
    }
    entries.emplace_back(name, value);
  }
  if (auto twice = mlir::DictionaryAttr::findDuplicate(entries, false)) {
    reader.emitError() << "a dictionary has " << twice->getName() << " twice";
    return nullptr;
  }
  return mlir::DictionaryAttr::get(reader.getContext(), entries);
}

Attribute readAlias(DialectBytecodeReader &reader) {
  SmallVector<int64_t> outputs, operands;
  int64_t operand;
  if (failed(reader.readSignedVarInts(outputs)) ||
      failed(reader.readSignedVarInt(operand)) ||
      failed(reader.readSignedVarInts(operands)))
    return nullptr;
  return stablehlo::OutputOperandAliasAttr::get(reader.getContext(), outputs,
                                                operand, operands);
}

Attribute readBounds(DialectBytecodeReader &reader) {
  SmallVector<int64_t> bounds;
  if (failed(reader.readSignedVarInts(bounds))) return nullptr;
  return stablehlo::BoundsAttr::get(reader.getContext(), bounds);
}

Attribute readAccuracy(DialectBytecodeReader &reader) {
  auto readDouble = [&] {
    return reader.readAPFloatWithKnownSemantics(llvm::APFloat::IEEEdouble());
  };
  FailureOr<llvm::APFloat> absolute = readDouble();
  if (failed(absolute)) return nullptr;
  FailureOr<llvm::APFloat> relative = readDouble();
  int64_t ulps;
  stablehlo::ResultAccuracyModeAttr mode;
  if (failed(relative) || failed(reader.readSignedVarInt(ulps)) ||
      failed(reader.readAttribute(mode)))
    return nullptr;
  return stablehlo::ResultAccuracyAttr::get(reader.getContext(), *absolute,
                                            *relative, ulps, mode);
}

Attribute readTypeAttribute(DialectBytecodeReader &reader) {
  Type type;
  if (failed(reader.readType(type))) return nullptr;
  return mlir::TypeAttr::get(type);
}

//===-- Meshes ------------------------------------------------------------===//

Attribute readSubAxisInfo(DialectBytecodeReader &reader) {
  int64_t preSize, size;
  if (failed(reader.readSignedVarInt(preSize)) ||
      failed(reader.readSignedVarInt(size)))
    return nullptr;
  return stablehlo::SubAxisInfoAttr::get(reader.getContext(), preSize, size);
}

Attribute readAxisRef(DialectBytecodeReader &reader) {
  mlir::StringAttr name;
  uint64_t isPart;
  stablehlo::SubAxisInfoAttr part;
  if (failed(reader.readAttribute(name)) || failed(reader.readVarInt(isPart)))
    return nullptr;
  if (isPart > 1) {
    reader.emitError() << "an axis is whole, 0, or a part, 1, but has "
                       << isPart;
    return nullptr;
  }
  if (isPart == 1 && failed(reader.readAttribute(part))) return nullptr;
  return stablehlo::AxisRefAttr::get(reader.getContext(), name.getValue(),
                                     part);
}

Attribute readMeshAxis(DialectBytecodeReader &reader) {
  mlir::StringAttr name;
  int64_t size;
  if (failed(reader.readAttribute(name)) ||
      failed(reader.readSignedVarInt(size)))
    return nullptr;
  return stablehlo::MeshAxisAttr::get(reader.getContext(), name.getValue(),
                                      size);
}

Attribute readMesh(DialectBytecodeReader &reader) {
  mlir::ArrayAttr axes;
  mlir::DenseIntElementsAttr devices;
  if (failed(reader.readAttribute(axes)) ||
      failed(reader.readOptionalAttribute(devices)))
    return nullptr;
  return stablehlo::MeshAttr::get(reader.getContext(), axes, devices);
}

// The mesh is the name of one, or a mesh that stands here.
Attribute readReplicaGroupMeshAxes(DialectBytecodeReader &reader) {
  Attribute mesh;
  mlir::ArrayAttr axes;
  if (failed(reader.readAttribute(mesh)) || failed(reader.readAttribute(axes)))
    return nullptr;
  if (auto name = llvm::dyn_cast<mlir::StringAttr>(mesh))
    mesh = mlir::FlatSymbolRefAttr::get(name);
  // StableHLO's documents show names, too.
  SmallVector<Attribute> parts;
  for (Attribute axis : axes) {
    if (auto name = llvm::dyn_cast<mlir::StringAttr>(axis))
      axis = stablehlo::AxisRefAttr::get(reader.getContext(), name.getValue(),
                                         nullptr);
    parts.push_back(axis);
  }
  return stablehlo::ReplicaGroupMeshAxesAttr::get(
      reader.getContext(), mesh,
      mlir::ArrayAttr::get(reader.getContext(), parts));
}

}  // namespace

Attribute readAttribute(DialectBytecodeReader &reader) {
  using namespace stablehlo;
  uint64_t code;
  if (failed(reader.readVarInt(code))) return nullptr;
  switch (code) {
    case kArray:
      return readArray(reader);
    case kBoolean:
      return readBoolean(reader);
    case kComparisonDirection:
      return readEnumeration<ComparisonDirectionAttr>(
          reader, "direction of a comparison", &symbolizeComparisonDirection);
    case kComparisonType:
      return readEnumeration<ComparisonTypeAttr>(reader, "kind of comparison",
                                                 &symbolizeComparisonType);
    case kCustomCallApiVersion:
      return readApiVersion(reader);
    case kDictionary:
      return readDictionary(reader);
    case kFftType:
      return readEnumeration<FftTypeAttr>(reader, "kind of Fourier transform",
                                          &symbolizeFftType);
    case kFloat:
      return readFloat(reader);
    case kInteger:
      return readInteger(reader);
    case kOutputOperandAlias:
      return readAlias(reader);
    case kPrecision:
      return readEnumeration<PrecisionAttr>(reader, "precision",
                                            &symbolizePrecision);
    case kRngAlgorithm:
      return readEnumeration<RngAlgorithmAttr>(
          reader, "generator of random bits", &symbolizeRngAlgorithm);
    case kRngDistribution:
      return readEnumeration<RngDistributionAttr>(reader, "distribution",
                                                  &symbolizeRngDistribution);
    case kString:
      return readString(reader);
    case kTensor:
      return readTensor(reader);
    case kTranspose:
      return readEnumeration<TransposeAttr>(reader, "transposition",
                                            &symbolizeTranspose);
    case kTypeAttribute:
      return readTypeAttribute(reader);
    case kTypeExtensions:
      return readBounds(reader);
    case kResultAccuracyMode:
      return readEnumeration<ResultAccuracyModeAttr>(
          reader, "mode of accuracy", &symbolizeResultAccuracyMode);
    case kResultAccuracy:
      return readAccuracy(reader);
    case kSubAxisInfo:
      return readSubAxisInfo(reader);
    case kAxisRef:
      return readAxisRef(reader);
    case kReplicaGroupMeshAxes:
      return readReplicaGroupMeshAxes(reader);
    case kMeshAxis:
      return readMeshAxis(reader);
    case kMesh:
      return readMesh(reader);
    default:
      reader.emitError() << "VHLO has no attribute with the number " << code
                         << " that is known here; the last one is "
                         << uint64_t{kLastAttribute};
      return nullptr;
  }
}

}  // namespace indexical::vhlo
