#include "indexical/import/stablehlo/describe/attribute_values.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include "indexical/import/stablehlo/dialect/constraints.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// Constants of more elements are not kept, and lists are not longer.
constexpr int64_t kKeptElements = 4096;
constexpr int64_t kMostOfList = 1 << 20;

std::optional<int64_t> valueOf(const llvm::APInt &value, bool isUnsigned) {
  if (isUnsigned ? value.getActiveBits() > 63 : value.getSignificantBits() > 64)
    return std::nullopt;
  return isUnsigned ? static_cast<int64_t>(value.getZExtValue())
                    : value.getSExtValue();
}

bool isUnsigned(mlir::Type type) {
  return type.isUnsignedInteger() || type.isInteger(1);
}

std::optional<int64_t> integerOf(mlir::Attribute attribute) {
  auto integer = llvm::dyn_cast_or_null<mlir::IntegerAttr>(attribute);
  if (!integer) return std::nullopt;
  return valueOf(integer.getValue(), isUnsigned(integer.getType()));
}

/// Whether `values` holds all integers of the attribute.
bool integersOf(mlir::Attribute attribute, Int64s &values) {
  values.clear();
  if (auto array = llvm::dyn_cast<mlir::DenseI64ArrayAttr>(attribute)) {
    values.append(array.asArrayRef().begin(), array.asArrayRef().end());
    return true;
  }
  if (auto array = llvm::dyn_cast<mlir::DenseBoolArrayAttr>(attribute)) {
    for (bool value : array.asArrayRef()) values.push_back(value);
    return true;
  }
  auto add = [&](std::optional<int64_t> value) {
    if (value) values.push_back(*value);
    return value.has_value();
  };
  if (auto list = llvm::dyn_cast<mlir::ArrayAttr>(attribute)) {
    for (mlir::Attribute element : list)
      if (!add(integerOf(element))) return false;
    return true;
  }
  auto dense = llvm::dyn_cast<mlir::DenseIntElementsAttr>(attribute);
  if (!dense || !stablehlo::hasAtMost(kMostOfList, dense)) return false;
  const bool sign = isUnsigned(dense.getElementType());
  for (const llvm::APInt &value : dense.getValues<llvm::APInt>())
    if (!add(valueOf(value, sign))) return false;
  return true;
}

std::string bytesOf(llvm::APInt bits) {
  std::string bytes;
  bits = bits.zext(llvm::alignTo(bits.getBitWidth(), 8));
  for (unsigned i = 0; i < bits.getBitWidth(); i += 8)
    bytes += static_cast<char>(bits.extractBitsAsZExtValue(8, i));
  return bytes;
}

/// Keeps the elements of a sparse literal, 0 where it names none. Of an index
/// that it names twice nothing is known.
void takeSparse(mlir::SparseElementsAttr sparse, ConstantOp &constant) {
  const mlir::Type type = sparse.getElementType();
  const mlir::ShapedType shape = sparse.getType();
  if (!shape.hasStaticShape() || !(type.isIntOrIndexOrFloat()) ||
      shape.getNumElements() == 0 || shape.getNumElements() > kMostOfList)
    return;
  const unsigned width = type.isIndex()
                             ? mlir::IndexType::kInternalStorageBitWidth
                             : type.getIntOrFloatBitWidth();
  const std::string zero = bytesOf(llvm::APInt::getZero(width));
  std::string bytes;
  for (int64_t k = 0; k < shape.getNumElements(); ++k) bytes += zero;
  // A list of indices has one row for each value; of rank 1, it may have none.
  const mlir::DenseIntElementsAttr indices = sparse.getIndices();
  const mlir::DenseElementsAttr values = sparse.getValues();
  const int64_t rank = shape.getRank();
  llvm::SmallVector<int64_t, 16> places;
  for (const llvm::APInt &index : indices.getValues<llvm::APInt>())
    places.push_back(index.getSExtValue());
  if (rank == 0 || places.size() % rank != 0) return;
  const size_t count = places.size() / rank;
  if (values.getNumElements() != static_cast<int64_t>(count) &&
      !values.isSplat())
    return;
  std::vector<llvm::APInt> words;
  if (llvm::isa<mlir::FloatType>(type)) {
    for (const llvm::APFloat &word : values.getValues<llvm::APFloat>())
      words.push_back(word.bitcastToAPInt());
  } else {
    for (const llvm::APInt &word : values.getValues<llvm::APInt>())
      words.push_back(word);
  }
  std::set<int64_t> seen;
  for (size_t n = 0; n < count; ++n) {
    int64_t place = 0;
    for (int64_t k = 0; k < rank; ++k) {
      const int64_t index = places[n * rank + k], size = shape.getDimSize(k);
      if (index < 0 || index >= size) return;
      place = place * size + index;
    }
    if (!seen.insert(place).second) return;
    bytes.replace(place * zero.size(), zero.size(),
                  bytesOf(words[values.isSplat() ? 0 : n]));
  }
  constant.bits = ConstantOp::canonicalBits(bytes, zero.size());
  constant.isKnown = true;
}

absl::Status missing(mlir::Operation *op, StringRef key) {
  return absl::InvalidArgumentError(
      absl::StrCat("`", op->getName().getStringRef().str(),
                   "` needs the attribute `", key.str(), "`"));
}

}  // namespace

absl::Status takeOptionalIntegers(mlir::Operation *op, StringRef key,
                                  Int64s &values) {
  mlir::Attribute attribute = op->getAttr(key);
  if (!attribute || integersOf(attribute, values)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("`", key.str(),
                   "` would be a list of 64-bit integers, as in array<i64: "
                   "0, 1>"));
}

absl::Status takeIntegers(mlir::Operation *op, StringRef key, Int64s &values) {
  if (!op->hasAttr(key)) return missing(op, key);
  return takeOptionalIntegers(op, key, values);
}

absl::Status takeOptionalInteger(mlir::Operation *op, StringRef key,
                                 int64_t &value) {
  mlir::Attribute attribute = op->getAttr(key);
  if (!attribute) return absl::OkStatus();
  const auto found = integerOf(attribute);
  if (!found)
    return absl::InvalidArgumentError(
        absl::StrCat("`", key.str(), "` would be a 64-bit integer"));
  value = *found;
  return absl::OkStatus();
}

absl::Status takeInteger(mlir::Operation *op, StringRef key, int64_t &value) {
  if (!op->hasAttr(key)) return missing(op, key);
  return takeOptionalInteger(op, key, value);
}

bool hasFlag(mlir::Operation *op, StringRef key) {
  mlir::Attribute attribute = op->getAttr(key);
  if (auto flag = llvm::dyn_cast_or_null<mlir::BoolAttr>(attribute))
    return flag.getValue();
  return attribute != nullptr;
}

std::vector<int64_t> constantValues(mlir::Attribute value) {
  std::vector<int64_t> values;
  if (auto one = integerOf(value)) return {*one};
  auto dense = llvm::dyn_cast_or_null<mlir::DenseIntElementsAttr>(value);
  if (!dense || !stablehlo::hasAtMost(kKeptElements, dense)) return values;
  const bool sign = isUnsigned(dense.getElementType());
  for (const llvm::APInt &element : dense.getValues<llvm::APInt>()) {
    const auto known = valueOf(element, sign);
    if (!known) return {};
    values.push_back(*known);
  }
  return values;
}

void takeBits(mlir::Attribute value, ConstantOp &constant) {
  auto keep = [&](const llvm::APInt &bits) {
    constant.bits = bytesOf(bits);
    constant.isKnown = true;
  };
  if (auto integer = llvm::dyn_cast_or_null<mlir::IntegerAttr>(value))
    return keep(integer.getValue());
  if (auto real = llvm::dyn_cast_or_null<mlir::FloatAttr>(value))
    return keep(real.getValue().bitcastToAPInt());
  if (auto resource =
          llvm::dyn_cast_or_null<mlir::DenseResourceElementsAttr>(value)) {
    const mlir::Type type = resource.getType().getElementType();
    const int64_t count = resource.getNumElements();
    const auto *blob = resource.getRawHandle().getBlob();
    if (!blob || count == 0 || !type.isIntOrFloat()) return;
    const int64_t bits = type.getIntOrFloatBitWidth();
    const llvm::ArrayRef<char> data = blob->getData();
    // Narrower elements may be packed, or not.
    if (bits % 8 != 0 ||
        data.size() != static_cast<uint64_t>(count) * (bits / 8))
      return;
    constant.bits =
        ConstantOp::canonicalBits({data.data(), data.size()}, bits / 8);
    constant.isKnown = true;
    return;
  }
  if (auto sparse = llvm::dyn_cast_or_null<mlir::SparseElementsAttr>(value))
    return takeSparse(sparse, constant);
  auto dense = llvm::dyn_cast_or_null<mlir::DenseElementsAttr>(value);
  if (!dense || dense.getNumElements() == 0) return;
  const int64_t stored = dense.isSplat() ? 1 : dense.getNumElements();
  constant.isKnown = true;
  // MLIR packs elements of one bit; each is a byte here, as a pred of HLO is.
  if (dense.getElementType().isInteger(1)) {
    std::string bytes;
    for (const bool holds : dense.getValues<bool>()) {
      bytes += holds ? '\1' : '\0';
      if (static_cast<int64_t>(bytes.size()) == stored) break;
    }
    constant.bits = ConstantOp::canonicalBits(bytes, 1);
    return;
  }
  const llvm::ArrayRef<char> bytes = dense.getRawData();
  constant.bits = ConstantOp::canonicalBits(
      {bytes.data(), bytes.size()}, std::max<size_t>(bytes.size() / stored, 1));
}

}  // namespace indexical
