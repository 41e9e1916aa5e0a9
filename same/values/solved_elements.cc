// Elements that Z3 shows to be the same (same/solver/solver.h).
//
//   divide(p[i], 8)          of u32   shift-right-logical(p[i], 3)
//   select(p > q, p, q)      of s32   maximum(p, q)
//
// Both are functions of the elements that they are computed of: what is read,
// reduced, or given by a case. These are variables of any value, one for all
// that are the same. An op without a definition here is a function of which
// nothing else is known: so are divisions by 0, shifts by all bits or more, and
// which of two zeros a maximum of floats is. So are quotients of floats, of
// which two take all steps that Z3 may take.
//
// The solver has one NaN. An op that reads the bits of a float may tell two
// apart, so what it gives is a variable, too.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/stop_scope.h"
#include "indexical/program/values/op_identity.h"
#include "indexical/same/solver/solver.h"
#include "indexical/same/values/same_elements.h"
#include "indexical/same/values/typed_numbers.h"

namespace indexical {
namespace solver {
namespace {

// The most that one question weighs; the next element is a variable. To round a
// float takes Z3 the time of many operations of bits. It counts steps, but
// those that make bits of a float are long ones: fifty sums and products of f32
// took 8 s until they were given up, seven take 1.5 s.
constexpr int kMostWeight = 300;
constexpr int kWeightOfRounding = 40;
// The largest exponent of an integer that is a product.
constexpr int64_t kMostPower = 8;

Sort sortOf(ElementType type) {
  switch (type) {
    case ElementType::F16:
      return floatSort(16, 5, 11);
    case ElementType::BF16:
      return floatSort(16, 8, 8);
    case ElementType::F32:
      return floatSort(32, 8, 24);
    case ElementType::F64:
      return floatSort(64, 11, 53);
    case ElementType::Pred:
      return bitsSort(1);
    default:
      return bitsSort(std::max<int64_t>(1, bitsOf(type)));
  }
}

bool isSignedInteger(ElementType type) {
  return elementTypeName(type).starts_with("s");
}

bool isOneWord(ElementType type) {
  return classOf(type) == kIntegers || classOf(type) == kPredicates;
}

uint64_t wordOf(llvm::StringRef bytes) {
  uint64_t word = 0;
  for (size_t k = 0; k < bytes.size() && k < 8; ++k)
    word |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[k])) << (8 * k);
  return word;
}

/// Elements as terms of a solver.
class SolverTerms {
 public:
  /// `areSame` says whether two elements of the region are known to be the
  /// same, `mayReadBits` whether an op may tell one NaN from another.
  SolverTerms(const ElementTable &table, Solver &solver,
              llvm::function_ref<bool(ElementId, ElementId)> areSame,
              llvm::function_ref<bool(const Element &)> mayReadBits)
      : table_(table),
        solver_(solver),
        areSame_(areSame),
        mayReadBits_(mayReadBits) {}

  Term termOf(ElementId id) {
    const auto known = terms_.find(id);
    if (known != terms_.end()) return known->second;
    const Term made = makeTerm(id);
    terms_.emplace(id, made);
    return made;
  }
  /// Whether an op with a definition was among what is compared.
  bool hasDefined() const { return hasDefined_; }

  /// Returns the float with +0 in place of -0.
  Term withoutSign(Term x) {
    return select(op(Operation::IsZero, {x}), solver_.floatOfBits(x.sort, 0),
                  x);
  }

 private:
  Term makeTerm(ElementId id) {
    const Element &element = table_[id];
    weight_ += weightOf(element);
    const bool isDeep = weight_ > kMostWeight || !hasStack(kStackOfQuestion) ||
                        StopScope::isReached();
    if (!isDeep) {
      std::optional<Term> made;
      if (element.kind == Element::Kind::Literal) made = literal(element);
      if (element.kind == Element::Kind::Sum) made = sum(id, element.type);
      if (element.kind == Element::Kind::Apply) made = applied(element);
      if (made) return *made;
    }
    return variable(id, element);
  }

  int weightOf(const Element &element) const {
    if (element.kind != Element::Kind::Apply) return 1;
    const bool isRounded =
        llvm::StringSwitch<bool>(lawName(element.op))
            .Cases({"add", "subtract", "multiply", "convert"}, true)
            .Default(false);
    const auto isFloat = [&](ElementId id) {
      return sortOf(table_[id].type).isFloat();
    };
    return isRounded && (sortOf(element.type).isFloat() ||
                         llvm::any_of(element.operands, isFloat))
               ? kWeightOfRounding
               : 1;
  }

  Term variable(ElementId id, const Element &element) {
    for (const auto &[other, term] : variables_)
      if (table_[other].type == element.type && areSame_(other, id))
        return term;
    const Term term = solver_.variable(sortOf(element.type));
    variables_.emplace_back(id, term);
    return term;
  }

  std::optional<Term> literal(const Element &element) {
    const Sort sort = sortOf(element.type);
    if (sort.bits > 64) return std::nullopt;
    const uint64_t word = wordOf(element.text);
    if (!sort.isFloat())
      return solver_.bits(sort.bits,
                          element.type == ElementType::Pred ? word != 0 : word);
    // A NaN has bits of its own.
    const uint64_t exponents = ((uint64_t{1} << sort.exponent) - 1)
                               << (sort.significand - 1);
    const uint64_t fraction = (uint64_t{1} << (sort.significand - 1)) - 1;
    if ((word & exponents) == exponents && (word & fraction) != 0)
      return std::nullopt;
    return solver_.floatOfBits(sort, word);
  }

  std::optional<Term> sum(ElementId id, ElementType type) {
    const Polynomial *polynomial = table_.polynomialOf(id);
    if (!polynomial || classOf(type) != kIntegers) return std::nullopt;
    const uint32_t bits = sortOf(type).bits;
    Term all = solver_.bits(bits, 0);
    for (const Polynomial::Term &each : polynomial->terms()) {
      if (each.coefficient.den != 1) return std::nullopt;
      // Coefficients lie in [0, 2^bits - 1].
      Term product = solver_.bits(bits, lowWord(each.coefficient.num));
      for (ElementId factor : each.monomial) {
        const Term by = termOf(factor);
        if (!(by.sort == product.sort)) return std::nullopt;
        product = op(Operation::Multiply, {product, by});
      }
      all = op(Operation::Add, {all, product});
    }
    hasDefined_ = true;
    return all;
  }

  static uint64_t lowWord(const llvm::DynamicAPInt &number) {
    const llvm::DynamicAPInt half(int64_t{1} << 32);
    const auto part = [&](const llvm::DynamicAPInt &x) {
      return static_cast<uint64_t>(static_cast<int64_t>(llvm::mod(x, half)));
    };
    return part(number) | part(llvm::floorDiv(number, half)) << 32;
  }

  std::optional<Term> applied(const Element &element) {
    if (!element.op.is<ElementwiseOp>()) return std::nullopt;
    const llvm::StringRef name = lawName(element.op);
    if (name.empty() || mayReadBits_(element)) return std::nullopt;
    llvm::SmallVector<ElementType, 3> types;
    llvm::SmallVector<Term, 3> x;
    for (ElementId operand : element.operands) {
      types.push_back(table_[operand].type);
      x.push_back(termOf(operand));
    }
    if (x.empty()) return std::nullopt;
    if (name == "power" && classOf(element.type) == kIntegers)
      if (const auto times = table_.integerOf(element.operands[1]))
        if (*times >= 0 && *times <= kMostPower)
          return power(element.type, x[0], *times);
    if (const auto made = defined(name, element.type, types, x)) {
      hasDefined_ = true;
      return made;
    }
    return unknown(element.op.kind().name, element.type, types, x);
  }

  Term power(ElementType type, Term x, int64_t times) {
    hasDefined_ = true;
    Term all = solver_.bits(sortOf(type).bits, 1);
    for (int64_t k = 0; k < times; ++k) all = op(Operation::Multiply, {all, x});
    return all;
  }

  std::optional<Term> defined(llvm::StringRef name, ElementType type,
                              llvm::ArrayRef<ElementType> types,
                              llvm::ArrayRef<Term> x) {
    if (name == "copy") return x[0];
    if (name == "select" && x.size() == 3 && types[0] == ElementType::Pred)
      return select(x[0], x[1], x[2]);
    if (isDirection(name)) return compared(name, types[0], x[0], x[1]);
    if (name == "convert") return converted(type, types[0], x[0]);
    if (name == "is-finite" && x[0].sort.isFloat())
      return op(Operation::Not,
                {op(Operation::Or, {op(Operation::IsNan, {x[0]}),
                                    op(Operation::IsInfinite, {x[0]})})});
    if (llvm::any_of(types, [&](ElementType each) { return each != type; }))
      return std::nullopt;
    if (isOneWord(type)) return ofIntegers(name, type, x);
    if (x[0].sort.isFloat()) return ofFloats(name, x);
    return std::nullopt;
  }

  std::optional<Term> ofIntegers(llvm::StringRef name, ElementType type,
                                 llvm::ArrayRef<Term> x) {
    const bool isSigned = isSignedInteger(type),
               isTruth = type == ElementType::Pred;
    const Term none = solver_.bits(x[0].sort.bits, 0);
    if (x.size() == 1) {
      if (name == "not") return op(Operation::Not, x);
      if (isTruth) return std::nullopt;
      if (name == "negate") return op(Operation::Negate, x);
      const Term isNegative = less(x[0], none, true);
      if (name == "abs")
        return isSigned ? select(isNegative, op(Operation::Negate, x), x[0])
                        : x[0];
      if (name != "sign") return std::nullopt;
      const Term one = solver_.bits(x[0].sort.bits, 1);
      const Term isNone = op(Operation::Same, {x[0], none});
      const Term positive = select(isNone, none, one);
      return isSigned
                 ? select(isNegative, op(Operation::Negate, {one}), positive)
                 : positive;
    }
    if (x.size() == 3) {
      if (name != "clamp") return std::nullopt;
      const Term raised = select(less(x[1], x[0], isSigned), x[0], x[1]);
      return select(less(x[2], raised, isSigned), x[2], raised);
    }
    if (name == "maximum")
      return select(less(x[0], x[1], isSigned), x[1], x[0]);
    if (name == "minimum")
      return select(less(x[0], x[1], isSigned), x[0], x[1]);
    const auto bitwise = llvm::StringSwitch<std::optional<Operation>>(name)
                             .Case("and", Operation::And)
                             .Case("or", Operation::Or)
                             .Case("xor", Operation::Xor)
                             .Default(std::nullopt);
    if (bitwise) return op(*bitwise, x);
    if (isTruth) {
      if (name == "add") return op(Operation::Or, x);
      if (name == "multiply") return op(Operation::And, x);
      return std::nullopt;
    }
    const auto ring = llvm::StringSwitch<std::optional<Operation>>(name)
                          .Case("add", Operation::Add)
                          .Case("subtract", Operation::Subtract)
                          .Case("multiply", Operation::Multiply)
                          .Default(std::nullopt);
    if (ring) return op(*ring, x);
    const Term bits = solver_.bits(x[0].sort.bits, x[0].sort.bits);
    const auto shift =
        llvm::StringSwitch<std::optional<Operation>>(name)
            .Case("shift-left", Operation::ShiftLeft)
            .Case("shift-right-logical", Operation::ShiftRightLogical)
            .Case("shift-right-arithmetic", Operation::ShiftRightArithmetic)
            .Default(std::nullopt);
    if (shift) return where(less(x[1], bits, false), *shift, name, type, x);
    if (name != "divide" && name != "remainder") return std::nullopt;
    const bool isQuotient = name == "divide";
    Term isDefined = op(Operation::Not, {op(Operation::Same, {x[1], none})});
    if (isSigned) {
      const Term least =
          solver_.bits(x[0].sort.bits, uint64_t{1} << (x[0].sort.bits - 1));
      const Term minusOne = op(Operation::Not, {none});
      const Term overflows =
          op(Operation::And, {op(Operation::Same, {x[0], least}),
                              op(Operation::Same, {x[1], minusOne})});
      isDefined =
          op(Operation::And, {isDefined, op(Operation::Not, {overflows})});
    }
    return where(isDefined,
                 isSigned     ? (isQuotient ? Operation::DivideSigned
                                            : Operation::RemainderSigned)
                 : isQuotient ? Operation::DivideUnsigned
                              : Operation::RemainderUnsigned,
                 name, type, x);
  }

  std::optional<Term> ofFloats(llvm::StringRef name, llvm::ArrayRef<Term> x) {
    const auto operation = llvm::StringSwitch<std::optional<Operation>>(name)
                               .Case("add", Operation::FloatAdd)
                               .Case("subtract", Operation::FloatSubtract)
                               .Case("multiply", Operation::FloatMultiply)
                               .Case("negate", Operation::FloatNegate)
                               .Case("abs", Operation::FloatAbs)
                               .Default(std::nullopt);
    if (operation) return op(*operation, x);
    if (name != "maximum" && name != "minimum") return std::nullopt;
    const bool isMaximum = name == "maximum";
    const Sort sort = x[0].sort;
    const uint64_t nan =
        (((uint64_t{1} << sort.exponent) - 1) << (sort.significand - 1)) |
        uint64_t{1} << (sort.significand - 2);
    const Term isNan = op(Operation::Or, {op(Operation::IsNan, {x[0]}),
                                          op(Operation::IsNan, {x[1]})});
    const Term firstIsLess = op(Operation::FloatLess, {x[0], x[1]});
    const Term secondIsLess = op(Operation::FloatLess, {x[1], x[0]});
    const Term zeros = solver_.unknownFunction((name + " of zeros").str(),
                                               bitsSort(1), {x[0], x[1]});
    const Term alike = select(op(Operation::Same, {x[0], x[1]}), x[0],
                              select(zeros, x[0], x[1]));
    return select(isNan, solver_.floatOfBits(sort, nan),
                  select(firstIsLess, isMaximum ? x[1] : x[0],
                         select(secondIsLess, isMaximum ? x[0] : x[1], alike)));
  }

  std::optional<Term> compared(llvm::StringRef direction, ElementType type,
                               Term a, Term b) {
    const bool isFloat = a.sort.isFloat();
    if (!isFloat && !isOneWord(type)) return std::nullopt;
    if (direction == "EQ" || direction == "NE") {
      const Term same =
          op(isFloat ? Operation::FloatEqual : Operation::Same, {a, b});
      return direction == "EQ" ? same : op(Operation::Not, {same});
    }
    if (direction == "GT" || direction == "GE") std::swap(a, b);
    const bool isStrict = direction == "LT" || direction == "GT";
    if (isFloat)
      return op(isStrict ? Operation::FloatLess : Operation::FloatLessEqual,
                {a, b});
    const bool isSigned = isSignedInteger(type);
    return isStrict ? less(a, b, isSigned)
                    : op(Operation::Not, {less(b, a, isSigned)});
  }

  std::optional<Term> converted(ElementType to, ElementType from, Term x) {
    if (to == from) return x;
    const Sort sort = sortOf(to);
    if (isOneWord(from) && isOneWord(to)) {
      if (to == ElementType::Pred)
        return op(Operation::Not,
                  {op(Operation::Same, {x, solver_.bits(x.sort.bits, 0)})});
      return solver_.resized(x, sort.bits, isSignedInteger(from));
    }
    if (x.sort.isFloat() && to == ElementType::Pred)
      return op(Operation::Not, {op(Operation::FloatEqual,
                                    {x, solver_.floatOfBits(x.sort, 0)})});
    if (!sort.isFloat() || !(x.sort.isFloat() || isOneWord(from)))
      return std::nullopt;
    return solver_.rounded(x, sort, isSignedInteger(from));
  }

  /// The operation where it is defined, and elsewhere a number that nobody
  /// knows.
  Term where(Term isDefined, Operation operation, llvm::StringRef name,
             ElementType type, llvm::ArrayRef<Term> x) {
    return select(isDefined, op(operation, x),
                  unknown(name, type, {type, type}, x));
  }

  Term unknown(llvm::StringRef name, ElementType type,
               llvm::ArrayRef<ElementType> types, llvm::ArrayRef<Term> x) {
    std::string whole = (name + " " + elementTypeName(type)).str();
    for (ElementType each : types) whole += (" " + elementTypeName(each)).str();
    return solver_.unknownFunction(whole, sortOf(type), x);
  }

  Term op(Operation operation, llvm::ArrayRef<Term> x) {
    return solver_.apply(operation, x);
  }
  Term select(Term truth, Term yes, Term no) {
    return op(Operation::Select, {truth, yes, no});
  }
  Term less(Term a, Term b, bool isSigned) {
    return op(isSigned ? Operation::LessSigned : Operation::LessUnsigned,
              {a, b});
  }

  const ElementTable &table_;
  Solver &solver_;
  llvm::function_ref<bool(ElementId, ElementId)> areSame_;
  llvm::function_ref<bool(const Element &)> mayReadBits_;
  std::map<ElementId, Term> terms_;
  std::vector<std::pair<ElementId, Term>> variables_;
  int weight_ = 0;
  bool hasDefined_ = false;
};

}  // namespace
}  // namespace solver

bool SameElements::isSolved(ElementId first, ElementId second,
                            const IndexingMap &region) {
  using Kind = Element::Kind;
  const auto isComputed = [&](ElementId id) {
    return table_[id].kind == Kind::Apply || table_[id].kind == Kind::Sum;
  };
  if (!isComputed(first) && !isComputed(second)) return false;
  if (++solved_ > kMostSolved || givenUp_ >= kMostGivenUp) return false;
  const std::unique_ptr<solver::Solver> z3 = solver::Solver::make();
  if (!z3) return false;
  const auto same = [&](ElementId a, ElementId b) {
    return a == b || areSame(a, b, region);
  };
  const auto reads = [&](const Element &element) {
    return mayReadBits(element);
  };
  solver::SolverTerms terms(table_, *z3, same, reads);
  solver::Term a = terms.termOf(first), b = terms.termOf(second);
  // A question about the operands may have been given up.
  if (!terms.hasDefined() || givenUp_ >= kMostGivenUp) return false;
  if (a.sort.isFloat() && has(table_.floats(), FloatLaws::ZeroSign)) {
    a = terms.withoutSign(a);
    b = terms.withoutSign(b);
  }
  const solver::Solver::Answer answer = z3->areEqual(a, b);
  if (answer == solver::Solver::Answer::Unknown) ++givenUp_;
  if (answer != solver::Solver::Answer::Equal) return false;
  table_.noteLaw("z3");
  return true;
}

}  // namespace indexical
