#include "indexical/simplifier/size_rows.h"

#include <algorithm>
#include <bitset>
#include <optional>
#include <tuple>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/simplifier/size_simplex.h"

namespace indexical {
namespace {

constexpr unsigned kHighestDegree = 3;
constexpr size_t kLongestFactor = 3;
constexpr int kProductRounds = 2;

using AtomSet = std::bitset<256>;

AtomSet atomsOf(const PackedPolynomial &sum) {
  AtomSet atoms;
  for (const PackedTerm &term : sum.terms())
    for (unsigned i = 0; i < term.monomial.degree(); ++i)
      atoms.set(term.monomial.factor(i));
  return atoms;
}

class Refuter {
 public:
  Refuter(int64_t &work) : work_(work) {}
  std::optional<SizeRefutation> run(llvm::ArrayRef<SizeRow> goals,
                                    llvm::ArrayRef<SizeRow> known,
                                    llvm::ArrayRef<PackedPolynomial> divisors,
                                    size_t mostProducts);

 private:
  bool put(SizeRow row);
  void addFactorRows(llvm::ArrayRef<SizeRow> known);
  void keepConnected(llvm::ArrayRef<SizeRow> goals);
  bool addProducts(llvm::ArrayRef<PackedPolynomial> factors, size_t begin,
                   size_t most);
  std::optional<SizeRefutation> eliminated();

  std::vector<SizeRow> rows_;
  std::optional<SizeRow> impossible_;  ///< a row that is a negative constant
  size_t products_ = 0;
  int64_t &work_;
};

/// Adds a row, unless another one says as much. Of rows that differ by a
/// constant only the least one is kept.
bool Refuter::put(SizeRow row) {
  row.sum = tightened(row.sum);
  if (row.sum.isConstant()) {
    if (row.sum.constant() < 0 && !impossible_) impossible_ = std::move(row);
    return false;
  }
  work_ -= row.sum.terms().size();
  auto withoutConstant = [](const PackedPolynomial &sum) {
    return sum.terms().drop_front(sum.constant() != 0);
  };
  for (SizeRow &other : rows_) {
    if (withoutConstant(other.sum) != withoutConstant(row.sum)) continue;
    if (row.sum.constant() >= other.sum.constant()) return false;
    other = std::move(row);
    return true;
  }
  rows_.push_back(std::move(row));
  return true;
}

/// Of two monomials that occur, of factors that are not negative, the one that
/// the other divides is at least that times the least values of the rest. The
/// least values are those that are known, whether or not the goals hold.
void Refuter::addFactorRows(llvm::ArrayRef<SizeRow> known) {
  std::optional<int64_t> least[256];
  std::vector<PackedMonomial> monomials;
  for (const SizeRow &row : rows_)
    for (const PackedTerm &term : row.sum.terms())
      if (!term.monomial.isConstant()) monomials.push_back(term.monomial);
  for (const SizeRow &row : known) {
    const auto terms = row.sum.terms();
    if (terms.empty() || terms.back().monomial.degree() != 1 ||
        terms.back().coefficient != 1 ||
        terms.size() > (row.sum.constant() != 0 ? 2 : 1))
      continue;
    auto &own = least[terms.back().monomial.factor(0)];
    own = std::max(own.value_or(INT64_MIN), -row.sum.constant());
  }
  llvm::sort(monomials);
  monomials.erase(std::unique(monomials.begin(), monomials.end()),
                  monomials.end());
  auto leastOf = [&](PackedMonomial monomial) -> std::optional<int64_t> {
    std::optional<int64_t> product = 1;
    for (unsigned i = 0; product && i < monomial.degree(); ++i) {
      const auto &own = least[monomial.factor(i)];
      if (own.value_or(-1) < 0) return std::nullopt;
      product = checkedMul(*product, *own);
    }
    return product;
  };
  for (PackedMonomial whole : monomials) {
    if (whole.degree() < 2 || !leastOf(whole)) continue;
    for (PackedMonomial part : monomials) {
      if (part.degree() >= whole.degree()) break;
      --work_;
      const auto rest = whole.over(part);
      if (!rest) continue;
      PackedPolynomial row = PackedPolynomial::of(whole, 1);
      if (row.add(PackedPolynomial::of(part, -*leastOf(*rest))))
        put({std::move(row), SizeReason::Factors});
    }
  }
}

void Refuter::keepConnected(llvm::ArrayRef<SizeRow> goals) {
  if (goals.empty()) return;
  AtomSet reached;
  for (const SizeRow &goal : goals) reached |= atomsOf(goal.sum);
  std::vector<AtomSet> atoms;
  for (const SizeRow &row : rows_) atoms.push_back(atomsOf(row.sum));
  for (bool grows = true; grows;) {
    grows = false;
    for (const AtomSet &own : atoms)
      if ((own & reached).any() && (own & ~reached).any()) {
        reached |= own;
        grows = true;
      }
  }
  size_t kept = 0;
  for (size_t i = 0; i < rows_.size(); ++i)
    if ((atoms[i] & reached).any()) {
      if (kept != i) rows_[kept] = std::move(rows_[i]);
      ++kept;
    }
  rows_.resize(kept);
}

/// Multiplies the rows from number `begin` on by the factors. Products with the
/// fewest new monomials come first, then the shortest.
bool Refuter::addProducts(llvm::ArrayRef<PackedPolynomial> factors,
                          size_t begin, size_t most) {
  std::vector<PackedMonomial> monomials;
  for (const SizeRow &row : rows_)
    for (const PackedTerm &term : row.sum.terms())
      if (term.monomial.degree() > 1) monomials.push_back(term.monomial);
  llvm::sort(monomials);
  struct Candidate {
    size_t unknowns, length, row, factor;
    PackedPolynomial product;
  };
  std::vector<Candidate> candidates;
  for (size_t i = begin; i < rows_.size(); ++i)
    for (size_t j = 0; j < factors.size(); ++j) {
      const PackedPolynomial &x = rows_[i].sum, &y = factors[j];
      if (degreeOf(x) + degreeOf(y) > kHighestDegree) continue;
      work_ -= x.terms().size() * y.terms().size();
      if (work_ <= 0) return false;
      auto product = x.times(y);
      if (!product) continue;
      const size_t unknowns =
          llvm::count_if(product->terms(), [&](const PackedTerm &term) {
            return term.monomial.degree() > 1 &&
                   !std::binary_search(monomials.begin(), monomials.end(),
                                       term.monomial);
          });
      if (unknowns > 1) continue;
      const size_t length = product->terms().size();
      candidates.push_back({unknowns, length, i, j, *std::move(product)});
    }
  llvm::stable_sort(candidates, [](const Candidate &x, const Candidate &y) {
    return std::make_pair(x.unknowns, x.length) <
           std::make_pair(y.unknowns, y.length);
  });
  // A product may replace a row that others are products of.
  std::vector<PackedPolynomial> sums;
  for (const SizeRow &row : llvm::ArrayRef(rows_).drop_front(begin))
    sums.push_back(row.sum);
  const size_t before = products_;
  for (Candidate &c : candidates) {
    if (products_ >= most || impossible_) break;
    products_ += put({std::move(c.product),
                      SizeReason::Product,
                      {sums[c.row - begin], factors[c.factor]}});
  }
  return products_ > before;
}

std::optional<SizeRefutation> Refuter::eliminated() {
  SizeRefutation found;
  if (impossible_) {
    found.lines.push_back({1, *impossible_});
    return found;
  }
  std::vector<const PackedPolynomial *> sums;
  for (const SizeRow &row : rows_) sums.push_back(&row.sum);
  const auto multipliers = refutingMultipliers(sums, work_);
  if (!multipliers) return std::nullopt;
  for (const auto &[row, multiplier] : *multipliers)
    found.lines.push_back({multiplier, rows_[row]});
  return found;
}

std::optional<SizeRefutation> Refuter::run(
    llvm::ArrayRef<SizeRow> goals, llvm::ArrayRef<SizeRow> known,
    llvm::ArrayRef<PackedPolynomial> divisors, size_t mostProducts) {
  for (const SizeRow &row : goals) put(row);
  for (const SizeRow &row : known) put(row);
  if (!impossible_) addFactorRows(known);
  if (!impossible_) keepConnected(goals);
  if (auto found = eliminated()) return found;
  if (mostProducts == 0) return std::nullopt;
  std::vector<PackedPolynomial> factors;
  for (const SizeRow &row : rows_)
    if (degreeOf(row.sum) == 1 && row.sum.terms().size() <= kLongestFactor &&
        row.reason != SizeReason::Factors)
      factors.push_back(row.sum);
  for (const PackedPolynomial &divisor : divisors)
    if (degreeOf(divisor) > 1 || divisor.terms().size() > 1)
      factors.push_back(divisor);
  size_t begin = 0;
  for (int round = 0; round < kProductRounds; ++round) {
    const size_t end = rows_.size();
    if (!addProducts(factors, begin, mostProducts)) break;
    if (auto found = eliminated()) return found;
    begin = end;
  }
  return std::nullopt;
}

}  // namespace

PackedPolynomial tightened(const PackedPolynomial &sum) {
  int64_t g = 0;
  for (const PackedTerm &term : sum.terms())
    if (!term.monomial.isConstant()) g = gcd(g, term.coefficient);
  if (g <= 1) return sum;
  PackedPolynomial less;
  for (const PackedTerm &term : sum.terms())
    less.add(
        PackedPolynomial::of(term.monomial, floorDiv(term.coefficient, g)));
  return less;
}

std::optional<SizeRefutation> refuted(llvm::ArrayRef<SizeRow> goals,
                                      llvm::ArrayRef<SizeRow> known,
                                      llvm::ArrayRef<PackedPolynomial> divisors,
                                      size_t mostProducts, int64_t &work) {
  return Refuter(work).run(goals, known, divisors, mostProducts);
}

}  // namespace indexical
