#include "indexical/simplifier/proof.h"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <set>
#include <tuple>

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/facts.h"
#include "indexical/simplifier/measures.h"
#include "indexical/simplifier/points.h"

namespace indexical {
namespace {

/// How far a result is from a constant or a variable.
enum class ResultRank : uint8_t { Simplest, OneTerm, Other };

ResultRank rankOf(const ExpressionTable &table, FormId form) {
  if (table.isConstant(form)) return ResultRank::Simplest;
  if (table.terms(form).size() > 1) return ResultRank::Other;
  const Term only = table.terms(form)[0];
  const Atom &atom = table.atom(only.atom);
  if (atom.kind == AtomKind::Variable)
    return std::abs(only.coefficient) == 1 ? ResultRank::Simplest
                                           : ResultRank::OneTerm;
  return isDigit(table, only.atom) && table.asVariable(atom.a)
             ? ResultRank::OneTerm
             : ResultRank::Other;
}

class Proof {
 public:
  Proof(const IndexingMap &map, Prover &prover);

  absl::StatusOr<IndexingMap> run();

 private:
  bool hasNone(llvm::function_ref<void(IndexingMapBuilder &, MapBody &)> edit);
  bool isImplied(size_t constraint);
  std::optional<FormId> find(size_t result);
  void addDigits(FormId form, std::set<int64_t> &strides,
                 std::set<int64_t> &moduli);
  Expr in(IndexingMapBuilder &b, FormId simpler);
  bool isResult(size_t result, FormId simpler);

  const IndexingMap &map_;
  Prover &prover_;
  llvm::SmallVector<bool, 8> dropped_;  // constraints
  // The map, in a pool where points suggest what its results are.
  ExpressionPool pool_;
  VariableBounds box_;
  Facts facts_{pool_, box_};
  Points points_{pool_, facts_};
  llvm::SmallVector<FormId, 8> variables_;
  llvm::SmallVector<FormId, 6> results_;
};

Proof::Proof(const IndexingMap &map, Prover &prover)
    : map_(map), prover_(prover) {
  auto add = [&](VariableKind kind, const auto &variables) {
    for (const auto &variable : variables) {
      auto &bounds = box_.variables[static_cast<int>(kind)];
      variables_.push_back(
          pool_.variable({kind, static_cast<uint32_t>(bounds.size())}));
      bounds.push_back(variable.bounds);
    }
  };
  add(VariableKind::Dimension, map.dimensions());
  add(VariableKind::Range, map.ranges());
  add(VariableKind::Runtime, map.runtime());
  auto same = [&](VariableId id) { return pool_.variable(id); };
  ExpressionImport import(map.expressions(), pool_, same);
  for (FormId form : map.results()) results_.push_back(import(form));
  for (const Constraint &c : map.constraints())
    facts_.add(import(c.form), c.bounds);
}

/// Whether the prover shows that the map, edited and without the constraints
/// that were dropped, has no point.
bool Proof::hasNone(
    llvm::function_ref<void(IndexingMapBuilder &, MapBody &)> edit) {
  auto restrict = [&](IndexingMapBuilder &b, MapBody &body) {
    edit(b, body);
    for (size_t i = dropped_.size(); i-- > 0;)
      if (dropped_[i]) body.constraints.erase(body.constraints.begin() + i);
  };
  auto map = withBody(map_, restrict);
  return map.ok() && prover_.isEmpty(*map);
}

bool Proof::isImplied(size_t constraint) {
  const Interval bounds = map_.constraints()[constraint].bounds;
  auto outside = [&](Interval side) {
    return hasNone([&](IndexingMapBuilder &, MapBody &body) {
      body.constraints[constraint].second = side;
    });
  };
  return (!bounds.hasLower() ||
          outside({Interval::kMinusInfinity, bounds.lower - 1})) &&
         (!bounds.hasUpper() ||
          outside({bounds.upper + 1, Interval::kInfinity}));
}

/// Collects the constants by which the form divides. Each form is looked at
/// once: those of minima have others in many places.
void Proof::addDigits(FormId form, std::set<int64_t> &strides,
                      std::set<int64_t> &moduli) {
  std::set<FormId> seen = {form};
  llvm::SmallVector<FormId, 8> left = {form};
  while (!left.empty())
    for (const Term &term : pool_.terms(left.pop_back_val())) {
      const Atom &atom = pool_.atom(term.atom);
      for (const FormId operand : atom.operands())
        if (seen.insert(operand).second) left.push_back(operand);
      if (atom.kind != AtomKind::Digit) continue;
      strides.insert(atom.stride);
      if (!atom.modulus) continue;
      moduli.insert(atom.modulus);
      if (auto whole = checkedMul(atom.stride, atom.modulus)) {
        strides.insert(*whole);
        moduli.insert(*whole);
      }
    }
}

/// Returns the form as an expression of a new map's builder.
Expr Proof::in(IndexingMapBuilder &b, FormId simpler) {
  auto same = [&](VariableId id) { return b.pool().variable(id); };
  return b.expression(ExpressionImport(pool_, b.pool(), same)(simpler));
}

bool Proof::isResult(size_t result, FormId simpler) {
  auto differs = [&](Interval by) {
    return hasNone([&](IndexingMapBuilder &b, MapBody &body) {
      body.constraints.push_back({body.results[result] - in(b, simpler), by});
    });
  };
  return differs({1, Interval::kInfinity}) &&
         differs({Interval::kMinusInfinity, -1});
}

/// Returns the simpler expression that the result equals, if there is one.
std::optional<FormId> Proof::find(size_t result) {
  const FormId form = results_[result];
  const ResultRank rank = rankOf(pool_, form);
  if (rank == ResultRank::Simplest) return std::nullopt;
  llvm::SmallVector<ScaledForm, 16> parts;
  for (FormId variable : variables_)
    for (int64_t factor : {1, -1}) parts.push_back({variable, factor});
  // One digit is simpler than what has more than one.
  if (rank == ResultRank::Other) {
    std::set<int64_t> strides{1}, moduli{0};
    addDigits(form, strides, moduli);
    for (FormId variable : variables_)
      for (int64_t stride : strides)
        for (int64_t modulus : moduli)
          if (stride != 1 || modulus)
            parts.push_back({pool_.digit(variable, stride, modulus), 1});
  }
  for (FormId simpler : points_.suggestions(form, parts))
    if (isResult(result, simpler)) return simpler;
  return std::nullopt;
}

absl::StatusOr<IndexingMap> Proof::run() {
  if (map_.isKnownEmpty()) return map_;
  dropped_.assign(map_.constraints().size(), false);
  auto asItIs = [](IndexingMapBuilder &, MapBody &) {};
  if (!dropped_.empty() && hasNone(asItIs)) return IndexingMap::knownEmpty();
  for (size_t i = dropped_.size(); i-- > 0;)
    if (isImplied(i)) dropped_[i] = true;
  llvm::SmallVector<std::optional<FormId>, 6> simpler;
  bool changed = llvm::is_contained(dropped_, true);
  for (size_t k = 0; k < map_.results().size(); ++k) {
    simpler.push_back(find(k));
    changed |= simpler.back().has_value();
  }
  if (!changed) return map_;
  auto edit = [&](IndexingMapBuilder &b, MapBody &body) {
    for (size_t k = 0; k < simpler.size(); ++k)
      if (simpler[k]) body.results[k] = in(b, *simpler[k]);
    for (size_t i = dropped_.size(); i-- > 0;)
      if (dropped_[i]) body.constraints.erase(body.constraints.begin() + i);
  };
  return withBody(map_, edit);
}

}  // namespace

bool ProofOrder::operator<(const ProofOrder &o) const {
  return std::tie(constraints, results) < std::tie(o.constraints, o.results);
}

ProofOrder proofOrder(const IndexingMap &map) {
  ProofOrder order;
  order.constraints = map.constraints().size();
  for (FormId form : map.results())
    order.results += static_cast<size_t>(rankOf(map.expressions(), form));
  return order;
}

absl::StatusOr<IndexingMap> proven(const IndexingMap &map, Prover &prover) {
  return Proof(map, prover).run();
}

}  // namespace indexical
