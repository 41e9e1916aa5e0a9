#include "indexical/simplifier/proof.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/enumeration.h"

namespace indexical {
namespace {

// Points at which candidates are tried, and how many are drawn for them.
constexpr size_t kPoints = 12;
constexpr int kMostDraws = 200;

/// A simpler expression that a result may be.
struct Candidate {
  std::optional<VariableId> variable;  ///< nothing: a constant
  int64_t factor = 1, stride = 1, modulus = 0, constant = 0;

  Expr in(IndexingMapBuilder &b) const {
    if (!variable) return b.constant(constant);
    Expr value = b.expression(b.pool().variable(*variable));
    if (stride != 1) value = floorDiv(value, stride);
    if (modulus) value = mod(value, modulus);
    return value * factor + constant;
  }
};

class Proof {
 public:
  Proof(const IndexingMap &map, Prover &prover)
      : map_(map), prover_(prover), set_(asSet(map)) {
    for (size_t i = 0; i < map.dimensions().size(); ++i)
      variables_.push_back({VariableKind::Dimension, static_cast<uint32_t>(i)});
    for (size_t i = 0; i < map.ranges().size(); ++i)
      variables_.push_back({VariableKind::Range, static_cast<uint32_t>(i)});
    for (size_t i = 0; i < map.runtime().size(); ++i)
      variables_.push_back({VariableKind::Runtime, static_cast<uint32_t>(i)});
  }

  absl::StatusOr<IndexingMap> run();

 private:
  bool hasNone(llvm::function_ref<void(IndexingMapBuilder &, MapBody &)> edit);
  bool isImplied(size_t constraint);
  void drawPoints();
  std::optional<Candidate> find(size_t result);
  std::optional<Candidate> suggested(llvm::ArrayRef<int64_t> values,
                                     llvm::ArrayRef<Candidate> tried);
  void addDigits(FormId form, std::set<int64_t> &strides,
                 std::set<int64_t> &moduli);
  bool isResult(size_t result, const Candidate &candidate);

  const IndexingMap &map_;
  Prover &prover_;
  IndexingMap set_;
  llvm::SmallVector<VariableId, 8> variables_;  // as the set counts them
  llvm::SmallVector<bool, 8> dropped_;          // constraints
  llvm::SmallVector<Values, kPoints> points_;
  bool drawn_ = false;
};

/// Without the constraints that were dropped.
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

/// Draws points of the domain; where a variable has no end, near ones.
void Proof::drawPoints() {
  if (std::exchange(drawn_, true)) return;
  constexpr int64_t kNear = 1000;
  Draws draws;
  PointValues values(set_.expressions());
  for (int i = 0; i < kMostDraws && points_.size() < kPoints; ++i) {
    Values point;
    for (const Variable &v : set_.dimensions()) {
      Interval bounds = v.bounds;
      if (!bounds.hasLower())
        bounds.lower = (bounds.hasUpper() ? std::min<int64_t>(0, bounds.upper)
                                          : int64_t{0}) -
                       kNear;
      if (!bounds.hasUpper())
        bounds.upper = std::max<int64_t>(0, bounds.lower) + kNear;
      point.push_back(draws.in(bounds));
    }
    if (values.set(point) && values.satisfy(set_.constraints()))
      points_.push_back(std::move(point));
  }
}

/// The constants with which the form divides.
void Proof::addDigits(FormId form, std::set<int64_t> &strides,
                      std::set<int64_t> &moduli) {
  const ExpressionTable &table = set_.expressions();
  for (const Term &term : table.terms(form)) {
    const Atom &atom = table.atom(term.atom);
    if (atom.kind == AtomKind::Variable) continue;
    if (atom.kind == AtomKind::Digit) {
      strides.insert(atom.stride);
      if (atom.modulus) {
        moduli.insert(atom.modulus);
        if (auto whole = checkedMul(atom.stride, atom.modulus)) {
          strides.insert(*whole);
          moduli.insert(*whole);
        }
      }
    } else {
      addDigits(atom.b, strides, moduli);
    }
    addDigits(atom.a, strides, moduli);
  }
}

/// What all points agree with; nothing, or the first that was not tried.
std::optional<Candidate> Proof::suggested(llvm::ArrayRef<int64_t> values,
                                          llvm::ArrayRef<Candidate> tried) {
  for (const Candidate &given : tried) {
    Candidate candidate = given;
    bool agrees = true;
    for (size_t p = 0; p < points_.size() && agrees; ++p) {
      int64_t value = 0;
      if (candidate.variable) {
        size_t i = std::find(variables_.begin(), variables_.end(),
                             *candidate.variable) -
                   variables_.begin();
        value = floorDiv(points_[p][i], candidate.stride);
        if (candidate.modulus) value = floorMod(value, candidate.modulus);
      }
      auto scaled = checkedMul(value, candidate.factor);
      auto rest = scaled ? checkedSub(values[p], *scaled) : std::nullopt;
      if (rest && p == 0) candidate.constant = *rest;
      agrees = rest && candidate.constant == *rest;
    }
    if (agrees) return candidate;
  }
  return std::nullopt;
}

bool Proof::isResult(size_t result, const Candidate &candidate) {
  auto differs = [&](Interval by) {
    return hasNone([&](IndexingMapBuilder &b, MapBody &body) {
      body.constraints.push_back({body.results[result] - candidate.in(b), by});
    });
  };
  return differs({1, Interval::kInfinity}) &&
         differs({Interval::kMinusInfinity, -1});
}

/// The simpler expression that result is, if there is one.
std::optional<Candidate> Proof::find(size_t result) {
  const FormId form = set_.results()[result];
  const ExpressionTable &table = set_.expressions();
  const auto terms = table.terms(form);
  if (terms.empty()) return std::nullopt;
  const Atom &only = table.atom(terms[0].atom);
  const bool isVariable = terms.size() == 1 && only.kind == AtomKind::Variable;
  if (isVariable && (terms[0].coefficient == 1 || terms[0].coefficient == -1))
    return std::nullopt;
  drawPoints();
  if (points_.size() < 2) return std::nullopt;
  Values values;
  PointValues at(table);
  for (const Values &point : points_) {
    if (!at.set(point)) return std::nullopt;
    auto value = at(form);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  llvm::SmallVector<Candidate, 16> candidates{{}};
  for (VariableId id : variables_)
    for (int64_t factor : {1, -1}) {
      candidates.push_back({});
      candidates.back().variable = id;
      candidates.back().factor = factor;
    }
  // One digit is simpler than what has more than one.
  const bool isDigit = terms.size() == 1 && only.kind == AtomKind::Digit &&
                       table.asVariable(only.a);
  if (!isDigit && !isVariable) {
    std::set<int64_t> strides{1}, moduli{0};
    addDigits(form, strides, moduli);
    for (VariableId id : variables_)
      for (int64_t stride : strides)
        for (int64_t modulus : moduli) {
          if (stride == 1 && modulus == 0) continue;
          candidates.push_back({});
          candidates.back().variable = id;
          candidates.back().stride = stride;
          candidates.back().modulus = modulus;
        }
  }
  llvm::ArrayRef<Candidate> left = candidates;
  while (auto candidate = suggested(values, left)) {
    if (isResult(result, *candidate)) return candidate;
    auto same = [&](const Candidate &c) {
      return c.variable == candidate->variable &&
             c.factor == candidate->factor && c.stride == candidate->stride &&
             c.modulus == candidate->modulus;
    };
    left = left.drop_front(llvm::find_if(left, same) - left.begin() + 1);
  }
  return std::nullopt;
}

absl::StatusOr<IndexingMap> Proof::run() {
  if (map_.isKnownEmpty()) return map_;
  dropped_.assign(map_.constraints().size(), false);
  auto asItIs = [](IndexingMapBuilder &, MapBody &) {};
  if (!dropped_.empty() && hasNone(asItIs)) return IndexingMap::knownEmpty();
  for (size_t i = dropped_.size(); i-- > 0;)
    if (isImplied(i)) dropped_[i] = true;
  llvm::SmallVector<std::optional<Candidate>, 6> simpler;
  bool changed = llvm::is_contained(dropped_, true);
  for (size_t k = 0; k < map_.results().size(); ++k) {
    simpler.push_back(find(k));
    changed |= simpler.back().has_value();
  }
  if (!changed) return map_;
  auto edit = [&](IndexingMapBuilder &b, MapBody &body) {
    for (size_t k = 0; k < simpler.size(); ++k)
      if (simpler[k]) body.results[k] = simpler[k]->in(b);
    for (size_t i = dropped_.size(); i-- > 0;)
      if (dropped_[i]) body.constraints.erase(body.constraints.begin() + i);
  };
  return withBody(map_, edit);
}

}  // namespace

absl::StatusOr<IndexingMap> proven(const IndexingMap &map, Prover &prover) {
  return Proof(map, prover).run();
}

}  // namespace indexical
