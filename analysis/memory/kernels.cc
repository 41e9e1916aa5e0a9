#include "indexical/analysis/memory/kernels.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/analysis/memory/kernel_sites.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/program/callees.h"
#include "indexical/program/fold.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

// Ways multiply: an instruction that is reached along more of them is cut off.
constexpr size_t kMostWays = 16;

/// Index to equal index, of any shape.
bool isIdentity(const IndexingRelation &relation) {
  if (relation.pieces().size() != 1 || relation.precision() != Precision::Exact)
    return false;
  const IndexingMap &map = relation.pieces()[0];
  if (!map.ranges().empty() || !map.runtime().empty() ||
      !map.constraints().empty() || !map.collectives().empty() ||
      map.results().size() != map.dimensions().size())
    return false;
  for (uint32_t k = 0; k < map.results().size(); ++k) {
    const auto id = map.expressions().asVariable(map.results()[k]);
    if (!id || !(*id == VariableId{VariableKind::Dimension, k})) {
      // A dimension of one value is that value.
      const Interval bounds = map.dimensions()[k].bounds;
      if (!bounds.isPoint() ||
          !map.expressions().isConstant(map.results()[k], bounds.lower))
        return false;
    }
  }
  return true;
}

bool holdsForAll(const IndexingRelation &relation, const ArrayShape &shape) {
  for (auto [k, variable] : llvm::enumerate(relation.pieces()[0].dimensions()))
    if (variable.bounds != Interval{0, shape.dimensions[k] - 1}) return false;
  return true;
}

/// How many of the operand's most minor dimensions the reduction takes away, if
/// what it keeps lies together: then rows are reduced. With `{2,1,0}`, of
/// f32[7,100,128] 1 for dimensions 2, or 0 and 2, and none for 1.
int64_t reducedRow(const ReduceOp &op) {
  const ArrayShape &shape = op.operands[0];
  if (shape.hasUnknownSize()) return 0;
  int64_t count = 0, length = 1, changes = 0;
  bool isRow = true;
  for (int64_t k : shape.minorToMajor()) {
    const bool isReduced = llvm::is_contained(op.dimensions, k);
    isRow &= isReduced;
    if (isRow) {
      ++count;
      length *= shape.dimensions[k];
    }
    if (isReduced != (changes % 2 == 0)) ++changes;
  }
  return length >= 32 && changes <= 2 ? count : 0;
}

/// One leaf of an instruction, from a space, along some way.
struct Reached {
  int32_t instruction = 0;
  int64_t leaf = 0;
  IndexingRelation map;
  bool isStart = false;  ///< the map is the identity, and not made
};

class KernelBuilder {
 public:
  KernelBuilder(ProgramIndexing &maps, Kernel &kernel)
      : maps_(maps),
        module_(maps.module()),
        kernel_(kernel),
        outer_(module_.computations[kernel.computation]),
        instruction_(outer_.instructions[kernel.instruction]) {}

  absl::Status run(std::optional<int32_t> from) {
    if (isFusion(instruction_))
      if (auto callee = calleeOfCall(instruction_);
          callee && callee->computation >= 0)
        return runFusion(callee->computation, callee->arguments, from);
    return runAlone(/*isFromResult=*/from.has_value());
  }

 private:
  /// An instruction by itself: its op's maps, and no ways.
  absl::Status runAlone(bool isFromResult) {
    own_ = kernel_.computation;
    const int32_t i = kernel_.instruction;
    const OpShapes &shapes = shapesOf(instruction_.op);
    const auto *reduce = instruction_.op.as<ReduceOp>();
    const int64_t row = reduce && !isFromResult ? reducedRow(*reduce) : 0;
    const size_t inputs = row > 0 ? reduce->operands.size() / 2 : 0;
    const bool isUpdate = instruction_.op.is<DynamicUpdateSliceOp>();
    for (size_t r = 0; r < shapes.results.size(); ++r) {
      if (isUpdate) {
        if (auto status = addUpdateWrite(i, r, shapes.results[r]); !status.ok())
          return status;
      } else {
        addWrite(spaceOf(shapes.results[r]), r, shapes.results[r], i);
      }
      const size_t space =
          spaceOf(isUpdate ? shapes.operands[1] : shapes.results[r]);
      for (size_t l = isUpdate ? 1 : 0; l < shapes.operands.size(); ++l) {
        Reached reached{i, 0, {}, false};
        size_t own = space;
        if (l < inputs || (isUpdate && l == 1)) {
          reached.isStart = true;
          if (l < inputs)
            own = spaceOf(shapes.operands[0], ThreadOrder::Rows, row);
        } else if (isUpdate) {
          auto map = readOfStart(shapes.operands[1], shapes.operands[l]);
          if (!map.ok()) return map.status();
          reached.map = *std::move(map);
        } else {
          auto edge =
              maps_.instruction(own_, i, Direction::OutputToInput, r, l);
          if (!edge.ok()) return edge.status();
          if (edge->isEmpty()) continue;
          reached.map = *std::move(edge);
        }
        addRead(own, std::move(reached), i, l, shapes.operands[l]);
      }
    }
    return absl::OkStatus();
  }

  absl::Status runFusion(int32_t computation, llvm::ArrayRef<int32_t> arguments,
                         std::optional<int32_t> from) {
    own_ = computation;
    const Computation &fused = module_.computations[computation];
    const auto argumentOf = argumentLeaves(
        fused, arguments, outer_.operandLeaves(kernel_.instruction));
    // The leaves of all parameters, in order.
    const auto parameters = parameterLeaves(fused);
    auto stop = [&](int32_t instruction) {
      return fused.instructions[instruction].parameterNumber >= 0;
    };
    auto operand = [&](int32_t, int64_t, int32_t producer, int64_t leaf) {
      const int32_t number = fused.instructions[producer].parameterNumber;
      for (auto [i, of] : llvm::enumerate(parameters))
        if (of.parameter == number && of.leaf == leaf)
          return i < argumentOf.size() ? argumentOf[i] : int64_t{-1};
      return int64_t{-1};
    };
    if (from) {
      followReductions_ = true;
      for (int64_t leaf = 0; leaf < fused.instructions[*from].shape.leafCount();
           ++leaf)
        if (auto status = walk(spaceOf(shapeOf(*from, leaf)), {*from, leaf},
                               stop, operand);
            !status.ok())
          return status;
      return absl::OkStatus();
    }
    followReductions_ = instruction_.fusionKind == "kLoop";
    const int64_t results = fused.instructions[fused.root].shape.leafCount();
    for (int64_t leaf = 0; leaf < results; ++leaf)
      if (auto status = start({fused.root, leaf}, leaf, stop, operand);
          !status.ok())
        return status;
    return absl::OkStatus();
  }

  const ArrayShape &shapeOf(int32_t instruction, int64_t leaf) const {
    return shapesOf(module_.computations[own_].instructions[instruction].op)
        .results[leaf];
  }

  size_t spaceOf(const ArrayShape &shape,
                 ThreadOrder order = ThreadOrder::Linear,
                 int64_t rowDimensions = 0) {
    KernelSpace space{shape, order, rowDimensions};
    auto known = llvm::find(kernel_.spaces, space);
    if (known == kernel_.spaces.end()) {
      kernel_.spaces.push_back(space);
      return kernel_.spaces.size() - 1;
    }
    return known - kernel_.spaces.begin();
  }

  /// A result of the kernel: what is written, and what is read for it.
  template <typename Stop, typename Operand>
  absl::Status start(Leaf root, int64_t result, Stop stop, Operand operand) {
    const Computation &computation = module_.computations[own_];
    // Behind tuples and their elements.
    const Leaf origin =
        stop(root.instruction) ? root : leafBehindTuples(computation, root);
    if (origin.instruction < 0) return absl::OkStatus();
    const Instruction &made = computation.instructions[origin.instruction];
    const ArrayShape &whole = shapeOf(root.instruction, root.leaf);
    if (innermost(made.op).is<DynamicUpdateSliceOp>() &&
        !stop(origin.instruction))
      return startUpdate(origin, result, whole, stop, operand);
    const size_t space = spaceOf(whole);
    addWrite(space, result, whole, origin.instruction);
    return walk(space, origin, stop, operand);
  }

  void addWrite(size_t space, int64_t result, const ArrayShape &shape,
                int32_t user) {
    KernelAccess write;
    write.space = space;
    write.leaf = result;
    write.map = identityOf(shape);
    write.shape = shape;
    write.userComputation = own_;
    write.user = user;
    kernel_.writes.push_back(std::move(write));
  }

  /// Of a dynamic-update-slice: from the update to where it goes.
  absl::Status addUpdateWrite(int32_t i, int64_t result,
                              const ArrayShape &whole) {
    const Instruction &made = module_.computations[own_].instructions[i];
    auto written = maps_.instruction(own_, i, Direction::InputToOutput, 0, 1);
    if (!written.ok()) return written.status();
    addWrite(spaceOf(shapesOf(made.op).operands[1]), result, whole, i);
    kernel_.writes.back().map = folded(*std::move(written));
    return absl::OkStatus();
  }

  /// Every thread reads the starts.
  static absl::StatusOr<IndexingRelation> readOfStart(const ArrayShape &update,
                                                      const ArrayShape &start) {
    IndexingMapBuilder b;
    for (int64_t size : update.dimensions)
      b.dimension({0, std::max<int64_t>(size, 1) - 1});
    for (int64_t size : start.dimensions) b.result(b.range({0, size - 1}));
    auto map = b.build();
    if (!map.ok()) return map.status();
    return IndexingRelation(*std::move(map));
  }

  /// In place: threads go through the update.
  template <typename Stop, typename Operand>
  absl::Status startUpdate(Leaf origin, int64_t result, const ArrayShape &whole,
                           Stop stop, Operand operand) {
    const int32_t i = origin.instruction;
    const Instruction &made = module_.computations[own_].instructions[i];
    const ArrayShape &update = shapesOf(made.op).operands[1];
    const size_t space = spaceOf(update);
    if (auto status = addUpdateWrite(i, result, whole); !status.ok())
      return status;
    const auto leaves = module_.computations[own_].operandLeaves(i);
    for (size_t l = 1; l < leaves.size(); ++l) {
      Reached from{leaves[l].instruction, leaves[l].result, {}, l == 1};
      if (l > 1) {
        auto map = readOfStart(update, shapesOf(made.op).operands[l]);
        if (!map.ok()) return map.status();
        from.map = *std::move(map);
      }
      if (auto status = walkFrom(space, {std::move(from)}, i, l, stop, operand);
          !status.ok())
        return status;
    }
    return absl::OkStatus();
  }

  template <typename Stop, typename Operand>
  absl::Status walk(size_t space, Leaf from, Stop stop, Operand operand) {
    return walkFrom(space, {Reached{from.instruction, from.leaf, {}, true}}, -1,
                    -1, stop, operand);
  }

  /// All ways from there on.
  template <typename Stop, typename Operand>
  absl::Status walkFrom(size_t space, std::vector<Reached> from, int32_t user,
                        int64_t number, Stop stop, Operand operand) {
    const Computation &computation = module_.computations[own_];
    // Users before what they use: the order of the numbers, turned around, is
    // that only where the file has it so.
    if (order_.empty()) {
      order_.resize(computation.instructions.size());
      for (auto [at, i] : llvm::enumerate(computation.postOrder()))
        order_[i] = at;
    }
    std::map<std::pair<int32_t, int64_t>, std::vector<Reached>> waiting;
    auto arrive = [&](Reached reached, int32_t by, int64_t operandNumber) {
      if (stop(reached.instruction)) {
        const int64_t leaf =
            operand(by, operandNumber, reached.instruction, reached.leaf);
        if (leaf < 0) return;
        const ArrayShape &shape = shapeOf(reached.instruction, reached.leaf);
        addRead(space, std::move(reached), by, leaf, shape);
        return;
      }
      auto &ways = waiting[{-order_[reached.instruction], reached.leaf}];
      for (const Reached &known : ways)
        if (known.isStart == reached.isStart && known.map == reached.map)
          return;
      if (ways.size() >= kMostWays) {
        kernel_.complete = false;
        return;
      }
      ways.push_back(std::move(reached));
    };
    for (Reached &reached : from) arrive(std::move(reached), user, number);
    while (!waiting.empty()) {
      auto next = waiting.begin();
      std::vector<Reached> ways = std::move(next->second);
      waiting.erase(next);
      for (Reached &way : ways) {
        const int32_t i = way.instruction;
        const Instruction &instruction = computation.instructions[i];
        size_t first = 0;
        if (beginsRows(instruction)) {
          if (auto status = beginRows(i, stop, operand); !status.ok())
            return status;
          first = instruction.op.get<ReduceOp>().operands.size() / 2;
        }
        const auto leaves = computation.operandLeaves(i);
        for (size_t l = first; l < leaves.size(); ++l) {
          auto edge =
              maps_.instruction(own_, i, Direction::OutputToInput, way.leaf, l);
          if (!edge.ok()) return edge.status();
          if (edge->isEmpty()) continue;
          Reached reached{leaves[l].instruction, leaves[l].result, {}, false};
          // The map of a slice, or of a part of a concatenation, is the
          // identity of fewer elements.
          const OpShapes &shapes = shapesOf(instruction.op);
          const ArrayShape &result = shapes.results[way.leaf];
          if (isIdentity(*edge) && holdsForAll(*edge, result) &&
              result.dimensions == shapes.operands[l].dimensions) {
            reached.map = way.map;
            reached.isStart = way.isStart;
          } else if (way.isStart) {
            reached.map = *std::move(edge);
          } else {
            auto composed = compose(way.map, *edge);
            if (!composed.ok()) return composed.status();
            if (composed->isEmpty()) continue;
            reached.map = *std::move(composed);
          }
          arrive(std::move(reached), i, l);
        }
      }
    }
    return absl::OkStatus();
  }

  bool beginsRows(const Instruction &instruction) const {
    const auto *reduce = instruction.op.as<ReduceOp>();
    return !followReductions_ && reduce && reducedRow(*reduce) > 0;
  }

  /// What a reduction reads, once, a warp a row.
  template <typename Stop, typename Operand>
  absl::Status beginRows(int32_t i, Stop stop, Operand operand) {
    if (!begun_.insert(i).second) return absl::OkStatus();
    const Computation &computation = module_.computations[own_];
    const auto &op = computation.instructions[i].op.get<ReduceOp>();
    const auto leaves = computation.operandLeaves(i);
    const size_t inputs = op.operands.size() / 2;
    const size_t space =
        spaceOf(op.operands[0], ThreadOrder::Rows, reducedRow(op));
    for (size_t l = 0; l < inputs; ++l)
      if (auto status = walkFrom(
              space,
              {Reached{leaves[l].instruction, leaves[l].result, {}, true}}, i,
              l, stop, operand);
          !status.ok())
        return status;
    return absl::OkStatus();
  }

  void addRead(size_t space, Reached reached, int32_t user, int64_t leaf,
               const ArrayShape &shape) {
    KernelAccess read;
    read.space = space;
    read.leaf = leaf;
    read.shape = shape;
    read.map = reached.isStart ? identityOf(read.shape)
                               : folded(std::move(reached.map));
    read.userComputation = own_;
    read.user = user < 0 ? kernel_.instruction : user;
    for (const KernelAccess &known : kernel_.reads)
      if (known.space == space && known.leaf == leaf && known.map == read.map)
        return;
    kernel_.reads.push_back(std::move(read));
  }

  IndexingRelation identityOf(const ArrayShape &shape) {
    IndexingMapBuilder b;
    for (int64_t size : shape.dimensions)
      b.result(b.dimension(
          {0, size == kDynamicSize ? Interval::kInfinity : size - 1}));
    auto map = b.build();
    return map.ok() ? IndexingRelation(*std::move(map)) : IndexingRelation();
  }

  /// Starts and indices that are constants, written as their values.
  IndexingRelation folded(IndexingRelation relation) {
    const bool any = llvm::any_of(
        relation.pieces(),
        [](const IndexingMap &piece) { return !piece.runtime().empty(); });
    if (!any) return relation;
    auto known = [&](const RuntimeSource &source, IndexingMapBuilder &b,
                     llvm::ArrayRef<Expr> index) -> std::optional<Expr> {
      if (source.kind != RuntimeSource::Kind::Element || source.tensor < 0)
        return std::nullopt;
      const Value &value = maps_.value(source.tensor);
      return knownElement(module_.computations[value.computation],
                          value.instruction, b, index);
    };
    auto made = foldKnown(relation, known);
    return made.ok() ? *std::move(made) : relation;
  }

  static Leaf leafBehindTuples(const Computation &computation, Leaf leaf) {
    for (;;) {
      const Instruction &instruction =
          computation.instructions[leaf.instruction];
      const auto *forward = instruction.op.as<ForwardOp>();
      const OpKind *kind = &instruction.op.kind();
      if (!forward || (kind != kindOf<ForwardOp>("tuple") &&
                       kind != kindOf<ForwardOp>("get-tuple-element")))
        return leaf;
      if (leaf.leaf >= static_cast<int64_t>(forward->reads.size()) ||
          forward->reads[leaf.leaf] < 0)
        return {-1, 0};
      const auto leaves = computation.operandLeaves(leaf.instruction);
      const OperandLeaf &from = leaves[forward->reads[leaf.leaf]];
      leaf = {from.instruction, from.result};
    }
  }

  ProgramIndexing &maps_;
  const Module &module_;
  Kernel &kernel_;
  const Computation &outer_;
  const Instruction &instruction_;
  int32_t own_ = 0;  ///< the computation whose instructions are followed
  bool followReductions_ = false;
  std::vector<int32_t> order_;
  std::set<int32_t> begun_;
};

}  // namespace

absl::StatusOr<Kernel> kernelFrom(ProgramIndexing &maps, const KernelSite &site,
                                  int32_t root) {
  Kernel kernel;
  kernel.computation = site.computation;
  kernel.instruction = site.instruction;
  kernel.trips = site.trips;
  kernel.tripsKnown = site.tripsKnown;
  KernelBuilder builder(maps, kernel);
  std::optional<int32_t> from;
  if (root >= 0) from = root;
  if (auto status = builder.run(from); !status.ok()) return status;
  llvm::stable_sort(kernel.reads,
                    [](const KernelAccess &a, const KernelAccess &b) {
                      return a.leaf < b.leaf;
                    });
  return kernel;
}

namespace {

/// Whether a fused computation is more than element after element.
bool holdsLibraryWork(const Computation &computation) {
  return llvm::any_of(computation.instructions,
                      [](const Instruction &instruction) {
                        return roleOf(instruction) == KernelRole::Bytes ||
                               roleOf(instruction) == KernelRole::Runs;
                      });
}

}  // namespace

absl::StatusOr<Kernel> kernelAt(ProgramIndexing &maps, const KernelSite &site) {
  const Module &module = maps.module();
  const Instruction &instruction =
      module.computations[site.computation].instructions[site.instruction];
  bool bytesOnly = roleOf(instruction) == KernelRole::Bytes;
  if (isFusion(instruction)) {
    const auto callee = calleeOfCall(instruction);
    bytesOnly |= !callee || callee->computation < 0 ||
                 holdsLibraryWork(module.computations[callee->computation]);
  }
  if (!bytesOnly) return kernelFrom(maps, site, -1);
  Kernel kernel;
  kernel.computation = site.computation;
  kernel.instruction = site.instruction;
  kernel.trips = site.trips;
  kernel.tripsKnown = site.tripsKnown;
  kernel.bytesOnly = true;
  const OpShapes &shapes = shapesOf(instruction.op);
  for (bool isRead : {true, false}) {
    const ShapeList &list = isRead ? shapes.operands : shapes.results;
    for (size_t leaf = 0; leaf < list.size(); ++leaf) {
      KernelAccess access;
      access.leaf = leaf;
      access.shape = list[leaf];
      access.userComputation = site.computation;
      access.user = site.instruction;
      (isRead ? kernel.reads : kernel.writes).push_back(std::move(access));
    }
  }
  return kernel;
}

}  // namespace indexical
