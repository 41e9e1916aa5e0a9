#include "indexical/cost/launch/kernel_classes.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/ops/op.h"

namespace indexical {
namespace {

// Calls in calls; what is deeper is of no other kernel's class.
constexpr int kMostDepth = 16;

/// No number of an instruction: it ends a list.
constexpr uint64_t kEnd = ~uint64_t{0};

}  // namespace

size_t KernelClasses::Hash::operator()(const Key &key) const {
  return llvm::hash_combine_range(key.begin(), key.end());
}

uint64_t KernelClasses::textNumber(llvm::StringRef text) {
  if (text.empty()) return 0;
  return texts_.try_emplace(text, texts_.size() + 1).first->second;
}

void KernelClasses::describe(const Module &module,
                             const Instruction &instruction, int depth,
                             Key &key) {
  // Equal ops are one object, but ops of registered targets are not: they are
  // described by their shapes, and by the text that names the target.
  if (instruction.op.is<CustomOp>()) {
    const OpShapes &shapes = shapesOf(instruction.op);
    for (const ShapeList *list : {&shapes.operands, &shapes.results})
      for (const ArrayShape &shape : *list)
        key.push_back(textNumber(shape.str(/*withLayout=*/true)));
  } else {
    key.push_back(reinterpret_cast<uintptr_t>(&instruction.op.descriptor()));
  }
  key.push_back(static_cast<uint64_t>(instruction.parameterNumber));
  key.push_back(textNumber(instruction.fusionKind));
  key.push_back(textNumber(instruction.backendConfig));
  key.push_back(textNumber(instruction.customCallTarget));
  key.push_back(instruction.indicesAreSorted * 2 + instruction.uniqueIndices);
  for (const CalledComputation &called : instruction.called) {
    key.push_back(static_cast<uint64_t>(called.role));
    key.push_back(bodyNumber(module, called.computation, depth + 1));
  }
}

uint64_t KernelClasses::bodyNumber(const Module &module,
                                   ComputationId computation, int depth) {
  const auto place = std::make_pair(&module, computation);
  if (computation < 0 || depth > kMostDepth) {
    // It is like no other.
    return bodies_
        .try_emplace({kEnd, reinterpret_cast<uintptr_t>(&module),
                      static_cast<uint64_t>(computation)},
                     bodies_.size())
        .first->second;
  }
  if (const auto known = bodyOf_.find(place); known != bodyOf_.end())
    return known->second;
  const Computation &of = module.computations[computation];
  std::vector<uint64_t> body{static_cast<uint64_t>(of.root)};
  for (const Instruction &instruction : of.instructions) {
    Key key;
    describe(module, instruction, depth, key);
    llvm::append_range(body, key);
    body.push_back(kEnd);
    for (const InstructionId operand : instruction.operands)
      body.push_back(static_cast<uint64_t>(operand));
    body.push_back(kEnd);
  }
  const uint64_t number =
      bodies_.try_emplace(std::move(body), bodies_.size()).first->second;
  bodyOf_[place] = number;
  return number;
}

size_t KernelClasses::classOf(const Module &module, ComputationId computation,
                              InstructionId instruction) {
  const Instruction &kernel =
      module.computations[computation].instructions[instruction];
  Key key;
  describe(module, kernel, /*depth=*/0, key);
  // Which of the operands are one array; most kernels have few.
  for (size_t k = 0; k < kernel.operands.size(); ++k) {
    const auto first = llvm::find(kernel.operands, kernel.operands[k]);
    const auto same = static_cast<size_t>(first - kernel.operands.begin());
    if (same != k) {
      key.push_back(k);
      key.push_back(same);
    }
  }
  return classes_.try_emplace(std::move(key), classes_.size()).first->second;
}

}  // namespace indexical
