#include "indexical/simplifier/shortcuts/delinearize.h"

#include <algorithm>
#include <utility>

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/simplifier/simplified.h"

namespace indexical {
namespace {

using Cut = Delinearization::Cut;

/// Returns the form as (parent floordiv stride) mod modulus, digits of digits
/// as one, if its parent is a sum of variables.
std::optional<Atom> cutOf(const ExpressionTable &table, FormId form) {
  Atom cut;
  cut.a = form;
  cut.stride = 1;
  while (auto atom = table.asAtom(cut.a)) {
    if (table.atom(*atom).kind != AtomKind::Digit) break;
    auto one = digitOfDigit(table.atom(*atom), cut.stride, cut.modulus);
    if (!one) return std::nullopt;
    cut = *one;
  }
  if (!table.isSumOfVariables(cut.a)) return std::nullopt;
  return cut;
}

/// Digits of one parent, or of parents that all start from 0. One above the
/// other, in the order in which they come, these are one index.
class StackedDigits {
 public:
  explicit StackedDigits(const IndexingMap &map) : table_(map.expressions()) {
    auto boundsOf = [&](VariableId id) { return map.variable(id).bounds; };
    FormBounds bounds(table_, boundsOf);
    for (FormId form : map.results()) {
      cuts_.push_back({1, 1});
      parents_.push_back(0);
      if (table_.isConstant(form, 0)) continue;
      auto cut = cutOf(table_, form);
      failed_ |= !cut;
      if (failed_) return;
      cuts_.back() = {cut->stride, cut->modulus};
      auto known = llvm::find_if(
          levels_, [&](const Level &l) { return l.parent == cut->a; });
      parents_.back() = known - levels_.begin();
      if (known != levels_.end()) continue;
      const Interval range = bounds(cut->a);
      areFromZero_ &= range.lower == 0 && range.hasUpper();
      levels_.push_back({cut->a, range.count()});
    }
    failed_ |= levels_.empty() || (levels_.size() > 1 && !areFromZero_);
  }

  std::optional<Delinearization> digits() {
    if (failed_) return std::nullopt;
    Delinearization all;
    int64_t scale = 1;
    for (size_t level = levels_.size(); level-- > 0;) {
      const auto [parent, width] = levels_[level];
      for (auto [cut, of] : llvm::zip(cuts_, parents_)) {
        if (of != level || cut.modulus == 1) continue;
        // Below another level, the width must be whole turns of the digit.
        const int64_t most = width / cut.stride;
        if (level > 0 && !cut.modulus) cut.modulus = most;
        failed_ |= level > 0 && (width % cut.stride != 0 || most == 0 ||
                                 most % cut.modulus != 0);
        cut.stride = scaled(cut.stride, scale);
      }
      for (const Term &term : table_.terms(parent))
        all.index.push_back({table_.atom(term.atom).variable(),
                             scaled(term.coefficient, scale)});
      auto sum =
          checkedAdd(all.constant, scaled(table_.constant(parent), scale));
      failed_ |= !sum;
      all.constant = sum.value_or(0);
      scale = scaled(scale, width);
      if (failed_) return std::nullopt;
    }
    for (Cut &cut : cuts_) {
      // The highest digit is a floor.
      if (areFromZero_ && cut.modulus > 1 &&
          scaled(cut.stride, cut.modulus) >= scale)
        cut.modulus = 0;
    }
    all.results = std::move(cuts_);
    return failed_ ? std::nullopt : std::optional(std::move(all));
  }

 private:
  struct Level {
    FormId parent;
    int64_t width;  // its values are [0, width - 1]
  };
  int64_t scaled(int64_t x, int64_t factor) {
    auto product = checkedMul(x, factor);
    failed_ |= !product;
    return product.value_or(0);
  }

  const ExpressionTable &table_;
  llvm::SmallVector<Level, 4> levels_;
  llvm::SmallVector<Cut, 6> cuts_;        // of the results
  llvm::SmallVector<size_t, 6> parents_;  // their levels
  bool areFromZero_ = true;               // the parents' values
  bool failed_ = false;
};

/// Returns the results as digits, the last one lowest, each as wide as its
/// bounds.
std::optional<Delinearization> byBounds(CanonicalForms &forms,
                                        llvm::ArrayRef<FormId> results) {
  ExpressionPool &pool = forms.pool();
  Delinearization digits;
  llvm::SmallVector<ScaledForm, 6> parts;
  int64_t stride = 1;
  for (FormId form : llvm::reverse(results)) {
    const Interval range = forms.bounds(form);
    auto next = checkedMul(stride, range.count());
    if (range.lower != 0 || !range.hasUpper() || !next) return std::nullopt;
    digits.results.push_back({stride, range.count()});
    parts.push_back({form, stride});
    stride = *next;
  }
  std::reverse(digits.results.begin(), digits.results.end());
  auto highest = llvm::find_if(digits.results,
                               [](const Cut &cut) { return cut.modulus != 1; });
  if (highest == digits.results.end()) return std::nullopt;
  highest->modulus = 0;
  Attempt attempt(pool);
  const FormId index = forms.linear(parts, 0);
  if (attempt.failed() || !pool.isSumOfVariables(index)) return std::nullopt;
  digits.constant = pool.constant(index);
  for (const Term &term : pool.terms(index))
    digits.index.push_back({pool.atom(term.atom).variable(), term.coefficient});
  return digits;
}

/// Returns the product's delinearization, in the first's variables.
std::optional<Delinearization> composed(const Delinearization &first,
                                        const Delinearization &second) {
  struct ScaledCut {
    Cut cut;
    int64_t coefficient;
  };
  llvm::SmallVector<ScaledCut, 8> cuts;
  for (const Delinearization::IndexTerm &term : second.index) {
    if (term.variable.kind != VariableKind::Dimension) return std::nullopt;
    const Cut &cut = first.results[term.variable.index];
    if (cut.modulus != 1) cuts.push_back({cut, term.coefficient});
  }
  llvm::sort(cuts, [](const ScaledCut &x, const ScaledCut &y) {
    return x.cut.stride < y.cut.stride;
  });
  if (cuts.empty() || cuts.back().cut.modulus != 0) return std::nullopt;
  // One above the other, from the lowest on.
  const int64_t scale = cuts[0].coefficient;
  int64_t stride = 1;
  for (const auto &[cut, coefficient] : cuts) {
    if (cut.stride != stride || checkedMul(scale, stride) != coefficient)
      return std::nullopt;
    stride = checkedMul(stride, cut.modulus).value_or(0);
  }
  Delinearization product;
  for (const Delinearization::IndexTerm &term : first.index) {
    auto coefficient = checkedMul(scale, term.coefficient);
    if (!coefficient) return std::nullopt;
    product.index.push_back({term.variable, *coefficient});
  }
  auto scaled = checkedMul(scale, first.constant);
  auto constant = scaled ? checkedAdd(*scaled, second.constant) : std::nullopt;
  if (!constant) return std::nullopt;
  product.constant = *constant;
  product.results = second.results;
  return product;
}

}  // namespace

std::optional<Delinearization> delinearized(const IndexingMap &map,
                                            CanonicalForms &forms,
                                            llvm::ArrayRef<FormId> results) {
  // Results that are one variable each gain nothing.
  const ExpressionPool &pool = forms.pool();
  auto isSimple = [&](FormId form) {
    return pool.terms(form).size() <= 1 && forms.measures.isPlain(form);
  };
  if (!map.collectives().empty() || llvm::all_of(results, isSimple))
    return std::nullopt;
  if (auto digits = StackedDigits(map).digits()) return digits;
  return byBounds(forms, results);
}

std::optional<Delinearization> delinearizedProduct(const MapParts &parts) {
  if (!parts.second || !parts.collectives.empty() ||
      !parts.second->constraints().empty())
    return std::nullopt;
  const Delinearization *first = delinearizationOf(*parts.first);
  const Delinearization *second = delinearizationOf(*parts.second);
  if (!first) return std::nullopt;
  std::optional<Delinearization> asWritten;
  if (!second) {
    asWritten = StackedDigits(*parts.second).digits();
    if (asWritten) second = &*asWritten;
  }
  auto product = second ? composed(*first, *second) : std::nullopt;
  if (!product) return std::nullopt;
  for (Delinearization::IndexTerm &term : product->index) {
    if (term.variable.kind == VariableKind::Range)
      term.variable.index += parts.second->ranges().size();
    if (term.variable.kind == VariableKind::Runtime)
      term.variable.index += parts.second->runtime().size();
  }
  return product;
}

namespace {

/// The values of a part of an index: `count` of them, `stride` apart.
struct StridedValues {
  int64_t stride, count;
};

/// Returns how many values the parts fill together, or nothing if they leave
/// gaps or overlap.
std::optional<int64_t> filled(llvm::SmallVectorImpl<StridedValues> &parts) {
  llvm::sort(parts, [](const StridedValues &x, const StridedValues &y) {
    return x.stride < y.stride;
  });
  int64_t all = 1;
  for (const auto &[stride, count] : parts) {
    if (stride != all) return std::nullopt;
    auto next = checkedMul(all, count);
    if (!next) return std::nullopt;
    all = *next;
  }
  return all;
}

/// Whether the constraint leaves the index `count` values, from 0 on. It must
/// be on the variables whose strides are at least some factor, divided by that
/// factor. Variables with smaller strides make no difference.
bool leaves(const Constraint &constraint, const ExpressionTable &table,
            const VariableBounds &box, const Delinearization &digits,
            int64_t count) {
  const Interval bounds = constraint.bounds;
  if (bounds.lower > 0 || bounds.upper < 0 || !bounds.hasUpper() ||
      !table.isSumOfVariables(constraint.form))
    return false;
  const int64_t factor = count / (bounds.upper + 1);
  if (factor * (bounds.upper + 1) != count) return false;
  const llvm::ArrayRef<Term> terms = table.terms(constraint.form);
  size_t found = 0;
  for (const auto &[variable, coefficient] : digits.index) {
    if (box[variable].isPoint() || coefficient < factor) continue;
    const bool isThere = llvm::any_of(
        terms, [&, id = variable, k = coefficient](const Term &term) {
          return table.atom(term.atom).variable() == id && k % factor == 0 &&
                 term.coefficient == k / factor;
        });
    if (!isThere) return false;
    ++found;
  }
  return found == terms.size();
}

}  // namespace

bool isWhole(const Delinearization &digits, CanonicalForms &forms,
             llvm::ArrayRef<Constraint> constraints,
             llvm::ArrayRef<FormId> results) {
  if (digits.constant != 0 || constraints.size() > 1) return false;
  auto isFromZero = [](Interval range) {
    return range.lower == 0 && range.hasUpper();
  };
  llvm::SmallVector<StridedValues, 6> ofVariables, ofResults;
  for (const auto &[variable, coefficient] : digits.index) {
    const Interval range = forms.facts.box()[variable];
    if (!isFromZero(range)) return false;
    if (!range.isPoint()) ofVariables.push_back({coefficient, range.count()});
  }
  for (auto [cut, form] : llvm::zip(digits.results, results)) {
    const Interval range = forms.bounds(form);
    if (!isFromZero(range)) return false;
    if (!range.isPoint()) ofResults.push_back({cut.stride, range.count()});
  }
  const auto all = filled(ofVariables), cut = filled(ofResults);
  if (!all || !cut) return false;
  return constraints.empty() ? *all == *cut
                             : leaves(constraints[0], forms.pool(),
                                      forms.facts.box(), digits, *cut);
}

bool staysInside(const MapParts &parts) {
  if (!parts.runtime.empty() || !parts.first->constraints().empty() ||
      !parts.second->constraints().empty())
    return false;
  const Delinearization &first = *delinearizationOf(*parts.first);
  Interval index = Interval::point(first.constant);
  for (const auto &[variable, coefficient] : first.index)
    index = index + parts.first->variable(variable).bounds * coefficient;
  return llvm::all_of(llvm::zip(first.results, parts.second->dimensions()),
                      [&](const auto &both) {
                        const auto &[cut, dimension] = both;
                        const Interval floor = index.floorDiv(cut.stride);
                        return dimension.bounds.contains(
                            cut.modulus ? floor.mod(cut.modulus) : floor);
                      });
}

llvm::SmallVector<FormId, 4> digitsOf(
    const Delinearization &delinearization, CanonicalForms &forms,
    llvm::function_ref<FormId(VariableId)> replace) {
  llvm::SmallVector<ScaledForm, 8> sum;
  for (const auto &[variable, coefficient] : delinearization.index)
    sum.push_back({replace(variable), coefficient});
  const FormId index = forms.linear(sum, delinearization.constant);
  llvm::SmallVector<FormId, 4> digits;
  for (const auto &[stride, modulus] : delinearization.results) {
    const FormId digit = forms.digit(index, stride, modulus);
    // As a sum it may have a better form, if more is known than bounds.
    digits.push_back(forms.facts.areNone() ? digit
                                           : forms.linear({{digit, 1}}, 0));
  }
  return digits;
}

}  // namespace indexical
