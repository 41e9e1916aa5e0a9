#include "indexical/cost/launch/moved_elements.h"

#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/ops/op.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/module/operand_leaves.h"
#include "indexical/program/values/op_elements.h"
#include "indexical/program/values/op_identity.h"

namespace indexical {
namespace {

// Fusions in fusions; deeper ones are no compiler's.
constexpr size_t kMostFrames = 64;

/// How one op makes an element of its result.
struct ElementStep {
  bool moves = false;  ///< false: it computes, or is not known
  bool isAllOperands = false;
  int64_t operand = -1;  ///< the leaf that it moves elements of; -1: none
  int64_t filler = -1;   ///< the leaf of the value around them, or of an update
  bool converts = false, recasts = false, byValues = false, selects = false,
       fills = false, joins = false, updates = false;
};

ElementStep movesOperand(int64_t operand) {
  ElementStep step;
  step.moves = true;
  step.operand = operand;
  return step;
}

bool typesDiffer(const Op &op, int64_t operand = 0) {
  const OpShapes &shapes = shapesOf(op);
  return shapes.operands[operand].type != shapes.results[0].type;
}

/// Whether an element of the result is a part of one of the operand, or made of
/// several: which part, the steps do not say.
bool widthsDiffer(const Op &op) {
  const OpShapes &shapes = shapesOf(op);
  return bitsOf(shapes.operands[0].type) != bitsOf(shapes.results[0].type);
}

/// A domain of program/values/op_elements.h.
struct StepDomain {
  using Result = ElementStep;

  Result literal(const ConstantOp &) {
    ElementStep step;
    step.moves = step.fills = true;
    return step;
  }
  Result position(const IotaOp &) { return {}; }
  Result size(const NullaryOp &) { return {}; }
  Result same(int64_t operand) { return movesOperand(operand); }
  Result parts(const ConcatenateOp &all) {
    ElementStep step = movesOperand(-1);
    step.isAllOperands = true;
    step.joins = all.operands.size() > 1;
    return step;
  }
  Result padded(const PadOp &) {
    ElementStep step = movesOperand(0);
    step.filler = 1;
    // Negative padding leaves elements out.
    step.fills = step.selects = true;
    return step;
  }
  Result computed(const ElementwiseOp &op) {
    if (!op.keepsValues() || op.operands.size() != 1) return {};
    ElementStep step = movesOperand(0);
    step.converts = op.operands[0].type != op.results[0].type;
    return step;
  }
  Result moved(const Op &op) {
    if (widthsDiffer(op)) return {};
    ElementStep step = movesOperand(0);
    step.selects = op.isOneOf<BroadcastOp, SliceOp, ReverseOp>();
    step.recasts = typesDiffer(op);
    return step;
  }
  Result extracted(const Op &op) {
    if (!op.is<DynamicSliceOp>()) return {};
    ElementStep step = movesOperand(0);
    step.byValues = step.selects = true;
    return step;
  }
  Result listed(const Op &) { return {}; }
  Result splat(const Op &) { return {}; }
  Result broadcastSize(const Op &) { return {}; }
  Result product(const Op &) { return {}; }
  Result other(const Op &op) {
    // Without a word more than its kind has; a copy that is started may say how
    // memory is to be used.
    if (!isPlain(op)) return {};
    ElementStep step = movesOperand(0);
    if (op.is<BitcastConvertOp>()) {
      if (widthsDiffer(op)) return {};
      step.recasts = true;
    } else if (op.is<GatherOp>()) {
      step.byValues = step.selects = true;
    } else if (op.is<DynamicUpdateSliceOp>()) {
      step.byValues = step.selects = step.updates = true;
    } else {
      return {};
    }
    return step;
  }
};

/// Returns what the op makes of the elements of a result leaf.
ElementStep stepOf(const Instruction &instruction, const Op &op, int64_t leaf) {
  // With groups of one device they pass values on, too.
  if (instruction.opcode.starts_with("all-reduce") ||
      instruction.opcode.starts_with("reduce-scatter"))
    return {};
  // Other attributes of the op do not change what it forwards.
  if (const auto *forward = op.as<ForwardOp>())
    return forward->reads[leaf] >= 0 &&
                   traitsOf(op).precision == Precision::Exact
               ? movesOperand(forward->reads[leaf])
               : ElementStep();
  return visitElements(op, leaf, StepDomain());
}

/// Whether every array of the shape has one element at most.
bool isScalar(const Instruction &instruction) {
  return llvm::all_of(
      shapesOf(instruction.op).results, [](const ArrayShape &shape) {
        return llvm::all_of(shape.dimensions,
                            [](int64_t n) { return n == 0 || n == 1; });
      });
}

/// Follows the elements of a kernel's results to its operands.
class Walk {
 public:
  Walk(const Module &module, const Instruction &kernel)
      : module_(module), kernel_(kernel) {}

  MovedElements run() {
    if (!kernel_.customCallTarget.empty()) return {};
    const int64_t leaves = shapesOf(kernel_.op).results.size();
    found_.onlyMoves = true;
    for (int64_t leaf = 0; leaf < leaves && found_.onlyMoves; ++leaf)
      addResult(leaf);
    if (found_.results == 0) found_.onlyMoves = false;
    for (size_t f = 0; f < frames_.size() && found_.onlyMoves; ++f)
      checkOthers(f);
    return found_.onlyMoves ? found_ : MovedElements();
  }

 private:
  /// A computation that is run, and by what.
  struct Frame {
    const Computation *body;
    std::optional<size_t> caller;  ///< none: the kernel
    InstructionId instruction;     ///< of the caller
    std::map<std::pair<int32_t, int64_t>, int64_t> arguments;
    std::vector<bool> isSeen;  ///< by instruction: its elements are moved
    std::map<InstructionId, size_t> callees;
    OperandLeafLists operands;
  };
  /// An element on its way back to the operands.
  struct Way {
    size_t frame;
    InstructionLeaf leaf;
    bool isConverted, isRecast, isFiller;
    bool operator<(const Way &o) const {
      return std::tie(frame, leaf, isConverted, isRecast, isFiller) <
             std::tie(o.frame, o.leaf, o.isConverted, o.isRecast, o.isFiller);
    }
  };

  bool fail() { return found_.onlyMoves = false; }

  /// Adds the frame of a computation; nothing if it is not known.
  std::optional<size_t> enter(const Instruction &by,
                              std::optional<size_t> caller, InstructionId at) {
    const auto callee = calleeOfCall(by);
    if (!callee || callee->computation < 0 || !by.customCallTarget.empty() ||
        frames_.size() == kMostFrames)
      return std::nullopt;
    const Computation &body = module_.computations[callee->computation];
    if (body.root < 0) return std::nullopt;
    Frame frame{&body, caller, at, {}, {}, {}, OperandLeafLists(body)};
    frame.isSeen.resize(body.instructions.size());
    // Operand leaves of the kernel are counted as those of its descriptor.
    std::map<int32_t, int64_t> firstOf;
    int64_t next = 0;
    for (size_t operand = 0; operand < by.operands.size(); ++operand) {
      firstOf[static_cast<int32_t>(operand)] = next;
      next += leavesOf(by, caller, operand);
    }
    for (const ParameterLeaf &parameter : parameterLeaves(body)) {
      const int32_t operand = callee->arguments[parameter.parameter];
      if (const auto first = firstOf.find(operand); first != firstOf.end())
        frame.arguments[{parameter.parameter, parameter.leaf}] =
            first->second + parameter.leaf;
    }
    frames_.push_back(std::move(frame));
    return frames_.size() - 1;
  }

  void addResult(int64_t leaf) {
    const auto result = innermostResult(kernel_.op, leaf);
    if (!result) return;  // an operand that is passed on, or a context
    const Op &op = innermost(kernel_.op);
    if (!op.is<CallOp>()) {
      if (!kernel_.called.empty()) return void(fail());
      // The context of a copy that is started is no array.
      if (const auto *forward = op.as<ForwardOp>())
        if (forward->reads[*result] < 0) return;
      ++found_.results;
      take(stepOf(kernel_, op, *result), {0, {}, false, false, false},
           std::nullopt, static_cast<int64_t>(shapesOf(op).operands.size()));
    } else {
      ++found_.results;
      if (frames_.empty() && !enter(kernel_, std::nullopt, {}))
        return void(fail());
      push({0, {frames_[0].body->root, LeafId(*result)}, false, false, false});
    }
    while (!left_.empty() && found_.onlyMoves) {
      const Way way = left_.back();
      left_.pop_back();
      follow(way);
    }
  }

  void push(const Way &way) {
    if (seen_.insert(way).second) left_.push_back(way);
  }

  void follow(const Way &way) {
    Frame &frame = frames_[way.frame];
    const Instruction &at = frame.body->instructions[way.leaf.instruction];
    frame.isSeen[way.leaf.instruction] = true;
    if (at.parameterNumber >= 0) {
      const auto argument =
          frame.arguments.find({at.parameterNumber, way.leaf.leaf});
      if (argument == frame.arguments.end()) return void(fail());
      return pass(frame.caller, frame.instruction, argument->second, way);
    }
    const Op &op = innermost(at.op);
    if (op.is<CallOp>()) {
      const auto result = innermostResult(at.op, way.leaf.leaf);
      if (!result) return void(fail());
      const auto known = frame.callees.find(way.leaf.instruction);
      const auto inside = known != frame.callees.end()
                              ? std::optional(known->second)
                              : enter(at, way.frame, way.leaf.instruction);
      if (!inside) return void(fail());
      frames_[way.frame].callees[way.leaf.instruction] = *inside;
      Way next = way;
      next.frame = *inside;
      next.leaf = {frames_[*inside].body->root, LeafId(*result)};
      return push(next);
    }
    if (!at.called.empty() || !at.customCallTarget.empty() ||
        at.op.is<StartOp>())
      return void(fail());
    take(stepOf(at, at.op, way.leaf.leaf), way, way.leaf.instruction,
         static_cast<int64_t>(shapesOf(at.op).operands.size()));
  }

  /// Goes on to what the step moves. Without an instruction it is the kernel's.
  void take(const ElementStep &step, const Way &way,
            std::optional<InstructionId> instruction, int64_t operands) {
    if (!step.moves) return void(fail());
    Way next = way;
    // A value that is converted twice, or read as another type on its way, is
    // not one that a conversion gives.
    if ((step.converts && (way.isConverted || way.isRecast)) ||
        (step.recasts && way.isConverted))
      return void(fail());
    next.isConverted |= step.converts;
    next.isRecast |= step.recasts;
    found_.converts |= step.converts;
    found_.recasts |= step.recasts;
    found_.byValues |= step.byValues;
    found_.selects |= step.selects;
    found_.fills |= step.fills;
    found_.joins |= step.joins;
    auto go = [&](int64_t operand, const Way &from) {
      if (instruction)
        pass(way.frame, *instruction, operand, from);
      else
        pass(std::nullopt, {}, operand, from);
    };
    if (step.isAllOperands)
      for (int64_t k = 0; k < operands; ++k) go(k, next);
    if (step.operand >= 0) go(step.operand, next);
    if (step.updates) go(1, next);
    if (step.filler >= 0) {
      next.isFiller = true;
      go(step.filler, next);
    }
  }

  /// Goes on to an operand leaf of the instruction, or of the kernel.
  void pass(std::optional<size_t> frame, InstructionId instruction,
            int64_t operand, const Way &way) {
    if (!frame) {
      if (!way.isFiller) found_.sources.insert(operand);
      return;
    }
    const OperandLeaf leaf =
        frames_[*frame].operands.leaf(instruction, LeafId(operand));
    if (leaf.instruction < 0) return void(fail());
    Way next = way;
    next.frame = *frame;
    next.leaf = {leaf.instruction, leaf.result};
    push(next);
  }

  /// Returns how many array leaves an operand of a call has.
  int64_t leavesOf(const Instruction &by, std::optional<size_t> caller,
                   size_t operand) const {
    if (caller)
      return leavesOfOperand(*frames_[*caller].body, by, operand).second;
    // The kernel's own operands are those of the computation's parameters.
    const auto callee = calleeOfCall(by);
    const Computation &body = module_.computations[callee->computation];
    const int32_t parameter =
        callee->parameterOf(static_cast<int32_t>(operand));
    if (parameter < 0) return 0;
    const Op &op = body.instructions[body.parameters[parameter]].op;
    return static_cast<int64_t>(shapesOf(op).results.size());
  }

  /// Checks what only says which elements are moved: it moves, too, or computes
  /// scalars.
  void checkOthers(size_t number) {
    const Frame &frame = frames_[number];
    for (size_t i = 0; i < frame.body->instructions.size(); ++i) {
      const Instruction &at = frame.body->instructions[i];
      if (frame.isSeen[i] || at.parameterNumber >= 0 || isScalar(at)) continue;
      if (!at.called.empty() || !at.customCallTarget.empty() ||
          innermost(at.op).is<CallOp>())
        return void(fail());
      if (at.op.is<ForwardOp>()) continue;
      for (size_t leaf = 0; leaf < shapesOf(at.op).results.size(); ++leaf)
        if (!stepOf(at, at.op, static_cast<int64_t>(leaf)).moves)
          return void(fail());
    }
  }

  const Module &module_;
  const Instruction &kernel_;
  MovedElements found_;
  std::vector<Frame> frames_;
  std::vector<Way> left_;
  std::set<Way> seen_;
};

}  // namespace

MovedElements movedElements(const Module &module,
                            const Instruction &instruction) {
  return Walk(module, instruction).run();
}

}  // namespace indexical
