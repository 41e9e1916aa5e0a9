#include "indexical/cost/launch/read_choices.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/address.h"
#include "indexical/ops/families.h"

namespace indexical {
namespace {

/// Whether each element of the result is that of one of several operands.
bool choosesOperand(const Op &op) {
  return op.is<ConcatenateOp>() || op.is<DynamicUpdateSliceOp>();
}

/// Whether each element of the result is an element of the operand.
bool onlyMovesElements(const Op &op) {
  return op.is<SliceOp>() || op.is<ReshapeOp>() || op.is<TransposeOp>() ||
         op.is<BroadcastOp>() || op.is<BitcastOp>() || op.is<ReverseOp>();
}

/// Returns the indices that a map always has, if it has none but these.
std::optional<std::vector<int64_t>> constantOf(const IndexingRelation &read) {
  if (read.pieces().size() != 1 || read.precision() != Precision::Exact)
    return std::nullopt;
  const IndexingMap &map = read.pieces().front();
  if (map.isKnownEmpty() || !map.ranges().empty() || !map.runtime().empty() ||
      !map.collectives().empty())
    return std::nullopt;
  std::vector<int64_t> indices;
  for (const FormId form : map.results()) {
    if (!map.expressions().terms(form).empty()) return std::nullopt;
    indices.push_back(map.expressions().constant(form));
  }
  return indices;
}

/// Returns the map from every index of the shape to these indices.
absl::StatusOr<IndexingMap> fromEveryIndex(const ArrayShape &shape,
                                           llvm::ArrayRef<int64_t> indices) {
  IndexingMapBuilder b;
  for (const int64_t size : shape.dimensions)
    b.dimension({0, std::max<int64_t>(size, 1) - 1});
  for (const int64_t index : indices) b.result(b.constant(index));
  return b.build();
}

}  // namespace

ReadChoice ReadChoice::through(InstructionId i, const Op &op) const {
  if (choosesOperand(op)) return {i, true};
  return {choice, onlyMoves && onlyMovesElements(op)};
}

ReadChoice ReadChoice::both(const ReadChoice &other) const {
  if (!isChosen() || !other.isChosen()) return {};
  if (choice == other.choice) return {choice, onlyMoves && other.onlyMoves};
  return {choice, false};
}

absl::Status applyChoices(const std::vector<ReadChoice> &choices,
                          Kernel &kernel) {
  std::vector<MemoryAccess> reads;
  for (MemoryAccess &read : kernel.reads) {
    const ReadChoice &own = choices[read.place];
    const LaunchSpace &space = kernel.launches[read.launch];
    if (const auto indices = constantOf(read.map);
        indices && !space.shape.hasUnknownSize()) {
      INDEXICAL_ASSIGN_OR_RETURN(auto map,
                                 fromEveryIndex(space.shape, *indices));
      read.map = IndexingRelation(std::move(map));
    } else if (own.isChosen()) {
      const ArrayShape &buffer = kernel.buffers[read.buffer];
      read.laneBytes = std::max<int64_t>(1, storedBits(buffer) / 8);
      const auto joined = llvm::find_if(reads, [&](const MemoryAccess &other) {
        const ReadChoice &its = choices[other.place];
        return other.buffer == read.buffer && other.launch == read.launch &&
               its.choice == own.choice && its.onlyMoves && own.onlyMoves &&
               kernel.userOf(other).phase == kernel.userOf(read).phase &&
               other.map.precision() == read.map.precision();
      });
      if (joined != reads.end()) {
        for (const IndexingMap &piece : read.map.pieces())
          joined->map.add(piece);
        continue;
      }
    }
    reads.push_back(std::move(read));
  }
  kernel.reads = std::move(reads);
  return absl::OkStatus();
}

}  // namespace indexical
