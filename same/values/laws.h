// The laws of single elements, as rows.
//
//   name        types     left                    right      loses
//   absorption  integers  and(x, or(x, y))        x          y
//   order       all       GT(x, y)                LT(y, x)
//   negation    integers  not(LT(x, y))           LE(y, x)
//
// A row holds for all values of its types: of integers modulo 2 to their width,
// of predicates, of floats with NaN, infinities and both zeros. A row that
// `needs` laws of floats holds for numbers that are known to be real. Each row
// has a neighbour that looks like a law and is not one.
//
// Patterns are terms of ops by the names of HLO; a comparison is called by its
// direction. `x` is of one of the row's types. Numbers have the type of what
// stands beside them: 0, 1, -0.0, inf, -inf, true, false; `ones` has all bits,
// `lowest` and `highest` are the ends of an integer's type.
//
// Sums and products of integers have a normal form (polynomial.h), and the rows
// named `ring` say what follows from it. Nested `and`, `or`, `xor` and, of
// integers, `maximum` and `minimum` are sets. Conversions are in
// ElementTable::converted(). No other code knows a law of single elements.
//
// Law (tests/same/values/laws_test.cc): both sides of a row agree on all values
// of s8, u8 and pred and on edge values of f32; those of its neighbour do not.
#ifndef INDEXICAL_SAME_VALUES_LAWS_H
#define INDEXICAL_SAME_VALUES_LAWS_H

#include <cstdint>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/shape.h"
#include "indexical/same/values/float_laws.h"

namespace indexical {

/// The types for which a row holds, as a set.
enum OfTypes : uint8_t {
  kIntegers = 1,  ///< of at most 64 bits, without pred
  kPredicates = 2,
  kFloats = 4,  ///< f16, bf16, f32 and f64
  kAnyType = 15,
};
/// Returns the class of a type, as a set of one.
OfTypes classOf(ElementType type);

struct Law {
  llvm::StringLiteral name;
  uint8_t types;  ///< of OfTypes
  llvm::StringLiteral left, right;
  bool loses = false;  ///< whether a variable of the left is not in the right
  /// Two terms that are not a law of these types, or one empty text.
  llvm::StringLiteral nearLeft = "", nearRight = "";
  FloatLaws needs = FloatLaws::None;
};
llvm::ArrayRef<Law> lawTable();

/// A pattern, read once.
struct TermPattern {
  enum class Kind : uint8_t { Variable, Number, Op };
  Kind kind = Kind::Variable;
  llvm::StringRef name;
  std::vector<TermPattern> operands;
};
/// Returns the pattern that the text of a row is.
TermPattern parsePattern(llvm::StringRef text);
/// Returns whether a pattern's name is a direction of a comparison.
bool isDirection(llvm::StringRef name);
/// Returns the bytes of a number of a pattern in a type, the least significant
/// first; an empty text if the type has no such number.
std::string bytesOfNumber(llvm::StringRef name, ElementType type);

/// The rows whose left side is an op of that name, with their patterns.
struct ParsedLaw {
  const Law *law;
  TermPattern left, right;
};
llvm::ArrayRef<ParsedLaw> lawsOf(llvm::StringRef op);

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_LAWS_H
