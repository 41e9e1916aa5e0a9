#include "indexical/cost/use/constant_indices.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/elementwise/nullary.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// Returns the constant whose element the variable is; null if it is none, or
/// if its elements are not kept.
const ConstantOp *constantOf(const ProgramIndexing &maps,
                             const RuntimeVariable &variable,
                             int64_t mostElements) {
  const RuntimeSource &source = variable.source;
  if (source.kind != RuntimeSource::Kind::Element || source.tensor < 0 ||
      !variable.members().empty())
    return nullptr;
  const Value &value = maps.value(source.tensor);
  const auto *constant = maps.module()
                             .computations[value.computation]
                             .instructions[value.instruction]
                             .op.as<ConstantOp>();
  if (!constant || constant->values.empty()) return nullptr;
  const ArrayShape &shape = constant->results[0];
  int64_t elements = 1;
  for (int64_t size : shape.dimensions) {
    if (size <= 0 || size > mostElements) return nullptr;
    elements *= size;
    if (elements > mostElements) return nullptr;
  }
  const bool isWhole =
      static_cast<int64_t>(constant->values.size()) == elements &&
      variable.elementIndex().size() == shape.dimensions.size();
  return isWhole ? constant : nullptr;
}

/// Returns the map restricted to element `number` of the constant for visible
/// variable `i`.
absl::StatusOr<IndexingMap> atElement(const IndexingMap &map, uint32_t i,
                                      const ConstantOp &constant,
                                      int64_t number) {
  const RuntimeVariable &variable = map.runtime()[i];
  int64_t value = constant.values[number];
  if (variable.clamped)
    value = std::clamp(value, variable.bounds.lower, variable.bounds.upper);
  else if (!variable.bounds.contains(value))
    return IndexingMap::knownEmpty();
  llvm::ArrayRef<int64_t> sizes = constant.results[0].dimensions;
  llvm::SmallVector<int64_t, 4> index(sizes.size());
  for (size_t k = sizes.size(); k-- > 0; number /= sizes[k])
    index[k] = number % sizes[k];
  auto replaced = replaceRuntime(
      map, i, [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> at) {
        for (auto [expression, k] : llvm::zip(at, index))
          b.constraint(expression, Interval::point(k));
        return b.constant(value);
      });
  return replaced.ok() ? simplify(*replaced) : replaced;
}

}  // namespace

absl::StatusOr<IndexingRelation> withConstantIndices(
    const ProgramIndexing &maps, const IndexingRelation &relation,
    int64_t mostElements) {
  IndexingRelation apart;
  int64_t pieces = 0;
  for (const IndexingMap &piece : relation.pieces()) {
    std::vector<IndexingMap> open = {piece};
    while (!open.empty()) {
      IndexingMap map = std::move(open.back());
      open.pop_back();
      if (map.isKnownEmpty()) continue;
      const ConstantOp *constant = nullptr;
      uint32_t i = 0;
      for (; i < map.visibleRuntimeCount() && !constant; ++i)
        constant = constantOf(maps, map.runtime()[i], mostElements);
      if (!constant) {
        apart.add(std::move(map));
        if (++pieces > mostElements) return relation;
        continue;
      }
      for (int64_t n = constant->values.size(); n-- > 0;) {
        INDEXICAL_ASSIGN_OR_RETURN(auto own,
                                   atElement(map, i - 1, *constant, n));
        open.push_back(std::move(own));
      }
    }
  }
  if (!apart.isEmpty()) apart.weaken(relation.precision());
  return apart;
}

}  // namespace indexical
