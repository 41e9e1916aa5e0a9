#include "indexical/import/hlo/proto/values.h"

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include "indexical/import/hlo/lexer.h"
#include "indexical/import/hlo/source.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

// By PrimitiveType.
constexpr llvm::StringLiteral kNames[] = {
    "invalid",    "pred",     "s8",       "s16",           "s32",
    "s64",        "u8",       "u16",      "u32",           "u64",
    "f16",        "f32",      "f64",      "tuple",         "opaque",
    "c64",        "bf16",     "token",    "c128",          "f8e5m2",
    "f8e4m3fn",   "s4",       "u4",       "f8e4m3b11fnuz", "f8e5m2fnuz",
    "f8e4m3fnuz", "s2",       "u2",       "f8e4m3",        "f8e3m4",
    "s1",         "u1",       "f4e2m1fn", "f8e8m0fnu",     "buffer",
    "f6e3m2fn",   "f6e2m3fn",
};

using Depth = unsigned;
absl::Status writeShape(const WireMessage &shape, llvm::raw_ostream &os,
                        Depth depth);

bool isKnown(int64_t type) {
  return type > 0 && type < static_cast<int64_t>(std::size(kNames));
}

/// `(8,128)`; the dimension that is put together with the next one is `*`.
void writeTile(const WireMessage &tile, llvm::raw_ostream &os) {
  os << '(';
  llvm::ListSeparator comma(",");
  for (int64_t each : tile.integers(1)) {
    os << comma;
    if (each == INT64_MIN)
      os << '*';
    else
      os << each;
  }
  os << ')';
}

/// `(0:512,1024)`: where a dimension is split between memories.
void writeSplit(const WireMessage &split, llvm::raw_ostream &os) {
  os << '(' << split.integer(1) << ':';
  llvm::ListSeparator comma(",");
  for (int64_t each : split.integers(2)) os << comma << each;
  os << ')';
}

/// Everything of a layout but the order of the dimensions, as XLA orders it.
absl::Status writeLayoutParts(const WireMessage &layout, llvm::raw_ostream &os,
                              Depth depth) {
  auto ofNumber = [&](llvm::StringRef mark, uint32_t field, int64_t usual) {
    const int64_t value = layout.integer(field);
    if (value != 0 && value != usual) os << mark << '(' << value << ')';
  };
  auto ofType = [&](char mark, uint32_t field) {
    const int64_t type = layout.integer(field);
    if (isKnown(type)) os << mark << '(' << kNames[type] << ')';
  };
  if (layout.count(6)) os << 'T';
  layout.each(6,
              [&](llvm::StringRef tile) { writeTile(WireMessage(tile), os); });
  ofNumber("L", 16, 1);
  ofType('#', 11);
  ofType('*', 12);
  ofNumber("E", 7, 0);
  ofNumber("S", 8, 0);
  if (layout.count(17)) os << "SC";
  layout.each(
      17, [&](llvm::StringRef split) { writeSplit(WireMessage(split), os); });
  if (layout.has(10)) {
    os << "P(";
    INDEXICAL_RETURN_IF_ERROR(writeShape(layout.message(10), os, depth + 1));
    os << ')';
  }
  ofNumber("M", 15, 0);
  return absl::OkStatus();
}

absl::Status writeLayout(const WireMessage &layout, llvm::raw_ostream &os,
                         Depth depth) {
  std::string parts;
  llvm::raw_string_ostream to(parts);
  INDEXICAL_RETURN_IF_ERROR(writeLayoutParts(layout, to, depth));
  const std::vector<int64_t> order = layout.integers(1);
  if (order.empty() && parts.empty()) return absl::OkStatus();
  os << '{';
  llvm::ListSeparator comma(",");
  for (int64_t each : order) os << comma << each;
  if (!parts.empty()) os << ':' << parts;
  os << '}';
  return absl::OkStatus();
}

absl::Status writeShape(const WireMessage &shape, llvm::raw_ostream &os,
                        Depth depth) {
  if (!shape.isValid()) return absl::InvalidArgumentError("a shape is damaged");
  if (depth > kDeepestMessage)
    return absl::InvalidArgumentError("a shape is nested too deep");
  const int64_t type = shape.integer(2);
  if (type == PrimitiveType::kTuple) {
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
  if (type == PrimitiveType::kBuffer) {
    os << "b(";
    const WireMessage inner(shape.count(4) ? shape.bytes(4) : "");
    INDEXICAL_RETURN_IF_ERROR(writeShape(inner, os, depth + 1));
    os << ')';
    return absl::OkStatus();
  }
  if (!isKnown(type))
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
  if (type == PrimitiveType::kToken || type == PrimitiveType::kOpaque)
    return absl::OkStatus();
  return writeLayout(shape.message(5), os, depth);
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
    if (llvm::StringRef("\"'\\").contains(c))
      os << '\\' << c;
    else if (c == '\n')
      os << "\\n";
    else if (c == '\r')
      os << "\\r";
    else if (c == '\t')
      os << "\\t";
    else if (llvm::isPrint(c))
      os << c;
    else
      os << llvm::format("\\%03o", static_cast<unsigned>(uint8_t(c)));
  }
  os << '"';
}

void writeQuotedOrDictionary(llvm::StringRef text, llvm::raw_ostream &os) {
  Source scratch(text);
  Lexer lexer(scratch, text);
  llvm::StringRef balanced;
  const bool isDictionary = text.starts_with("{") &&
                            lexer.takeBalanced(balanced) &&
                            balanced.size() == text.size();
  if (isDictionary)
    os << text;
  else
    writeQuoted(text, os);
}

absl::Status writeShape(const WireMessage &shape, llvm::raw_ostream &os) {
  return writeShape(shape, os, 0);
}

}  // namespace indexical
