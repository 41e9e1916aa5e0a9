#include "indexical/exact/implied.h"

#include <optional>

namespace indexical {
namespace {

/// c * x * g - c * y * g as c * (x - y) * g, if these two terms are that.
std::optional<FormId> factored(ExpressionPool &pool, Term p, Term q) {
  const Atom a = pool.atom(p.atom), b = pool.atom(q.atom);
  if (a.kind != AtomKind::Product || b.kind != AtomKind::Product ||
      p.coefficient != -q.coefficient)
    return std::nullopt;
  for (auto [x, g] : {std::pair(a.a, a.b), std::pair(a.b, a.a)})
    for (auto [y, h] : {std::pair(b.a, b.b), std::pair(b.b, b.a)})
      if (g == h)
        return pool.scale(pool.product(pool.sub(x, y), g), p.coefficient);
  return std::nullopt;
}

/// The form with such terms together; nothing if it has none.
std::optional<FormId> withFactors(ExpressionPool &pool, FormId form) {
  const llvm::SmallVector<Term, 8> terms(pool.terms(form).begin(),
                                         pool.terms(form).end());
  llvm::SmallVector<bool, 8> used(terms.size(), false);
  bool found = false;
  for (size_t i = 0; i < terms.size(); ++i)
    for (size_t j = i + 1; j < terms.size() && !used[i]; ++j) {
      if (used[j]) continue;
      auto together = factored(pool, terms[i], terms[j]);
      if (!together) continue;
      used[i] = used[j] = found = true;
      for (const Term &term : {terms[i], terms[j]})
        form = pool.sub(form,
                        pool.scale(pool.atomForm(term.atom), term.coefficient));
      form = pool.add(form, *together);
    }
  if (!found) return std::nullopt;
  return form;
}

/// The value of x mod m, if a constraint says it.
std::optional<int64_t> remainderOf(const System &system, FormId x, FormId m) {
  for (const Constraint &c : system.constraints) {
    auto id = system.pool.asAtom(c.form);
    if (!id || !c.bounds.isPoint()) continue;
    const Atom &atom = system.pool.atom(*id);
    if (atom.kind == AtomKind::Remainder && atom.a == x && atom.b == m)
      return c.bounds.lower;
  }
  return std::nullopt;
}

/// x - y - (x mod m - y mod m), which is 0 if the form is the difference of
/// x floordiv m and y floordiv m, and 0.
std::optional<FormId> ofQuotients(System &system, FormId form) {
  ExpressionPool &pool = system.pool;
  const auto terms = pool.terms(form);
  if (terms.size() != 2 || pool.constant(form) != 0 ||
      terms[0].coefficient != -terms[1].coefficient)
    return std::nullopt;
  const Atom a = pool.atom(terms[0].atom), b = pool.atom(terms[1].atom);
  if (a.kind != AtomKind::Quotient || b.kind != AtomKind::Quotient ||
      a.b != b.b)
    return std::nullopt;
  auto first = remainderOf(system, a.a, a.b);
  auto second = remainderOf(system, b.a, b.b);
  if (!first || !second) return std::nullopt;
  return pool.linear({{a.a, 1}, {b.a, -1}}, *second - *first);
}

}  // namespace

void addImplied(System &system) {
  const size_t given = system.constraints.size();
  for (size_t i = 0; i < given; ++i) {
    const Constraint c = system.constraints[i];
    if (!c.bounds.isPoint()) continue;
    if (auto form = withFactors(system.pool, c.form))
      system.require(*form, c.bounds);
    if (c.bounds.lower != 0) continue;
    if (auto form = ofQuotients(system, c.form))
      system.require(*form, Interval::point(0));
  }
}

System withDistance(const System &system, uint32_t variable, FormId form,
                    Interval distance) {
  System spaced;
  spaced.box = system.box;
  auto same = [&](VariableId id) { return spaced.pool.variable(id); };
  ExpressionImport plain(system.pool, spaced.pool, same);
  const FormId other = plain(form);
  const FormId value = spaced.pool.sub(other, spaced.add(distance));
  auto replace = [&](VariableId id) {
    return id.index == variable ? value : spaced.pool.variable(id);
  };
  ExpressionImport import(system.pool, spaced.pool, replace);
  for (const Constraint &c : system.constraints)
    spaced.require(import(c.form), c.bounds);
  spaced.require(value, system.box[variable]);
  for (FormId output : system.outputs) spaced.outputs.push_back(import(output));
  return spaced;
}

}  // namespace indexical
