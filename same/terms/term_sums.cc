// Values that are sums of multiples, modulo 2 to the width of their type.
//
//   c = u8[] constant(255)
//   a = u8[] add(x, c)         1 * x + 255
//   b = u8[] subtract(x, one)  1 * x + 255
//   n = u8[] not(x)            255 * x + 255
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/program/values/ring_ops.h"
#include "indexical/same/terms/program_terms.h"

namespace indexical {
namespace {

// Sums of more values are values of their own.
constexpr size_t kMostFactors = 16;

/// Sums of pred are no ring, and the width of some other types is not known.
bool hasSums(const ArrayShape &shape) {
  return isInteger(shape.type) && shape.type != ElementType::Pred &&
         bitsOf(shape.type) > 0 && bitsOf(shape.type) <= 64;
}

/// Returns the number that all elements of a literal are.
std::optional<uint64_t> numberOf(const ConstantOp &literal) {
  if (!literal.isKnown || literal.values.empty() ||
      literal.values[0] == INT64_MIN || !llvm::all_equal(literal.values))
    return std::nullopt;
  return static_cast<uint64_t>(literal.values[0]);
}

}  // namespace

TermId TermTable::sumOf(const ArrayShape &shape, const IntegerSum &sum) {
  const auto terms = sum.terms();
  if (terms.size() == 1 && !terms[0].monomial.empty() &&
      terms[0].coefficient == 1)
    return terms[0].monomial[0];
  ValueTerm term;
  term.kind = ValueTerm::Kind::Sum;
  term.number = static_cast<int64_t>(sum.constant());
  term.text = shape.str();
  for (const auto &[factors, by] : terms) {
    if (factors.empty()) continue;
    term.operands.push_back(factors[0]);
    term.text += " " + std::to_string(by);
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
  IntegerSum alone(Residues{bitsOf(shape.type)});
  (void)alone.add(IntegerSum::Monomial{id}, 1);
  return alone;
}

std::optional<TermId> ProgramTerms::sumValue(const ConstantOp &literal) {
  const ArrayShape &shape = literal.results[0];
  const auto number = numberOf(literal);
  if (!number || !hasSums(shape)) return std::nullopt;
  IntegerSum sum(Residues{bitsOf(shape.type)});
  (void)sum.add(*number);
  return table_.sumOf(ArrayShape(shape.type, shape.dimensions), sum);
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
  auto is = [&](const char *name) {
    return op.opKind == kindOf<ElementwiseOp>(name);
  };
  const auto sum = ringValue<IntegerSum>(is, values, bitsOf(shape.type));
  if (!sum || sum->terms().size() > kMostFactors + (sum->constant() != 0))
    return std::nullopt;
  return table_.sumOf(shape, *sum);
}

}  // namespace indexical
