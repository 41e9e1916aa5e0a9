#include "indexical/cost/sparsity/jacobian.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/shape.h"
#include "indexical/simplifier/enumeration.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

using Sizes = llvm::ArrayRef<int64_t>;

constexpr int64_t kUsualOperations = 64'000'000;
constexpr int64_t kMostElements = int64_t{1} << 62;

absl::StatusOr<int64_t> elementsOf(Sizes sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) {
    if (size == kDynamicSize)
      return absl::InvalidArgumentError(
          "a size is not known, and a matrix has sides: give it by --size");
    if (llvm::MulOverflow(count, size, count) || count > kMostElements)
      return absl::InvalidArgumentError("an array has too many elements");
  }
  return count;
}

/// The budget of the list: of so many entries, each takes some operations.
Budget budgetOf(const JacobianOptions &options) {
  Budget budget = options.exact;
  if (budget.operations)
    budget.operations = 64 * std::min(*budget.operations, INT64_MAX / 64);
  return budget;
}

/// Lists the places of one piece after another.
class Lister {
 public:
  Lister(Sizes result, Sizes parameter, const JacobianOptions &options)
      : result_(result),
        parameter_(parameter),
        most_(options.mostListed()),
        meter_(budgetOf(options), kUsualOperations) {}

  /// Returns false if there are too many places.
  bool add(const IndexingMap &piece) {
    SimplifyOptions asItIs;
    asItIs.foldPoints = false;
    auto set = simplify(asSet(piece), asItIs);
    if (!set.ok()) return false;
    if (set->isKnownEmpty()) return true;
    PointValues values(set->expressions());
    return Enumeration(*set, meter_).visit([&](llvm::ArrayRef<int64_t> point) {
      if (!values.set(point)) return false;
      SparsePattern::Place place{0, 0};
      for (auto [size, index] :
           llvm::zip(result_, point.take_front(result_.size())))
        place.first = place.first * size + index;
      for (auto [size, form] : llvm::zip(parameter_, set->results())) {
        const auto index = values(form);
        // Values of variables that are not known may lead outside.
        if (!index) return false;
        if (*index < 0 || *index >= size) return true;
        place.second = place.second * size + *index;
      }
      places_.push_back(place);
      return static_cast<int64_t>(places_.size()) <= 4 * most_;
    });
  }

  std::optional<SparsePattern> pattern(int64_t rows, int64_t columns) {
    SparsePattern all(rows, columns, std::move(places_));
    if (all.entries() > most_) return std::nullopt;
    return all;
  }

 private:
  const Sizes result_, parameter_;
  const int64_t most_;
  Meter meter_;
  std::vector<SparsePattern::Place> places_;
};

/// Returns the piece as a set of points with these results, which `make` makes
/// of the index and of the element.
absl::StatusOr<IndexingMap> asPlaces(
    const IndexingMap &piece, Sizes parameter,
    llvm::function_ref<llvm::SmallVector<Expr, 6>(llvm::ArrayRef<Expr> index,
                                                  llvm::ArrayRef<Expr> element)>
        make) {
  const IndexingMap set = asSet(piece);
  return withBody(set, [&](IndexingMapBuilder &b, MapBody &body) {
    llvm::SmallVector<Expr, 6> index;
    for (uint32_t k = 0; k < piece.dimensions().size(); ++k)
      index.push_back(
          b.expression(b.pool().variable({VariableKind::Dimension, k})));
    for (auto [element, size] : llvm::zip(body.results, parameter))
      body.constraints.push_back({element, {0, size - 1}});
    body.results = make(index, body.results);
  });
}

/// Returns the set with ranges in place of its dimensions: sets of different
/// numbers of variables then are maps of one index, `()`.
absl::StatusOr<IndexingMap> ofRanges(const IndexingMap &set) {
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 8> variables;
  for (const Variable &v : set.dimensions())
    variables.push_back(b.range(v.bounds));
  auto replace = [&](VariableId v) { return variables[v.index].form(); };
  ExpressionImport import(set.expressions(), b.pool(), replace);
  for (FormId result : set.results()) b.result(b.expression(import(result)));
  for (const Constraint &c : set.constraints())
    b.constraint(b.expression(import(c.form)), c.bounds);
  if (set.isKnownEmpty()) b.setKnownEmpty();
  INDEXICAL_ASSIGN_OR_RETURN(auto made, b.build());
  return simplify(made);
}

Expr rowMajor(llvm::ArrayRef<Expr> index, Sizes sizes, Expr zero) {
  Expr place = zero;
  for (auto [at, size] : llvm::zip(index, sizes)) place = place * size + at;
  return place;
}

/// Counts and bounds the places without a list of them.
absl::Status addFigures(const IndexingRelation &relation, Sizes result,
                        Sizes parameter, const ExactOptions &options,
                        Jacobian &found) {
  IndexingRelation places, distances;
  for (const IndexingMap &piece : relation.pieces()) {
    INDEXICAL_ASSIGN_OR_RETURN(
        auto own, asPlaces(piece, parameter, [](auto index, auto element) {
          llvm::SmallVector<Expr, 6> both(index.begin(), index.end());
          both.append(element.begin(), element.end());
          return both;
        }));
    INDEXICAL_ASSIGN_OR_RETURN(own, ofRanges(own));
    places.add(std::move(own));
    auto distance = asPlaces(
        piece, parameter,
        [&](llvm::ArrayRef<Expr> index, llvm::ArrayRef<Expr> element) {
          ExpressionAlgebra *const algebra =
              !index.empty() ? index[0].algebra() : element[0].algebra();
          const Expr zero(algebra, algebra->constantForm(0));
          return llvm::SmallVector<Expr, 6>{rowMajor(element, parameter, zero) -
                                            rowMajor(index, result, zero)};
        });
    if (distance.ok()) distance = ofRanges(*distance);
    if (distance.ok()) distances.add(*std::move(distance));
  }
  INDEXICAL_ASSIGN_OR_RETURN(const Count count, countImage(places, options));
  if (count.value &&
      *count.value <= llvm::DynamicAPInt(Interval::kInfinity - 1))
    found.entries = static_cast<int64_t>(*count.value);
  if (distances.pieces().size() != places.pieces().size())
    return absl::OkStatus();
  INDEXICAL_ASSIGN_OR_RETURN(const auto ends, extremes(distances, options));
  if (ends.size() == 1 && ends[0].least && ends[0].greatest)
    found.band = Band{std::max<int64_t>(0, -*ends[0].least),
                      std::max<int64_t>(0, *ends[0].greatest)};
  return absl::OkStatus();
}

}  // namespace

std::optional<double> Jacobian::density() const {
  if (!entries || rows == 0 || columns == 0) return std::nullopt;
  return static_cast<double>(*entries) / static_cast<double>(rows) /
         static_cast<double>(columns);
}

absl::StatusOr<Jacobian> jacobianOf(const IndexingRelation &relation,
                                    llvm::ArrayRef<int64_t> result,
                                    llvm::ArrayRef<int64_t> parameter,
                                    const JacobianOptions &options) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack(
        [&] { return jacobianOf(relation, result, parameter, options); });
  Jacobian found;
  INDEXICAL_ASSIGN_OR_RETURN(found.rows, elementsOf(result));
  INDEXICAL_ASSIGN_OR_RETURN(found.columns, elementsOf(parameter));
  found.isExact = relation.precision() == Precision::Exact;
  Lister lister(result, parameter, options);
  // A pattern has a number for each row and each column.
  const int64_t most = options.mostListed();
  bool isListed = found.rows <= most && found.columns <= most;
  for (const IndexingMap &piece : relation.pieces()) {
    if (!piece.collectives().empty())
      return absl::UnimplementedError(
          "the result reads elements of other devices: ask about the module "
          "before it is partitioned");
    if (piece.visibleRuntimeCount() > 0) found.isExact = false;
    isListed = isListed && lister.add(piece);
    INDEXICAL_RETURN_IF_ERROR(options.exact.check());
  }
  if (isListed) found.pattern = lister.pattern(found.rows, found.columns);
  if (found.pattern) {
    found.entries = found.pattern->entries();
    found.band = bandOf(*found.pattern);
    return found;
  }
  INDEXICAL_RETURN_IF_ERROR(
      addFigures(relation, result, parameter, options.exact, found));
  return found;
}

}  // namespace indexical
