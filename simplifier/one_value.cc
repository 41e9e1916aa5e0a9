#include "indexical/simplifier/one_value.h"

#include <cstdlib>
#include <tuple>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/polynomial.h"

namespace indexical {
namespace {

/// The variable has this value where the added constraints hold, which take the
/// place of those that say so.
struct OneValue {
  VariableId variable;
  FormId value = 0;  ///< in the pool of the search, as all forms
  llvm::SmallVector<Constraint, 2> added;
  llvm::SmallVector<size_t, 2> constraints;
  /// Better ones are less: other range variables in the value, its length, the
  /// magnitude of the divisor.
  std::tuple<size_t, size_t, int64_t> rank;
};

/// Returns the number in [0, n - 1] whose product with k is 1 modulo n, or
/// nothing if there is none.
std::optional<int64_t> reciprocalOf(int64_t k, int64_t n) {
  int64_t a = n, b = floorMod(k, n), x = 0, y = 1;
  while (b > 0) {
    const int64_t q = a / b;
    a = std::exchange(b, a - q * b);
    x = std::exchange(y, x - q * y);
  }
  if (a != 1) return std::nullopt;
  return floorMod(x, n);
}

/// Looks for range variables with one value.
class Finder {
 public:
  explicit Finder(const IndexingMap &map) : map_(map) {
    auto same = [&](VariableId id) { return pool_.variable(id); };
    ExpressionImport import(map.expressions(), pool_, same);
    for (const Constraint &c : map.constraints())
      forms_.push_back(import(c.form));
  }

  std::optional<OneValue> find();
  const ExpressionPool &pool() const { return pool_; }

 private:
  void byNumber(size_t i);
  void bySize(size_t i);
  void byResidue(size_t i);
  void offer(OneValue found, int64_t divisor);
  bool isFree(VariableId id) const;
  bool names(FormId form, VariableId id) const;
  size_t rangesIn(FormId form) const;
  bool namesRuntime(FormId form) const;

  const IndexingMap &map_;
  ExpressionPool pool_;
  llvm::SmallVector<FormId, 4> forms_;
  std::optional<OneValue> best_;
};

bool Finder::names(FormId form, VariableId id) const {
  bool found = false;
  pool_.visitVariables({form}, [&](VariableId own) { found |= own == id; });
  return found;
}

size_t Finder::rangesIn(FormId form) const {
  size_t count = 0;
  pool_.visitVariables(
      {form}, [&](VariableId id) { count += id.kind == VariableKind::Range; });
  return count;
}

bool Finder::namesRuntime(FormId form) const {
  bool names = false;
  pool_.visitVariables({form}, [&](VariableId id) {
    names |= id.kind == VariableKind::Runtime;
  });
  return names;
}

/// Whether no source of a runtime variable has the variable in its index: the
/// source is also defined where the constraints do not hold.
bool Finder::isFree(VariableId id) const {
  bool isFree = id.kind == VariableKind::Range;
  for (const RuntimeVariable &runtime : map_.runtime())
    map_.expressions().visitVariables(
        runtime.index, [&](VariableId own) { isFree &= !(own == id); });
  return isFree;
}

void Finder::offer(OneValue found, int64_t divisor) {
  if (pool_.overflowed()) return;
  found.added.push_back({found.value, map_.variable(found.variable).bounds});
  found.rank = {rangesIn(found.value),
                static_cast<size_t>(pool_.writtenSize(found.value)), divisor};
  if (!best_ || found.rank < best_->rank) best_ = std::move(found);
}

/// Looks at c * s + e in [lo, hi].
void Finder::byNumber(size_t i) {
  const FormId form = forms_[i];
  const Interval bounds = map_.constraints()[i].bounds;
  if (!bounds.isFinite() || namesRuntime(form)) return;
  const auto width = checkedSub(bounds.upper, bounds.lower);
  for (const Term &term : llvm::SmallVector<Term, 8>(pool_.terms(form))) {
    const auto id = pool_.atom(term.atom).asVariable();
    const int64_t c = term.coefficient;
    if (!id || !width || c == INT64_MIN || *width >= std::abs(c) ||
        !isFree(*id))
      continue;
    const FormId e =
        pool_.linear({{form, 1}, {pool_.atomForm(term.atom), -c}}, 0);
    if (names(e, *id)) continue;
    const int64_t size = std::abs(c);
    const FormId dividend = c > 0 ? pool_.linear({{e, -1}}, bounds.upper)
                                  : pool_.shift(e, -bounds.lower);
    OneValue found;
    found.variable = *id;
    found.value = pool_.digit(dividend, size, 0);
    if (*width < size - 1)
      found.added.push_back({pool_.mod(dividend, size), {0, *width}});
    found.constraints = {i};
    offer(std::move(found), size);
  }
}

/// Looks at v = (k * s + e) mod n, where s has at most n values: it is the one
/// that is (v - e) / k modulo n.
void Finder::byResidue(size_t i) {
  const FormId form = forms_[i];
  const Interval bounds = map_.constraints()[i].bounds;
  if (!bounds.isPoint() || namesRuntime(form)) return;
  for (const Term &term : llvm::SmallVector<Term, 8>(pool_.terms(form))) {
    const Atom digit = pool_.atom(term.atom);
    const int64_t n = digit.modulus;
    if (digit.kind != AtomKind::Digit || digit.stride != 1 || n < 2 ||
        n > INT32_MAX || std::abs(term.coefficient) != 1)
      continue;
    const FormId others = pool_.linear(
        {{form, 1}, {pool_.atomForm(term.atom), -term.coefficient}}, 0);
    const FormId v = pool_.linear({{others, -term.coefficient}},
                                  bounds.lower * term.coefficient);
    for (const Term &inner : llvm::SmallVector<Term, 8>(pool_.terms(digit.a))) {
      const auto id = pool_.atom(inner.atom).asVariable();
      if (!id || !isFree(*id) || names(v, *id)) continue;
      const Interval own = map_.variable(*id).bounds;
      const int64_t k = floorMod(inner.coefficient, n);
      const FormId e = pool_.linear(
          {{digit.a, 1}, {pool_.atomForm(inner.atom), -inner.coefficient}}, 0);
      const auto reciprocal = reciprocalOf(k, n);
      if (own.count() > n || names(e, *id) || !reciprocal) continue;
      OneValue found;
      found.variable = *id;
      found.value = pool_.shift(
          pool_.mod(
              pool_.linear({{v, *reciprocal}, {e, -*reciprocal}}, -own.lower),
              n),
          own.lower);
      found.added.push_back({v, {0, n - 1}});
      found.constraints = {i};
      offer(std::move(found), n);
    }
  }
}

/// Looks at two constraints that say 0 <= e - s * D <= D - 1.
void Finder::bySize(size_t i) {
  /// Returns what a constraint with one bound says is at least 0.
  auto notNegative = [&](size_t k) -> std::optional<AtomPolynomial> {
    const Interval bounds = map_.constraints()[k].bounds;
    if (bounds.hasLower() == bounds.hasUpper()) return std::nullopt;
    auto sum = expanded(pool_, forms_[k]);
    if (!sum) return std::nullopt;
    AtomPolynomial own;
    const bool rises = bounds.hasLower();
    const int64_t least = rises ? -bounds.lower : bounds.upper;
    if (!own.add(*sum, rises ? 1 : -1) || !own.add(least)) return std::nullopt;
    return own;
  };
  const auto remainder = notNegative(i);
  if (!remainder) return;
  for (uint32_t k = 0; k < map_.ranges().size(); ++k) {
    const VariableId id{VariableKind::Range, k};
    const FormId variable = pool_.variable(id);
    AtomPolynomial dividend, divisor;
    for (const auto &[monomial, coefficient] : remainder->terms())
      if (const auto rest = without(monomial, {variable}))
        (void)divisor.add(*rest, -coefficient);
      else
        (void)dividend.add(monomial, coefficient);
    if (divisor.isZero() || divisor.coefficient(Monomial()) != 0) continue;
    const FormId by = formOf(pool_, divisor), e = formOf(pool_, dividend);
    auto boundsOf = [&](VariableId v) { return map_.variable(v).bounds; };
    if (pool_.overflowed() || names(by, id) || names(e, id) || !isFree(id) ||
        FormBounds(pool_, boundsOf)(by).lower < 1)
      continue;
    for (size_t j = 0; j < forms_.size(); ++j) {
      auto sum = j == i ? std::nullopt : notNegative(j);
      if (!sum || !sum->add(*remainder) || !sum->add(divisor, -1) ||
          !sum->add(1) || !sum->isZero())
        continue;
      OneValue found;
      found.variable = id;
      found.value = pool_.quotient(e, by);
      found.constraints = {i, j};
      offer(std::move(found), 0);
    }
  }
}

std::optional<OneValue> Finder::find() {
  for (size_t i = 0; i < forms_.size(); ++i) {
    byNumber(i);
    byResidue(i);
    bySize(i);
  }
  return best_;
}

/// Whether it is worth to look: most maps have no such constraint.
bool mayHaveOne(const IndexingMap &map) {
  const ExpressionTable &table = map.expressions();
  return llvm::any_of(map.constraints(), [&](const Constraint &c) {
    const auto width = checkedSub(c.bounds.upper, c.bounds.lower);
    return llvm::any_of(table.terms(c.form), [&](const Term &term) {
      const Atom &atom = table.atom(term.atom);
      if (atom.kind == AtomKind::Variable)
        return atom.variable().kind == VariableKind::Range && width &&
               *width < std::abs(term.coefficient);
      return atom.kind == AtomKind::Product ||
             (atom.kind == AtomKind::Digit && c.bounds.isPoint());
    });
  });
}

}  // namespace

std::optional<IndexingMap> withoutOneValue(const IndexingMap &map,
                                           Rewrite *rewrite) {
  if (map.isKnownEmpty() || map.ranges().empty() || !mayHaveOne(map))
    return std::nullopt;
  Finder finder(map);
  const auto found = finder.find();
  if (!found) return std::nullopt;
  const ExpressionPool &pool = finder.pool();
  auto edit = [&](IndexingMapBuilder &b, MapBody &body) {
    ExpressionPool &to = b.pool();
    auto same = [&](VariableId id) { return to.variable(id); };
    ExpressionImport import(pool, to, same);
    const FormId value = import(found->value);
    auto replace = [&](VariableId id) {
      return id == found->variable ? value : to.variable(id);
    };
    ExpressionImport replaced(map.expressions(), to, replace);
    for (auto [k, form] : llvm::enumerate(map.results()))
      body.results[k] = b.expression(replaced(form));
    for (auto [k, form] : llvm::enumerate(map.members()))
      body.members[k] = b.expression(replaced(form));
    body.constraints.clear();
    for (auto [k, c] : llvm::enumerate(map.constraints()))
      if (!llvm::is_contained(found->constraints, k))
        body.constraints.push_back({b.expression(replaced(c.form)), c.bounds});
    for (const Constraint &c : found->added)
      body.constraints.push_back({b.expression(import(c.form)), c.bounds});
  };
  auto next = withBody(map, edit);
  if (!next.ok()) return std::nullopt;
  if (rewrite) {
    auto nameOf = [&](VariableId id) { return map.nameOf(id); };
    rewrite->rule = "a range variable with one value";
    rewrite->before = map.nameOf(found->variable);
    rewrite->after = printExpression(pool, found->value, nameOf);
    for (size_t i : found->constraints) {
      const Constraint &c = map.constraints()[i];
      rewrite->because += (rewrite->because.empty() ? "" : ", ") +
                          printExpression(map, c.form) + " in " +
                          c.bounds.str();
    }
  }
  return *std::move(next);
}

}  // namespace indexical
