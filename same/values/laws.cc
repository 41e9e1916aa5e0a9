#include "indexical/same/values/laws.h"

#include <map>
#include <string>
#include <utility>

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringMap.h"

#include "indexical/same/values/float_semantics.h"
#include "indexical/same/values/polynomial.h"

namespace indexical {
namespace {

using llvm::StringRef;

constexpr uint8_t I = kIntegers, P = kPredicates, F = kFloats;
constexpr bool kLoses = true;
constexpr FloatLaws kNoNan = FloatLaws::NoNan, kZeroSign = FloatLaws::ZeroSign,
                    kReal = FloatLaws::Real;

const Law kLaws[] = {
    // Integers are a ring modulo 2 to their width (polynomial.h).
    {"ring", I, "subtract(x, x)", "0", kLoses, "subtract(x, y)", "0"},
    {"ring", I, "multiply(x, 0)", "0", kLoses, "multiply(x, 1)", "0"},
    {"ring", I, "add(x, subtract(y, x))", "y", kLoses, "add(x, add(y, x))",
     "y"},
    {"ring", I, "add(x, 0)", "x", false, "add(x, 1)", "x"},
    {"ring", I, "multiply(x, 1)", "x", false, "multiply(x, 2)", "x"},
    // Floats, strictly.
    {"one", F, "multiply(x, 1)", "x", false, "multiply(x, 0)", "0"},
    {"one", F, "divide(x, 1)", "x", false, "divide(1, x)", "x"},
    {"zero", F, "add(x, -0.0)", "x", false, "add(x, 0)", "x"},
    {"zero", F, "subtract(x, 0)", "x", false, "subtract(0, x)", "negate(x)"},
    {"negation", F, "negate(negate(x))", "x", false, "subtract(x, x)", "0"},
    {"sign", F, "abs(negate(x))", "abs(x)", false, "negate(abs(x))", "abs(x)"},
    {"sign", F, "multiply(abs(x), abs(y))", "abs(multiply(x, y))", false,
     "add(abs(x), abs(y))", "abs(add(x, y))"},
    {"sign", F, "divide(abs(x), abs(y))", "abs(divide(x, y))", false,
     "subtract(abs(x), abs(y))", "abs(subtract(x, y))"},
    {"sign", I | F, "abs(abs(x))", "abs(x)", false, "abs(x)", "negate(x)"},
    // The ends of a type, and infinities.
    {"bound", I, "maximum(x, lowest)", "x", false, "maximum(x, 1)", "x"},
    {"bound", I, "minimum(x, highest)", "x", false, "minimum(x, 1)", "x"},
    {"bound", F, "maximum(x, -inf)", "x", false, "maximum(x, 0)", "x"},
    {"bound", F, "maximum(-inf, x)", "x", false, "maximum(0, x)", "x"},
    {"bound", F, "minimum(x, inf)", "x", false, "minimum(x, inf)", "inf"},
    {"bound", F, "minimum(inf, x)", "x", false, "minimum(inf, x)", "inf"},
    {"extreme", I, "maximum(x, highest)", "highest", kLoses,
     "maximum(x, lowest)", "lowest"},
    {"extreme", I, "minimum(x, lowest)", "lowest", kLoses,
     "minimum(x, highest)", "highest"},
    {"extreme", I, "LT(x, lowest)", "false", kLoses, "LE(x, lowest)", "false"},
    {"extreme", I, "LT(highest, x)", "false", kLoses, "LE(highest, x)",
     "false"},
    {"extreme", I, "LE(lowest, x)", "true", kLoses, "LT(lowest, x)", "true"},
    {"extreme", I, "LE(x, highest)", "true", kLoses, "LT(x, highest)", "true"},
    // Lattices.
    {"same", I | F, "maximum(x, x)", "x", false, "maximum(x, y)", "x"},
    {"same", I | F, "minimum(x, x)", "x", false, "minimum(x, y)", "x"},
    {"same", I | P, "and(x, x)", "x", false, "and(x, y)", "x"},
    {"same", I | P, "or(x, x)", "x", false, "or(x, y)", "x"},
    {"absorption", I | P, "and(x, or(x, y))", "x", kLoses, "and(x, or(z, y))",
     "x"},
    {"absorption", I | P, "or(x, and(x, y))", "x", kLoses, "or(x, and(z, y))",
     "x"},
    {"absorption", I, "maximum(x, minimum(x, y))", "x", kLoses,
     "maximum(x, maximum(x, y))", "x"},
    {"absorption", I, "minimum(x, maximum(x, y))", "x", kLoses,
     "minimum(x, minimum(x, y))", "x"},
    // Bits.
    {"bits", I, "and(x, 0)", "0", kLoses, "and(x, 1)", "0"},
    {"bits", I, "and(x, ones)", "x", false, "and(x, 1)", "x"},
    {"bits", I, "or(x, 0)", "x", false, "or(x, 1)", "x"},
    {"bits", I, "or(x, ones)", "ones", kLoses, "or(x, 1)", "1"},
    {"bits", P, "and(x, false)", "false", kLoses, "and(x, true)", "false"},
    {"bits", P, "and(x, true)", "x", false, "and(x, false)", "x"},
    {"bits", P, "or(x, false)", "x", false, "or(x, true)", "x"},
    {"bits", P, "or(x, true)", "true", kLoses, "or(x, false)", "true"},
    {"complement", I, "and(x, not(x))", "0", kLoses, "and(x, not(y))", "0"},
    {"complement", I, "or(x, not(x))", "ones", kLoses, "or(x, not(y))", "ones"},
    {"complement", P, "and(x, not(x))", "false", kLoses, "and(x, not(y))",
     "false"},
    {"complement", P, "or(x, not(x))", "true", kLoses, "or(x, not(y))", "true"},
    {"xor", I, "xor(x, x)", "0", kLoses, "xor(x, y)", "0"},
    {"xor", P, "xor(x, x)", "false", kLoses, "xor(x, y)", "false"},
    {"xor", I, "xor(x, 0)", "x", false, "xor(x, 1)", "x"},
    {"xor", P, "xor(x, false)", "x", false, "xor(x, true)", "x"},
    {"xor", I, "xor(x, ones)", "not(x)", false, "xor(x, 1)", "not(x)"},
    {"xor", P, "xor(x, true)", "not(x)", false, "xor(x, false)", "not(x)"},
    {"xor", P, "xor(not(x), y)", "not(xor(x, y))", false, "xor(not(x), y)",
     "xor(x, y)"},
    // Predicates: add and maximum are or, multiply and minimum are and.
    {"predicates", P, "add(x, y)", "or(x, y)", false, "add(x, y)", "xor(x, y)"},
    {"predicates", P, "maximum(x, y)", "or(x, y)", false, "maximum(x, y)",
     "and(x, y)"},
    {"predicates", P, "multiply(x, y)", "and(x, y)", false, "multiply(x, y)",
     "or(x, y)"},
    {"predicates", P, "minimum(x, y)", "and(x, y)", false, "minimum(x, y)",
     "or(x, y)"},
    {"predicates", P, "NE(x, y)", "xor(x, y)", false, "NE(x, y)", "or(x, y)"},
    {"predicates", P, "EQ(x, y)", "not(xor(x, y))", false, "EQ(x, y)",
     "and(x, y)"},
    {"predicates", P, "LT(x, y)", "and(not(x), y)", false, "LT(x, y)",
     "and(not(y), x)"},
    {"predicates", P, "LE(x, y)", "or(not(x), y)", false, "LE(x, y)",
     "or(not(y), x)"},
    // Negation.
    {"negation", P, "not(not(x))", "x", false, "not(x)", "x"},
    {"negation", P, "not(and(x, y))", "or(not(x), not(y))", false,
     "not(and(x, y))", "and(not(x), not(y))"},
    {"negation", P, "not(or(x, y))", "and(not(x), not(y))", false,
     "not(or(x, y))", "or(not(x), not(y))"},
    {"negation", I, "or(not(x), not(y))", "not(and(x, y))", false,
     "or(not(x), not(y))", "not(or(x, y))"},
    {"negation", I, "and(not(x), not(y))", "not(or(x, y))", false,
     "and(not(x), not(y))", "not(and(x, y))"},
    {"negation", I, "not(LT(x, y))", "LE(y, x)", false, "not(LT(x, y))",
     "LT(y, x)"},
    {"negation", I, "not(LE(x, y))", "LT(y, x)", false, "not(LE(x, y))",
     "LE(y, x)"},
    {"negation", I | F, "not(EQ(x, y))", "NE(x, y)", false, "not(EQ(x, y))",
     "LT(x, y)"},
    {"negation", I | F, "not(NE(x, y))", "EQ(x, y)", false, "not(NE(x, y))",
     "LE(x, y)"},
    // Order.
    {"order", I | P | F, "GT(x, y)", "LT(y, x)", false, "GT(x, y)", "LT(x, y)"},
    {"order", I | P | F, "GE(x, y)", "LE(y, x)", false, "GE(x, y)", "LT(y, x)"},
    {"self", I, "EQ(x, x)", "true", kLoses, "EQ(x, y)", "true"},
    {"self", I, "LE(x, x)", "true", kLoses, "LE(x, y)", "true"},
    {"self", I, "NE(x, x)", "false", kLoses, "NE(x, y)", "false"},
    {"self", I | F, "LT(x, x)", "false", kLoses, "LT(x, y)", "false"},
    {"clamp", I, "clamp(x, y, z)", "minimum(maximum(y, x), z)", false,
     "clamp(x, y, z)", "maximum(minimum(y, z), x)"},
    // Select.
    {"select", kAnyType, "select(c, x, x)", "x", kLoses, "select(c, x, y)",
     "x"},
    {"select", kAnyType, "select(true, x, y)", "x", kLoses,
     "select(true, x, y)", "y"},
    {"select", kAnyType, "select(false, x, y)", "y", kLoses,
     "select(false, x, y)", "x"},
    {"select", P, "select(x, true, false)", "x", false,
     "select(x, false, true)", "x"},
    {"select", P, "select(x, false, true)", "not(x)", false,
     "select(x, true, false)", "not(x)"},
    {"select", kAnyType, "select(not(c), x, y)", "select(c, y, x)", false,
     "select(not(c), x, y)", "select(c, x, y)"},
    {"select", I, "select(LE(x, y), z, w)", "select(LT(y, x), w, z)", false,
     "select(LE(x, y), z, w)", "select(LT(y, x), z, w)"},
    {"select", I, "select(LT(x, y), x, y)", "minimum(x, y)", false,
     "select(LT(x, y), x, y)", "maximum(x, y)"},
    {"select", I, "select(LT(x, y), y, x)", "maximum(x, y)", false,
     "select(LT(x, y), y, x)", "minimum(x, y)"},
    {"select", I | F, "select(NE(x, y), z, w)", "select(EQ(x, y), w, z)", false,
     "select(NE(x, y), z, w)", "select(EQ(x, y), z, w)"},
    {"select", kAnyType, "select(c, select(c, x, y), z)", "select(c, x, z)",
     kLoses, "select(c, select(d, x, y), z)", "select(c, x, z)"},
    {"select", kAnyType, "select(c, x, select(c, y, z))", "select(c, x, z)",
     kLoses, "select(c, x, select(d, y, z))", "select(c, x, z)"},
    // Units.
    {"units", I, "divide(x, 1)", "x", false, "divide(1, x)", "x"},
    {"units", I, "remainder(x, 1)", "0", kLoses, "remainder(1, x)", "0"},
    {"units", I, "shift-left(x, 0)", "x", false, "shift-left(x, 1)", "x"},
    {"units", I, "shift-right-logical(x, 0)", "x", false,
     "shift-right-logical(x, 1)", "x"},
    {"units", I, "shift-right-arithmetic(x, 0)", "x", false,
     "shift-right-arithmetic(x, 1)", "x"},
    // By the laws of floats that one asks for, of numbers that are real.
    {"zero-sign", F, "add(x, 0)", "x", false, "", "", kZeroSign},
    {"zero-sign", F, "subtract(0, x)", "negate(x)", false, "", "", kZeroSign},
    {"no-nan", F, "subtract(x, x)", "0", kLoses, "", "", kNoNan},
    {"no-nan", F, "multiply(x, 0)", "0", kLoses, "", "", kNoNan | kZeroSign},
    {"no-nan", F, "select(LT(x, y), y, x)", "maximum(x, y)", false, "", "",
     kNoNan | kZeroSign},
    {"no-nan", F, "select(LT(x, y), x, y)", "minimum(x, y)", false, "", "",
     kNoNan | kZeroSign},
    {"no-nan", F, "EQ(x, x)", "true", kLoses, "", "", kNoNan},
    {"no-nan", F, "LE(x, x)", "true", kLoses, "", "", kNoNan},
    {"no-nan", F, "NE(x, x)", "false", kLoses, "", "", kNoNan},
    {"no-nan", F, "not(LT(x, y))", "LE(y, x)", false, "", "", kNoNan},
    {"no-nan", F, "not(LE(x, y))", "LT(y, x)", false, "", "", kNoNan},
    // Functions of real numbers by others.
    {"powers", F, "power(x, 1)", "x", false, "", "", kReal},
    {"powers", F, "power(x, 2)", "multiply(x, x)", false, "", "", kReal},
    {"powers", F, "power(x, -1)", "divide(1, x)", false, "", "", kReal},
    {"quotients", F, "divide(divide(x, y), z)", "divide(x, multiply(y, z))",
     false, "", "", kReal},
    {"exponents", F, "divide(x, exponential(y))",
     "multiply(x, exponential(negate(y)))", false, "", "", kReal},
    {"exponents", F, "logistic(x)", "divide(1, add(1, exponential(negate(x))))",
     false, "", "", kReal},
    {"exponents", F, "exponential-minus-one(x)", "subtract(exponential(x), 1)",
     false, "", "", kReal},
};

TermPattern parse(StringRef &rest) {
  TermPattern made;
  const size_t end = rest.find_first_of("(),");
  made.name = rest.take_front(end).trim();
  rest = rest.drop_front(std::min(end, rest.size()));
  if (!rest.consume_front("(")) {
    const bool isVariable =
        made.name.size() == 1 && StringRef("xyzwcd").contains(made.name[0]);
    made.kind =
        isVariable ? TermPattern::Kind::Variable : TermPattern::Kind::Number;
    return made;
  }
  made.kind = TermPattern::Kind::Op;
  while (!rest.consume_front(")")) {
    made.operands.push_back(parse(rest));
    rest.consume_front(",");
    rest = rest.ltrim();
  }
  return made;
}

std::string bytesOfWord(uint64_t word, int64_t bits) {
  std::string bytes;
  if (bits < 64) word &= (uint64_t{1} << bits) - 1;
  for (int64_t k = 0; k < bits; k += 8) bytes += static_cast<char>(word >> k);
  return bytes;
}

}  // namespace

OfTypes classOf(ElementType type) {
  if (type == ElementType::Pred) return kPredicates;
  if (isInteger(type) && bitsOf(type) > 0 && bitsOf(type) <= 64)
    return kIntegers;
  if (isRealFloat(type)) return kFloats;
  return static_cast<OfTypes>(8);
}

llvm::ArrayRef<Law> lawTable() { return kLaws; }

TermPattern parsePattern(StringRef text) { return parse(text); }

bool isDirection(StringRef name) {
  return name.size() == 2 && name[0] >= 'A' && name[0] <= 'Z';
}

std::string bytesOfNumber(StringRef name, ElementType type) {
  const OfTypes of = classOf(type);
  const int64_t bits = bitsOf(type);
  if (of == kPredicates) {
    if (name == "true") return std::string(1, '\1');
    if (name == "false") return std::string(1, '\0');
    return "";
  }
  if (of == kIntegers) {
    const bool isSigned = elementTypeName(type).starts_with("s");
    const uint64_t top = uint64_t{1} << (bits - 1);
    if (name == "0") return bytesOfWord(0, bits);
    if (name == "1") return bytesOfWord(1, bits);
    if (name == "ones") return bytesOfWord(~uint64_t{0}, bits);
    if (name == "lowest") return bytesOfWord(isSigned ? top : 0, bits);
    if (name == "highest")
      return bytesOfWord(isSigned ? top - 1 : ~uint64_t{0}, bits);
    return "";
  }
  const llvm::fltSemantics *semantics = semanticsOf(type);
  if (!semantics) return "";
  llvm::APFloat value = llvm::APFloat::getZero(*semantics);
  if (name == "-0.0")
    value = llvm::APFloat::getZero(*semantics, /*Negative=*/true);
  else if (name == "inf" || name == "-inf")
    value = llvm::APFloat::getInf(*semantics, name == "-inf");
  else if (name == "1")
    value = llvm::APFloat(*semantics, "1");
  else if (name == "2" || name == "-1")
    value = llvm::APFloat(*semantics, name);
  else if (name != "0")
    return "";
  return bytesOfWord(value.bitcastToAPInt().getZExtValue(), bits);
}

llvm::ArrayRef<ParsedLaw> lawsOf(StringRef op) {
  static const llvm::StringMap<std::vector<ParsedLaw>> kByOp = [] {
    llvm::StringMap<std::vector<ParsedLaw>> byOp;
    for (const Law &law : kLaws) {
      ParsedLaw parsed{&law, parsePattern(law.left), parsePattern(law.right)};
      byOp[parsed.left.name].push_back(std::move(parsed));
    }
    return byOp;
  }();
  const auto found = kByOp.find(op);
  return found == kByOp.end() ? llvm::ArrayRef<ParsedLaw>()
                              : llvm::ArrayRef<ParsedLaw>(found->second);
}

}  // namespace indexical
