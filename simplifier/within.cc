#include "indexical/simplifier/within.h"

#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/simplifier/shortcuts/plain_results.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// The inner map's domain, and both maps' expressions over it.
class CommonDomain {
 public:
  CommonDomain(const IndexingMap &inner, const IndexingMap &outer)
      : inner_(inner), outer_(outer), numbers_(outer.runtime().size()) {
    for (const Variable &v : inner.dimensions())
      b_.addDimension(v.bounds, v.name);
    for (const Variable &v : inner.ranges()) b_.addRange(v.bounds, v.name);
    auto same = [&](VariableId id) { return b_.pool().variable(id); };
    ExpressionImport import(inner.expressions(), b_.pool(), same);
    for (RuntimeVariable v : inner.runtime()) {
      for (FormId &form : v.index) form = import(form);
      indices_.push_back(v.index);
      b_.runtime(std::move(v));
    }
    for (FormId form : inner.resultsAndMembers())
      forms_.push_back(b_.expression(import(form)));
    for (const Constraint &c : inner.constraints())
      b_.constraint(b_.expression(import(c.form)), c.bounds);
  }

  /// Finds the outer map's ranges and runtime variables in the inner map.
  /// Returns false if one is not there.
  bool findVariables() {
    // A range that is a result alone is what the inner map has there.
    ranges_.resize(outer_.ranges().size());
    for (auto [k, form] : llvm::enumerate(outer_.resultsAndMembers())) {
      const auto id = outer_.expressions().asVariable(form);
      if (id && id->kind == VariableKind::Range) ranges_[id->index] = forms_[k];
    }
    for (const auto &range : ranges_)
      if (!range) return false;
    return findRuntime();
  }

  /// Returns false if one is not among the inner map's.
  bool findRuntime() {
    for (uint32_t i = 0; i < outer_.runtime().size(); ++i)
      if (!numberOf(i)) return false;
    return true;
  }

  /// Whether the results are written alike. Requires findVariables.
  bool hasSameForms() {
    for (auto [own, form] : llvm::zip(forms_, outer_.resultsAndMembers()))
      if (imported(form).form() != own.form()) return false;
    return true;
  }

  /// Returns the inner map with the results of both, and, if wanted, with the
  /// outer one's domain too.
  enum class Domain { Inner, Both };
  std::optional<IndexingMap> both(Domain domain) {
    for (Expr form : forms_) b_.result(form);
    for (FormId form : outer_.resultsAndMembers()) b_.result(imported(form));
    if (domain == Domain::Both) {
      for (const Constraint &c : outer_.constraints())
        b_.constraint(imported(c.form), c.bounds);
      for (uint32_t i = 0; i < outer_.runtime().size(); ++i)
        if (!outer_.runtime()[i].clamped)
          b_.constraint(runtime(*numbers_[i]), outer_.runtime()[i].bounds);
      for (size_t i = 0; i < ranges_.size(); ++i)
        b_.constraint(*ranges_[i], outer_.ranges()[i].bounds);
    }
    auto map = b_.build();
    if (!map.ok()) return std::nullopt;
    SimplifyOptions options;
    options.rename = true;
    auto simple = simplify(*map, options);
    if (!simple.ok()) return std::nullopt;
    return *std::move(simple);
  }

 private:
  Expr runtime(uint32_t i) {
    return b_.expression(b_.pool().variable({VariableKind::Runtime, i}));
  }

  Expr imported(FormId form) {
    auto replace = [&](VariableId id) {
      if (id.kind == VariableKind::Range) return ranges_[id.index]->form();
      if (id.kind == VariableKind::Runtime) id.index = *numbers_[id.index];
      return b_.pool().variable(id);
    };
    ExpressionImport import(outer_.expressions(), b_.pool(), replace);
    return b_.expression(import(form));
  }

  /// Returns the number in the inner map of the outer map's runtime variable i.
  std::optional<uint32_t> numberOf(uint32_t i) {
    if (numbers_[i]) return numbers_[i];
    const RuntimeVariable &wanted = outer_.runtime()[i];
    if (wanted.source.kind == RuntimeSource::Kind::None) return std::nullopt;
    // An index names no variable that depends on itself.
    bool areFound = true;
    outer_.expressions().visitVariables(wanted.index, [&](VariableId id) {
      if (id.kind == VariableKind::Runtime)
        areFound = areFound && numberOf(id.index).has_value();
    });
    if (!areFound) return std::nullopt;
    llvm::SmallVector<FormId, 2> index;
    for (FormId form : wanted.index) index.push_back(imported(form).form());
    for (auto [k, own] : llvm::enumerate(inner_.runtime()))
      if (own.source == wanted.source &&
          own.collectives == wanted.collectives && indices_[k] == index &&
          hasSameValue(own, wanted))
        return numbers_[i] = static_cast<uint32_t>(k);
    return std::nullopt;
  }

  /// Whether variables of one source have one value wherever the inner map
  /// holds.
  static bool hasSameValue(const RuntimeVariable &inner,
                           const RuntimeVariable &outer) {
    if (inner.clamped) return outer.clamped && inner.bounds == outer.bounds;
    return !outer.clamped || outer.bounds.contains(inner.bounds);
  }

  const IndexingMap &inner_, &outer_;
  IndexingMapBuilder b_;
  llvm::SmallVector<Expr, 6> forms_;  ///< results of the inner map
  llvm::SmallVector<llvm::SmallVector<FormId, 2>, 2> indices_;
  llvm::SmallVector<std::optional<Expr>, 2> ranges_;  ///< the outer map's
  llvm::SmallVector<std::optional<uint32_t>, 2> numbers_;
};

/// Whether two forms are one number wherever the map holds: written alike, or
/// by an equation of the domain, as of (d0, rt0) with d0 - rt0 in [0, 0].
bool areEqual(const IndexingMap &map, FormId a, FormId b) {
  if (a == b) return true;
  IndexingMapBuilder builder;
  auto same = [&](VariableId id) { return builder.pool().variable(id); };
  ExpressionImport import(map.expressions(), builder.pool(), same);
  const Expr difference =
      builder.expression(import(a)) - builder.expression(import(b));
  return llvm::any_of(map.constraints(), [&](const Constraint &c) {
    if (!c.bounds.isPoint()) return false;
    const Expr zero = builder.expression(import(c.form)) - c.bounds.lower;
    return zero.form() == difference.form() ||
           (zero * -1).form() == difference.form();
  });
}

/// Whether the outer map has what the inner one has in the inner one's domain,
/// where both are boxes of plain results; else nothing.
std::optional<bool> isPlainWithin(const IndexingMap &inner,
                                  const IndexingMap &outer) {
  if (!isPlainBox(inner) || !isPlainBox(outer)) return std::nullopt;
  llvm::SmallVector<bool, 6> isRead(outer.ranges().size(), false);
  bool is = true;
  for (auto [form, other] : llvm::zip_equal(inner.results(), outer.results())) {
    const auto own = plainResult(inner, form);
    auto whole = plainResult(outer, other);
    if (!own || !whole) return std::nullopt;
    if (whole->coefficient != 0) {
      const VariableId id = VariableId::fromKey(whole->variable);
      if (id.kind == VariableKind::Range) {
        if (std::exchange(isRead[id.index], true)) return std::nullopt;
        // Only one that is a result by itself takes any value.
        is &= whole->coefficient == 1 && whole->constant == 0 &&
              isInside(inner, *own, outer.ranges()[id.index].bounds);
        continue;
      }
      const Interval &bounds = inner.dimensions()[id.index].bounds;
      if (bounds.isPoint()) {
        whole = scaled(PlainResult::number(bounds.lower), whole->coefficient,
                       whole->constant);
        if (!whole) return std::nullopt;
      }
    }
    is &= own->variable == whole->variable &&
          own->coefficient == whole->coefficient &&
          own->constant == whole->constant;
  }
  return is;
}

}  // namespace

bool isWithin(const IndexingMap &inner, const IndexingMap &outer) {
  if (inner.isKnownEmpty()) return true;
  if (outer.isKnownEmpty() ||
      inner.dimensions().size() != outer.dimensions().size() ||
      inner.results().size() != outer.results().size() ||
      inner.collectives() != outer.collectives())
    return false;
  for (auto [own, other] : llvm::zip(inner.dimensions(), outer.dimensions()))
    if (!other.bounds.contains(own.bounds)) return false;
  if (const auto is = isPlainWithin(inner, outer)) return *is;
  CommonDomain domain(inner, outer);
  if (!domain.findVariables()) return false;
  if (outer.constraints().empty() && outer.runtime().empty() &&
      outer.ranges().empty() && domain.hasSameForms())
    return true;
  // The outer map's conditions must follow from the inner one's.
  CommonDomain narrower(inner, outer);
  if (!narrower.findVariables()) return false;
  const auto own = domain.both(CommonDomain::Domain::Inner);
  const auto common = narrower.both(CommonDomain::Domain::Both);
  if (!own || !common || *own != *common) return false;
  const auto forms = own->resultsAndMembers();
  const size_t half = forms.size() / 2;
  if (own->isKnownEmpty()) return true;
  return llvm::all_of(llvm::zip(forms.take_front(half), forms.drop_front(half)),
                      [&](const auto &pair) {
                        return areEqual(*own, std::get<0>(pair),
                                        std::get<1>(pair));
                      });
}

}  // namespace indexical
