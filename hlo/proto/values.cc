#include "indexical/hlo/proto/values.h"

#include <cstring>
#include <functional>
#include <iterator>
#include <optional>

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/hlo/literal.h"

namespace indexical {
namespace {

enum Type : int64_t {
  kPred = 1,
  kS8 = 2,
  kS16 = 3,
  kS32 = 4,
  kS64 = 5,
  kU8 = 6,
  kU16 = 7,
  kU32 = 8,
  kU64 = 9,
  kF16 = 10,
  kF32 = 11,
  kF64 = 12,
  kTuple = 13,
  kOpaque = 14,
  kBf16 = 16,
  kToken = 17,
};

// By PrimitiveType.
constexpr llvm::StringLiteral kNames[] = {
    "invalid",    "pred", "s8",       "s16",           "s32",
    "s64",        "u8",   "u16",      "u32",           "u64",
    "f16",        "f32",  "f64",      "tuple",         "opaque",
    "c64",        "bf16", "token",    "c128",          "f8e5m2",
    "f8e4m3fn",   "s4",   "u4",       "f8e4m3b11fnuz", "f8e5m2fnuz",
    "f8e4m3fnuz", "s2",   "u2",       "f8e4m3",        "f8e3m4",
    "s1",         "u1",   "f4e2m1fn", "f8e8m0fnu",
};

constexpr unsigned kDeepest = 100;

void writeLayout(const WireMessage &layout, llvm::raw_ostream &os) {
  os << '{';
  llvm::ListSeparator comma(",");
  for (int64_t each : layout.integers(1)) os << comma << each;
  std::string rest;
  llvm::raw_string_ostream to(rest);
  if (layout.count(6)) to << 'T';
  layout.each(6, [&](llvm::StringRef bytes) {
    to << '(';
    llvm::ListSeparator between(",");
    for (int64_t each : WireMessage(bytes).integers(1)) {
      to << between;
      // The dimension that is put together with the next one.
      if (each == INT64_MIN)
        to << '*';
      else
        to << each;
    }
    to << ')';
  });
  if (int64_t bits = layout.integer(7)) to << "E(" << bits << ')';
  if (int64_t space = layout.integer(8)) to << "S(" << space << ')';
  if (!rest.empty()) os << ':' << rest;
  os << '}';
}

absl::Status writeShape(const WireMessage &shape, llvm::raw_ostream &os,
                        unsigned depth) {
  if (!shape.isValid()) return absl::InvalidArgumentError("a shape is damaged");
  if (depth > kDeepest)
    return absl::InvalidArgumentError("a shape is nested too deep");
  const int64_t type = shape.integer(2);
  if (type == kTuple) {
    os << '(';
    llvm::ListSeparator comma;
    absl::Status status = absl::OkStatus();
    shape.each(4, [&](llvm::StringRef element) {
      if (!status.ok()) return;
      os << comma;
      status = writeShape(WireMessage(element), os, depth + 1);
    });
    os << ')';
    return status;
  }
  if (type <= 0 || type >= static_cast<int64_t>(std::size(kNames)))
    return absl::InvalidArgumentError("a shape has the element type " +
                                      std::to_string(type) +
                                      ", which is not known");
  os << kNames[type] << '[';
  const auto dynamic = shape.integers(6);
  for (auto [i, size] : llvm::enumerate(shape.integers(3))) {
    if (i) os << ',';
    const bool isDynamic = i < dynamic.size() && dynamic[i];
    if (isDynamic && size == INT64_MIN)
      os << '?';
    else
      os << (isDynamic ? "<=" : "") << size;
  }
  os << ']';
  const WireMessage layout = shape.message(5);
  const bool isArray = type != kToken && type != kOpaque;
  if (isArray && shape.has(5) &&
      (!layout.integers(1).empty() || layout.count(6) || layout.has(8)))
    writeLayout(layout, os);
  return absl::OkStatus();
}

//===-- Literals ----------------------------------------------------------===//

/// The bits of each element.
std::optional<std::vector<uint64_t>> elementsOf(const WireMessage &literal,
                                                int64_t type) {
  auto ofIntegers = [&](uint32_t number) {
    const auto values = literal.integers(number);
    return std::vector<uint64_t>(values.begin(), values.end());
  };
  auto ofBytes = [&](uint32_t number, unsigned size) {
    std::vector<uint64_t> values;
    llvm::StringRef bytes = literal.bytes(number);
    for (; bytes.size() >= size; bytes = bytes.drop_front(size)) {
      uint64_t value = 0;
      std::memcpy(&value, bytes.data(), size);
      values.push_back(value);
    }
    return values;
  };
  switch (type) {
    case kPred:
      return ofIntegers(2);
    case kU8:
      return ofBytes(3, 1);
    case kS32:
      return ofIntegers(4);
    case kS64:
      return ofIntegers(5);
    case kU32:
      return ofIntegers(6);
    case kU64:
      return ofIntegers(7);
    case kF32:
      return literal.fixed(8, 4);
    case kF64:
      return literal.fixed(9, 8);
    case kF16:
      return ofBytes(11, 2);
    case kBf16:
      return ofBytes(13, 2);
    case kS8:
      return ofBytes(15, 1);
    case kU16:
      return ofBytes(16, 2);
    case kS16:
      return ofBytes(17, 2);
    default:
      return std::nullopt;
  }
}

/// Digits that read back as these bits.
void writeFloat(uint64_t bits, const llvm::fltSemantics &type,
                llvm::raw_ostream &os) {
  const llvm::APFloat value(
      type, llvm::APInt(llvm::APFloat::getSizeInBits(type), bits));
  if (value.isNaN()) {
    os << (value.isNegative() ? "-nan" : "nan");
  } else if (value.isInfinity()) {
    os << (value.isNegative() ? "-inf" : "inf");
  } else {
    llvm::SmallString<32> digits;
    value.toString(digits);
    os << digits;
  }
}

void writeElement(uint64_t bits, int64_t type, llvm::raw_ostream &os) {
  switch (type) {
    case kPred:
      os << (bits ? "true" : "false");
      return;
    case kS8:
      os << llvm::SignExtend64<8>(bits);
      return;
    case kS16:
      os << llvm::SignExtend64<16>(bits);
      return;
    case kS32:
      os << llvm::SignExtend64<32>(bits);
      return;
    case kS64:
      os << static_cast<int64_t>(bits);
      return;
    case kF16:
      writeFloat(bits, llvm::APFloat::IEEEhalf(), os);
      return;
    case kBf16:
      writeFloat(bits, llvm::APFloat::BFloat(), os);
      return;
    case kF32:
      writeFloat(bits, llvm::APFloat::IEEEsingle(), os);
      return;
    case kF64:
      writeFloat(bits, llvm::APFloat::IEEEdouble(), os);
      return;
    default:
      os << bits;
      return;
  }
}

}  // namespace

void writeIntegers(llvm::ArrayRef<int64_t> values, llvm::raw_ostream &os) {
  os << '{';
  llvm::ListSeparator comma(",");
  for (int64_t each : values) os << comma << each;
  os << '}';
}

void writeQuoted(llvm::StringRef text, llvm::raw_ostream &os) {
  os << '"';
  for (const char c : text) {
    if (c == '"' || c == '\\')
      os << '\\' << c;
    else if (c == '\n')
      os << "\\n";
    else
      os << (c == '\0' || c == '\r' ? ' ' : c);
  }
  os << '"';
}

absl::Status writeShape(const WireMessage &shape, llvm::raw_ostream &os) {
  return writeShape(shape, os, 0);
}

absl::Status writeLiteral(const WireMessage &literal, llvm::raw_ostream &os) {
  const WireMessage shape = literal.message(1);
  const std::vector<int64_t> sizes = shape.integers(3);
  const int64_t type = shape.integer(2);
  const auto elements = elementsOf(literal, type);
  int64_t count = 1;
  for (int64_t size : sizes)
    if (size < 0 || llvm::MulOverflow(count, size, count))
      return absl::InvalidArgumentError("a literal has no such size");
  if (!literal.isValid() || !elements || count > kKeptLiteralElements) {
    os << "{...}";
    return absl::OkStatus();
  }
  if (static_cast<int64_t>(elements->size()) != count)
    return absl::InvalidArgumentError(
        "a literal has " + std::to_string(elements->size()) +
        " elements, and its shape " + std::to_string(count));
  if (sizes.size() > kDeepest)
    return absl::InvalidArgumentError("a literal is nested too deep");
  size_t next = 0;
  const std::function<void(size_t)> write = [&](size_t level) {
    if (level == sizes.size()) {
      writeElement((*elements)[next++], type, os);
      return;
    }
    os << '{';
    llvm::ListSeparator comma;
    for (int64_t i = 0; i < sizes[level]; ++i) {
      os << comma;
      write(level + 1);
    }
    os << '}';
  };
  // Without elements there is nothing to go through.
  if (count == 0)
    os << (sizes[0] == 0 ? "{}" : "{...}");
  else
    write(0);
  return absl::OkStatus();
}

}  // namespace indexical
