#include "indexical/simplifier/size_prover.h"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/evaluation.h"
#include "indexical/simplifier/size_atoms.h"
#include "indexical/simplifier/size_rows.h"

namespace indexical {
namespace {

constexpr size_t kMostProducts = 60;
constexpr size_t kMostCases = 12;
/// Quotients whose sign and whose differences are looked at.
constexpr size_t kMostQuotients = 4;
/// Points that are looked at before anything is proven, and the variables that
/// they may have.
constexpr int kMostTrials = 24;
constexpr size_t kMostTrialVariables = 16;

thread_local int64_t questions = 0;

/// One question: whether the givens, and a constraint beside them, have no
/// point.
class Refutation {
 public:
  Refutation(const SizeQuestion &question, const SizeBudget &budget)
      : work_(budget.operations),
        cases_(budget.cases),
        givens_(question.givens.begin(), question.givens.end()),
        atoms_(question.table, question.boundsOf, work_) {
    llvm::sort(givens_, [&](const Constraint &x, const Constraint &y) {
      if (x.form != y.form)
        return question.table.compareForms(x.form, y.form) < 0;
      return std::make_pair(x.bounds.lower, x.bounds.upper) <
             std::make_pair(y.bounds.lower, y.bounds.upper);
    });
  }

  /// Continues from what the other one knows, with work of its own.
  Refutation(const Refutation &other)
      : work_(other.work_),
        cases_(other.cases_),
        givens_(other.givens_),
        atoms_(other.atoms_, work_) {}

  /// Adds the givens, and reads the form that is asked about: what both sides
  /// of a claim have in common.
  void prepare(const Constraint *claim) {
    atoms_.addGivens(givens_);
    if (claim) (void)atoms_.rowsOf(*claim, SizeReason::Refuted);
  }
  /// Requires prepare().
  bool run(const Constraint *refuted);
  void explain(SizeCertificate &certificate) const;

 private:
  std::optional<SizeRefutation> tried(const PackedPolynomial *assumed);
  void collectCases();
  void addCase(PackedPolynomial form);

  int64_t work_;
  bool cases_;
  llvm::SmallVector<Constraint, 8> givens_;
  SizeAtoms atoms_;
  std::vector<SizeRow> goals_;
  std::vector<PackedPolynomial> distinctions_;
  struct Case {
    std::optional<PackedPolynomial> assumed;
    SizeRefutation lines;
  };
  std::vector<Case> found_;
};

std::optional<SizeRefutation> Refutation::tried(
    const PackedPolynomial *assumed) {
  std::vector<SizeRow> goals = goals_;
  if (assumed) goals.push_back({*assumed, SizeReason::Assumed});
  return refuted(goals, atoms_.rows(), atoms_.divisors(), kMostProducts, work_);
}

void Refutation::addCase(PackedPolynomial form) {
  if (!form.isConstant() && distinctions_.size() < kMostCases &&
      !llvm::is_contained(distinctions_, form))
    distinctions_.push_back(std::move(form));
}

/// Collects forms of whose sign cases are made: what a size multiplies in the
/// goal, quotients, and differences of quotients, each also by one more or
/// less.
void Refutation::collectCases() {
  auto addWith = [&](const PackedPolynomial &form,
                     llvm::ArrayRef<int64_t> distances) {
    for (int64_t distance : distances)
      if (PackedPolynomial moved = form; moved.add(distance))
        addCase(std::move(moved));
  };
  const llvm::ArrayRef<SizeRow> goals =
      goals_.empty() ? atoms_.rows() : llvm::ArrayRef<SizeRow>(goals_);
  std::vector<PackedAtom> quotients;
  for (const SizeRow &goal : goals) {
    for (unsigned i = 1; i <= atoms_.count(); ++i) {
      const auto atom = static_cast<PackedAtom>(i);
      if (!has(goal.sum, atom)) continue;
      if (atoms_.isQuotient(atom)) {
        quotients.push_back(atom);
        continue;
      }
      PackedPolynomial multiplied;
      bool isInProduct = false;
      for (const PackedTerm &term : goal.sum.terms())
        if (const auto rest = term.monomial.over(PackedMonomial(atom))) {
          isInProduct |= !rest->isConstant();
          (void)multiplied.add(PackedPolynomial::of(*rest, term.coefficient));
        }
      if (isInProduct && goal.reason != SizeReason::Bound &&
          goal.reason != SizeReason::Quotient)
        addWith(multiplied, {0, 1, -1});
    }
  }
  for (const SizeRow &row : atoms_.rows())
    for (unsigned i = 1; i <= atoms_.count(); ++i)
      if (atoms_.isQuotient(i) && has(row.sum, i)) quotients.push_back(i);
  llvm::SmallVector<PackedAtom, 8> some;
  for (PackedAtom q : quotients)
    if (!llvm::is_contained(some, q) && some.size() < kMostQuotients)
      some.push_back(q);
  for (PackedAtom q : some) addWith(ofAtom(q), {0, -1});
  for (size_t i = 0; i < some.size(); ++i)
    for (size_t j = i + 1; j < some.size(); ++j) {
      PackedPolynomial difference = ofAtom(some[i]);
      if (difference.add(ofAtom(some[j]), -1)) addWith(difference, {0, 1});
    }
}

bool Refutation::run(const Constraint *refuted) {
  ++questions;
  if (refuted) {
    goals_ = atoms_.rowsOf(*refuted, SizeReason::Refuted);
    if (goals_.empty()) return false;
  }
  if (auto lines = tried(nullptr)) {
    found_.push_back({std::nullopt, *std::move(lines)});
    return true;
  }
  if (!cases_ || work_ <= 0) return false;
  collectCases();
  for (const PackedPolynomial &form : distinctions_) {
    PackedPolynomial below(-1);
    if (!below.add(form, -1)) continue;
    auto first = tried(&form);
    if (!first || work_ <= 0) continue;
    auto second = tried(&below);
    if (!second) continue;
    found_.push_back({form, *std::move(first)});
    found_.push_back({below, *std::move(second)});
    return true;
  }
  return false;
}

void Refutation::explain(SizeCertificate &certificate) const {
  ExpressionPool &pool = certificate.pool;
  atoms_.forSolved([&](VariableId id, const PackedPolynomial &value) {
    certificate.solved.push_back({id, atoms_.form(pool, value)});
  });
  for (const Case &found : found_) {
    SizeCertificate::Case one;
    if (found.assumed) one.assumed = atoms_.form(pool, *found.assumed);
    for (const SizeRefutation::Line &line : found.lines.lines) {
      SizeCertificate::Line said{line.multiplier,
                                 atoms_.form(pool, line.row.sum),
                                 line.row.reason,
                                 {}};
      for (const PackedPolynomial &factor : line.row.factors)
        said.factors.push_back(atoms_.form(pool, factor));
      one.lines.push_back(std::move(said));
    }
    certificate.cases.push_back(std::move(one));
  }
}

bool isRefuted(Refutation &refutation, const Constraint *refuted,
               SizeCertificate *certificate) {
  if (!refutation.run(refuted)) return false;
  if (certificate) refutation.explain(*certificate);
#ifdef INDEXICAL_CHECK_FORMS
  SizeCertificate own;
  refutation.explain(own);
  assert(!own.check());
#endif
  return true;
}

//===-- Points ------------------------------------------------------------===//

/// Returns a value within the bounds, near the end from which they are counted.
int64_t trialValue(Interval bounds, int trial, size_t variable) {
  static constexpr int64_t kSteps[] = {0, 1, 2, 3, 4, 6, 9, 17};
  uint64_t word = (trial + 1) * 0x9e3779b97f4a7c15u + variable * 0xbf58476d1ce4;
  word ^= word >> 29;
  word *= 0x94d049bb133111ebu;
  const int64_t step = trial == 0 ? 1 : kSteps[word >> 61];
  if (bounds.hasLower())
    return std::min(checkedAdd(bounds.lower, step).value_or(bounds.lower),
                    bounds.upper);
  return bounds.hasUpper() ? checkedSub(bounds.upper, step).value_or(0)
                           : step - 3;
}

/// Whether a point is found that has all givens, and does not have the claim if
/// that is not null. Most claims that do not follow have one, and to look for
/// it takes a tenth of the time that a proof takes to fail.
bool hasPointWithout(const SizeQuestion &question, const Constraint *claim) {
  llvm::SmallVector<FormId, 8> forms;
  for (const Constraint &given : question.givens) forms.push_back(given.form);
  if (claim) forms.push_back(claim->form);
  llvm::SmallVector<std::pair<VariableId, Interval>, kMostTrialVariables> all;
  question.table.visitVariables(forms, [&](VariableId id) {
    const bool isKnown =
        llvm::any_of(all, [&](const auto &other) { return other.first == id; });
    if (!isKnown) all.push_back({id, question.boundsOf(id)});
  });
  if (all.size() > kMostTrialVariables ||
      llvm::any_of(all, [](const auto &v) { return v.second.isEmpty(); }))
    return false;
  for (int trial = 0; trial < kMostTrials; ++trial) {
    auto valueOf = [&](VariableId id) {
      const auto *found = llvm::find_if(
          all, [&](const auto &other) { return other.first == id; });
      return trialValue(found->second, trial, found - all.begin());
    };
    Evaluation evaluation(question.table, valueOf);
    auto holds = [&](const Constraint &c) {
      const auto value = evaluation(c.form);
      return value && c.bounds.contains(*value);
    };
    if (!llvm::all_of(question.givens, holds)) continue;
    if (!claim) return true;
    const auto value = evaluation(claim->form);
    if (value && !claim->bounds.contains(*value)) return true;
  }
  return false;
}

}  // namespace

bool sizesRefute(const SizeQuestion &question, const SizeBudget &budget,
                 SizeCertificate *certificate) {
  if (hasPointWithout(question, nullptr)) return false;
  Refutation refutation(question, budget);
  refutation.prepare(nullptr);
  return isRefuted(refutation, nullptr, certificate);
}

bool sizesImply(const SizeQuestion &question, const Constraint &claim,
                const SizeBudget &budget,
                std::vector<SizeCertificate> *certificates) {
  const Interval bounds = claim.bounds;
  if (bounds.isEmpty()) return sizesRefute(question, budget);
  if (hasPointWithout(question, &claim)) return false;
  std::vector<SizeCertificate> proofs;
  auto isImpossible = [&](Refutation &refutation, Interval outside) {
    const Constraint refuted{claim.form, outside};
    SizeCertificate *proof = certificates ? &proofs.emplace_back() : nullptr;
    return isRefuted(refutation, &refuted, proof);
  };
  Refutation last(question, budget);
  last.prepare(&claim);
  if (bounds.hasLower() && bounds.hasUpper()) {
    Refutation first(last);
    if (!isImpossible(first, {Interval::kMinusInfinity, bounds.lower - 1}))
      return false;
  }
  const bool isMost = bounds.hasUpper();
  if ((isMost || bounds.hasLower()) &&
      !isImpossible(
          last, isMost ? Interval{bounds.upper + 1, Interval::kInfinity}
                       : Interval{Interval::kMinusInfinity, bounds.lower - 1}))
    return false;
  if (certificates) *certificates = std::move(proofs);
  return true;
}

bool allAtoms(const ExpressionTable &table, FormId form,
              llvm::function_ref<bool(const Atom &)> holds) {
  llvm::SmallDenseSet<FormId, 8> seen = {form};
  llvm::SmallVector<FormId, 8> left = {form};
  while (!left.empty()) {
    for (const Term &term : table.terms(left.pop_back_val())) {
      const Atom &atom = table.atom(term.atom);
      if (!holds(atom)) return false;
      for (FormId inner : atom.operands())
        if (seen.insert(inner).second) left.push_back(inner);
    }
  }
  return true;
}

bool namesSizes(const ExpressionTable &table, FormId form) {
  return !allAtoms(table, form, [](const Atom &atom) {
    return atom.kind == AtomKind::Variable || atom.kind == AtomKind::Digit ||
           atom.kind == AtomKind::PositivePart;
  });
}

int64_t sizeQuestions() { return questions; }

bool SizeProver::isEmpty(const IndexingMap &map) {
  if (map.isKnownEmpty()) return true;
  auto boundsOf = [&](VariableId id) { return map.variable(id).bounds; };
  return sizesRefute({map.expressions(), boundsOf, map.constraints()}, budget_);
}

}  // namespace indexical
