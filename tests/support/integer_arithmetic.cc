#include "tests/support/integer_arithmetic.h"

#include <algorithm>

namespace indexical::testing {
namespace {

bool isUnsignedType(ElementType type) {
  return elementTypeName(type).starts_with("u");
}

bool isTrue(llvm::StringRef direction, __int128 a, __int128 b) {
  if (direction == "LT") return a < b;
  if (direction == "LE") return a <= b;
  if (direction == "GT") return a > b;
  if (direction == "GE") return a >= b;
  return (direction == "EQ") == (a == b);
}

}  // namespace

int64_t wrapped(__int128 value, ElementType type) {
  if (type == ElementType::Pred) return value & 1;
  const int64_t bits = bitsOf(type);
  const unsigned __int128 mask =
      (static_cast<unsigned __int128>(1) << bits) - 1;
  const unsigned __int128 low = static_cast<unsigned __int128>(value) & mask;
  if (!isUnsignedType(type) && low >> (bits - 1))
    return static_cast<int64_t>(static_cast<__int128>(low) -
                                static_cast<__int128>(mask) - 1);
  return static_cast<int64_t>(low);
}

std::optional<int64_t> computed(const ElementwiseOp &op,
                                llvm::ArrayRef<int64_t> x) {
  if (!op.opKind) return std::nullopt;
  const ElementType type = op.results[0].type;
  const llvm::StringRef name = op.opKind->name;
  // An unsigned number from 2^63 on is stored as a negative one.
  auto wide = [&](size_t k) {
    return op.operands[k].type == ElementType::U64
               ? static_cast<__int128>(static_cast<uint64_t>(x[k]))
               : static_cast<__int128>(x[k]);
  };
  auto typed = [&](__int128 value) { return wrapped(value, type); };
  if (name == "copy" || name == "select")
    return name == "copy" ? x[0] : x[0] ? x[1] : x[2];
  if (name == "convert")
    return type == ElementType::Pred ? x[0] != 0 : typed(wide(0));
  if (name == "compare") {
    llvm::StringRef text = op.configuration;
    text.consume_front("direction=");
    return isTrue(text.take_front(2), wide(0), wide(1));
  }
  if (type == ElementType::Pred) {
    if (name == "and" || name == "multiply" || name == "minimum")
      return x[0] & x[1];
    if (name == "or" || name == "maximum" || name == "add") return x[0] | x[1];
    if (name == "xor") return x[0] ^ x[1];
    if (name == "not") return !x[0];
    return std::nullopt;
  }
  if (name == "add") return typed(wide(0) + wide(1));
  if (name == "subtract") return typed(wide(0) - wide(1));
  // The product of two unsigned 64-bit numbers may need 128 bits.
  if (name == "multiply")
    return typed(
        static_cast<__int128>(static_cast<unsigned __int128>(wide(0)) *
                              static_cast<unsigned __int128>(wide(1))));
  if (name == "negate") return typed(-wide(0));
  if (name == "abs") return typed(wide(0) < 0 ? -wide(0) : wide(0));
  if (name == "maximum") return typed(std::max(wide(0), wide(1)));
  if (name == "minimum") return typed(std::min(wide(0), wide(1)));
  if (name == "clamp")
    return typed(std::min(std::max(wide(1), wide(0)), wide(2)));
  if (name == "divide") return typed(x[1] == 0 ? -1 : wide(0) / wide(1));
  if (name == "remainder")
    return typed(x[1] == 0 ? wide(0) : wide(0) % wide(1));
  if (name == "and") return x[0] & x[1];
  if (name == "or") return x[0] | x[1];
  if (name == "xor") return x[0] ^ x[1];
  if (name == "not") return typed(~wide(0));
  if (name.starts_with("shift-")) {
    const int64_t bits = bitsOf(type);
    const auto mask = (static_cast<unsigned __int128>(1) << bits) - 1;
    const auto pattern = static_cast<unsigned __int128>(wide(0)) & mask;
    const bool isSigned = pattern >> (bits - 1) & 1;
    // A shift by too many bits moves all of them out.
    const bool isTooMuch = wide(1) < 0 || wide(1) >= bits;
    const int64_t by = isTooMuch ? 0 : static_cast<int64_t>(wide(1));
    if (name == "shift-left") return typed(isTooMuch ? 0 : pattern << by);
    auto shifted = isTooMuch ? 0 : pattern >> by;
    if (name == "shift-right-arithmetic" && isSigned)
      shifted |= mask & ~(isTooMuch ? 0 : mask >> by);
    return typed(shifted);
  }
  return std::nullopt;
}

}  // namespace indexical::testing
