// Values that are sums of multiples, modulo 2 to the width of their type.
//
//   c = u8[] constant(255)
//   a = u8[] add(x, c)         1 * x + 255
//   b = u8[] subtract(x, one)  1 * x + 255
//   n = u8[] not(x)            255 * x + 255
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/same/terms/program_terms.h"

namespace indexical {
namespace {

// Sums of more values are values of their own.
constexpr size_t kMostFactors = 16;

/// Returns the bits that count.
uint64_t maskOf(ElementType type) {
  return llvm::maskTrailingOnes<uint64_t>(bitsOf(type));
}

/// Sums of pred are no ring, and the width of some other types is not known.
bool hasSums(const ArrayShape &shape) {
  return isInteger(shape.type) && shape.type != ElementType::Pred &&
         bitsOf(shape.type) > 0 && bitsOf(shape.type) <= 64;
}

void scale(IntegerSum &sum, uint64_t by) {
  for (auto &[term, factor] : sum.factors) factor *= by;
  sum.number *= by;
}

void add(IntegerSum &sum, const IntegerSum &other) {
  for (const auto &[term, factor] : other.factors) sum.factors[term] += factor;
  sum.number += other.number;
}

/// Drops multiples of 2 to the width.
void reduce(IntegerSum &sum, uint64_t mask) {
  sum.number &= mask;
  for (auto at = sum.factors.begin(); at != sum.factors.end();) {
    at->second &= mask;
    at = at->second == 0 ? sum.factors.erase(at) : std::next(at);
  }
}

/// Returns the number that all elements of a literal are.
std::optional<uint64_t> numberOf(const ConstantOp &literal) {
  if (!literal.isKnown || literal.values.empty() ||
      literal.values[0] == INT64_MIN || !llvm::all_equal(literal.values))
    return std::nullopt;
  return static_cast<uint64_t>(literal.values[0]);
}

/// Returns the op of these operands as a sum, or nothing if it is none.
std::optional<IntegerSum> computed(const ElementwiseOp &op,
                                   llvm::ArrayRef<IntegerSum> x, int64_t bits) {
  auto is = [&](const char *name) {
    return op.opKind == kindOf<ElementwiseOp>(name);
  };
  if (x.size() == 1 && (is("negate") || is("not"))) {
    IntegerSum sum = x[0];
    scale(sum, -1);
    if (is("not")) sum.number -= 1;
    return sum;
  }
  if (x.size() != 2) return std::nullopt;
  if (is("add") || is("subtract")) {
    IntegerSum sum = x[1];
    if (is("subtract")) scale(sum, -1);
    add(sum, x[0]);
    return sum;
  }
  if (is("multiply")) {
    for (int k : {0, 1}) {
      if (!x[k].factors.empty()) continue;
      IntegerSum sum = x[1 - k];
      scale(sum, x[k].number);
      return sum;
    }
    return std::nullopt;
  }
  if (is("shift-left") && x[1].factors.empty() &&
      x[1].number < static_cast<uint64_t>(bits)) {
    IntegerSum sum = x[0];
    scale(sum, uint64_t{1} << x[1].number);
    return sum;
  }
  return std::nullopt;
}

}  // namespace

TermId TermTable::sumOf(const ArrayShape &shape, const IntegerSum &sum) {
  if (sum.number == 0 && sum.factors.size() == 1 &&
      sum.factors.begin()->second == 1)
    return sum.factors.begin()->first;
  ValueTerm term;
  term.kind = ValueTerm::Kind::Sum;
  term.number = static_cast<int64_t>(sum.number);
  term.text = shape.str();
  for (const auto &[of, factor] : sum.factors) {
    term.operands.push_back(of);
    term.text += " " + std::to_string(factor);
  }
  const TermId made = intern(std::move(term));
  sums_.emplace(made, sum);
  return made;
}

/// A leaf of another shape may have the same value, if both have an index.
IntegerSum TermTable::sumIn(const ArrayShape &shape, TermId id) const {
  const auto found = sums_.find(id);
  if (found != sums_.end() &&
      llvm::StringRef(terms_[id].text).split(' ').first == shape.str())
    return found->second;
  IntegerSum alone;
  alone.factors[id] = 1;
  return alone;
}

std::optional<TermId> ProgramTerms::sumValue(const ConstantOp &literal) {
  const ArrayShape &shape = literal.results[0];
  const auto number = numberOf(literal);
  if (!number || !hasSums(shape)) return std::nullopt;
  return table_.sumOf(ArrayShape(shape.type, shape.dimensions),
                      {{}, *number & maskOf(shape.type)});
}

/// Returns the value of an integer op as a sum, or nothing if it is none.
std::optional<TermId> ProgramTerms::sumValue(const ElementwiseOp &op,
                                             llvm::ArrayRef<TermId> operands) {
  if (!hasSums(op.results[0])) return std::nullopt;
  const ArrayShape shape(op.results[0].type, op.results[0].dimensions);
  llvm::SmallVector<IntegerSum, 2> values;
  for (auto [k, operand] : llvm::enumerate(operands)) {
    const ArrayShape &own = op.operands[k];
    if (own.type != shape.type || own.dimensions != shape.dimensions)
      return std::nullopt;
    values.push_back(table_.sumIn(shape, operand));
  }
  auto sum = computed(op, values, bitsOf(shape.type));
  if (!sum) return std::nullopt;
  reduce(*sum, maskOf(shape.type));
  if (sum->factors.size() > kMostFactors) return std::nullopt;
  return table_.sumOf(shape, *sum);
}

}  // namespace indexical
