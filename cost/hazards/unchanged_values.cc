// Values that are there already.
#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/hazards/node_answers.h"
#include "indexical/ops/address.h"
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

/// Whether what a node writes is what the reader of the value finds there
/// already. Two results, or two carries, are never one memory, whatever they
/// hold.
bool NodeAnswers::isUnchanged(int32_t node, int32_t value,
                              const MemoryReader &reader) {
  if (reader.event.first == MemoryEvent::kEnd)
    for (const int32_t member : membersOf(flow_.rootOf(node)))
      if (flow_.isDerived(member, node) &&
          llvm::any_of(flow_.nodes()[member].readers,
                       [&](const MemoryReader &other) {
                         return other.event == reader.event;
                       }))
        return false;
  return isSameArray(node, value);
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
  if (elements_.size() > kMostComputations) elements_.clear();
  std::unique_ptr<ArrayElements> &elements =
      elements_[int32_t{leafOf(a).computation}];
  if (!elements) {
    Budget budget = samples_.budget();
    budget.operations = kTermOperations;
    elements = std::make_unique<ArrayElements>(flow_.module(),
                                               leafOf(a).computation, budget);
  }
  int &spent = spentQuestions_[int32_t{leafOf(a).computation}];
  if (spent >= kMostSpent) return false;
  elements->renew();
  const auto left = elements->of({a.instruction, a.leaf});
  const auto right = elements->of({b.instruction, b.leaf});
  if (elements->isSpent()) elements.reset();
  if (!elements) ++spent;
  return known->second = left && right && *left == *right;
}

}  // namespace indexical
