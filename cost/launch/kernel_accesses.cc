#include "indexical/cost/launch/kernel_accesses.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/launch/kernel_sites.h"
#include "indexical/cost/launch/read_choices.h"
#include "indexical/cost/launch/tile_accesses.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/families.h"
#include "indexical/program/module/callees.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

// Ways multiply: an instruction that is reached along more of them is cut off.
constexpr size_t kMostWays = 16;

// Shorter rows are gone through by one thread each.
constexpr int64_t kLeastRow = 32;

/// How many of the operand's most minor dimensions a reduction takes away, if
/// what it keeps lies together: then rows are reduced. With `{2,1,0}`, of
/// f32[7,100,128] 1 for dimensions 2, or 0 and 2, and none for 1. 0 for other
/// ops.
int64_t reducedRow(const Op &op) {
  const auto *reduce = op.as<ReduceOp>();
  if (!reduce || reduce->operands[0].hasUnknownSize()) return 0;
  const ArrayShape &shape = reduce->operands[0];
  int64_t count = 0, length = 1, changes = 0;
  bool isRow = true;
  for (int64_t k : shape.minorToMajor()) {
    const bool isReduced = llvm::is_contained(reduce->dimensions, k);
    isRow &= isReduced;
    if (isRow) {
      ++count;
      length *= shape.dimensions[k];
    }
    if (isReduced != (changes % 2 == 0)) ++changes;
  }
  return length >= kLeastRow && changes <= 2 ? count : 0;
}

/// Returns the map by which every thread of an update reads all of a start.
absl::StatusOr<IndexingRelation> readOfStart(const ArrayShape &update,
                                             const ArrayShape &start) {
  IndexingMapBuilder b;
  for (int64_t size : update.dimensions)
    b.dimension({0, std::max<int64_t>(size, 1) - 1});
  for (int64_t size : start.dimensions) b.result(b.range({0, size - 1}));
  INDEXICAL_ASSIGN_OR_RETURN(auto map, b.build());
  return IndexingRelation(std::move(map));
}

/// One leaf of an instruction, from a space, along some way.
struct Reached {
  InstructionId instruction;
  LeafId leaf;
  IndexingRelation map = {};
  bool isStart = false;  ///< the map is the identity, and not made
  ReadChoice choice = {};

  static Reached start(InstructionLeaf leaf) {
    return {leaf.instruction, leaf.leaf, {}, true};
  }
};

/// All ways from some leaves on. Users come before what they use.
struct Walk {
  size_t launch = 0;
  std::map<std::pair<int32_t, LeafId>, std::vector<Reached>> waiting = {};
};

class AccessFinder {
 public:
  AccessFinder(ProgramIndexing &maps, Kernel &kernel)
      : maps_(maps),
        module_(maps.module()),
        kernel_(kernel),
        outer_(module_.computations[kernel.computation]),
        instruction_(outer_.instructions[kernel.instruction]) {
    const OpShapes &shapes = shapesOf(instruction_.op);
    kernel_.buffers.assign(shapes.operands.begin(), shapes.operands.end());
    llvm::append_range(kernel_.buffers, shapes.results);
  }

  absl::Status run(std::optional<InstructionId> from) {
    if (isFusion(instruction_))
      if (auto callee = calleeOfCall(instruction_);
          callee && callee->computation >= 0)
        return runFusion(*callee, from);
    own_ = kernel_.computation;
    if (instruction_.op.is<DynamicUpdateSliceOp>()) return runUpdate();
    return runAlone(from ? 0 : reducedRow(instruction_.op));
  }

  absl::Status runPlan(const FusionBody &body, const LaunchPlan &plan) {
    own_ = body.number();
    isAlone_ = !body.isFusion();
    isTiling_ = isTiling(plan.emitter);
    followReductions_ = true;
    order_.clear();  // of an instruction alone all are equal
    if (body.isFusion())
      if (const auto callee = calleeOfCall(instruction_)) beginFusion(*callee);
    for (const Visit &visit : plan.visits)
      INDEXICAL_RETURN_IF_ERROR(this->visit(body, visit));
    return absl::OkStatus();
  }

  /// Returns the choice of each read, by its place.
  const std::vector<ReadChoice> &choices() const { return choices_; }

 private:
  //===-- An instruction by itself: its op's maps, and no ways ------------===//

  /// `row`: reducedRow, or 0 if the result's index space is asked about.
  absl::Status runAlone(int64_t row) {
    const InstructionId i = kernel_.instruction;
    const OpShapes &shapes = shapesOf(instruction_.op);
    const size_t inRows = row > 0 ? shapes.operands.size() / 2 : 0;
    for (size_t r = 0; r < shapes.results.size(); ++r) {
      const size_t launch = launchOver(shapes.results[r]);
      addWrite(launch, LeafId(r), shapes.results[r], i);
      for (size_t l = 0; l < inRows; ++l)
        addRead(launchOver(shapes.operands[0], ThreadOrder::Rows, row),
                Reached::start({i}), {own_, i}, l, shapes.operands[l]);
      for (size_t l : readBy(i, LeafId(r), /*from=*/inRows)) {
        INDEXICAL_ASSIGN_OR_RETURN(
            auto edge, maps_.instruction({own_, i, LeafId(r)}, LeafId(l),
                                         Direction::OutputToInput));
        if (edge.isEmpty()) continue;
        addRead(launch, {i, LeafId(0), std::move(edge)}, {own_, i}, l,
                shapes.operands[l]);
      }
    }
    return absl::OkStatus();
  }

  /// A dynamic-update-slice: in place, threads go through the update.
  absl::Status runUpdate() {
    const InstructionId i = kernel_.instruction;
    const OpShapes &shapes = shapesOf(instruction_.op);
    INDEXICAL_RETURN_IF_ERROR(addUpdateWrite(i, LeafId(0), shapes.results[0]));
    const ArrayShape &update = shapes.operands[1];
    const size_t launch = launchOver(update);
    addRead(launch, Reached::start({i}), {own_, i}, 1, update);
    for (size_t l = 2; l < shapes.operands.size(); ++l) {
      INDEXICAL_ASSIGN_OR_RETURN(auto map,
                                 readOfStart(update, shapes.operands[l]));
      addRead(launch, {i, LeafId(0), std::move(map)}, {own_, i}, l,
              shapes.operands[l]);
    }
    return absl::OkStatus();
  }

  //===-- A fusion --------------------------------------------------------===//

  /// Finds the operand of each parameter, and the order of the instructions.
  void beginFusion(const Callee &callee) {
    own_ = callee.computation;
    const Computation &fused = computation();
    const auto numbers = argumentLeaves(
        fused, callee.arguments, outer_.operandLeaves(kernel_.instruction));
    for (auto [i, of] : llvm::enumerate(parameterLeaves(fused)))
      operandOf_[{of.parameter, of.leaf}] = numbers[i];
    // The numbers backwards have users before their operands only if the file
    // has operands first.
    order_.resize(fused.instructions.size());
    for (auto [at, i] : llvm::enumerate(fused.postOrder())) order_[i] = at;
  }

  absl::Status runFusion(const Callee &callee,
                         std::optional<InstructionId> from) {
    beginFusion(callee);
    const Computation &fused = computation();
    followReductions_ = from.has_value() || isLoopFusion(instruction_);
    const InstructionId first = from.value_or(fused.root);
    const int64_t leaves = fused.instructions[first].shape.leafCount();
    for (LeafId leaf; leaf < leaves; ++leaf) {
      const InstructionLeaf start = {first, leaf};
      if (from) {
        const size_t launch = launchOver(shapeOf(start));
        if (first == fused.root)
          addWrite(launch, leaf, shapeOf(start),
                   behindTuples(fused, start).instruction);
        INDEXICAL_RETURN_IF_ERROR(walk(launch, start));
      } else {
        INDEXICAL_RETURN_IF_ERROR(addResult(start, leaf));
      }
    }
    return absl::OkStatus();
  }

  //===-- As planned ------------------------------------------------------===//

  absl::Status visit(const FusionBody &body, const Visit &visit) {
    phase_ = visit.phase;
    stops_ = visit.stops;
    const size_t launch = launchOf(visit.space);
    const InstructionId i = visit.instruction;
    if (visit.result) {
      INDEXICAL_RETURN_IF_ERROR(addResultOf(body, visit, launch));
    }
    if (!visit.operand) return walk(launch, {i, visit.leaf});
    const auto leaves = computation().operandLeaves(i);
    INDEXICAL_RETURN_IF_ERROR(
        follow(launch, i, *visit.operand,
               Reached::start({leaves[*visit.operand].instruction,
                               leaves[*visit.operand].result})));
    if (!computation().instructions[i].op.is<DynamicUpdateSliceOp>())
      return absl::OkStatus();
    for (size_t l = 2; l < leaves.size(); ++l) {
      const OpShapes &shapes = shapesOf(computation().instructions[i].op);
      INDEXICAL_ASSIGN_OR_RETURN(
          auto map, readOfStart(shapes.operands[1], shapes.operands[l]));
      INDEXICAL_RETURN_IF_ERROR(follow(launch, i, l,
                                       {leaves[l].instruction, leaves[l].result,
                                        IndexingRelation(std::move(map))}));
    }
    return absl::OkStatus();
  }

  /// Follows reads from operand `l` of an instruction of the body.
  absl::Status follow(size_t launch, InstructionId i, size_t l, Reached from) {
    if (!isAlone_) return walkFrom(launch, {std::move(from)}, {own_, i});
    addRead(launch, std::move(from), {own_, i}, l,
            shapesOf(computation().instructions[i].op).operands[l]);
    return absl::OkStatus();
  }

  /// Adds the writes of the visit: at its index, or where the instruction puts
  /// the element of its operand.
  absl::Status addResultOf(const FusionBody &body, const Visit &visit,
                           size_t launch) {
    const ArrayShape &whole = body.results()[*visit.result];
    const InstructionId i = visit.instruction;
    addWrite(launch, *visit.result, whole, i,
             isTiling_ ? visit.phase : Phase::Write);
    if (!visit.operand) return absl::OkStatus();
    auto written = maps_.instruction({own_, i, visit.leaf}, *visit.operand,
                                     Direction::InputToOutput);
    INDEXICAL_RETURN_IF_ERROR(written.status());
    for (const BodyRoot &root : body.roots()) {
      if (root.results[0].result != *visit.result || root.instruction == i)
        continue;
      // A bitcast of what is written.
      INDEXICAL_ASSIGN_OR_RETURN(
          auto moved, maps_.instruction({own_, root.instruction}, LeafId(0),
                                        Direction::InputToOutput));
      written = compose(*written, moved, ResultSide::Second);
      INDEXICAL_RETURN_IF_ERROR(written.status());
    }
    IndexingRelation map = withKnownValues(*std::move(written));
    kernel_.writes.back().map = std::move(map);
    kernel_.writes.back().isSome = visit.writesSome;
    return absl::OkStatus();
  }

  size_t launchOf(const LaunchSpace &space) {
    const auto known = llvm::find(kernel_.launches, space);
    if (known != kernel_.launches.end())
      return known - kernel_.launches.begin();
    kernel_.launches.push_back(space);
    return kernel_.launches.size() - 1;
  }

  //===-- Linear threads --------------------------------------------------===//

  /// A result of the fusion: what is written, and what is read for it.
  absl::Status addResult(InstructionLeaf root, LeafId result) {
    const ArrayShape &whole = shapeOf(root);
    const InstructionLeaf origin = behindTuples(computation(), root);
    const Op &made = computation().instructions[origin.instruction].op;
    if (innermost(made).is<DynamicUpdateSliceOp>())
      return addUpdate(origin, result, whole);
    const size_t launch = launchOver(whole);
    addWrite(launch, result, whole, origin.instruction);
    return walk(launch, origin);
  }

  /// In place: threads go through the update.
  absl::Status addUpdate(InstructionLeaf origin, LeafId result,
                         const ArrayShape &whole) {
    const InstructionId i = origin.instruction;
    const OpShapes &shapes = shapesOf(computation().instructions[i].op);
    const ArrayShape &update = shapes.operands[1];
    const size_t launch = launchOver(update);
    INDEXICAL_RETURN_IF_ERROR(addUpdateWrite(i, result, whole));
    const auto leaves = computation().operandLeaves(i);
    for (size_t l = 1; l < leaves.size(); ++l) {
      auto from = Reached::start({leaves[l].instruction, leaves[l].result});
      if (l > 1) {
        INDEXICAL_ASSIGN_OR_RETURN(from.map,
                                   readOfStart(update, shapes.operands[l]));
        from.isStart = false;
      }
      INDEXICAL_RETURN_IF_ERROR(walkFrom(launch, {std::move(from)}, {own_, i}));
    }
    return absl::OkStatus();
  }

  absl::Status walk(size_t launch, InstructionLeaf from) {
    return walkFrom(launch, {Reached::start(from)},
                    {kernel_.computation, kernel_.instruction});
  }

  absl::Status walkFrom(size_t launch, std::vector<Reached> from,
                        KernelUser user) {
    Walk walk{launch};
    for (Reached &reached : from) arrive(walk, std::move(reached), user);
    while (!walk.waiting.empty()) {
      auto next = walk.waiting.begin();
      const std::vector<Reached> ways = std::move(next->second);
      walk.waiting.erase(next);
      for (const Reached &way : ways)
        INDEXICAL_RETURN_IF_ERROR(goOn(walk, way));
    }
    return absl::OkStatus();
  }

  /// At a parameter there is a read; elsewhere the way waits to go on.
  void arrive(Walk &walk, Reached reached, KernelUser user) {
    const InstructionId i = reached.instruction;
    if (llvm::is_contained(stops_, i)) return;
    if (const int32_t number = computation().instructions[i].parameterNumber;
        number >= 0) {
      const auto operand = operandOf_.find({number, reached.leaf});
      if (operand == operandOf_.end() || operand->second < 0) return;
      const ArrayShape &shape = shapeOf({i, reached.leaf});
      addRead(walk.launch, std::move(reached), user, operand->second, shape);
      return;
    }
    auto &ways = walk.waiting[{order_.empty() ? 0 : -order_[i], reached.leaf}];
    for (Reached &known : ways)
      if (known.isStart == reached.isStart && known.map == reached.map) {
        known.choice = known.choice.both(reached.choice);
        return;
      }
    if (ways.size() >= kMostWays) {
      kernel_.complete = false;
      return;
    }
    ways.push_back(std::move(reached));
  }

  /// Goes on from a leaf to those of its instruction's operands.
  absl::Status goOn(Walk &walk, const Reached &way) {
    const InstructionId i = way.instruction;
    const Op &op = computation().instructions[i].op;
    const auto &leaves = leavesOf(i);
    size_t first = 0;
    if (const int64_t row = followReductions_ ? 0 : reducedRow(op); row > 0) {
      first = shapesOf(op).operands.size() / 2;
      INDEXICAL_RETURN_IF_ERROR(beginRows(i, row, first));
    }
    for (size_t l : readBy(i, way.leaf, first)) {
      INDEXICAL_ASSIGN_OR_RETURN(
          auto edge, maps_.instruction({own_, i, way.leaf}, LeafId(l),
                                       Direction::OutputToInput));
      if (edge.isEmpty()) continue;
      Reached reached{leaves[l].instruction, leaves[l].result};
      reached.choice = way.choice.through(i, op);
      if (keepsIndices(edge, op, way.leaf, l)) {
        reached.map = way.map;
        reached.isStart = way.isStart;
      } else if (way.isStart) {
        reached.map = std::move(edge);
      } else {
        INDEXICAL_ASSIGN_OR_RETURN(auto composed, compose(way.map, edge));
        if (composed.isEmpty()) continue;
        reached.map = std::move(composed);
      }
      if (isAlone_)
        addRead(walk.launch, std::move(reached), {own_, i}, l,
                shapesOf(op).operands[l]);
      else
        arrive(walk, std::move(reached), {own_, i});
    }
    return absl::OkStatus();
  }

  /// Whether what is read has the index of the result. The map of a slice, or
  /// of a part of a concatenation, is the identity of fewer elements.
  static bool keepsIndices(const IndexingRelation &edge, const Op &op,
                           LeafId result, size_t operand) {
    const OpShapes &shapes = shapesOf(op);
    const ArrayShape &shape = shapes.results[result];
    return edge.pieces().size() == 1 && edge.precision() == Precision::Exact &&
           shape.dimensions == shapes.operands[operand].dimensions &&
           isIdentity(edge.pieces()[0], shape);
  }

  /// Adds what a reduction reads of its first operands, once, with a warp for
  /// each row.
  absl::Status beginRows(InstructionId i, int64_t row, size_t inputs) {
    if (!begun_.insert(i).second) return absl::OkStatus();
    const OpShapes &shapes = shapesOf(computation().instructions[i].op);
    const auto leaves = computation().operandLeaves(i);
    const size_t launch =
        launchOver(shapes.operands[0], ThreadOrder::Rows, row);
    for (size_t l = 0; l < inputs; ++l)
      INDEXICAL_RETURN_IF_ERROR(walkFrom(
          launch, {Reached::start({leaves[l].instruction, leaves[l].result})},
          {own_, i}));
    return absl::OkStatus();
  }

  //===-- Leaves ----------------------------------------------------------===//

  const llvm::SmallVector<OperandLeaf, 4> &leavesOf(InstructionId i) {
    auto [known, isNew] = leaves_.try_emplace(i);
    if (isNew) known->second = computation().operandLeaves(i);
    return known->second;
  }

  /// Returns the operand leaves from number `from` on that a result may read:
  /// of a tuple's thousands one.
  llvm::SmallVector<size_t, 4> readBy(InstructionId i, LeafId result,
                                      size_t from) {
    llvm::SmallVector<size_t, 4> read;
    if (shapesOf(computation().instructions[i].op).results.size() == 1) {
      for (size_t l = from; l < leavesOf(i).size(); ++l) read.push_back(l);
      return read;
    }
    auto [known, isNew] = pairs_.try_emplace(i);
    if (isNew) known->second = maps_.instructionPairs(own_, i);
    llvm::ArrayRef<LeafPair> pairs = known->second;
    pairs = pairs.drop_front(
        llvm::partition_point(
            pairs, [&](const LeafPair &pair) { return pair.result < result; }) -
        pairs.begin());
    for (; !pairs.empty() && pairs[0].result == result;
         pairs = pairs.drop_front())
      if (pairs[0].leaf >= static_cast<int64_t>(from))
        read.push_back(pairs[0].leaf);
    return read;
  }

  //===-- What is found ---------------------------------------------------===//

  const Computation &computation() const { return module_.computations[own_]; }

  const ArrayShape &shapeOf(InstructionLeaf leaf) const {
    return shapesOf(computation().instructions[leaf.instruction].op)
        .results[leaf.leaf];
  }

  size_t launchOver(const ArrayShape &shape,
                    ThreadOrder order = ThreadOrder::Linear,
                    int64_t rowDimensions = 0) {
    LaunchSpace space;
    space.shape = shape;
    space.order = order;
    space.rowDimensions = rowDimensions;
    return launchOf(space);
  }

  /// Returns the access. The shape is that of the buffer in the fused
  /// computation.
  MemoryAccess accessOf(size_t launch, size_t buffer, const ArrayShape &shape,
                        IndexingRelation map, KernelUser user) {
    if (buffer >= kernel_.buffers.size()) kernel_.buffers.resize(buffer + 1);
    kernel_.buffers[buffer] = shape;
    MemoryAccess access;
    access.launch = launch;
    access.buffer = buffer;
    access.map = std::move(map);
    access.place = kernel_.users.size();
    kernel_.users.push_back(user);
    return access;
  }

  void addWrite(size_t launch, LeafId result, const ArrayShape &shape,
                InstructionId user, Phase phase = Phase::Write) {
    kernel_.writes.push_back(
        accessOf(launch, kernel_.operandLeaves + result, shape,
                 IndexingRelation(identityOf(shape)), {own_, user, phase}));
  }

  /// Adds the write of a dynamic-update-slice, from the update's index to its
  /// place in the result.
  absl::Status addUpdateWrite(InstructionId i, LeafId result,
                              const ArrayShape &whole) {
    const Instruction &made = computation().instructions[i];
    INDEXICAL_ASSIGN_OR_RETURN(
        auto written,
        maps_.instruction({own_, i}, LeafId(1), Direction::InputToOutput));
    addWrite(launchOver(shapesOf(made.op).operands[1]), result, whole, i);
    kernel_.writes.back().map = withKnownValues(std::move(written));
    return absl::OkStatus();
  }

  void addRead(size_t launch, Reached reached, KernelUser user, size_t leaf,
               const ArrayShape &shape) {
    IndexingRelation map = reached.isStart
                               ? IndexingRelation(identityOf(shape))
                               : withKnownValues(std::move(reached.map));
    std::vector<size_t> &ofBuffer = readsOf_[leaf];
    for (size_t number : ofBuffer) {
      const MemoryAccess &known = kernel_.reads[number];
      if (known.launch == launch && kernel_.userOf(known).phase == phase_ &&
          known.map == map) {
        ReadChoice &choice = choices_[known.place];
        choice = choice.both(reached.choice);
        return;
      }
    }
    ofBuffer.push_back(kernel_.reads.size());
    user.phase = phase_;
    kernel_.reads.push_back(
        accessOf(launch, leaf, shape, std::move(map), user));
    choices_.resize(kernel_.users.size());
    choices_.back() = reached.choice;
  }

  /// Starts and indices that are constants, written as their values.
  IndexingRelation withKnownValues(IndexingRelation relation) {
    auto known = maps_.withKnownValues(relation);
    return known.ok() ? *std::move(known) : relation;
  }

  ProgramIndexing &maps_;
  const Module &module_;
  Kernel &kernel_;
  const Computation &outer_;
  const Instruction &instruction_;
  ComputationId own_;  ///< the computation whose instructions are followed
  /// Parameter and its leaf, to the leaf of the kernel's operands; or -1.
  std::map<std::pair<int32_t, LeafId>, int64_t> operandOf_;
  bool followReductions_ = false;
  bool isAlone_ = false;  ///< planned, and no fusion
  bool isTiling_ = false;
  Phase phase_ = Phase::Read;                  ///< of what is read
  llvm::SmallVector<InstructionId, 2> stops_;  ///< nothing behind them is read
  std::vector<int32_t> order_;
  std::set<InstructionId> begun_;
  std::map<InstructionId, llvm::SmallVector<OperandLeaf, 4>> leaves_;
  std::map<InstructionId, std::vector<LeafPair>> pairs_;
  std::map<size_t, std::vector<size_t>> readsOf_;  ///< by buffer
  std::vector<ReadChoice> choices_;                ///< by the place of a read
};

}  // namespace

absl::Status addPlannedAccesses(ProgramIndexing &maps, const FusionBody &body,
                                const LaunchPlan &plan, const Device &device,
                                Kernel &kernel) {
  AccessFinder finder(maps, kernel);
  INDEXICAL_RETURN_IF_ERROR(finder.runPlan(body, plan));
  if (plan.emitter == Emitter::Triton)
    INDEXICAL_RETURN_IF_ERROR(tileAccesses(plan, device, kernel));
  else
    INDEXICAL_RETURN_IF_ERROR(applyChoices(finder.choices(), kernel));
  llvm::stable_sort(kernel.reads,
                    [](const MemoryAccess &a, const MemoryAccess &b) {
                      return a.buffer < b.buffer;
                    });
  return absl::OkStatus();
}

absl::Status addAccesses(ProgramIndexing &maps,
                         std::optional<InstructionId> from, Kernel &kernel) {
  AccessFinder finder(maps, kernel);
  INDEXICAL_RETURN_IF_ERROR(finder.run(from));
  llvm::stable_sort(kernel.reads,
                    [](const MemoryAccess &a, const MemoryAccess &b) {
                      return a.buffer < b.buffer;
                    });
  return absl::OkStatus();
}

}  // namespace indexical
