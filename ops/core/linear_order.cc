#include "indexical/ops/core/linear_order.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace families {
namespace {

/// A product of sizes: a number, and open ones as often as they are there.
struct Product {
  int64_t coefficient = 1;
  llvm::SmallVector<FormId, 4> symbols;  // in order

  bool operator==(const Product &o) const {
    return coefficient == o.coefficient && symbols == o.symbols;
  }
  bool isOne() const { return coefficient == 1 && symbols.empty(); }
  bool hasSymbolsOf(const Product &o) const {
    return std::includes(symbols.begin(), symbols.end(), o.symbols.begin(),
                         o.symbols.end());
  }
};

/// The size of axis i; nothing if it is not known or there is no such axis.
std::optional<Product> sizeAt(llvm::ArrayRef<Axis> axes, size_t i) {
  if (i >= axes.size()) return std::nullopt;
  const Axis &axis = axes[i];
  if (axis.fixed) return Product{axis.size, {}};
  if (!axis.expression) return std::nullopt;
  Product product{axis.coefficient, {}};
  product.symbols.append(axis.symbols.begin(), axis.symbols.end());
  llvm::sort(product.symbols);
  return product;
}

std::optional<Product> times(const Product &a,
                             const std::optional<Product> &b) {
  if (!b) return std::nullopt;
  const auto coefficient = checkedMul(a.coefficient, b->coefficient);
  if (!coefficient) return std::nullopt;
  Product product{*coefficient, a.symbols};
  product.symbols.append(b->symbols.begin(), b->symbols.end());
  llvm::sort(product.symbols);
  return product;
}

/// Which of two different products is to grow: what lacks a symbol of the other
/// one, else the smaller number.
bool growsFirst(const Product &a, const Product &b) {
  const bool aHasAll = a.hasSymbolsOf(b), bHasAll = b.hasSymbolsOf(a);
  if (aHasAll != bHasAll) return bHasAll;
  return a.coefficient < b.coefficient;
}

/// Gives the group, whose begins are set, as few axes as make the products
/// equal. False if an open axis or the end comes before that.
bool closeGroup(llvm::ArrayRef<Axis> from, llvm::ArrayRef<Axis> to,
                AxisGroup &group) {
  auto a = sizeAt(from, group.fromBegin), b = sizeAt(to, group.toBegin);
  const bool aIsOne = a && a->isOne(), bIsOne = b && b->isOne();
  // A unit that has no partner is alone.
  group.fromCount = bIsOne && !aIsOne ? 0 : 1;
  group.toCount = aIsOne && !bIsOne ? 0 : 1;
  if (group.fromCount + group.toCount == 1) return true;
  if (!a || !b) return false;
  while (!(*a == *b)) {
    if (growsFirst(*a, *b))
      a = times(*a, sizeAt(from, group.fromBegin + group.fromCount++));
    else
      b = times(*b, sizeAt(to, group.toBegin + group.toCount++));
    if (!a || !b) return false;
  }
  return true;
}

struct FrontMatch {
  llvm::SmallVector<AxisGroup, 4> groups;
  size_t from = 0, to = 0;  ///< axes that the groups take
};

/// Matches as many groups as possible from the front.
FrontMatch matchFront(llvm::ArrayRef<Axis> from, llvm::ArrayRef<Axis> to) {
  FrontMatch match;
  while (match.from < from.size() || match.to < to.size()) {
    AxisGroup group;
    group.fromBegin = match.from;
    group.toBegin = match.to;
    if (!closeGroup(from, to, group)) break;
    match.groups.push_back(group);
    match.from += group.fromCount;
    match.to += group.toCount;
  }
  return match;
}

/// Whether element numbers within the group are known: the sizes on which
/// strides depend are; and can be written: they fit into 64 bits.
bool hasKnownStrides(llvm::ArrayRef<Axis> axes) {
  Checked count = 1;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (i > 0 && !axes[i].fixed && !axes[i].expression) return false;
    if (axes[i].size != kDynamicSize) count = count * axes[i].size;
  }
  return count.value().has_value();
}

Expr timesSize(Expr e, const Axis &axis) {
  return axis.fixed ? e * axis.size : e * *axis.expression;
}

bool isUnit(const Axis &axis) { return axis.fixed && axis.size == 1; }

/// The number within its group of the element with these coordinates.
Expr linearize(IndexingMapBuilder &builder, llvm::ArrayRef<Axis> axes,
               llvm::ArrayRef<Expr> coordinates) {
  Expr number = builder.constant(0);
  for (size_t i = 0; i < axes.size(); ++i)
    if (!isUnit(axes[i]))
      number =
          i == 0 ? coordinates[i] : timesSize(number, axes[i]) + coordinates[i];
  return number;
}

/// Appends the coordinates of element `number` of a group, major ones first.
void delinearize(IndexingMapBuilder &builder, llvm::ArrayRef<Axis> axes,
                 Expr number, Exprs &result) {
  const size_t begin = result.size();
  for (size_t i = axes.size(); i-- > 1;) {
    const Axis &axis = axes[i];
    result.push_back(axis.fixed ? mod(number, axis.size)
                                : mod(number, *axis.expression));
    number = axis.fixed ? floorDiv(number, axis.size)
                        : floorDiv(number, *axis.expression);
  }
  if (!axes.empty()) result.push_back(number);
  std::reverse(result.begin() + begin, result.end());
  // The first axis takes what the others leave. If sizes are open that may
  // be more than there is.
  builder.constraint(
      number, axes.empty() ? Interval::point(0) : indicesOf(axes[0].size));
}

}  // namespace

void setExpression(Axis &axis, IndexingMapBuilder &builder, Expr size) {
  axis.expression = size;
  const ExpressionTable &table = builder.pool();
  FormId form = size.form();
  // Takes the expression apart as far as it is a product of a number and other
  // expressions.
  llvm::SmallVector<FormId, 4> work = {form};
  while (!work.empty()) {
    form = work.pop_back_val();
    const auto terms = table.terms(form);
    const bool isProduct = table.constant(form) == 0 && terms.size() == 1;
    if (!isProduct) {
      axis.symbols.push_back(form);
      axis.isProduct = false;
      continue;
    }
    axis.coefficient *= terms[0].coefficient;
    const Atom &atom = table.atom(terms[0].atom);
    if (atom.kind == AtomKind::Product) {
      work.push_back(atom.a);
      work.push_back(atom.b);
    } else {
      axis.symbols.push_back(builder.pool().atomForm(terms[0].atom));
      axis.isProduct &= atom.kind == AtomKind::Variable;
    }
  }
}

std::optional<llvm::SmallVector<AxisGroup, 4>> matchAxes(const Axes &from,
                                                         const Axes &to) {
  FrontMatch front = matchFront(from, to);
  Axes fromRest(from.begin() + front.from, from.end());
  Axes toRest(to.begin() + front.to, to.end());
  if (fromRest.empty() && toRest.empty()) return front.groups;
  auto isFixedAxis = [](const Axis &axis) { return axis.fixed; };
  if (llvm::all_of(fromRest, isFixedAxis) && llvm::all_of(toRest, isFixedAxis))
    return std::nullopt;

  std::reverse(fromRest.begin(), fromRest.end());
  std::reverse(toRest.begin(), toRest.end());
  FrontMatch back = matchFront(fromRest, toRest);
  AxisGroup middle;
  middle.fromBegin = front.from;
  middle.fromCount = from.size() - front.from - back.from;
  middle.toBegin = front.to;
  middle.toCount = to.size() - front.to - back.to;
  front.groups.push_back(middle);
  for (AxisGroup group : llvm::reverse(back.groups)) {
    group.fromBegin = from.size() - group.fromBegin - group.fromCount;
    group.toBegin = to.size() - group.toBegin - group.toCount;
    front.groups.push_back(group);
  }
  return front.groups;
}

Precision relinearize(IndexingMapBuilder &builder, const Axes &from,
                      llvm::ArrayRef<Expr> coordinates, const Axes &to,
                      llvm::ArrayRef<AxisGroup> groups, Exprs &result) {
  Precision precision = Precision::Exact;
  for (const AxisGroup &group : groups) {
    const auto fromAxes =
        llvm::ArrayRef<Axis>(from).slice(group.fromBegin, group.fromCount);
    const auto toAxes =
        llvm::ArrayRef<Axis>(to).slice(group.toBegin, group.toCount);
    const auto given = coordinates.slice(group.fromBegin, group.fromCount);
    const bool same = fromAxes.size() == 1 && toAxes.size() == 1 &&
                      sizeAt(fromAxes, 0) == sizeAt(toAxes, 0);
    if (same && sizeAt(toAxes, 0)) {
      result.push_back(given[0]);
    } else if (hasKnownStrides(fromAxes) && hasKnownStrides(toAxes)) {
      delinearize(builder, toAxes, linearize(builder, fromAxes, given), result);
    } else {
      precision = Precision::Cover;
      for (const Axis &axis : toAxes)
        result.push_back(builder.range(indicesOf(axis.size)));
    }
  }
  return precision;
}

Answer simplified(IndexingMapBuilder &builder, Precision precision) {
  absl::StatusOr<IndexingMap> map = builder.build();
  INDEXICAL_RETURN_IF_ERROR(map.status());
  SimplifyOptions options;
  options.foldPoints = false;
  map = simplify(*map, options);
  INDEXICAL_RETURN_IF_ERROR(map.status());
  return IndexingRelation(*std::move(map), precision);
}

}  // namespace families
}  // namespace indexical
