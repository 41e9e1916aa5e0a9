#include "indexical/answers/reshard/reshard.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/sharding/given_sharding.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/same/partitioned/partitioned_equality.h"

namespace indexical {
namespace {

/// The operations of the proof of one plan, if the budget says no number.
constexpr int64_t kOperations = 2'000'000;

/// Returns the sharding of one array that a text states.
absl::StatusOr<ShardedRelation> relationOf(const std::string &text,
                                           const std::string &option,
                                           const ArrayShape &shape,
                                           const ShardingContext &context) {
  auto shardings = shardingsOf(text, {shape}, context);
  if (!shardings.ok()) {
    const Place place = placeOf(shardings.status()).value_or(Place{1, 1});
    return absl::InvalidArgumentError(
        option + ", at character " + std::to_string(place.column) + ": " +
        std::string(shardings.status().message()));
  }
  auto relation = ShardedRelation::make(shape.dimensions, (*shardings)[0]);
  if (!relation.ok())
    return absl::InvalidArgumentError(
        option + ": " + std::string(relation.status().message()));
  return relation;
}

/// Returns the mesh that both shardings name, if it is the same one.
void addMesh(const ReshardQuestion &asked, const ShardingContext &context,
             ReshardOptions &options) {
  if (!asked.fromMeshes.empty()) return;
  for (const auto &[name, mesh] : context.meshes) {
    const std::string named = "<@" + name + ",";
    if (llvm::StringRef(asked.from).contains(named) &&
        llvm::StringRef(asked.to).contains(named)) {
      options.mesh = mesh;
      options.meshName = name;
    }
  }
}

}  // namespace

absl::StatusOr<Verdict> isReshard(const Program &local,
                                  const ShardedRelation &from,
                                  const ShardedRelation &to, ElementType type,
                                  const Ask &ask) {
  const auto first = hloTextOf(from.sharding()),
             second = hloTextOf(to.sharding());
  if (!first || !second) {
    Verdict verdict = {Level::Values};
    verdict.doubt("a device holds nothing");
    return verdict;
  }
  const int64_t devices =
      std::max(from.sharding().devices(), to.sharding().devices());
  const std::string shape = ArrayShape(type, from.global()).str();
  INDEXICAL_ASSIGN_OR_RETURN(
      const Program whole,
      parseHlo("HloModule whole, num_partitions=" + std::to_string(devices) +
               "\n\nENTRY main {\n  x = " + shape +
               " parameter(0)\n  ROOT r = " + shape + " copy(x)\n}\n"));
  PartitionedOptions options;
  options.partitions = devices;
  options.areLocal = false;
  options.parameterShardings = {{0, *first}};
  options.resultShardings = {{0, *second}};
  options.operations = ask.budget.operationsOr(kOperations);
  options.stop = ask.budget.stop;
  INDEXICAL_ASSIGN_OR_RETURN(auto equality,
                             comparePartitioned(whole, local, options));
  // There is one result; the sum of all has no reason.
  return equality.results.front().verdict;
}

absl::StatusOr<ReshardAnswer> reshardPlans(const ShardedRelation &from,
                                           const ShardedRelation &to,
                                           ElementType type,
                                           const ReshardOptions &options,
                                           const Ask &ask) {
  INDEXICAL_ASSIGN_OR_RETURN(ReshardPlans found,
                             plansOf(from, to, type, options));
  ReshardAnswer answer;
  answer.shape = ArrayShape(type, from.global());
  answer.source = from;
  answer.target = to;
  answer.devices = found.devices;
  answer.neededBytes = found.neededBytes;
  answer.replicationBytes = found.replicationBytes;
  for (ReshardPlan &plan : found.plans) {
    if (ask.budget.stop && ask.budget.stop->isReached())
      return ask.budget.stop->status();
    ProvedPlan &proved = answer.plans.emplace_back();
    proved.plan = std::move(plan);
    INDEXICAL_ASSIGN_OR_RETURN(const Program local, parseHlo(proved.plan.hlo));
    INDEXICAL_ASSIGN_OR_RETURN(proved.verdict,
                               isReshard(local, from, to, type, ask));
  }
  // A plan that is not proved is never the first if another one is.
  std::stable_partition(answer.plans.begin(), answer.plans.end(),
                        [](const ProvedPlan &plan) { return plan.isProved(); });
  return answer;
}

absl::StatusOr<ReshardAnswer> reshardPlans(const ReshardQuestion &asked,
                                           const Ask &ask) {
  auto shape = parseHloShape(asked.shape);
  if (!shape.ok() || !shape->isArray())
    return absl::InvalidArgumentError(
        "--global-shape: " +
        (shape.ok() ? "it is that of one array, as in f32[64,64]"
                    : std::string(shape.status().message())));
  ShardingContext context;
  if (asked.partitions) context.devices = *asked.partitions;
  ShardingWords words;
  words.meshes = asked.meshes;
  INDEXICAL_RETURN_IF_ERROR(addMeshes(words, context));
  ShardingContext source = context;
  words.meshes = asked.fromMeshes;
  INDEXICAL_RETURN_IF_ERROR(addMeshes(words, source));
  INDEXICAL_ASSIGN_OR_RETURN(
      auto to, relationOf(asked.to, "--to", shape->array, context));
  // Where one side names no devices, those of the other are meant.
  if (source.devices < 0) source.devices = to.sharding().devices();
  INDEXICAL_ASSIGN_OR_RETURN(
      auto from, relationOf(asked.from, "--from", shape->array, source));
  if (to.sharding().devices() < 0 && from.sharding().devices() >= 0) {
    context.devices = from.sharding().devices();
    INDEXICAL_ASSIGN_OR_RETURN(
        to, relationOf(asked.to, "--to", shape->array, context));
  }
  ReshardOptions options;
  options.memory = asked.memory;
  options.latency = asked.latency;
  addMesh(asked, context, options);
  INDEXICAL_ASSIGN_OR_RETURN(
      ReshardAnswer answer,
      reshardPlans(from, to, shape->array.type, options, ask));
  answer.from = asked.from;
  answer.to = asked.to;
  return answer;
}

}  // namespace indexical
