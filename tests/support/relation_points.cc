#include "tests/support/relation_points.h"

#include <algorithm>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"
#include "tests/oracle/tensor.h"

namespace indexical::testing {
namespace {

absl::Status wrong(const IndexingMap &map, const Index &point,
                   const char *what) {
  std::string text = absl::StrCat(what, " at (");
  for (size_t k = 0; k < point.size(); ++k)
    absl::StrAppend(&text, k ? ", " : "", point[k]);
  return absl::InternalError(absl::StrCat(text, ") in ", map.strOneLine()));
}

/// Whether bounds may be open, as sizes are. If so, points a little past the
/// end are visited, and must not be in the map.
enum class Bounds { Closed, Open };

/// Enumerates one map.
class MapPoints {
 public:
  MapPoints(const IndexingMap &map, llvm::ArrayRef<int64_t> from,
            llvm::ArrayRef<int64_t> to, const RuntimeTensors &tensors,
            Bounds kind)
      : map(map), from(from), to(to), tensors(tensors), kind(kind) {
    for (const Constraint &constraint : map.constraints()) {
      bool runtime = false;
      map.expressions().visitVariables({constraint.form}, [&](VariableId id) {
        runtime |= id.kind == VariableKind::Runtime && !isEarly(id.index);
      });
      constraintNamesRuntime.push_back(runtime);
    }
  }

  absl::StatusOr<std::vector<PointPair>> enumerate() {
    if (map.isKnownEmpty()) return std::vector<PointPair>();
    if (map.dimensions().size() != from.size() ||
        map.results().size() != to.size())
      return wrong(map, {}, "not the ranks of the tensors");
    Index counts;
    int64_t total = 1;
    auto addVariable = [&](Interval bounds) {
      first.push_back(bounds.lower);
      counts.push_back(bounds.count());
      if (counts.back() > tensors.mostPoints / std::max<int64_t>(total, 1))
        total = tensors.mostPoints + 1;
      else
        total *= counts.back();
    };
    for (size_t k = 0; k < from.size(); ++k)
      addVariable(upTo(map.dimensions()[k].bounds, from[k] + 1));
    for (uint32_t k = 0; k < map.ranges().size(); ++k)
      addVariable(boundsOfRange(k));
    if (total > tensors.mostPoints)
      return absl::ResourceExhaustedError("too many points in " +
                                          map.strOneLine());
    absl::Status status;
    forEachIndex(counts, [&](const Index &offset) {
      if (status.ok()) status = visit(offset);
    });
    if (!status.ok()) return status;
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return std::move(pairs);
  }

 private:
  Interval upTo(Interval bounds, int64_t most) const {
    if (kind == Bounds::Closed || bounds.hasUpper()) return bounds;
    return bounds.intersect({bounds.lower, most});
  }

  /// Returns the bounds. A range that stands for an index of unknown size goes
  /// a little further than an index can.
  Interval boundsOfRange(uint32_t k) const {
    int64_t most = tensors.mostOfRange;
    for (const ArrayShape &shape : tensors.shapes)
      for (int64_t size : shape.dimensions) most = std::max(most, size);
    for (int64_t size : from) most = std::max(most, size);
    for (int64_t size : to) most = std::max(most, size);
    return upTo(map.ranges()[k].bounds, most + 1);
  }

  /// Returns whether the variable has one value for all points: it is a size,
  /// or an element whose place does not depend on the point.
  bool isEarly(uint32_t i) const {
    for (FormId form : map.runtime()[i].index)
      if (!map.expressions().isConstant(form)) return false;
    return kind == Bounds::Open &&
           map.runtime()[i].source.kind != RuntimeSource::Kind::None;
  }

  int64_t valueOf(VariableId id) const {
    if (id.kind == VariableKind::Dimension) return point[id.index];
    if (id.kind == VariableKind::Range) return point[from.size() + id.index];
    return runtime[id.index];
  }

  std::optional<int64_t> evaluate(FormId form) const {
    auto value = [this](VariableId id) { return valueOf(id); };
    return Evaluation(map.expressions(), value)(form);
  }

  std::optional<Index> evaluate(llvm::ArrayRef<FormId> forms) const {
    Index values;
    for (FormId form : forms) {
      std::optional<int64_t> value = evaluate(form);
      if (!value) return std::nullopt;
      values.push_back(*value);
    }
    return values;
  }

  /// Returns whether the constraints with runtime variables hold, or those
  /// without.
  absl::StatusOr<bool> constraintsHold(bool namingRuntime) const {
    for (size_t i = 0; i < map.constraints().size(); ++i) {
      if (constraintNamesRuntime[i] != namingRuntime) continue;
      std::optional<int64_t> value = evaluate(map.constraints()[i].form);
      if (!value) return isOutside("a constraint without a value");
      if (!map.constraints()[i].bounds.contains(*value)) return false;
    }
    return true;
  }

  absl::Status isOutside(const char *what) const {
    absl::Status status = wrong(map, point, what);
    return absl::OutOfRangeError(
        absl::StrCat("outside of its tensor: ", status.message()));
  }

  absl::Status unlessLeftOut(const absl::Status &status) const {
    const bool leftOut = kind == Bounds::Open && !tensors.strict;
    return leftOut && absl::IsOutOfRange(status) ? absl::OkStatus() : status;
  }

  /// The element that the variable names, or the size.
  absl::StatusOr<int64_t> elementOf(const RuntimeVariable &variable) const {
    const int64_t tensor = variable.source.tensor;
    if (variable.source.kind == RuntimeSource::Kind::None || tensor < 0 ||
        tensor >= static_cast<int64_t>(tensors.shapes.size()))
      return wrong(map, point, "a runtime variable has no source");
    llvm::ArrayRef<int64_t> sizes = tensors.shapes[tensor].dimensions;
    if (variable.source.kind == RuntimeSource::Kind::Size)
      return sizes[variable.source.dimension];
    if (variable.index.size() != sizes.size())
      return wrong(map, point, "a source index has not its tensor's rank");
    std::optional<Index> index = evaluate(variable.index);
    if (!index || !isInside(sizes, *index)) return isOutside("a source");
    if (tensors.values[tensor].empty())
      return wrong(map, point, "a source without values");
    return tensors.values[tensor][rowMajor(sizes, *index)];
  }

  /// Sets the values of the early runtime variables, or of the others. Returns
  /// false if one is outside of bounds that are no clamp.
  absl::StatusOr<bool> takeRuntimeValues(bool early) {
    runtime.resize(map.runtime().size());
    for (uint32_t i = 0; i < map.runtime().size(); ++i) {
      if (isEarly(i) != early) continue;
      const RuntimeVariable &variable = map.runtime()[i];
      absl::StatusOr<int64_t> element = elementOf(variable);
      if (!element.ok()) return element.status();
      const Interval &bounds = variable.bounds;
      if (variable.clamped)
        *element = std::min(std::max(*element, bounds.lower), bounds.upper);
      if (!bounds.contains(*element)) return false;
      runtime[i] = *element;
    }
    return true;
  }

  absl::Status visit(const Index &offset) {
    point = first;
    for (size_t k = 0; k < point.size(); ++k) point[k] += offset[k];
    absl::StatusOr<bool> holds = takeRuntimeValues(/*early=*/true);
    if (holds.ok() && *holds) holds = constraintsHold(/*namingRuntime=*/false);
    if (holds.ok() && *holds) holds = takeRuntimeValues(/*early=*/false);
    if (holds.ok() && *holds) holds = constraintsHold(/*namingRuntime=*/true);
    if (!holds.ok()) return unlessLeftOut(holds.status());
    if (!*holds) return absl::OkStatus();
    llvm::ArrayRef<int64_t> dimensions =
        llvm::ArrayRef<int64_t>(point).take_front(from.size());
    std::optional<Index> result = evaluate(map.results());
    if (!isInside(from, dimensions)) return isOutside("a dimension point");
    if (!result || !isInside(to, *result)) return isOutside("a result");
    pairs.emplace_back(rowMajor(from, dimensions), rowMajor(to, *result));
    return absl::OkStatus();
  }

  const IndexingMap &map;
  llvm::ArrayRef<int64_t> from, to;
  const RuntimeTensors &tensors;
  const Bounds kind;
  llvm::SmallVector<bool, 4> constraintNamesRuntime;
  Index first;    ///< lower bounds of dimensions and ranges
  Index point;    ///< values of dimensions and ranges
  Index runtime;  ///< values of the runtime variables so far
  std::vector<PointPair> pairs;
};

absl::StatusOr<RelationPoints> enumerate(const IndexingRelation &relation,
                                         llvm::ArrayRef<int64_t> from,
                                         llvm::ArrayRef<int64_t> to,
                                         const RuntimeTensors &tensors,
                                         Bounds kind) {
  RelationPoints points;
  for (const IndexingMap &piece : relation.pieces()) {
    auto pairs = MapPoints(piece, from, to, tensors, kind).enumerate();
    if (!pairs.ok()) return pairs.status();
    points.pairs.insert(points.pairs.end(), pairs->begin(), pairs->end());
  }
  std::sort(points.pairs.begin(), points.pairs.end());
  auto end = std::unique(points.pairs.begin(), points.pairs.end());
  points.disjoint = end == points.pairs.end();
  points.pairs.erase(end, points.pairs.end());
  return points;
}

}  // namespace

absl::StatusOr<RelationPoints> pointsOf(const IndexingRelation &relation,
                                        llvm::ArrayRef<int64_t> from,
                                        llvm::ArrayRef<int64_t> to,
                                        const RuntimeTensors &tensors) {
  return enumerate(relation, from, to, tensors, Bounds::Closed);
}

absl::StatusOr<RelationPoints> pointsWithin(const IndexingRelation &relation,
                                            llvm::ArrayRef<int64_t> from,
                                            llvm::ArrayRef<int64_t> to,
                                            const RuntimeTensors &tensors) {
  return enumerate(relation, from, to, tensors, Bounds::Open);
}

std::vector<PointPair> transposed(std::vector<PointPair> pairs) {
  for (PointPair &pair : pairs) std::swap(pair.first, pair.second);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace indexical::testing
