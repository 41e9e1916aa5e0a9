#include "indexical/cost/launch/atomics.h"

#include "llvm/Support/MathExtras.h"

#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "indexical/program/module/callees.h"

namespace indexical {
namespace {

// Fusions in fusions; deeper ones are no compiler's.
constexpr int kMostDepth = 8;

/// Whether the computation of a scatter returns its updates, so that what was
/// there does not count.
bool onlyWrites(const ScatterOp &op) {
  const auto &reads = op.bodyReads;
  if (reads.empty()) return false;
  for (ScatterOp::BodyRead read : reads)
    if (read != ScatterOp::BodyRead::Never) return false;
  return true;
}

int64_t updatesOf(const Module &module, const Instruction &instruction,
                  int depth) {
  int64_t all = 0;
  auto add = [&](int64_t count) {
    if (llvm::AddOverflow(all, count, all)) all = INT64_MAX;
  };
  if (const auto *scatter = instruction.op.as<ScatterOp>()) {
    if (instruction.uniqueIndices || onlyWrites(*scatter)) return 0;
    // N inputs, the indices, N updates.
    const auto &operands = scatter->operands;
    for (size_t k = operands.size() / 2 + 1; k < operands.size(); ++k)
      add(operands[k].elementCount().value_or(0));
    return all;
  }
  const auto callee = innermost(instruction.op).is<CallOp>()
                          ? calleeOfCall(instruction)
                          : std::nullopt;
  if (!callee || callee->computation < 0 || depth == kMostDepth) return 0;
  for (const Instruction &inner :
       module.computations[callee->computation].instructions)
    add(updatesOf(module, inner, depth + 1));
  return all;
}

}  // namespace

int64_t atomicUpdatesOf(const Module &module, const Instruction &instruction) {
  return updatesOf(module, instruction, 0);
}

}  // namespace indexical
