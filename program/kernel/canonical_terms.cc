#include "indexical/program/kernel/canonical_terms.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace indexical::kernels {

namespace {

/// The factors of a product, in order, and the sum of products.
using Product = std::vector<TermId>;
using Polynomial = std::map<Product, uint64_t>;

constexpr size_t kMostProducts = 64;
constexpr size_t kMostFactors = 16;

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
    if (term.kind == TermKind::Constant)
      return {{{}, static_cast<uint64_t>(term.value)}};
    return {{{id}, 1}};
  }

  /// Returns nothing if there are too many products, or factors of one: squares
  /// of squares double them.
  std::optional<Polynomial> polynomialOf(const TermNode &term,
                                         llvm::ArrayRef<TermId> operands) {
    const Polynomial a = polynomialOf(operands[0]);
    if (term.kind == TermKind::Truncate) {
      Polynomial narrow;
      for (const auto &[product, factor] : a) {
        Product factors;
        for (TermId each : product)
          factors.push_back(terms_.make(TermKind::Truncate, term.bits, {each}));
        std::sort(factors.begin(), factors.end());
        add(narrow, factors, factor, term.bits);
      }
      return narrow;
    }
    const Polynomial b = polynomialOf(operands[1]);
    Polynomial sum;
    if (term.kind == TermKind::Mul) {
      for (const auto &[x, p] : a)
        for (const auto &[y, q] : b) {
          Product both = x;
          both.insert(both.end(), y.begin(), y.end());
          if (both.size() > kMostFactors) return std::nullopt;
          std::sort(both.begin(), both.end());
          add(sum, both, p * q, term.bits);
          if (sum.size() > kMostProducts) return std::nullopt;
        }
      return sum;
    }
    for (const auto &[x, p] : a) add(sum, x, p, term.bits);
    for (const auto &[y, q] : b)
      add(sum, y, term.kind == TermKind::Sub ? 0 - q : q, term.bits);
    if (sum.size() > kMostProducts) return std::nullopt;
    return sum;
  }

  static void add(Polynomial &sum, const Product &product, uint64_t factor,
                  int32_t bits) {
    const uint64_t all = sum[product] + factor;
    const int64_t kept = wrapped(static_cast<int64_t>(all), bits);
    if (kept == 0)
      sum.erase(product);
    else
      sum[product] = static_cast<uint64_t>(kept);
  }

  TermId termOf(const Polynomial &sum, int32_t bits) {
    TermId all = terms_.constant(0, bits);
    for (const auto &[product, factor] : sum) {
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
