#include "tests/support/integer_arithmetic.h"

#include <algorithm>
#include <string>

#include "llvm/ADT/SmallVector.h"

namespace indexical::testing {
namespace {

using Wide = __int128;
using Pattern = unsigned __int128;

Pattern maskOf(IntegerKind kind) {
  return (static_cast<Pattern>(1) << kind.bits) - 1;
}

std::optional<int64_t> compared(llvm::StringRef direction, Wide a, Wide b) {
  if (direction == "LT") return a < b;
  if (direction == "LE") return a <= b;
  if (direction == "GT") return a > b;
  if (direction == "GE") return a >= b;
  if (direction == "EQ") return a == b;
  if (direction == "NE") return a != b;
  return std::nullopt;
}

/// A shift by too many bits moves all of them out.
Wide shifted(llvm::StringRef name, IntegerKind kind, Wide value, Wide amount) {
  const Pattern mask = maskOf(kind);
  const Pattern pattern = static_cast<Pattern>(value) & mask;
  const bool isTooMuch = amount < 0 || amount >= kind.bits;
  const int64_t by = isTooMuch ? 0 : static_cast<int64_t>(amount);
  if (name == "shift-left") return isTooMuch ? 0 : pattern << by;
  Pattern result = isTooMuch ? 0 : pattern >> by;
  if (name == "shift-right-arithmetic" && (pattern >> (kind.bits - 1) & 1))
    result |= mask & ~(isTooMuch ? 0 : mask >> by);
  return result;
}

Wide power(IntegerKind kind, Wide base, Wide exponent) {
  if (exponent < 0) {
    if (base == 1 || base == -1) return exponent % 2 ? base : 1;
    return base == 0 ? -1 : 0;
  }
  Pattern result = 1, factor = static_cast<Pattern>(base);
  for (; exponent; exponent >>= 1, factor = factor * factor & maskOf(kind))
    if (exponent & 1) result = result * factor & maskOf(kind);
  return result;
}

int64_t bitCount(Pattern pattern) {
  int64_t count = 0;
  for (; pattern; pattern >>= 1) count += pattern & 1;
  return count;
}

int64_t leadingZeros(IntegerKind kind, Pattern pattern) {
  int64_t count = kind.bits;
  for (; pattern; pattern >>= 1) --count;
  return count;
}

}  // namespace

IntegerKind integerKindOf(ElementType type) {
  if (type == ElementType::Pred) return {1, true, true};
  return {bitsOf(type), elementTypeName(type).starts_with("u")};
}

int64_t wrapped(Wide value, IntegerKind kind) {
  const Pattern low = static_cast<Pattern>(value) & maskOf(kind);
  if (!kind.isUnsigned && low >> (kind.bits - 1))
    return static_cast<int64_t>(static_cast<Wide>(low) -
                                static_cast<Wide>(maskOf(kind)) - 1);
  return static_cast<int64_t>(low);
}

int64_t wrapped(Wide value, ElementType type) {
  return wrapped(value, integerKindOf(type));
}

std::optional<int64_t> computed(llvm::StringRef spelled, IntegerKind result,
                                llvm::ArrayRef<IntegerKind> kinds,
                                llvm::ArrayRef<int64_t> operands) {
  std::string name = spelled.str();
  std::replace(name.begin(), name.end(), '_', '-');
  llvm::SmallVector<Wide, 3> x;
  for (size_t k = 0; k < operands.size(); ++k)
    x.push_back(kinds[k].isUnsigned
                    ? static_cast<Wide>(static_cast<uint64_t>(operands[k]))
                    : static_cast<Wide>(operands[k]));
  auto typed = [&](Wide value) { return wrapped(value, result); };
  if (llvm::StringRef(name).starts_with("compare "))
    return compared(llvm::StringRef(name).drop_front(8), x[0], x[1]);
  if (name == "copy") return operands[0];
  if (name == "select") return operands[operands[0] ? 1 : 2];
  if (name == "convert") return result.isTruth ? x[0] != 0 : typed(x[0]);
  if (name == "add" && result.isTruth) return typed(x[0] | x[1]);
  if (name == "add") return typed(x[0] + x[1]);
  if (name == "subtract") return typed(x[0] - x[1]);
  // The product of two unsigned 64-bit numbers may need 128 bits.
  if (name == "multiply")
    return typed(static_cast<Wide>(static_cast<Pattern>(x[0]) *
                                   static_cast<Pattern>(x[1])));
  if (name == "negate") return typed(-x[0]);
  if (name == "abs") return typed(x[0] < 0 ? -x[0] : x[0]);
  if (name == "sign") return typed((x[0] > 0) - (x[0] < 0));
  if (name == "maximum") return typed(std::max(x[0], x[1]));
  if (name == "minimum") return typed(std::min(x[0], x[1]));
  if (name == "clamp") return typed(std::min(std::max(x[1], x[0]), x[2]));
  if (name == "divide") return typed(x[1] == 0 ? -1 : x[0] / x[1]);
  if (name == "remainder") return typed(x[1] == 0 ? x[0] : x[0] % x[1]);
  if (name == "power") return typed(power(result, x[0], x[1]));
  if (name == "and") return typed(x[0] & x[1]);
  if (name == "or") return typed(x[0] | x[1]);
  if (name == "xor") return typed(x[0] ^ x[1]);
  if (name == "not") return typed(~x[0]);
  if (name == "popcnt")
    return bitCount(static_cast<Pattern>(x[0]) & maskOf(kinds[0]));
  if (name == "count-leading-zeros" || name == "clz")
    return leadingZeros(kinds[0],
                        static_cast<Pattern>(x[0]) & maskOf(kinds[0]));
  if (llvm::StringRef(name).starts_with("shift-"))
    return typed(shifted(name, result, x[0], x[1]));
  return std::nullopt;
}

std::optional<int64_t> computed(const ElementwiseOp &op,
                                llvm::ArrayRef<int64_t> operands) {
  if (!op.opKind) return std::nullopt;
  std::string name = op.opKind->name.str();
  if (name == "compare") {
    llvm::StringRef text = op.configuration;
    text.consume_front("direction=");
    name += " " + text.take_front(2).str();
  }
  llvm::SmallVector<IntegerKind, 3> kinds;
  for (const ArrayShape &shape : op.operands)
    kinds.push_back(integerKindOf(shape.type));
  return computed(name, integerKindOf(op.results[0].type), kinds, operands);
}

}  // namespace indexical::testing
