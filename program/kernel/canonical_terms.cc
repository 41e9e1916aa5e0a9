#include "indexical/program/kernel/canonical_terms.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "indexical/indexing/sparse_polynomial.h"

namespace indexical::kernels {

namespace {

constexpr size_t kMostFactors = 16;

using Products = FactorLists<TermId, kMostFactors>;
using Polynomial = SparsePolynomial<Products, Residues>;

class Canonical {
 public:
  explicit Canonical(Terms &terms) : terms_(terms) {}

  TermId of(TermId root) {
    std::set<TermId> todo = {root}, needed;
    while (!todo.empty()) {
      const TermId at = *todo.rbegin();
      todo.erase(at);
      needed.insert(at);
      for (TermId operand : terms_[at].operands) todo.insert(operand);
    }
    // Operands have smaller numbers.
    for (TermId at : needed) done_[at] = written(at);
    return done_[root];
  }

 private:
  static bool isOfRing(TermKind kind) {
    return kind == TermKind::Add || kind == TermKind::Sub ||
           kind == TermKind::Mul || kind == TermKind::Truncate;
  }

  TermId written(TermId id) {
    const TermNode term = terms_[id];
    llvm::SmallVector<TermId, 3> operands;
    for (TermId operand : term.operands) operands.push_back(done_[operand]);
    if (term.kind <= TermKind::Unknown)
      return terms_.leaf(term.kind, term.value, term.bits, operands);
    // A truth value is no number of a sum.
    if (!isOfRing(term.kind) || term.bits == 1)
      return terms_.make(term.kind, term.bits, operands);
    const auto sum = polynomialOf(term, operands);
    if (!sum) return terms_.make(term.kind, term.bits, operands);
    const TermId made = termOf(*sum, term.bits);
    polynomials_[made] = *sum;
    return made;
  }

  Polynomial polynomialOf(TermId id) {
    if (const auto known = polynomials_.find(id); known != polynomials_.end())
      return known->second;
    const TermNode &term = terms_[id];
    Polynomial made(Residues{term.bits});
    if (term.kind == TermKind::Constant)
      (void)made.add(term.value);
    else
      (void)made.add(Products::Monomial{id}, 1);
    return made;
  }

  /// Returns nothing if there are too many products, or factors of one: squares
  /// of squares double them.
  std::optional<Polynomial> polynomialOf(const TermNode &term,
                                         llvm::ArrayRef<TermId> operands) {
    const Polynomial a = polynomialOf(operands[0]);
    Polynomial sum(Residues{term.bits});
    if (term.kind == TermKind::Truncate) {
      for (const auto &[product, factor] : a.terms()) {
        Products::Monomial factors;
        for (TermId each : product)
          factors.push_back(terms_.make(TermKind::Truncate, term.bits, {each}));
        std::sort(factors.begin(), factors.end());
        if (!sum.add(factors, factor)) return std::nullopt;
      }
      return sum;
    }
    const Polynomial b = polynomialOf(operands[1]);
    if (term.kind == TermKind::Mul) return a.times(b);
    if (!sum.add(a) || !sum.add(b, term.kind == TermKind::Sub ? -1 : 1))
      return std::nullopt;
    return sum;
  }

  TermId termOf(const Polynomial &sum, int32_t bits) {
    TermId all = terms_.constant(0, bits);
    for (const auto &[product, factor] : sum.terms()) {
      TermId one = terms_.constant(static_cast<int64_t>(factor), bits);
      for (TermId each : product)
        one = terms_.make(TermKind::Mul, bits, {each, one});
      all = terms_.make(TermKind::Add, bits, {one, all});
    }
    return all;
  }

  Terms &terms_;
  std::map<TermId, TermId> done_;
  std::map<TermId, Polynomial> polynomials_;  ///< of terms written here
};

}  // namespace

TermId canonical(Terms &terms, TermId term) {
  return Canonical(terms).of(term);
}

}  // namespace indexical::kernels
