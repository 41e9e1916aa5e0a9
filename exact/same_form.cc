#include "indexical/exact/same_form.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "indexical/indexing/map_builder.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// The ranges as they are met: their order and the signs of their factors.
class RangeOrder {
 public:
  explicit RangeOrder(const IndexingMap &map)
      : table_(map.expressions()),
        signs_(map.ranges().size(), 0),
        seen_(table_.atomCount(), false) {
    for (FormId form : map.resultsAndMembers()) visit(form, 1);
    for (const Constraint &c : map.constraints()) visit(c.form, 1);
    for (const RuntimeVariable &variable : map.runtime())
      for (FormId form : variable.index) visit(form, 1);
    for (uint32_t i = 0; i < signs_.size(); ++i)
      if (signs_[i] == 0) order_.push_back(i);
  }

  llvm::ArrayRef<uint32_t> order() const { return order_; }
  bool isTurned(uint32_t range) const { return signs_[range] < 0; }

 private:
  void visit(FormId form, int sign) {
    for (const Term &term : table_.terms(form)) {
      if (std::exchange(seen_[term.atom], true)) continue;
      const Atom &atom = table_.atom(term.atom);
      const int own = term.coefficient < 0 ? -sign : sign;
      for (const FormId operand : atom.operands()) visit(operand, own);
      const auto id = atom.asVariable();
      if (!id || id->kind != VariableKind::Range) continue;
      signs_[id->index] = own;
      order_.push_back(id->index);
    }
  }

  const ExpressionTable &table_;
  llvm::SmallVector<int, 4> signs_;
  llvm::SmallVector<uint32_t, 4> order_;
  llvm::SmallVector<bool, 32> seen_;
};

SimplifyOptions renamed() {
  SimplifyOptions options;
  options.rename = true;
  return options;
}

/// The pieces, simplified; with ranges that are `counted`, as they are met.
bool formsOf(const IndexingRelation &relation, bool counted,
             std::vector<IndexingMap> &forms) {
  const SimplifyOptions options = renamed();
  for (const IndexingMap &piece : relation.pieces()) {
    auto form = simplify(piece, options);
    if (form.ok() && counted) form = withCountedRanges(*form);
    if (!form.ok()) return false;
    if (!form->isKnownEmpty()) forms.push_back(*std::move(form));
  }
  return true;
}

bool haveSameForms(const IndexingRelation &a, const IndexingRelation &b,
                   bool counted) {
  std::vector<IndexingMap> x, y;
  if (!formsOf(a, counted, x) || !formsOf(b, counted, y)) return false;
  auto isIn = [](const std::vector<IndexingMap> &all) {
    return [&](const IndexingMap &map) { return llvm::is_contained(all, map); };
  };
  return llvm::all_of(x, isIn(y)) && llvm::all_of(y, isIn(x));
}

bool hasRanges(const IndexingRelation &relation) {
  return llvm::any_of(relation.pieces(), [](const IndexingMap &piece) {
    return !piece.ranges().empty();
  });
}

}  // namespace

absl::StatusOr<IndexingMap> withCountedRanges(const IndexingMap &map) {
  const RangeOrder ranges(map);
  auto isCounted = [&](uint32_t i) {
    const Interval &bounds = map.ranges()[i].bounds;
    return bounds.count() == Interval::kInfinity ||
           (bounds.lower == 0 && !ranges.isTurned(i));
  };
  bool isInOrder = std::is_sorted(ranges.order().begin(), ranges.order().end());
  if (isInOrder && llvm::all_of(ranges.order(), isCounted)) return map;
  llvm::SmallVector<uint32_t, 4> number(map.ranges().size());
  for (uint32_t i = 0; i < number.size(); ++i) number[ranges.order()[i]] = i;
  IndexingMapBuilder b;
  auto counted = [&](VariableId id) {
    if (id.kind != VariableKind::Range) return b.pool().variable(id);
    const Interval &bounds = map.ranges()[id.index].bounds;
    FormId count = b.pool().variable({VariableKind::Range, number[id.index]});
    if (isCounted(id.index)) return count;
    return ranges.isTurned(id.index)
               ? b.pool().linear({{count, -1}}, bounds.upper)
               : b.pool().linear({{count, 1}}, bounds.lower);
  };
  ExpressionImport import(map.expressions(), b.pool(), counted);
  for (const Variable &v : map.dimensions()) b.dimension(v.bounds, v.name);
  for (uint32_t i : ranges.order()) {
    const Interval &bounds = map.ranges()[i].bounds;
    b.range(isCounted(i) ? bounds : Interval{0, bounds.count() - 1});
  }
  for (RuntimeVariable variable : map.runtime()) {
    for (FormId &form : variable.index) form = import(form);
    b.runtime(std::move(variable));
  }
  for (FormId form : map.results()) b.result(b.expression(import(form)));
  for (size_t i = 0; i < map.members().size(); ++i)
    b.member(map.collectives()[i], b.expression(import(map.members()[i])));
  for (const Constraint &c : map.constraints())
    b.constraint(b.expression(import(c.form)), c.bounds);
  auto built = b.build();
  return built.ok() ? simplify(*built, renamed()) : built;
}

bool areSameForm(const IndexingRelation &a, const IndexingRelation &b) {
  if (a == b || haveSameForms(a, b, /*counted=*/false)) return true;
  return (hasRanges(a) || hasRanges(b)) &&
         haveSameForms(a, b, /*counted=*/true);
}

}  // namespace indexical
