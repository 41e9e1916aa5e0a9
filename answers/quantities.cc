#include "indexical/answers/quantities.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical {

using llvm::StringRef;

std::optional<int64_t> parseBytes(StringRef word) {
  static constexpr struct {
    StringRef name;
    int64_t bytes;
  } kUnits[] = {{"KiB", int64_t{1} << 10},
                {"MiB", int64_t{1} << 20},
                {"GiB", int64_t{1} << 30},
                {"TiB", int64_t{1} << 40},
                {"kB", 1'000},
                {"MB", 1'000'000},
                {"GB", 1'000'000'000},
                {"TB", 1'000'000'000'000},
                {"B", 1}};
  int64_t unit = 1, whole = 0;
  for (const auto &of : kUnits)
    if (word.consume_back(of.name)) {
      unit = of.bytes;
      break;
    }
  word = word.trim();
  if (!word.getAsInteger(10, whole)) {
    if (whole < 0) return std::nullopt;
    return checkedMul(whole, unit);
  }
  double value = 0;
  if (word.empty() || !llvm::isDigit(word.front()) || word.getAsDouble(value) ||
      !(value * unit < 9e18))
    return std::nullopt;
  return static_cast<int64_t>(value * unit);
}

bool isTileSize(StringRef part) {
  int64_t number;
  if (!part.getAsInteger(10, number)) return number >= 1;
  if (part.empty() || (!llvm::isAlpha(part[0]) && part[0] != '_') ||
      !llvm::all_of(part, [](char c) { return llvm::isAlnum(c) || c == '_'; }))
    return false;
  if (part == "mod" || part == "floordiv" || part == "ceildiv") return false;
  StringRef digits = part;
  const bool isReserved =
      (digits.consume_front("rt") || digits.consume_front("o")) &&
      !digits.empty() && llvm::all_of(digits, llvm::isDigit);
  return !isReserved;
}

}  // namespace indexical
