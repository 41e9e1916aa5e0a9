#include "indexical/answers/report/one_kernel.h"

#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/exact/exact.h"
#include "indexical/ops/families.h"
#include "indexical/ops/op.h"

namespace indexical {

bool isKernelBetween(const Computation &computation, InstructionId first,
                     InstructionId second) {
  // These instructions need the first one, and those through a kernel.
  const auto count = static_cast<size_t>(int32_t{second}) + 1;
  std::vector<bool> needs(count), needsByKernel(count);
  needs[int32_t{first}] = true;
  for (auto i = static_cast<size_t>(int32_t{first}) + 1; i < count; ++i) {
    const Instruction &instruction = computation.instructions[i];
    bool isNeeding = false, isByKernel = false;
    for (const InstructionId operand : instruction.operands) {
      const auto from = static_cast<size_t>(int32_t{operand});
      if (from >= count) continue;
      isNeeding |= needs[from];
      isByKernel |= needsByKernel[from];
    }
    if (i + 1 == count) return isByKernel;
    needs[i] = isNeeding || isByKernel;
    // What passes an array on is no kernel; a loop runs some.
    const bool passes = instruction.op.isOneOf<ForwardOp, BitcastOp>();
    needsByKernel[i] = isByKernel || (isNeeding && !passes);
  }
  return false;
}

bool isReadByOneProgram(const Kernel &kernel, LeafId operandLeaf,
                        const ExactOptions &options) {
  IndexingRelation all;
  bool isRead = false;
  for (const MemoryAccess &read : kernel.reads) {
    if (kernel.leafOf(read) != operandLeaf) continue;
    if (read.map.pieces().empty()) return false;
    for (const IndexingMap &map : read.map.pieces()) all.add(map);
    isRead = true;
  }
  if (!isRead) return false;
  const auto injective = isInjective(all, options);
  return injective.ok() && injective->answer == Answer::Yes;
}

}  // namespace indexical
