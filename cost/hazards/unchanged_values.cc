// Values that are there already.
#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/hazards/node_answers.h"
#include "indexical/ops/address.h"
#include "indexical/ops/families.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/module/updated_operand.h"
#include "indexical/same/values/element_terms.h"

namespace indexical {
namespace {

/// Operations for the terms of two values.
constexpr int64_t kTermOperations = 200'000;
/// Elements are kept for the next question until they have taken so many times
/// these operations, and those of so many computations.
constexpr int64_t kMostShared = 500;
constexpr size_t kMostComputations = 16;
/// After so many questions that took all their operations, nothing more is
/// asked of the computation.
constexpr int kMostSpent = 8;
/// Reductions below so many others are arrays.
constexpr int kTermLevels = 3;
/// Regions of an array that are asked for.
constexpr size_t kMostRegions = 64;

/// Returns whether an op may give an element of one operand or of another one,
/// by its index.
bool choosesByIndex(const Op &op) {
  if (op.isOneOf<ConcatenateOp, PadOp, DynamicUpdateSliceOp>()) return true;
  const auto *elementwise = op.as<ElementwiseOp>();
  return elementwise && elementwise->opKind &&
         elementwise->opKind->name == "select";
}

}  // namespace

/// Whether the value is its parent's, element by element, at the same places.
bool NodeAnswers::isCopyOfParent(int32_t node) const {
  const MemoryNode &own = flow_.nodes()[node];
  const Computation *computation = &flow_.computationOf(own.frame);
  const Instruction &kernel = flow_.instructionOf(own);
  InstructionLeaf leaf = {own.instruction, own.leaf};
  std::optional<Callee> callee;
  if (isFusedKernel(kernel)) {
    callee = calleeOfCall(kernel);
    if (!callee) return false;
    computation = &flow_.module().computations[callee->computation];
    leaf = {computation->root, own.leaf};
  }
  const ArrayShape shape = kernel.shape.leaves()[own.leaf];
  auto isSame = [&](const ArrayShape &other) {
    return other.type == shape.type && other.dimensions == shape.dimensions &&
           storedBits(other) == storedBits(shape) &&
           other.minorToMajor() == shape.minorToMajor() &&
           (!other.layout || other.layout->tiles.empty()) &&
           (!shape.layout || shape.layout->tiles.empty());
  };
  const InstructionLeaf origin = indexical::originOf(*computation, leaf);
  if (!callee) {
    // Copies of copies.
    InstructionId i = own.instruction;
    while (computation->instructions[i].opcode == "copy") {
      const OperandLeaf from = computation->operandLeaf(i, LeafId(0));
      if (from.instruction < 0 ||
          !isSame(computation->instructions[from.instruction]
                      .shape.leaves()[from.result]))
        return false;
      if (flow_.nodeAt(own.frame, from.instruction, from.result) == own.parent)
        return true;
      i = from.instruction;
    }
    return false;
  }
  const Instruction &at = computation->instructions[origin.instruction];
  if (at.parameterNumber < 0 ||
      at.parameterNumber >= static_cast<int32_t>(callee->arguments.size()) ||
      !isSame(at.shape.leaves()[origin.leaf]))
    return false;
  const Computation &caller = flow_.computationOf(own.frame);
  const int64_t number =
      operandLeafNumber(caller.operandLeaves(own.instruction),
                        callee->arguments[at.parameterNumber], origin.leaf);
  if (number < 0) return false;
  const OperandLeaf from = caller.operandLeaf(own.instruction, LeafId(number));
  return flow_.nodeAt(own.frame, from.instruction, from.result) == own.parent;
}

/// The elements of a computation's arrays, whose parameters may be anything.
/// Chains of values share what they are made of.
class NodeAnswers::ArrayElements {
 public:
  ArrayElements(const Module &module, ComputationId computation,
                const Budget &budget)
      : budget_(budget),
        terms_(module, table_, arrays_, {}, kTermLevels, meter_, budget_,
               computation) {}

  std::optional<ElementId> of(InstructionLeaf array) {
    return terms_.wholeArray({0, array.instruction, array.leaf});
  }
  /// Returns the regions in which elements of one array may be others than
  /// those of another one at the same places; nothing if there are too many
  /// regions.
  std::optional<std::vector<IndexingMap>> changed(InstructionLeaf array,
                                                  InstructionLeaf from,
                                                  const ArrayShape &shape) {
    std::vector<IndexingMap> open = {ElementTerms::regionOf(shape)}, found;
    for (size_t steps = 0; !open.empty(); ++steps) {
      if (steps > kMostRegions || meter_.left() < 0) return std::nullopt;
      const IndexingMap region = std::move(open.back());
      open.pop_back();
      std::optional<ElementId> elements[2];
      bool isSplit = false;
      for (const auto &[k, leaf] : {std::pair(0, array), {1, from}}) {
        elements[k] = terms_.at({0, leaf.instruction, leaf.leaf}, region);
        if (elements[k]) continue;
        open.insert(open.end(), terms_.parts().begin(), terms_.parts().end());
        isSplit = true;
        break;
      }
      if (isSplit || *elements[0] == *elements[1]) continue;
      found.push_back(region);
    }
    return found;
  }
  /// Gives the next question its own operations.
  void renew() {
    spent_ += kTermOperations - meter_.left();
    meter_ = Meter(kTermOperations, budget_.stop);
  }
  /// Whether a question ended for want of operations, after which some elements
  /// are unknown, or the table has become large.
  bool isSpent() const {
    return meter_.left() < 0 || spent_ > kMostShared * kTermOperations;
  }

 private:
  ElementTable table_{FloatLaws::None};
  TermTable arrays_;
  Budget budget_;
  Meter meter_{kTermOperations, budget_.stop};
  int64_t spent_ = 0;
  ElementTerms terms_;
};

NodeAnswers::NodeAnswers(const MemoryFlow &flow, ProgramIndexing &maps,
                         ThreadAccesses &accesses, EventOrders &orders,
                         OverlapSamples &samples)
    : flow_(flow),
      maps_(maps),
      accesses_(accesses),
      orders_(orders),
      samples_(samples) {}

NodeAnswers::~NodeAnswers() = default;

/// Whether the reader is the end of a computation, which reads a value made of
/// the node, too. Two results, or two carries, are never one memory, whatever
/// they hold.
bool NodeAnswers::isReadWith(int32_t node, const MemoryReader &reader) {
  if (reader.event.first != MemoryEvent::kEnd) return false;
  for (const int32_t member : membersOf(flow_.rootOf(node)))
    if (flow_.isDerived(member, node) &&
        llvm::any_of(flow_.nodes()[member].readers,
                     [&](const MemoryReader &other) {
                       return other.event == reader.event;
                     }))
      return true;
  return false;
}

/// Whether what a node writes is what the reader of the value finds there
/// already.
bool NodeAnswers::isUnchanged(int32_t node, int32_t value,
                              const MemoryReader &reader) {
  return !isReadWith(node, reader) && isSameArray(node, value);
}

bool NodeAnswers::isSameArray(int32_t node, int32_t value) {
  // What a loop gives is what its last turn has made.
  while (flow_.nodes()[value].isSame && flow_.nodes()[value].parent >= 0 &&
         flow_.nodes()[value].others.empty() &&
         flow_.nodes()[value].kind == PlaceKind::Carry &&
         flow_.instructionOf(flow_.nodes()[value]).parameterNumber < 0)
    value = flow_.nodes()[value].parent;
  const MemoryNode &a = flow_.nodes()[node], &b = flow_.nodes()[value];
  if (a.frame != b.frame) return false;
  const Leaf first = leafOf(a), second = leafOf(b);
  auto [known, isNew] = unchanged_.try_emplace({first, second}, false);
  if (!isNew) return known->second;
  const ArrayShape x = flow_.instructionOf(a).shape.leaves()[a.leaf];
  const ArrayShape y = flow_.instructionOf(b).shape.leaves()[b.leaf];
  if (x.type != y.type || x.dimensions != y.dimensions ||
      x.minorToMajor() != y.minorToMajor())
    return false;
  ArrayElements *elements = elementsOf(first.computation);
  if (!elements) return false;
  const auto left = elements->of({a.instruction, a.leaf});
  const auto right = elements->of({b.instruction, b.leaf});
  return known->second = left && right && *left == *right;
}

/// Returns the elements of a computation, with operations for a question; null
/// if nothing more is asked of it.
NodeAnswers::ArrayElements *NodeAnswers::elementsOf(ComputationId computation) {
  if (elements_.size() > kMostComputations) elements_.clear();
  std::unique_ptr<ArrayElements> &elements = elements_[int32_t{computation}];
  int &spent = spentQuestions_[int32_t{computation}];
  if (elements && elements->isSpent()) {
    elements.reset();
    ++spent;
  }
  if (spent >= kMostSpent) return nullptr;
  if (!elements) {
    Budget budget = samples_.budget();
    budget.operations = kTermOperations;
    elements =
        std::make_unique<ArrayElements>(flow_.module(), computation, budget);
  }
  elements->renew();
  return elements.get();
}

/// Returns the elements that the threads of a value write and may change: a
/// thread that writes what its parent has at that place changes nothing. Null
/// if that is not known, or is all that they write.
const ThreadAccess *NodeAnswers::changedBy(int32_t node) {
  const MemoryNode &own = flow_.nodes()[node];
  if (own.parent < 0 || own.isMoved || own.isUpdate) return nullptr;
  const auto [known, isNew] = changed_.try_emplace(leafOf(own), nullptr);
  if (!isNew) return known->second;
  const Instruction &kernel = flow_.instructionOf(own);
  const MemoryNode &parent = flow_.nodes()[own.parent];
  if (ThreadAccesses::isLibrary(kernel) || parent.frame != own.frame)
    return nullptr;
  const KernelHero hero = accesses_.heroOf(leafOf(own), /*inPlace=*/false);
  const Module &module = flow_.module();
  if (!choosesByIndex(module.computations[hero.computation]
                          .instructions[hero.instruction]
                          .op))
    return nullptr;
  const ArrayShape shape = kernel.shape.leaves()[own.leaf];
  const ArrayShape there =
      flow_.instructionOf(parent).shape.leaves()[parent.leaf];
  const auto hasTiles = [](const ArrayShape &of) {
    return of.layout && !of.layout->tiles.empty();
  };
  if (shape.type != there.type || shape.dimensions != there.dimensions ||
      shape.minorToMajor() != there.minorToMajor() || hasTiles(shape) ||
      hasTiles(there) || storedBits(shape) != storedBits(there))
    return nullptr;
  ArrayElements *elements = elementsOf(leafOf(own).computation);
  if (!elements) return nullptr;
  const auto regions = elements->changed(
      {own.instruction, own.leaf}, {parent.instruction, parent.leaf}, shape);
  if (!regions) return nullptr;
  ThreadAccess access;
  access.shape = shape;
  using Side = ThreadPiece::Side;
  for (const IndexingMap &region : *regions)
    access.pieces.push_back({region, Side::Dimensions, Side::Dimensions});
  return known->second = &keep(std::move(access));
}

/// Returns whether a scatter in place writes to each place what the parent has
/// there: it gathers from the same array by the same indices.
bool NodeAnswers::writesBack(int32_t node) const {
  const MemoryNode &own = flow_.nodes()[node];
  if (!own.isUpdate) return false;
  const KernelHero hero = accesses_.heroOf(leafOf(own), /*inPlace=*/true);
  if (hero.form != KernelHero::Form::Scatter) return false;
  const Computation &inside = flow_.module().computations[hero.computation];
  const Instruction &at = inside.instructions[hero.instruction];
  const auto *scatter = at.op.as<ScatterOp>();
  if (!scatter || scatter->operands.size() != 3) return false;
  const auto operand = [&](InstructionId of, int64_t leaf) {
    const OperandLeaf from = inside.operandLeaf(of, LeafId(leaf));
    return indexical::originOf(inside, {from.instruction, from.result});
  };
  const InstructionLeaf update = operand(hero.instruction, 2);
  const auto *gather =
      inside.instructions[update.instruction].op.as<GatherOp>();
  if (!gather) return false;
  const auto isSame = [&](int64_t leaf) {
    const InstructionLeaf a = operand(hero.instruction, leaf);
    const InstructionLeaf b = operand(update.instruction, leaf);
    return a.instruction == b.instruction && a.leaf == b.leaf;
  };
  // A slice that is partly outside is gathered from another place. HLO leaves
  // it out when it scatters.
  const bool isWhole =
      scatter->partlyOutside == ScatterOp::PartlyOutside::SkipSlice ||
      llvm::all_of(gather->sliceSizes, [](int64_t size) { return size == 1; });
  if (!isWhole || !isSame(0) || !isSame(1) ||
      scatter->updateWindowDims != gather->offsetDims ||
      scatter->insertedWindowDims != gather->collapsedSliceDims ||
      scatter->scatterDimsToOperandDims != gather->startIndexMap ||
      scatter->inputBatchingDims != gather->operandBatchingDims ||
      scatter->scatterIndicesBatchingDims != gather->startIndicesBatchingDims ||
      scatter->indexVectorDim != gather->indexVectorDim)
    return false;
  // The update replaces what is there.
  const auto reducer = calleeOf(at, CallRole::ToApply);
  if (!reducer) return false;
  const Computation &body = flow_.module().computations[reducer->computation];
  return body.instructions[body.root].parameterNumber == 1;
}

}  // namespace indexical
