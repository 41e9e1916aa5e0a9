#include "indexical/cost/communication/local_reads.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/same/values/index_tables.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

LocalReads undecided(std::string reason) {
  LocalReads made;
  made.reason = std::move(reason);
  return made;
}

/// Returns the sharding's map, with a device even of a replicated array.
absl::StatusOr<IndexingRelation> mapOf(const ShardedRelation &array,
                                       int64_t devices) {
  if (array.sharding().devices() >= 0)
    return array.map(Direction::OutputToInput);
  INDEXICAL_ASSIGN_OR_RETURN(
      auto known, ShardedRelation::make(
                      array.global(),
                      Sharding::replicated(array.sharding().rank(), devices)));
  return known.map(Direction::OutputToInput);
}

/// Returns where each device's tile begins in a dimension, also one that is
/// empty.
std::vector<int64_t> beginsOf(const ShardedRelation &array, size_t dimension) {
  std::vector<int64_t> begins;
  for (int64_t d = 0; d < array.sharding().devices(); ++d) {
    const auto held = array.sharding().holding(d);
    begins.push_back(held ? held->tile[dimension] * array.local()[dimension]
                          : array.global()[dimension]);
  }
  return begins;
}

/// Whether each device has a part of the array, as it has not of one that a
/// single device keeps.
bool isEverywhere(const Sharding &sharding) {
  for (int64_t d = 0; d < sharding.devices(); ++d)
    if (!sharding.holding(d)) return false;
  return true;
}

/// Returns where `read`, a map from (device, local index) to an element, is
/// before or behind the device's tile in a dimension, for devices of one part
/// of the table of begins.
absl::StatusOr<IndexingMap> beyond(const IndexingMap &read,
                                   const TablePart &tiles, int64_t devices,
                                   size_t dimension, int64_t size,
                                   bool isBefore) {
  auto map = restricted(
      read, [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> results) {
        const Expr device =
            b.expression(b.pool().variable({VariableKind::Dimension, 0}));
        b.constraint(tiles.digit.of(device, devices), tiles.values);
        b.constraint(results[dimension] - tiles.sum.of(device, devices),
                     isBefore ? Interval{Interval::kMinusInfinity, -1}
                              : Interval{size, Interval::kInfinity});
      });
  INDEXICAL_RETURN_IF_ERROR(map.status());
  return simplify(*map);
}

}  // namespace

absl::StatusOr<LocalReads> localReads(const IndexingRelation &reads,
                                      const ShardedRelation &result,
                                      const ShardedRelation &operand,
                                      const ExactOptions &options) {
  const Sharding &of = operand.sharding();
  for (const Sharding *each : {&result.sharding(), &of}) {
    if (each->none() != NoElements::None || each->groups() > 1)
      return undecided("a sharding does not say which elements a device has");
    if (each->parts() > 1)
      return undecided("an element is a sum of parts of several devices");
  }
  LocalReads made;
  const bool isPartly = !isEverywhere(of);
  if (reads.pieces().empty() || (of.isReplicated() && !isPartly)) {
    made.areLocal = Answer::Yes;
    return made;
  }
  const int64_t devices = of.devices();
  if (result.sharding().devices() >= 0 &&
      result.sharding().devices() != devices)
    return undecided("the shardings are of different numbers of devices");
  const auto parts = mapOf(result, devices);
  if (!parts.ok()) return undecided(std::string(parts.status().message()));
  if (isPartly && operand.global().empty())
    return undecided("some devices do not have the scalar");
  bool isOpen = false;
  for (size_t k = 0; k < operand.global().size(); ++k) {
    if (of.tiles()[k] == 1 && !isPartly) continue;
    const auto tiles = tablePartsOf(beginsOf(operand, k), devices);
    if (!tiles) return undecided("an array is too large");
    bool isBeyond = false;
    for (const IndexingMap &part : parts->pieces())
      for (const IndexingMap &piece : reads.pieces()) {
        if (isBeyond || !piece.collectives().empty()) break;
        const auto read = compose(part, piece);
        if (!read.ok()) return undecided(std::string(read.status().message()));
        for (const TablePart &tile : *tiles)
          for (const bool isBefore : {true, false}) {
            if (isBeyond) break;
            const auto where =
                beyond(*read, tile, devices, k, operand.local()[k], isBefore);
            if (!where.ok())
              return undecided(std::string(where.status().message()));
            if (where->isKnownEmpty()) continue;
            INDEXICAL_ASSIGN_OR_RETURN(
                const Decision decision,
                isEmpty(IndexingRelation(*where), options));
            isBeyond = decision.answer == Answer::No;
            isOpen |= decision.answer == Answer::Undecided;
          }
      }
    if (isBeyond) made.dimensions.push_back(k);
  }
  if (made.dimensions.empty() && !isOpen) {
    made.areLocal = Answer::Yes;
  } else if (made.dimensions.empty()) {
    made.reason = "whether a device reads beyond its tile is not decided";
  } else if (reads.precision() != Precision::Exact) {
    made.reason = "what it reads is not known exactly";
    made.dimensions.clear();
  } else {
    made.areLocal = Answer::No;
  }
  return made;
}

}  // namespace indexical
