#include "tests/simplifier/equation.h"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/simplifier/simplify.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// left = right on a domain, all in one pool.
struct Equation {
  ExpressionPool pool;
  std::vector<Interval> box;
  FormId left = 0, right = 0;
  std::vector<Constraint> constraints;
};

/// The equation of results `k`.
Equation equationOf(const IndexingMap &left, const IndexingMap &right,
                    size_t k) {
  Equation e;
  for (const Variable &v : left.dimensions()) e.box.push_back(v.bounds);
  auto same = [&](VariableId id) { return e.pool.variable(id); };
  ExpressionImport fromLeft(left.expressions(), e.pool, same);
  ExpressionImport fromRight(right.expressions(), e.pool, same);
  e.left = fromLeft(left.results()[k]);
  e.right = fromRight(right.results()[k]);
  for (const Constraint &c : left.constraints())
    e.constraints.push_back({fromLeft(c.form), c.bounds});
  return e;
}

IndexingMap sideOf(const Equation &e, FormId side) {
  IndexingMapBuilder b;
  for (const Interval &bounds : e.box) b.dimension(bounds);
  auto same = [&](VariableId id) { return b.pool().variable(id); };
  ExpressionImport import(e.pool, b.pool(), same);
  b.result(b.expression(import(side)));
  for (const Constraint &c : e.constraints)
    b.constraint(b.expression(import(c.form)), c.bounds);
  auto map = b.build();
  return map.ok() ? *std::move(map) : IndexingMap::knownEmpty();
}

bool isEqualAtPoints(const Equation &e) {
  int64_t count = 1;
  for (const Interval &bounds : e.box) {
    if (!bounds.isFinite()) return false;
    count = std::min<int64_t>(5000,
                              count * std::min<int64_t>(5000, bounds.count()));
  }
  Random random(1);
  std::vector<int64_t> point;
  for (const Interval &bounds : e.box) point.push_back(bounds.lower);
  bool any = false;
  for (int64_t i = 0; i < std::min<int64_t>(count, 4000); ++i) {
    auto value = [&](VariableId id) { return point[id.index]; };
    Evaluation evaluate(e.pool, value);
    if (llvm::all_of(e.constraints, [&](const Constraint &c) {
          return c.bounds.contains(evaluate(c.form).value_or(INT64_MIN));
        })) {
      any = true;
      const auto left = evaluate(e.left);
      if (!left || left != evaluate(e.right)) return false;
    }
    if (count < 5000) {
      for (size_t k = 0; k < point.size(); ++k) {
        if (++point[k] <= e.box[k].upper) break;
        point[k] = e.box[k].lower;
      }
    } else {
      for (size_t k = 0; k < point.size(); ++k)
        point[k] = random.in(e.box[k].lower, e.box[k].upper);
    }
  }
  return any;
}

/// Returns the equation with both sides simplified, or nothing if the sides are
/// then the same form, or not equal.
std::optional<Equation> simplified(const Equation &e) {
  if (e.pool.overflowed()) return std::nullopt;
  auto left = simplify(sideOf(e, e.left)), right = simplify(sideOf(e, e.right));
  if (!left.ok() || !right.ok() || left->isKnownEmpty() ||
      right->isKnownEmpty())
    return std::nullopt;
  Equation next = equationOf(*left, *right, 0);
  if (next.left == next.right || !isEqualAtPoints(next)) return std::nullopt;
  return next;
}

/// How much there is to read.
size_t weightOf(const Equation &e) {
  const IndexingMap left = sideOf(e, e.left);
  size_t weight = left.str(left.results()[0]).size();
  for (const Constraint &c : left.constraints())
    weight += left.str(c.form).size() + 4;
  const IndexingMap right = sideOf(e, e.right);
  weight += right.str(right.results()[0]).size();
  for (const Interval &bounds : e.box) weight += bounds.isPoint() ? 0 : 4;
  return weight;
}

/// Equations that may be smaller.
std::vector<Equation> smaller(const Equation &e) {
  std::vector<Equation> found;
  // Ranges are not cut: on a small one much is equal by accident.
  for (size_t i = 0; i < e.box.size(); ++i) {
    if (e.box[i].isPoint()) continue;
    found.push_back(e);
    found.back().box[i].upper = e.box[i].lower;
  }
  for (size_t i = 0; i < e.constraints.size(); ++i) {
    found.push_back(e);
    found.back().constraints.erase(found.back().constraints.begin() + i);
  }
  // Without a term, on both sides.
  for (FormId side : {e.left, e.right})
    for (const Term &term : e.pool.terms(side)) {
      Equation less = e;
      const FormId part = less.pool.atomForm(term.atom);
      less.left = less.pool.linear({{e.left, 1}, {part, -term.coefficient}}, 0);
      less.right =
          less.pool.linear({{e.right, 1}, {part, -term.coefficient}}, 0);
      found.push_back(std::move(less));
    }
  if (e.pool.constant(e.left) || e.pool.constant(e.right))
    for (FormId side : {e.left, e.right}) {
      Equation less = e;
      const int64_t by = -e.pool.constant(side);
      less.left = less.pool.shift(e.left, by);
      less.right = less.pool.shift(e.right, by);
      found.push_back(std::move(less));
    }
  // The parents of two digits that stand alone.
  const auto left = e.pool.asAtom(e.left), right = e.pool.asAtom(e.right);
  if (left && right && e.pool.atom(*left).kind == AtomKind::Digit &&
      e.pool.atom(*right).kind == AtomKind::Digit) {
    Equation inner = e;
    inner.left = e.pool.atom(*left).a;
    inner.right = e.pool.atom(*right).a;
    found.push_back(std::move(inner));
  }
  return found;
}

SmallEquation written(const Equation &e) {
  // Only the variables that are used, d0 first.
  std::vector<bool> used(e.box.size(), false);
  llvm::SmallVector<FormId, 4> forms{e.left, e.right};
  for (const Constraint &c : e.constraints) forms.push_back(c.form);
  e.pool.visitVariables(forms, [&](VariableId id) { used[id.index] = true; });
  IndexingMapBuilder b;
  std::vector<FormId> variables(e.box.size());
  SmallEquation result;
  for (size_t i = 0; i < e.box.size(); ++i) {
    if (!used[i]) continue;
    const Expr d = b.dimension(e.box[i]);
    variables[i] = d.form();
    result.domain += (result.domain.empty() ? "" : ", ") +
                     standardName(*b.pool().asVariable(d.form())) + " in " +
                     e.box[i].str();
  }
  auto renumbered = [&](VariableId id) { return variables[id.index]; };
  ExpressionImport import(e.pool, b.pool(), renumbered);
  b.result(b.expression(import(e.left)));
  b.result(b.expression(import(e.right)));
  for (const Constraint &c : e.constraints)
    b.constraint(b.expression(import(c.form)), c.bounds);
  auto map = b.build();
  if (!map.ok()) return {"?", "?", map.status().ToString(), "?"};
  result.left = map->str(map->results()[0]);
  result.right = map->str(map->results()[1]);
  for (const Constraint &c : map->constraints())
    result.domain += ", " + map->str(c.form) + " in " + c.bounds.str();
  for (const std::string &side : {result.left, result.right}) {
    if (!result.kind.empty()) result.kind += "  =  ";
    for (size_t i = 0; i < side.size(); ++i) {
      if (!std::isdigit(side[i])) {
        result.kind += side[i];
        continue;
      }
      while (i + 1 < side.size() && std::isdigit(side[i + 1])) ++i;
      if (result.kind.empty() || result.kind.back() != 'd') result.kind += '#';
    }
  }
  if (!map->constraints().empty()) result.kind += "  (constraints)";
  return result;
}

}  // namespace

std::string SmallEquation::str() const {
  return left + "\n  = " + right + "\n  on " + domain;
}

std::optional<SmallEquation> smallEquation(const IndexingMap &left,
                                           const IndexingMap &right) {
  if (left.isKnownEmpty() || right.isKnownEmpty()) return std::nullopt;
  std::optional<Equation> best;
  for (size_t k = 0; k < left.results().size(); ++k) {
    Equation e = equationOf(left, right, k);
    if (e.left == e.right) continue;
    // The sides stay as they are if they would be equal when simplified again.
    auto next = simplified(e);
    if (!best || (next && weightOf(*next) < weightOf(*best)))
      best = next ? std::move(next) : std::move(e);
  }
  if (!best) return std::nullopt;
  for (bool again = true; again;) {
    again = false;
    for (const Equation &candidate : smaller(*best)) {
      auto next = simplified(candidate);
      if (!next || weightOf(*next) >= weightOf(*best)) continue;
      best = std::move(next);
      again = true;
      break;
    }
  }
  return written(*best);
}

}  // namespace indexical::testing
