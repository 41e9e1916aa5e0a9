// Opcodes that run another computation.
#include "indexical/import/hlo/opcodes/builders.h"

namespace indexical {
namespace opcodes {

bool buildCall(const ResolvedInstruction &in, const Shape &result,
               OpDraft &out) {
  make<CallOp>(in, result, out);
  return true;
}

bool buildConditional(const ResolvedInstruction &in, const Shape &result,
                      OpDraft &out) {
  const Shape &choice = *in.operands[0];
  const size_t branches = in.calledRoots.size();
  if (branches == 0)
    return in.fail(in.opcodeText() +
                   " needs the attribute `branch_computations`, the "
                   "computations to choose from");
  if (!choice.isArray() || !choice.array.isScalar() ||
      !isInteger(choice.array.type))
    return in.fail("operand 0 of " + in.opcodeText() +
                   " chooses the branch: pred[] or s32[], not " + choice.str());
  if (choice.array.type == ElementType::Pred && branches != 2)
    return in.fail(in.opcodeText() + " by a pred[] has " +
                   llvm::Twine(branches) + " branches; it would have 2");
  if (in.operands.size() != branches + 1)
    return in.fail(in.opcodeText() +
                   " takes the choice and one operand a branch: " +
                   llvm::Twine(branches + 1) + " operands, here it has " +
                   llvm::Twine(in.operands.size()));
  make<ConditionalOp>(in, result, out);
  return true;
}

bool buildWhile(const ResolvedInstruction &in, const Shape &result,
                OpDraft &out) {
  for (llvm::StringRef key : {"condition", "body"})
    if (!in.attributes.has(key))
      return in.fail(in.opcodeText() + " needs the attribute `" + key +
                     "`, a computation on its state");
  bool same =
      in.operands.size() == 1
          ? sameUpToLayout(*in.operands[0], result)
          : result.isTuple() && result.elements.size() == in.operands.size();
  for (size_t k = 0; same && in.operands.size() > 1 && k < in.operands.size();
       ++k)
    same = sameUpToLayout(*in.operands[k], result.elements[k]);
  if (!same) {
    std::string state;
    for (const Shape *operand : in.operands)
      state += (state.empty() ? "" : ", ") + operand->str();
    return in.fail("the result of " + in.opcodeText() + " is its state, " +
                   state + ", not " + result.str());
  }
  make<WhileOp>(in, result, out);
  return true;
}

bool buildScan(const ResolvedInstruction &in, const Shape &result,
               OpDraft &out) {
  auto *op = makeOfArrays<ScanOp>(in, result, out, Results::OneOrTuple);
  if (!op) return false;
  if (!in.attributes.has("to_apply"))
    return in.fail(in.opcodeText() +
                   " needs the attribute `to_apply`, the computation of one "
                   "step");
  op->reverse = in.attributes.raw("is_reverse") == "true";
  return in.attributes.requiredInteger("dimensions", op->dimension) &&
         in.attributes.requiredInteger("num_carries", op->carries);
}

bool inferCalledRoot(const ResolvedInstruction &in, Shape &shape) {
  if (in.calledRoots.empty() || !in.calledRoots[0]) return cannotInfer(in);
  shape = *in.calledRoots[0];
  return true;
}

}  // namespace opcodes
}  // namespace indexical
