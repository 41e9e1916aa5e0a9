// The elements that an instruction uses of its operands, and those used inside
// of what it calls.
#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "indexical/cost/use/constant_indices.h"
#include "indexical/cost/use/utilization.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/alike_pairs.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/module/callees.h"

namespace indexical {

namespace {

/// Finds uses of one instruction.
class Users {
 public:
  Users(ProgramIndexing &maps, ComputationId computation,
        InstructionId instruction, const Share &share,
        const UtilizationOptions &options)
      : maps_(maps),
        own_(maps.module().computations[computation]),
        number_(computation),
        instruction_(instruction),
        user_(own_.instructions[instruction]),
        results_(user_.shape.leaves()),
        share_(share),
        options_(options) {
    for (size_t r = 0; r < results_.size(); ++r)
      if (isAsked(r)) asked_.push_back(LeafId(r));
  }

  absl::Status addOperands(std::vector<Use> &uses);
  absl::Status addInside(ComputationId body, std::vector<Use> &uses);

 private:
  /// The result leaves that are asked about, by number.
  using Numbers = llvm::SmallVector<LeafId, 2>;
  using RelationOf =
      llvm::function_ref<absl::StatusOr<IndexingRelation>(LeafId result)>;

  bool isAsked(size_t r) const {
    return !share_.points || results_[r].dimensions == results_[0].dimensions;
  }
  /// The results that read a tensor. Each of them stands for `times` that read
  /// alike.
  struct Readers {
    Numbers results;
    int64_t times = 1;
  };
  std::vector<Readers> readersOf(size_t leaves);
  using Relations = std::vector<IndexingRelation>;
  absl::StatusOr<Relations> relationsOf(const Numbers &results,
                                        RelationOf relationOf,
                                        ProgramIndexing &maps) const;
  absl::Status find(Use &use, const Relations &relations, int64_t times,
                    const UtilizationOptions &options) const;
  absl::Status findInside(Use &use, ProgramIndexing &maps,
                          const UtilizationOptions &options) const;
  absl::Status findTogether(std::vector<Use> &uses) const;

  ProgramIndexing &maps_;
  const Computation &own_;
  const ComputationId number_;
  const InstructionId instruction_;
  const Instruction &user_;
  const ShapeList results_;
  const Share &share_;
  const UtilizationOptions &options_;
  Numbers asked_;
};

/// Returns what each of these results reads of a tensor.
absl::StatusOr<Users::Relations> Users::relationsOf(
    const Numbers &results, RelationOf relationOf,
    ProgramIndexing &maps) const {
  Relations relations;
  for (LeafId r : results) {
    auto relation = relationOf(r);
    if (relation.ok()) relation = maps.withKnownValues(*relation);
    if (relation.ok()) relation = withConstantIndices(maps, *relation);
    INDEXICAL_RETURN_IF_ERROR(relation.status());
    relations.push_back(*std::move(relation));
  }
  return relations;
}

/// Finds the footprint of relations, each of which stands for `times`.
absl::Status Users::find(Use &use, const Relations &relations, int64_t times,
                         const UtilizationOptions &options) const {
  INDEXICAL_ASSIGN_OR_RETURN(
      use.footprint, footprintOf(relations, use.shape, share_, options, times));
  if (!share_.points && !asked_.empty())
    use.footprint.overlap.assign(results_[0].dimensions.size(), 0);
  return absl::OkStatus();
}

/// Returns the asked results that read each operand leaf. A tuple has thousands
/// of leaves, each of which reads one. All results of a sort read all operands
/// as the first one does.
std::vector<Users::Readers> Users::readersOf(size_t leaves) {
  std::vector<Readers> readers(leaves);
  const LeafPairs pairs = maps_.pairsOf(number_, instruction_);
  if (pairs.areAll() && !asked_.empty() && hasAlikePairs(user_.op) &&
      !hasOpenSizes(shapesOf(user_.op))) {
    for (Readers &each : readers) {
      each.results = {asked_.front()};
      each.times = asked_.size();
    }
    return readers;
  }
  for (const LeafPair &pair : pairs)
    if (isAsked(pair.result)) readers[pair.leaf].results.push_back(pair.result);
  return readers;
}

/// Returns options whose function is called by one thread at a time.
UtilizationOptions withOneCaller(const UtilizationOptions &options,
                                 std::mutex &mutex) {
  UtilizationOptions shared = options;
  if (options.runtimeValue)
    shared.runtimeValue = [&](const IndexingMap &map, size_t k) {
      const std::lock_guard<std::mutex> lock(mutex);
      return options.runtimeValue(map, k);
    };
  return shared;
}

/// Relations are found one after another, for they share what is found of
/// computations; then footprints, on several threads.
absl::Status Users::addOperands(std::vector<Use> &uses) {
  const auto leaves = own_.operandLeaves(instruction_);
  const std::vector<Readers> readers = readersOf(leaves.size());
  InstructionId producer;
  ShapeList produced;
  std::vector<absl::StatusOr<Relations>> relations;
  for (size_t l = 0; l < leaves.size(); ++l) {
    Use &use = uses.emplace_back();
    use.operand = l;
    use.instruction = leaves[l].instruction;
    use.leaf = leaves[l].result;
    if (std::exchange(producer, use.instruction) != use.instruction)
      produced = own_.instructions[use.instruction].shape.leaves();
    use.shape = produced[use.leaf];
    auto relationOf = [&](LeafId r) {
      return maps_.instruction({number_, instruction_, r}, LeafId(l),
                               Direction::OutputToInput);
    };
    relations.push_back(relationsOf(readers[l].results, relationOf, maps_));
    if (!relations.back().ok()) break;
  }
  std::vector<absl::Status> ends(uses.size());
  std::mutex mutex;
  const UtilizationOptions shared = withOneCaller(options_, mutex);
  auto findOne = [&](size_t, size_t l) {
    ends[l] = relations[l].status();
    if (ends[l].ok())
      ends[l] = find(uses[l], *relations[l], readers[l].times, shared);
  };
  if (options_.jobs > 1 && uses.size() > 1)
    inParallel(options_.jobs, uses.size(), findOne);
  else
    for (size_t l = 0; l < uses.size(); ++l) findOne(0, l);
  for (const absl::Status &end : ends)
    if (!end.ok()) return withPlace(end, user_.place);
  return absl::OkStatus();
}

absl::Status Users::findInside(Use &use, ProgramIndexing &maps,
                               const UtilizationOptions &options) const {
  const ComputationId c = use.computation;
  const Computation &body = maps.module().computations[c];
  auto relationOf = [&](LeafId r) {
    return maps.between({c, body.root, r}, {c, use.instruction, use.leaf},
                        Direction::OutputToInput);
  };
  const auto relations = relationsOf(asked_, relationOf, maps);
  return withPlace(relations.ok() ? find(use, *relations, /*times=*/1, options)
                                  : relations.status(),
                   body.instructions[use.instruction].place);
}

/// Finds uses on several threads, each with maps of its own. Numbers of values
/// are translated from and to those of `maps_`.
absl::Status Users::findTogether(std::vector<Use> &uses) const {
  const size_t workers = std::min(options_.jobs, uses.size());
  std::vector<std::unique_ptr<ProgramIndexing>> maps(workers);
  std::vector<absl::Status> ends(uses.size());
  std::mutex mutex;
  inParallel(workers, uses.size(), [&](size_t worker, size_t i) {
    if (!maps[worker])
      maps[worker] = std::make_unique<ProgramIndexing>(
          maps_.module(), /*prover=*/nullptr, maps_.budget());
    ProgramIndexing &own = *maps[worker];
    auto numberOf = [&](int64_t value) {
      return maps_.numberOf(own.value(value));
    };
    UtilizationOptions options = options_;
    if (options_.runtimeValue)
      options.runtimeValue = [&](const IndexingMap &map, size_t k) {
        const std::lock_guard<std::mutex> lock(mutex);
        return options_.runtimeValue(withSources(map, {numberOf, numberOf}), k);
      };
    ends[i] = findInside(uses[i], own, options);
    const std::lock_guard<std::mutex> lock(mutex);
    for (int64_t &value : uses[i].footprint.dependsOn) value = numberOf(value);
  });
  for (const absl::Status &end : ends)
    if (!end.ok()) return end;
  return absl::OkStatus();
}

absl::Status Users::addInside(ComputationId number, std::vector<Use> &uses) {
  const Computation &body = maps_.module().computations[number];
  const InstructionOrder order = body.postOrder();
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    const Instruction &inner = body.instructions[*i];
    if (inner.parameterNumber >= 0 || inner.terminator) continue;
    const auto shapes = inner.shape.leaves();
    for (size_t l = 0; l < shapes.size(); ++l) {
      Use &use = uses.emplace_back();
      use.computation = number;
      use.instruction = *i;
      use.leaf = LeafId(l);
      use.shape = shapes[l];
    }
  }
  if (options_.jobs > 1 && uses.size() > 1) return findTogether(uses);
  for (Use &use : uses)
    INDEXICAL_RETURN_IF_ERROR(findInside(use, maps_, options_));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Utilization> utilizationOf(ProgramIndexing &maps,
                                          ComputationId computation,
                                          InstructionId instruction,
                                          const Share &share, bool inside,
                                          const UtilizationOptions &options) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] {
      return utilizationOf(maps, computation, instruction, share, inside,
                           options);
    });
  Utilization all;
  Users users(maps, computation, instruction, share, options);
  INDEXICAL_RETURN_IF_ERROR(users.addOperands(all.operands));
  const auto callee = calleeOfCall(
      maps.module().computations[computation].instructions[instruction]);
  if (inside && callee && callee->computation >= 0)
    INDEXICAL_RETURN_IF_ERROR(users.addInside(callee->computation, all.inside));
  return all;
}

}  // namespace indexical
