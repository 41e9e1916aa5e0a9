// Plans from one sharding to another, each with a proof: the answer of
// `reshard`.
//
//   ReshardQuestion question;
//   question.from = "{devices=[4,1]<=[4]}";
//   question.to = "{devices=[1,4]<=[4]}";
//   question.shape = "f32[64,64]";
//   auto found = reshardPlans(question);
//   const ReshardPlan &best = found->plans[0].plan;  // one all-to-all
//   bool isProved = found->plans[0].isProved();      // true
//
// A plan is proved if its text, read again, equals the identity with both
// shardings (same/partitioned/partitioned_equality.h): each device ends with
// its elements of the target, whatever their values.
#ifndef INDEXICAL_ANSWERS_RESHARD_RESHARD_H
#define INDEXICAL_ANSWERS_RESHARD_RESHARD_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/answers/ask.h"
#include "indexical/cost/reshard/reshard_plans.h"
#include "indexical/ops/shape.h"
#include "indexical/program/module/program.h"
#include "indexical/program/sharding/sharding.h"
#include "indexical/same/verdict/verdict.h"

namespace indexical {

struct ReshardQuestion {
  std::string from, to;  ///< shardings, in any form
  std::string shape;     ///< of the whole array: `f32[64,64]`
  /// `m=<["x"=4]>`. Those of `from` override the others in the first sharding.
  std::vector<std::string> meshes, fromMeshes;
  std::optional<size_t> partitions;  ///< nothing: as many as shardings say
  /// Plans that need more bytes on a device are left out.
  std::optional<int64_t> memory;
  /// The bytes that one collective costs, by which the first plan is chosen.
  int64_t latency = 0;
};

/// A plan, and whether it is proved.
struct ProvedPlan {
  ReshardPlan plan;
  /// Same if the plan is proved; else why it is not.
  Verdict verdict = {Level::Values};

  bool isProved() const { return verdict.isSame(); }
};

struct ReshardAnswer {
  std::string from, to;  ///< both shardings, as they were given
  ArrayShape shape;
  std::optional<ShardedRelation> source, target;
  int64_t devices = 0;
  int64_t neededBytes = 0, replicationBytes = 0;
  /// Proved plans first, then by bytes + latency x collectives.
  std::vector<ProvedPlan> plans;
};

/// Returns the plans that no other one beats in bytes, collectives and memory.
/// Returns an error, which names the option of the command, if a text is not a
/// sharding or a shape, if there is no plan, or if the budget's stop is
/// reached.
absl::StatusOr<ReshardAnswer> reshardPlans(const ReshardQuestion &question,
                                           const Ask &ask = {});

/// Returns the plans between two shardings of an array of that type.
absl::StatusOr<ReshardAnswer> reshardPlans(const ShardedRelation &from,
                                           const ShardedRelation &to,
                                           ElementType type,
                                           const ReshardOptions &options = {},
                                           const Ask &ask = {});

/// Returns whether a module that each device runs brings an array from one
/// sharding to the other. Returns an error if its shapes are not those of the
/// shardings, or if the groups of a collective are not valid.
absl::StatusOr<Verdict> isReshard(const Program &local,
                                  const ShardedRelation &from,
                                  const ShardedRelation &to, ElementType type,
                                  const Ask &ask = {});

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_RESHARD_RESHARD_H
