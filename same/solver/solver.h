// Whether two terms of bit vectors and floats are equal for all values of their
// variables.
//
//   u / 8  and  u >> 3                 equal, of 32 bits without a sign
//   select(x > y, x, y)  and  max(x, y)    equal, of integers
//   x / 8  and  x >> 3                 not equal with a sign: x = -1
//
// Laws (same/values/laws.h) are asked first. They are fast, and say why. The
// rest is a question about all numbers of some types, which Z3 answers: bit
// vectors as SMT-LIB's theory FixedSizeBitVectors has them, floats as its
// theory FloatingPoint does (IEEE 754 with one NaN, rounded to nearest even).
//
//   auto solver = Solver::make();        // nothing where there is no Z3
//   const Term x = solver->variable(bitsSort(32));
//   const Term by8 = solver->apply(Operation::DivideUnsigned,
//                                  {x, solver->bits(32, 8)});
//   const Term shifted = solver->apply(Operation::ShiftRightLogical,
//                                      {x, solver->bits(32, 3)});
//   solver->areEqual(by8, shifted);      // Solver::Answer::Equal
//
// Z3's own count of its steps limits each question (kMostSteps), so that no
// answer depends on the clock. Z3 is loaded when the first question is asked:
// to link it would add 1.7 ms to each start of a program that asks none.
//
// Law (tests/same/solver/solver_test.cc, on all numbers of 4 bits): terms that
// are called equal have equal values; an operation is what it is called.
#ifndef INDEXICAL_SAME_SOLVER_SOLVER_H
#define INDEXICAL_SAME_SOLVER_SOLVER_H

#include <cstdint>
#include <memory>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace indexical::solver {

/// The values that a term may have.
struct Sort {
  uint32_t bits = 1;  ///< of the value
  /// For a float: the bits of its exponent, and of its significand with the
  /// hidden one. 0 for a bit vector.
  uint32_t exponent = 0, significand = 0;

  bool isFloat() const { return exponent != 0; }
  bool operator==(const Sort &o) const {
    return bits == o.bits && exponent == o.exponent &&
           significand == o.significand;
  }
};
inline Sort bitsSort(uint32_t bits) { return {bits, 0, 0}; }
/// Requires exponent and significand of a float of `bits` bits: 8 and 24 of 32.
inline Sort floatSort(uint32_t bits, uint32_t exponent, uint32_t significand) {
  return {bits, exponent, significand};
}

/// Operands are of one sort, and so is the result, but where it is said. Truth
/// is a bit vector of one bit.
enum class Operation : uint8_t {
  // Bit vectors.
  And,
  Or,
  Xor,
  Not,
  Add,
  Subtract,
  Multiply,
  Negate,
  DivideSigned,     ///< towards 0
  DivideUnsigned,   ///< by 0: all bits
  RemainderSigned,  ///< has the sign of the first operand
  RemainderUnsigned,
  ShiftLeft,  ///< by as many bits as the sort has, or more: 0
  ShiftRightLogical,
  ShiftRightArithmetic,
  LessSigned,    ///< truth
  LessUnsigned,  ///< truth
  // Floats.
  FloatAdd,
  FloatSubtract,
  FloatMultiply,
  FloatDivide,
  FloatNegate,
  FloatAbs,
  FloatLess,       ///< truth; false beside a NaN
  FloatLessEqual,  ///< truth; false beside a NaN
  FloatEqual,      ///< truth; of both zeros, and false beside a NaN
  IsNan,           ///< truth
  IsInfinite,      ///< truth
  IsZero,          ///< truth
  // All.
  Same,    ///< truth: one value. Zeros have signs, and NaN is itself
  Select,  ///< of truth and two of one sort
};

/// A term of the solver that made it.
struct Term {
  int32_t number = -1;
  Sort sort;
};

class Solver {
 public:
  enum class Answer : uint8_t { Equal, Different, Unknown };
  /// The steps of Z3 (`rlimit`) that one question may take: about a second.
  static constexpr uint32_t kMostSteps = 2'000'000;

  /// Returns a solver; nothing if the library is built without one, or if no
  /// Z3 is installed.
  static std::unique_ptr<Solver> make();
  virtual ~Solver() = default;

  /// Returns a term that may have any value of the sort.
  virtual Term variable(Sort sort) = 0;
  /// Returns a number of at most 64 bits.
  virtual Term bits(uint32_t width, uint64_t value) = 0;
  /// Returns the float that these bits are. Requires a sort of floats.
  virtual Term floatOfBits(Sort sort, uint64_t value) = 0;
  /// Requires operands of the sorts that the operation takes.
  virtual Term apply(Operation operation, llvm::ArrayRef<Term> operands) = 0;
  /// Returns the bits in a longer or shorter vector.
  virtual Term resized(Term term, uint32_t width, bool isSigned) = 0;
  /// Returns the nearest float of a float or of an integer; of two, the even
  /// one.
  virtual Term rounded(Term term, Sort to, bool isSigned) = 0;
  /// Returns an uninterpreted function of that name and these sorts.
  virtual Term unknownFunction(llvm::StringRef name, Sort result,
                               llvm::ArrayRef<Term> operands) = 0;
  /// Takes for granted from now on that a truth is 1.
  virtual void assume(Term truth) = 0;

  /// Returns whether both terms have one value with all values of the variables
  /// and all unknown functions. `Different` means that some of these tell them
  /// apart.
  virtual Answer areEqual(Term first, Term second) = 0;
};

}  // namespace indexical::solver

#endif  // INDEXICAL_SAME_SOLVER_SOLVER_H
