#include "tests/same/partitioned/runs/element_reads.h"

#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"

namespace indexical {

llvm::SmallVector<int64_t, 6> stridesOf(llvm::ArrayRef<int64_t> sizes) {
  llvm::SmallVector<int64_t, 6> strides(sizes.size(), 1);
  for (size_t k = sizes.size(); k-- > 1;)
    strides[k - 1] = strides[k] * sizes[k];
  return strides;
}

absl::StatusOr<ElementReads> ElementReads::of(const Op &op, int64_t result,
                                              int64_t operand) {
  INDEXICAL_ASSIGN_OR_RETURN(
      auto relation, indexing(op, Direction::OutputToInput, result, operand));
  if (relation.precision() != Precision::Exact)
    return absl::UnimplementedError("what it reads is not known exactly");
  ElementReads reads;
  const auto &descriptor = op.descriptor();
  reads.strides_ = stridesOf(descriptor.operands[operand].dimensions);
  for (const IndexingMap &map : relation.pieces()) {
    Piece piece;
    piece.map = map;
    const ExpressionTable &table = map.expressions();
    const size_t dimensions = map.dimensions().size();
    if (map.hiddenRuntimeCount() > 0 || !map.collectives().empty())
      return absl::UnimplementedError("its elements depend on others in turn");
    auto bounded = [](const Variable &v) {
      return v.bounds.lower > -Interval::kInfinity &&
             v.bounds.upper < Interval::kInfinity;
    };
    if (!llvm::all_of(map.dimensions(), bounded) ||
        !llvm::all_of(map.ranges(), bounded))
      return absl::UnimplementedError("its sizes are not known");
    for (auto [i, runtime] : llvm::enumerate(map.runtime())) {
      if (runtime.source.kind != RuntimeSource::Kind::Element)
        return absl::UnimplementedError("its sizes are not known");
      piece.sources.push_back(map.sourceMap(i));
      piece.isOfU64.push_back(descriptor.operands[runtime.source.tensor].type ==
                              ElementType::U64);
      const auto strides =
          stridesOf(descriptor.operands[runtime.source.tensor].dimensions);
      piece.sourceStrides.emplace_back(strides.begin(), strides.end());
      reads.dependsOnValues_ = true;
    }
    auto linear = [&](FormId form, int64_t scale, Linear &sum) {
      sum.constant += scale * table.constant(form);
      sum.coefficients.resize(dimensions + map.ranges().size(), 0);
      for (const Term &term : table.terms(form)) {
        const VariableId id = table.atom(term.atom).variable();
        sum.coefficients[id.index +
                         (id.kind == VariableKind::Range ? dimensions : 0)] +=
            scale * term.coefficient;
      }
    };
    piece.isLinear =
        map.runtime().empty() &&
        llvm::all_of(map.results(),
                     [&](FormId f) { return table.isSumOfVariables(f); }) &&
        llvm::all_of(map.constraints(), [&](const Constraint &c) {
          return table.isSumOfVariables(c.form);
        });
    if (piece.isLinear) {
      piece.place.coefficients.resize(dimensions + map.ranges().size(), 0);
      for (auto [k, form] : llvm::enumerate(map.results()))
        linear(form, reads.strides_[k], piece.place);
      for (const Constraint &constraint : map.constraints()) {
        Linear sum;
        linear(constraint.form, 1, sum);
        piece.constraints.emplace_back(std::move(sum), constraint.bounds);
      }
    }
    reads.pieces_.push_back(std::move(piece));
  }
  return reads;
}

bool ElementReads::at(llvm::ArrayRef<int64_t> index, ValueAt value,
                      std::vector<int64_t> &places) const {
  for (const Piece &piece : pieces_)
    if (!addPiece(piece, index, value, places)) return false;
  return true;
}

bool ElementReads::addPiece(const Piece &piece, llvm::ArrayRef<int64_t> index,
                            ValueAt value, std::vector<int64_t> &places) const {
  const IndexingMap &map = piece.map;
  for (auto [v, i] : llvm::zip(map.dimensions(), index))
    if (i < v.bounds.lower || i > v.bounds.upper) return true;
  const size_t dimensions = index.size();
  llvm::SmallVector<int64_t, 8> values(index.begin(), index.end());
  for (const Variable &range : map.ranges()) {
    if (range.bounds.lower > range.bounds.upper) return true;
    values.push_back(range.bounds.lower);
  }
  IndexingMap::Point point;
  for (;;) {
    if (piece.isLinear) {
      if (llvm::all_of(piece.constraints, [&](const auto &c) {
            const int64_t at = c.first.at(values);
            return at >= c.second.lower && at <= c.second.upper;
          }))
        places.push_back(piece.place.at(values));
    } else {
      point.dimensions.assign(values.begin(), values.begin() + dimensions);
      point.ranges.assign(values.begin() + dimensions, values.end());
      point.runtime.clear();
      bool holds = true;
      for (auto [i, runtime] : llvm::enumerate(map.runtime())) {
        IndexingMap::Point from;
        from.dimensions = point.dimensions;
        from.ranges = point.ranges;
        auto at = piece.sources[i].evaluate(from);
        if (!at) return false;
        int64_t place = 0;
        for (auto [k, each] : llvm::enumerate(*at))
          place += each * piece.sourceStrides[i][k];
        auto known = value(runtime.source.tensor, place);
        if (!known) return false;
        // Above every bound.
        if (piece.isOfU64[i] && *known < 0) known = INT64_MAX;
        if (runtime.clamped)
          *known = std::min(std::max(*known, runtime.bounds.lower),
                            runtime.bounds.upper);
        else
          holds &=
              *known >= runtime.bounds.lower && *known <= runtime.bounds.upper;
        point.runtime.push_back(*known);
      }
      if (holds && map.contains(point)) {
        auto at = map.evaluate(point);
        if (!at) return false;
        int64_t place = 0;
        for (auto [k, each] : llvm::enumerate(*at)) place += each * strides_[k];
        places.push_back(place);
      }
    }
    size_t k = map.ranges().size();
    while (k > 0 &&
           values[dimensions + k - 1] == map.ranges()[k - 1].bounds.upper) {
      values[dimensions + k - 1] = map.ranges()[k - 1].bounds.lower;
      --k;
    }
    if (k == 0) return true;
    ++values[dimensions + k - 1];
  }
}

}  // namespace indexical
