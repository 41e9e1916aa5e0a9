#include "indexical/ops/core/linear_order.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/simplifier/simplify.h"
#include "indexical/simplifier/size_groups.h"

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
  /// Whether this one lacks a symbol of the other, or is the smaller number if
  /// that does not tell.
  bool growsFirst(const Product &o) const {
    const bool hasAll = hasSymbolsOf(o), otherHasAll = o.hasSymbolsOf(*this);
    if (hasAll != otherHasAll) return otherHasAll;
    return coefficient < o.coefficient;
  }
  /// Returns nothing if the coefficient leaves 64 bits.
  std::optional<Product> times(const Product &o) const {
    const auto number = checkedMul(coefficient, o.coefficient);
    if (!number) return std::nullopt;
    Product product{*number, symbols};
    product.symbols.append(o.symbols.begin(), o.symbols.end());
    llvm::sort(product.symbols);
    return product;
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

struct FrontMatch {
  llvm::SmallVector<AxisGroup, 4> groups;
  size_t from = 0, to = 0;  ///< axes that the groups take
};

/// Matches as many groups as possible from the front.
FrontMatch matchFront(llvm::ArrayRef<Axis> from, llvm::ArrayRef<Axis> to) {
  FrontMatch match;
  while (match.from < from.size() || match.to < to.size()) {
    size_t fromEnd = match.from, toEnd = match.to;
    auto sizeOfFrom = [&](size_t k) { return sizeAt(from, k); };
    auto sizeOfTo = [&](size_t k) { return sizeAt(to, k); };
    if (!closeGroup<Product>(fromEnd, toEnd, sizeOfFrom, sizeOfTo)) break;
    match.groups.push_back(
        {match.from, fromEnd - match.from, match.to, toEnd - match.to});
    match.from = fromEnd;
    match.to = toEnd;
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
