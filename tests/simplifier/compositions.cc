// The ways in which the maps of a chain become one map.
#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_text.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/simplifier/simplify.h"
#include "tests/simplifier/chains.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {
namespace {

using Ops = llvm::ArrayRef<ChainOp>;
using MapOr = absl::StatusOr<IndexingMap>;

bool isRaw(Handover handover) {
  return handover == Handover::Raw || handover == Handover::RawAsText;
}

MapOr pairs(llvm::ArrayRef<IndexingMap> maps) {
  if (maps.size() == 1) return maps[0];
  auto left = pairs(maps.take_front(maps.size() / 2));
  auto right = pairs(maps.drop_front(maps.size() / 2));
  INDEXICAL_RETURN_IF_ERROR(left.status());
  INDEXICAL_RETURN_IF_ERROR(right.status());
  return compose(*left, *right);
}

/// As one map, before it is simplified.
MapOr whole(Ops ops) {
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 6> index;
  for (int64_t size : ops.front().from)
    index.push_back(b.dimension({0, size - 1}));
  // A product has the second map's variables before the first's.
  std::vector<std::vector<Expr>> own(ops.size());
  for (size_t i = ops.size(); i-- > 0;) own[i] = ops[i].addVariables(b);
  for (size_t i = 0; i < ops.size(); ++i)
    index = ops[i].apply(b, index, own[i]);
  for (Expr expression : index) b.result(expression);
  return b.build();
}

/// Returns the map as the next composition gets it.
MapOr handedOver(const IndexingMap &map, Handover handover) {
  if (isText(handover)) {
    if (writtenSize(map) > kMostWritten)
      return absl::ResourceExhaustedError("a text too long");
    return parseMap(map.strOneLine());
  }
  return handover == Handover::Anew ? unmarked(map) : map;
}

}  // namespace

bool hasText(Ops ops) {
  return llvm::none_of(ops, [](const ChainOp &op) { return op.clamped; });
}

bool isText(Handover handover) {
  return handover == Handover::FormsAsText || handover == Handover::RawAsText;
}

llvm::StringRef handoverName(Handover handover) {
  static constexpr const char *kNames[] = {"forms", "forms as text", "raw",
                                           "raw as text", "anew"};
  return kNames[static_cast<int>(handover)];
}

std::string nameOf(Way way) {
  static constexpr const char *kNames[] = {"left", "right", "pairs", "at once"};
  return std::string(kNames[static_cast<int>(way.order)]) + ", " +
         handoverName(way.handover).str();
}

MapOr composedBy(Ops ops, Way way) {
  if (way.order == Order::Once) {
    INDEXICAL_ASSIGN_OR_RETURN(const IndexingMap all, whole(ops));
    // A product names its variables anew; these have no other names.
    return simplify(all);
  }
  const bool isRight = way.order == Order::Right;
  std::vector<IndexingMap> maps;
  for (const ChainOp &op : ops) {
    maps.push_back(op.map());
    const bool isFirst = &op == (isRight ? &ops.back() : &ops.front());
    if (isRaw(way.handover) && !isFirst) continue;
    INDEXICAL_ASSIGN_OR_RETURN(maps.back(), simplify(maps.back()));
    if (isText(way.handover)) {
      INDEXICAL_ASSIGN_OR_RETURN(maps.back(),
                                 handedOver(maps.back(), way.handover));
    }
  }
  if (way.order == Order::Pairs) return pairs(maps);
  if (isRight) std::reverse(maps.begin(), maps.end());
  IndexingMap map = maps[0];
  for (const IndexingMap &step : llvm::drop_begin(maps)) {
    INDEXICAL_ASSIGN_OR_RETURN(
        map, isRight ? compose(step, map) : compose(map, step));
    INDEXICAL_ASSIGN_OR_RETURN(map, handedOver(map, way.handover));
  }
  return map;
}

absl::StatusOr<IndexingMap> composedInTurn(Ops ops, Handover handover) {
  return composedBy(ops, {Order::Left, handover});
}

}  // namespace indexical::testing
