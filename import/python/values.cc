#include "indexical/import/python/values.h"

#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace indexical::python {
namespace {

using llvm::DynamicAPInt;
using llvm::StringRef;

ConstantResult wrong(RefusalKind kind, std::string error) {
  ConstantResult result;
  result.kind = kind;
  result.error = std::move(error);
  return result;
}

ConstantResult made(Value value) {
  ConstantResult result;
  result.value = std::move(value);
  return result;
}

const DynamicAPInt &most() {
  static const DynamicAPInt kMost = [] {
    DynamicAPInt value(1);
    for (int k = 0; k < kMostConstantBits / 32; ++k)
      value *= DynamicAPInt(int64_t{1} << 32);
    return value;
  }();
  return kMost;
}

ConstantResult whole(DynamicAPInt value) {
  if (value >= most() || value <= -most())
    return wrong(RefusalKind::Limit, "a constant of more than 4096 bits");
  return made(Value::whole(std::move(value)));
}

DynamicAPInt powerOfTwo(int64_t exponent) {
  DynamicAPInt value(1);
  for (; exponent >= 32; exponent -= 32)
    value *= DynamicAPInt(int64_t{1} << 32);
  return value * DynamicAPInt(int64_t{1} << exponent);
}

ConstantResult wholePower(const DynamicAPInt &base, int64_t exponent) {
  DynamicAPInt value(1);
  for (int64_t k = 0; k < exponent; ++k) {
    value *= base;
    if (value >= most() || value <= -most())
      return wrong(RefusalKind::Limit, "a constant of more than 4096 bits");
    if (value == 0 || (value == 1 && base == 1)) break;
    if (base == -1) return made(Value::whole(exponent % 2 == 0 ? 1 : -1));
  }
  return made(Value::whole(std::move(value)));
}

/// Returns bit by bit operations, of two's complement of any length.
DynamicAPInt bitwise(StringRef sign, DynamicAPInt a, DynamicAPInt b) {
  // Words of 32 bits, the least first; what is above all of them is the sign.
  const DynamicAPInt base(int64_t{1} << 32);
  std::vector<int64_t> words;
  const size_t kWords = kMostConstantBits / 32 + 2;
  auto combine = [&](int64_t x, int64_t y) {
    if (sign == "&") return x & y;
    if (sign == "|") return x | y;
    return x ^ y;
  };
  while (words.size() < kWords &&
         !((a == 0 || a == -1) && (b == 0 || b == -1))) {
    const int64_t x = int64_t(mod(a, base)), y = int64_t(mod(b, base));
    words.push_back(combine(x, y));
    a = floorDiv(a, base);
    b = floorDiv(b, base);
  }
  DynamicAPInt value(combine(a == 0 ? 0 : -1, b == 0 ? 0 : -1));
  for (const int64_t word : llvm::reverse(words))
    value = value * base + DynamicAPInt(word);
  return value;
}

ConstantResult wholeBinary(StringRef sign, const DynamicAPInt &a,
                           const DynamicAPInt &b) {
  if (sign == "+") return whole(a + b);
  if (sign == "-") return whole(a - b);
  if (sign == "*") return whole(a * b);
  if (sign == "//" || sign == "%" || sign == "/") {
    if (b == 0) return wrong(RefusalKind::Type, "a division by zero");
    if (sign == "/")
      return made(
          Value::real(realOf(Value::whole(a)) / realOf(Value::whole(b))));
    const DynamicAPInt quotient = floorDiv(a, b);
    if (sign == "//") return whole(quotient);
    return whole(a - quotient * b);
  }
  if (sign == "&" || sign == "|" || sign == "^")
    return whole(bitwise(sign, a, b));
  const auto small = smallOf(b);
  if (sign == "<<" || sign == ">>") {
    if (b < 0) return wrong(RefusalKind::Type, "a shift by a negative number");
    if (!small || *small > kMostConstantBits)
      return sign == ">>" ? made(Value::whole(a < 0 ? -1 : 0))
                          : wrong(RefusalKind::Limit,
                                  "a constant of more than 4096 bits");
    const DynamicAPInt power = powerOfTwo(*small);
    return whole(sign == "<<" ? a * power : floorDiv(a, power));
  }
  if (sign == "**") {
    if (b < 0)
      return made(Value::real(
          std::pow(realOf(Value::whole(a)), realOf(Value::whole(b)))));
    if (!small || (*small > 1 << 16 && a != 0 && a != 1 && a != -1))
      return wrong(RefusalKind::Limit, "a constant of more than 4096 bits");
    return wholePower(a, *small);
  }
  return wrong(RefusalKind::Unsupported,
               absl::StrCat("the operator `", sign.str(), "` on integers"));
}

ConstantResult realBinary(StringRef sign, double a, double b) {
  if (sign == "+") return made(Value::real(a + b));
  if (sign == "-") return made(Value::real(a - b));
  if (sign == "*") return made(Value::real(a * b));
  if (sign == "**") return made(Value::real(std::pow(a, b)));
  if (sign == "/" || sign == "//" || sign == "%") {
    if (b == 0) return wrong(RefusalKind::Type, "a division by zero");
    if (sign == "/") return made(Value::real(a / b));
    // As Python computes them: beyond 2^53 each step rounds.
    double rest = std::fmod(a, b), quotient = (a - rest) / b;
    if (rest != 0 && (rest < 0) != (b < 0)) {
      rest += b;
      quotient -= 1;
    } else if (rest == 0) {
      rest = std::copysign(0.0, b);
    }
    if (sign == "%") return made(Value::real(rest));
    if (quotient == 0) return made(Value::real(std::copysign(0.0, a / b)));
    const double whole = std::floor(quotient);
    return made(Value::real(quotient - whole > 0.5 ? whole + 1 : whole));
  }
  return wrong(RefusalKind::Type,
               absl::StrCat("`", sign.str(), "` is not defined for floats"));
}

/// Returns how an integer and a float are ordered, exactly as in Python: -1, 0,
/// 1, or 2 if they have no order.
int ordered(const llvm::DynamicAPInt &whole, double real) {
  if (std::isnan(real)) return 2;
  if (std::isinf(real)) return real > 0 ? -1 : 1;
  // A double has at most 1,024 bits in front of its point.
  llvm::APSInt bits(1088, /*isUnsigned=*/false);
  bool isExact = false;
  llvm::APFloat(real).convertToInteger(bits, llvm::APFloat::rmTowardNegative,
                                       &isExact);
  const llvm::DynamicAPInt floor(bits);
  if (whole != floor) return whole < floor ? -1 : 1;
  return isExact ? 0 : -1;
}

/// Returns how two numbers are ordered, in the same way.
int ordered(const Value &a, const Value &b) {
  if (a.isWhole() && b.isWhole())
    return a.integer < b.integer ? -1 : a.integer > b.integer ? 1 : 0;
  if (a.isWhole()) return ordered(a.integer, b.number);
  if (b.isWhole()) {
    const int order = ordered(b.integer, a.number);
    return order == 2 ? 2 : -order;
  }
  const double x = realOf(a), y = realOf(b);
  return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
}

bool areEqual(const Value &a, const Value &b) {
  if (a.isNumber() && b.isNumber()) return ordered(a, b) == 0;
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case ValueKind::String:
    case ValueKind::Builtin:
    case ValueKind::Module:
      return a.text == b.text;
    case ValueKind::Type:
      return a.type == b.type;
    case ValueKind::Function:
      return a.function == b.function;
    case ValueKind::Tuple:
      return a.items->size() == b.items->size() &&
             llvm::all_of(llvm::zip(*a.items, *b.items), [](const auto &pair) {
               return areEqual(std::get<0>(pair), std::get<1>(pair));
             });
    default:
      return true;
  }
}

std::optional<bool> decided(StringRef sign, int order) {
  if (sign == "<") return order == -1;
  if (sign == "<=") return order == -1 || order == 0;
  if (sign == ">") return order == 1;
  if (sign == ">=") return order == 1 || order == 0;
  return std::nullopt;
}

}  // namespace

std::optional<int64_t> smallOf(const DynamicAPInt &value) {
  if (value < std::numeric_limits<int64_t>::min() ||
      value > std::numeric_limits<int64_t>::max())
    return std::nullopt;
  return int64_t(value);
}

std::optional<int64_t> smallOf(const Value &value) {
  if (!value.isWhole()) return std::nullopt;
  return smallOf(value.integer);
}

double realOf(const Value &value) {
  if (value.is(ValueKind::Float)) return value.number;
  if (const auto small = smallOf(value)) return static_cast<double>(*small);
  DynamicAPInt rest = abs(value.integer);
  double sum = 0, unit = 1;
  while (rest != 0) {
    sum += static_cast<double>(
               int64_t(mod(rest, DynamicAPInt(int64_t{1} << 32)))) *
           unit;
    unit *= 4294967296.0;
    rest = floorDiv(rest, DynamicAPInt(int64_t{1} << 32));
  }
  return value.integer < 0 ? -sum : sum;
}

uint64_t lowBits(const DynamicAPInt &value) {
  const DynamicAPInt base(int64_t{1} << 32);
  const uint64_t low = int64_t(mod(value, base));
  const uint64_t high = int64_t(mod(floorDiv(value, base), base));
  return high << 32 | low;
}

std::string wordsOf(const Value &value) {
  switch (value.kind) {
    case ValueKind::None:
      return "None";
    case ValueKind::Bool:
      return value.integer == 0 ? "False" : "True";
    case ValueKind::Integer: {
      std::string text;
      llvm::raw_string_ostream(text) << value.integer;
      return text;
    }
    case ValueKind::Float: {
      // As few digits as the number is read again from.
      std::string text = absl::StrCat(value.number);
      for (int digits = 7; digits <= 17; ++digits) {
        double again = 0;
        if (StringRef(text).getAsDouble(again) || again == value.number) break;
        text = absl::StrFormat("%.*g", digits, value.number);
      }
      // 2.0 is not 2.
      if (StringRef(text).find_first_not_of("-0123456789") == StringRef::npos)
        text += ".0";
      return text;
    }
    case ValueKind::String:
      return absl::StrCat("'", value.text, "'");
    case ValueKind::Type:
      return value.type.isPlain() ? absl::StrCat("tl.", value.type.str())
                                  : value.type.str();
    case ValueKind::Tuple:
      return absl::StrCat(
          "(",
          absl::StrJoin(*value.items, ", ",
                        [](std::string *out, const Value &item) {
                          absl::StrAppend(out, wordsOf(item));
                        }),
          ")");
    case ValueKind::Function:
    case ValueKind::Module:
    case ValueKind::Builtin:
      return absl::StrCat("`", value.text, "`");
    case ValueKind::Tensor:
      return value.shape.empty()
                 ? absl::StrCat("a value of ", value.type.str())
                 : absl::StrCat("a block ", shapeText(value.shape), " of ",
                                value.type.str());
    case ValueKind::Slice:
      return "a slice";
    case ValueKind::Undefined:
      break;
  }
  return "nothing";
}

bool isTrue(const Value &value) {
  switch (value.kind) {
    case ValueKind::None:
      return false;
    case ValueKind::Bool:
    case ValueKind::Integer:
      return value.integer != 0;
    case ValueKind::Float:
      return value.number != 0;
    case ValueKind::String:
      return !value.text.empty();
    case ValueKind::Tuple:
      return !value.items->empty();
    default:
      return true;
  }
}

ConstantResult constantBinary(StringRef sign, const Value &a, const Value &b) {
  if (a.isNumber() && b.isNumber()) {
    if (a.is(ValueKind::Bool) && b.is(ValueKind::Bool) &&
        (sign == "&" || sign == "|" || sign == "^"))
      return made(Value::boolean(bitwise(sign, a.integer, b.integer) != 0));
    if (a.isWhole() && b.isWhole())
      return wholeBinary(sign, a.integer, b.integer);
    return realBinary(sign, realOf(a), realOf(b));
  }
  if (sign == "+" && a.is(ValueKind::String) && b.is(ValueKind::String)) {
    if (a.text.size() + b.text.size() > 4096)
      return wrong(RefusalKind::Limit, "a string of more than 4096 characters");
    return made(Value::string(a.text + b.text));
  }
  if (sign == "+" && a.is(ValueKind::Tuple) && b.is(ValueKind::Tuple)) {
    std::vector<Value> items = *a.items;
    items.insert(items.end(), b.items->begin(), b.items->end());
    if (items.size() > 4096)
      return wrong(RefusalKind::Limit, "a tuple of more than 4096 values");
    return made(Value::tuple(std::move(items)));
  }
  if (sign == "*" && a.is(ValueKind::Tuple) && b.isWhole()) {
    std::vector<Value> items;
    const auto times = smallOf(b);
    if (!times || (!a.items->empty() &&
                   *times > static_cast<int64_t>(4096 / a.items->size())))
      return wrong(RefusalKind::Limit, "a tuple of more than 4096 values");
    for (int64_t k = 0; k < *times; ++k)
      items.insert(items.end(), a.items->begin(), a.items->end());
    return made(Value::tuple(std::move(items)));
  }
  return wrong(
      RefusalKind::Type,
      absl::StrCat("`", sign.str(), "` of ", wordsOf(a), " and ", wordsOf(b)));
}

ConstantResult constantUnary(StringRef sign, const Value &of) {
  if (sign == "not") return made(Value::boolean(!isTrue(of)));
  if (of.isWhole()) {
    if (sign == "-") return whole(-of.integer);
    if (sign == "~") return whole(-of.integer - 1);
    return made(Value::whole(of.integer));
  }
  if (of.is(ValueKind::Float) && sign != "~")
    return made(Value::real(sign == "-" ? -of.number : of.number));
  return wrong(RefusalKind::Type,
               absl::StrCat("`", sign.str(), "` of ", wordsOf(of)));
}

ConstantResult constantCompare(StringRef sign, const Value &a, const Value &b) {
  if (sign == "==" || sign == "!=")
    return made(Value::boolean(areEqual(a, b) == (sign == "==")));
  if (sign == "is" || sign == "is not") {
    const bool same = a.kind == b.kind && areEqual(a, b);
    return made(Value::boolean(same == (sign == "is")));
  }
  if (sign == "in" || sign == "not in") {
    bool found = false;
    if (b.is(ValueKind::Tuple))
      found = llvm::any_of(
          *b.items, [&](const Value &item) { return areEqual(a, item); });
    else if (a.is(ValueKind::String) && b.is(ValueKind::String))
      found = StringRef(b.text).contains(a.text);
    else
      return wrong(RefusalKind::Type, absl::StrCat("`in` of ", wordsOf(b)));
    return made(Value::boolean(found == (sign == "in")));
  }
  if (a.isNumber() && b.isNumber())
    if (const auto answer = decided(sign, ordered(a, b)))
      return made(Value::boolean(*answer));
  if (a.is(ValueKind::String) && b.is(ValueKind::String)) {
    const int order = a.text.compare(b.text);
    if (const auto answer = decided(sign, order < 0 ? -1 : order > 0 ? 1 : 0))
      return made(Value::boolean(*answer));
  }
  return wrong(
      RefusalKind::Type,
      absl::StrCat("`", sign.str(), "` of ", wordsOf(a), " and ", wordsOf(b)));
}

ConstantResult constantNumber(StringRef digits) {
  std::string text;
  for (char c : digits)
    if (c != '_') text += c;
  StringRef rest = text;
  int64_t base = 10;
  if (rest.size() > 1 && rest[0] == '0') {
    const char c = llvm::toLower(rest[1]);
    base = c == 'x' ? 16 : c == 'o' ? 8 : c == 'b' ? 2 : 10;
    if (base != 10) rest = rest.drop_front(2);
  }
  const bool isReal =
      base == 10 && rest.find_first_of(".eE") != StringRef::npos;
  if (isReal) {
    double value = 0;
    if (rest.ends_with(".")) text += "0";
    if (StringRef(text).getAsDouble(value))
      return wrong(
          RefusalKind::Syntax,
          absl::StrCat("`", digits.substr(0, 40).str(), "` is not a number"));
    return made(Value::real(value));
  }
  DynamicAPInt value(0);
  for (char c : rest) {
    const unsigned digit = llvm::hexDigitValue(c);
    if (digit >= base)
      return wrong(
          RefusalKind::Syntax,
          absl::StrCat("`", digits.substr(0, 40).str(), "` is not a number"));
    value = value * DynamicAPInt(base) + DynamicAPInt(digit);
    if (value >= most())
      return wrong(RefusalKind::Limit, "a constant of more than 4096 bits");
  }
  return made(Value::whole(std::move(value)));
}

}  // namespace indexical::python
