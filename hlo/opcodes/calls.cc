// Opcodes that run another computation.
#include "hlo/opcodes/builders.h"

namespace indexical {
namespace opcodes {

bool buildCall(const ResolvedInstruction &in, const Shape &result, Op &out) {
  make<CallOp>(in, result, out);
  return true;
}

bool inferCalledRoot(const ResolvedInstruction &in, Shape &shape) {
  if (in.calledRoots.empty() || !in.calledRoots[0]) return cannotInfer(in);
  shape = *in.calledRoots[0];
  return true;
}

}  // namespace opcodes
}  // namespace indexical
