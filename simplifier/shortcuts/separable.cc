#include "indexical/simplifier/shortcuts/separable.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/interval.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/simplifier/congruence.h"
#include "indexical/simplifier/marks.h"
#include "indexical/simplifier/measures.h"

namespace indexical {
namespace {

/// scale * ((factor * x + constant) floordiv stride) + shift, of dimension x;
/// factor 0: of none.
struct Axis {
  uint32_t dimension = 0;
  int64_t factor = 0, constant = 0, stride = 1, scale = 1, shift = 0;
};

/// Returns factor * x + constant, or nothing if the form is another.
std::optional<Axis> sumOfOne(const ExpressionTable &table, FormId form) {
  const llvm::ArrayRef<Term> terms = table.terms(form);
  if (terms.empty()) return Axis{0, 0, table.constant(form)};
  const Atom &atom = table.atom(terms[0].atom);
  if (terms.size() > 1 || atom.kind != AtomKind::Variable ||
      atom.variable().kind != VariableKind::Dimension)
    return std::nullopt;
  return Axis{atom.variable().index, terms[0].coefficient,
              table.constant(form)};
}

/// Returns the form as an axis: like sumOfOne(), and also of a floor.
std::optional<Axis> axisOf(const ExpressionTable &table, FormId form) {
  const llvm::ArrayRef<Term> terms = table.terms(form);
  if (terms.size() != 1) return sumOfOne(table, form);
  const Atom &atom = table.atom(terms[0].atom);
  if (atom.kind != AtomKind::Digit) return sumOfOne(table, form);
  auto axis = sumOfOne(table, atom.a);
  if (!axis || atom.modulus) return std::nullopt;
  axis->stride = atom.stride;
  axis->scale = terms[0].coefficient;
  axis->shift = table.constant(form);
  return axis;
}

/// factor * q + constant, of a dimension in steps; factor 0: of none.
struct Line {
  uint32_t dimension = 0;
  int64_t factor = 0, constant = 0;
};

/// A dimension in steps: stride * q + start, for q in a range.
struct SteppedDimension {
  Interval range;
  int64_t stride = 1, start = 0;
  Interval given() const { return range.affine(stride, start); }
};

/// The dimensions of a map, each in steps.
class SteppedDimensions {
 public:
  explicit SteppedDimensions(llvm::ArrayRef<Variable> given) {
    for (const Variable &v : given) {
      dimensions_.push_back({v.bounds});
      failed_ |= !v.bounds.isFinite();
    }
  }
  llvm::ArrayRef<SteppedDimension> all() const { return dimensions_; }
  bool isEmpty() const { return empty_; }
  /// Whether something has no line, or numbers leave 64 bits.
  bool failed() const { return failed_; }

  /// The dimension itself, as it is now.
  Line whole(uint32_t dimension) const {
    return {dimension, dimensions_[dimension].stride,
            dimensions_[dimension].start};
  }
  /// Returns the axis as a line; `lines` has the lines of the dimensions.
  using Lines = llvm::function_ref<Line(uint32_t)>;
  Line line(const Axis &axis, Lines lines);
  /// Restricts the domain to points at which the line is in the bounds.
  void bound(const Line &line, Interval bounds);
  /// Restricts the domain to points at which the line is rest mod n.
  void step(const Line &line, int64_t rest, int64_t n);
  /// Restricts the domain to points at which the constraint holds, on axes
  /// whose dimensions are `lines`.
  void constrain(const ExpressionTable &table, const Constraint &constraint,
                 Lines lines);

 private:
  int64_t scaled(int64_t factor, int64_t x, int64_t added) {
    auto product = checkedMul(factor, x);
    auto sum = product ? checkedAdd(*product, added) : std::nullopt;
    failed_ |= !sum;
    return sum.value_or(0);
  }

  llvm::SmallVector<SteppedDimension, 6> dimensions_;
  bool empty_ = false, failed_ = false;
};

Line SteppedDimensions::line(const Axis &axis, Lines lines) {
  const Line x = axis.factor ? lines(axis.dimension) : Line();
  const int64_t factor = scaled(axis.factor, x.factor, 0);
  const int64_t constant = scaled(axis.factor, x.constant, axis.constant);
  if (axis.stride == 1 && axis.scale == 1 && axis.shift == 0)
    return {x.dimension, factor, constant};
  failed_ |= factor % axis.stride != 0;
  return {x.dimension, scaled(axis.scale, factor / axis.stride, 0),
          scaled(axis.scale, floorDiv(constant, axis.stride), axis.shift)};
}

void SteppedDimensions::bound(const Line &line, Interval bounds) {
  if (line.factor == 0) {
    empty_ |= !bounds.contains(line.constant);
    return;
  }
  Interval &range = dimensions_[line.dimension].range;
  range = range.intersect(bounds.preimageOfMul(line.factor, line.constant));
  empty_ |= range.isEmpty();
}

void SteppedDimensions::step(const Line &line, int64_t rest, int64_t n) {
  auto left = checkedSub(rest, line.constant);
  failed_ |= !left;
  if (failed_) return;
  if (line.factor == 0) {
    empty_ |= floorMod(*left, n) != 0;
    return;
  }
  auto solution = solve(line.factor, *left, n);
  empty_ |= !solution;
  if (empty_ || solution->stride == 1) return;
  SteppedDimension &dimension = dimensions_[line.dimension];
  dimension.start = scaled(dimension.stride, solution->start, dimension.start);
  dimension.stride = scaled(dimension.stride, solution->stride, 0);
  dimension.range =
      dimension.range.preimageOfMul(solution->stride, solution->start);
  empty_ |= dimension.range.isEmpty();
}

void SteppedDimensions::constrain(const ExpressionTable &table,
                                  const Constraint &constraint, Lines lines) {
  if (failed_) return;
  auto lineOf = [&](const std::optional<Axis> &axis) {
    failed_ |= !axis;
    return axis ? line(*axis, lines) : Line();
  };
  const auto digit = asDigit(table, constraint.form);
  if (!digit)
    return bound(lineOf(sumOfOne(table, constraint.form)), constraint.bounds);
  failed_ |= digit->stride != 1 || !constraint.bounds.isPoint() ||
             !Interval{0, digit->modulus - 1}.contains(constraint.bounds);
  const Line line = lineOf(sumOfOne(table, digit->parent));
  if (!failed_) step(line, constraint.bounds.lower, digit->modulus);
}

bool hasDimensionsOnly(const IndexingMap &map) {
  return map.ranges().empty() && map.runtime().empty() &&
         map.collectives().empty();
}

/// The line, of dimensions as they were before there were steps: q is
/// x floordiv stride, and stride * q is x - start.
FormId written(const Line &line, const SteppedDimension &dimension,
               ExpressionPool &pool) {
  if (dimension.range.isPoint())
    return pool.linear(
        {{pool.constantForm(dimension.range.lower), line.factor}},
        line.constant);
  const FormId x = pool.variable({VariableKind::Dimension, line.dimension});
  if (line.factor % dimension.stride != 0)
    return pool.linear({{pool.digit(x, dimension.stride, 0), line.factor}},
                       line.constant);
  const int64_t k = line.factor / dimension.stride;
  return pool.linear({{x, k}, {pool.constantForm(dimension.start), -k}},
                     line.constant);
}

std::optional<IndexingMap> written(const IndexingMap &first,
                                   llvm::ArrayRef<Line> results,
                                   const SteppedDimensions &dimensions,
                                   ExpressionPool &pool) {
  if (dimensions.isEmpty()) return IndexingMap::knownEmpty();
  IndexingMapBuilder b(pool);
  bool hasSteps = false;
  for (uint32_t i = 0; i < first.dimensions().size(); ++i) {
    const Variable &variable = first.dimensions()[i];
    const SteppedDimension &dimension = dimensions.all()[i];
    b.addDimension(dimension.given().intersect(variable.bounds), variable.name);
    if (dimension.stride == 1 || dimension.range.isPoint()) continue;
    hasSteps = true;
    const Expr x = b.expression(pool.variable({VariableKind::Dimension, i}));
    b.constraint(mod(x, dimension.stride), Interval::point(dimension.start));
  }
  for (const Line &line : results)
    b.result(b.expression(
        line.factor ? written(line, dimensions.all()[line.dimension], pool)
                    : pool.constantForm(line.constant)));
  SimplifierMarks(b).setCanonical(!hasSteps);
  auto map = b.build();
  if (map.ok()) return *std::move(map);
  pool.clear();
  return std::nullopt;
}

}  // namespace

std::optional<IndexingMap> separableProduct(const IndexingMap &first,
                                            const IndexingMap &second,
                                            ExpressionPool &pool) {
  if (!hasDimensionsOnly(first) || !hasDimensionsOnly(second) ||
      first.results().size() != second.dimensions().size())
    return std::nullopt;
  llvm::SmallVector<Axis, 6> inner, outer;
  for (auto [map, axes] :
       {std::pair(&first, &inner), std::pair(&second, &outer)})
    for (FormId form : map->results()) {
      auto axis = axisOf(map->expressions(), form);
      if (!axis) return std::nullopt;
      axes->push_back(*axis);
    }

  SteppedDimensions dimensions(first.dimensions());
  auto ofFirst = [&](uint32_t i) { return dimensions.whole(i); };
  auto ofSecond = [&](uint32_t i) {
    return dimensions.line(inner[i], ofFirst);
  };
  for (const Constraint &c : first.constraints())
    dimensions.constrain(first.expressions(), c, ofFirst);
  for (uint32_t i = 0; i < inner.size() && !dimensions.failed(); ++i)
    dimensions.bound(ofSecond(i), second.dimensions()[i].bounds);
  for (const Constraint &c : second.constraints())
    dimensions.constrain(second.expressions(), c, ofSecond);
  llvm::SmallVector<Line, 6> results;
  for (const Axis &axis : outer)
    results.push_back(dimensions.line(axis, ofSecond));
  if (dimensions.failed()) return std::nullopt;
  return written(first, results, dimensions, pool);
}

}  // namespace indexical
