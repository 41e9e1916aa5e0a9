#include "indexical/import/hlo/call_check.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

#include "indexical/program/module/callees.h"

namespace indexical {
namespace {

using Shapes = llvm::ArrayRef<const Shape *>;

/// A tuple of one array may stand for the array if an async op starts what
/// returns it.
bool returnsAs(const Op &op, const Shape &returned, const Shape &wanted) {
  if (sameUpToLayout(returned, wanted)) return true;
  if (!op.is<StartOp>()) return false;
  return returned.isTuple() && returned.elements.size() == 1 &&
         sameUpToLayout(returned.elements[0], wanted);
}

class CallCheck {
 public:
  CallCheck(Source &source, const Module &module,
            const Computation &computation, Instruction &instruction,
            const Attributes &attributes)
      : source_(source),
        module_(module),
        instruction_(instruction),
        attributes_(attributes),
        op_(&instruction.op),
        result_(&*instruction.shape) {
    for (int32_t operand : instruction.operands)
      operands_.push_back(&*computation.instructions[operand].shape);
    if (auto *start = op_->as<StartOp>()) {
      op_ = &start->inner;
      if (result_->elements.size() > 1) result_ = &result_->elements[1];
    }
  }

  bool check();

 private:
  bool checkBranchCount();
  bool checkOne(CalledComputation &called);
  bool checkStep(const ScanOp &scan, const CalledComputation &called);
  bool checkShapes(const CalledComputation &called, Shapes arguments,
                   const Shape &result);
  bool fail(const llvm::Twine &message) {
    return source_.fail(attributes_.opcodePlace(), message);
  }

  Source &source_;
  const Module &module_;
  Instruction &instruction_;
  const Attributes &attributes_;
  const Op *op_;         // an async op's is the one that it starts
  const Shape *result_;  // likewise
  llvm::SmallVector<const Shape *, 8> operands_;
  int32_t branch_ = 0;  // the last that was looked at, from 1
};

bool CallCheck::check() {
  if (op_->is<ConditionalOp>() && !checkBranchCount()) return false;
  return llvm::all_of(instruction_.called, [&](CalledComputation &called) {
    return checkOne(called);
  });
}

bool CallCheck::checkBranchCount() {
  const size_t branches = llvm::count_if(
      instruction_.called,
      [](const CalledComputation &c) { return c.role == CallRole::Branch; });
  if (branches < std::max<size_t>(1, operands_.size())) return true;
  return fail("`" + instruction_.name + "` has " + llvm::Twine(branches) +
              " branches, and operands for " +
              llvm::Twine(operands_.size() - 1) + " of them");
}

bool CallCheck::checkOne(CalledComputation &called) {
  if (op_->is<ConditionalOp>() && called.role == CallRole::Branch) {
    called.arguments = {++branch_};
    return checkShapes(called, Shapes(operands_).slice(branch_, 1), *result_);
  }
  const bool isCall = op_->is<CallOp>() && (called.role == CallRole::Calls ||
                                            called.role == CallRole::ToApply);
  const bool isOfLoop =
      op_->is<WhileOp>() &&
      (called.role == CallRole::Body || called.role == CallRole::Condition);
  const auto *scan = op_->as<ScanOp>();
  if (!isCall && !isOfLoop && !scan) return true;
  called.arguments.resize(operands_.size());
  std::iota(called.arguments.begin(), called.arguments.end(), 0);
  if (scan) return checkStep(*scan, called);
  if (called.role == CallRole::Condition)
    return checkShapes(called, operands_,
                       Shape::ofArray(ArrayShape(ElementType::Pred, {})));
  return checkShapes(called, operands_, *result_);
}

/// The scan's body takes and gives slices, then carries.
bool CallCheck::checkStep(const ScanOp &scan, const CalledComputation &called) {
  auto slices = [&](const ShapeList &whole) {
    std::vector<Shape> shapes;
    for (size_t k = 0; k < whole.size(); ++k)
      shapes.push_back(
          Shape::ofArray(sliceOf(scan, whole[k], k, whole.size())));
    return shapes;
  };
  const std::vector<Shape> taken = slices(scan.operands);
  std::vector<Shape> given = slices(scan.results);
  llvm::SmallVector<const Shape *, 8> arguments;
  for (const Shape &shape : taken) arguments.push_back(&shape);
  return checkShapes(called, arguments,
                     instruction_.shape->isTuple()
                         ? Shape::ofTuple(std::move(given))
                         : given[0]);
}

bool CallCheck::checkShapes(const CalledComputation &called, Shapes arguments,
                            const Shape &result) {
  if (called.computation < 0) return true;
  const Computation &callee = module_.computations[called.computation];
  if (callee.parameters.size() != arguments.size())
    return fail("`" + callee.name + "` has " +
                llvm::Twine(callee.parameters.size()) + " parameters, `" +
                instruction_.name + "` hands it " +
                llvm::Twine(arguments.size()));
  for (auto [p, argument] : llvm::enumerate(arguments)) {
    const Shape &wanted = callee.instructions[callee.parameters[p]].shape;
    if (!sameUpToLayout(*argument, wanted))
      return fail("parameter " + llvm::Twine(p) + " of `" + callee.name +
                  "` is " + wanted.str() + ", `" + instruction_.name +
                  "` hands it " + argument->str());
  }
  const Shape &root = callee.instructions[callee.root].shape;
  if (returnsAs(instruction_.op, root, result)) return true;
  const bool isCondition = called.role == CallRole::Condition;
  return fail("`" + callee.name + "` returns " + root.str() + ", " +
              (isCondition ? "a condition returns "
                           : "`" + instruction_.name.str() + "` is ") +
              result.str());
}

}  // namespace

bool checkCalls(Source &source, const Module &module,
                const Computation &computation, Instruction &instruction,
                const Attributes &attributes) {
  if (!instruction.called.empty())
    return CallCheck(source, module, computation, instruction, attributes)
        .check();
  if (!instruction.op.is<CallOp>() || instruction.opcode == "custom-call")
    return true;
  llvm::StringRef key = instruction.opcode == "call" ? "to_apply" : "calls";
  return source.fail(attributes.opcodePlace(),
                     "`" + instruction.opcode + "` needs the attribute `" +
                         key + "`, the computation that it calls",
                     attributes.suggestionFor(key));
}

}  // namespace indexical
