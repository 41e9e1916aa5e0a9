// Opcodes that are started and finished later.
//
//   s = ((f32[10]), f32[5], s32[]) slice-start(p), slice={[0:5]}
//   u = ((f32[10]), f32[5], s32[]) slice-update(s)
//   d = f32[5] slice-done(u)
//
//   s   StartOp: one operand passed on, then the slice, then a context
//   u   ForwardOp: reads {0, 1, 2}
//   d   ForwardOp: reads {1}
//
// `async-start … calls=f` starts what f does; `slice-start` is how XLA prints
// one that wraps a single slice.
#include <memory>
#include <numeric>
#include <utility>

#include "indexical/import/hlo/configuration.h"
#include "indexical/import/hlo/opcodes/builders.h"

namespace indexical {
namespace opcodes {
namespace {

/// The result is the operand leaves from `first` on.
bool forwardFrom(const ResolvedInstruction &in, const Shape &result,
                 int64_t first, OpDraft &out) {
  auto &made = make<ForwardOp>(in, result, out);
  made.reads.resize(made.results.size());
  std::iota(made.reads.begin(), made.reads.end(), first);
  return true;
}

/// Operands that a start leaves out and an update adds: which parameters they
/// are is not followed.
bool boundLate(const ResolvedInstruction &in, const Shape &result,
               OpDraft &out) {
  make<CoverOp>(in, result, out).reason =
      in.opcodeText() + " has operands that are bound after its start";
  return true;
}

bool isEmptyTuple(const Shape &shape) {
  return shape.isTuple() && shape.elements.empty();
}

/// Whether the tuple's elements are the operands.
bool areOperands(const Shape &tuple, llvm::ArrayRef<const Shape *> operands) {
  if (!tuple.isTuple() || tuple.elements.size() != operands.size())
    return false;
  for (size_t k = 0; k < operands.size(); ++k)
    if (!sameUpToLayout(tuple.elements[k], *operands[k])) return false;
  return true;
}

/// The op that is started, with the result `result`.
bool buildStarted(const ResolvedInstruction &in, const Shape &result,
                  OpDraft &out) {
  llvm::StringRef name = in.syntax.opcode;
  name.consume_back("-start");
  if (name == "async") {
    if (in.calledRoots.empty())
      return in.fail(in.opcodeText() +
                     " needs the attribute `calls`, the computation that it "
                     "starts");
    make<CallOp>(in, result, out);
    out->configuration = configurationOf(in, out);
    return true;
  }
  const OpcodeInfo *started = findOpcode(name);
  if (!started || started->name != name || name.starts_with("async-") ||
      name == "parameter" || name == "get-tuple-element")
    return in.fail("`" + name + "` is not an op that can be started");
  ResolvedInstruction inner = in;
  inner.opcode = started;
  return checkOperandCount(inner) && buildOp(inner, result, out);
}

}  // namespace

bool buildAsyncStart(const ResolvedInstruction &in, const Shape &result,
                     OpDraft &out) {
  if (!result.isTuple() || result.elements.size() < 2 ||
      !areOperands(result.elements[0], in.operands))
    return in.fail("the result of " + in.opcodeText() +
                   " must be ((operands…), result, contexts…), its operands "
                   "first, not " +
                   result.str());
  const Shape &handedOut = result.elements[1];
  OpDraft inner;
  const bool known = !in.calledRoots.empty() && in.calledRoots[0];
  if (known && isEmptyTuple(handedOut) && !isEmptyTuple(*in.calledRoots[0]))
    make<NullaryOp>(in, handedOut, inner);  // an update binds the rest
  else if (!buildStarted(in, handedOut, inner))
    return false;
  auto &start = make<StartOp>(in, result, out);
  start.forwards = start.operands.size();
  start.inner = Op(std::move(inner));
  return true;
}

bool buildAsyncUpdate(const ResolvedInstruction &in, const Shape &result,
                      OpDraft &out) {
  if (in.operands.size() > 1) return boundLate(in, result, out);
  if (!sameUpToLayout(*in.operands[0], result))
    return in.fail(in.opcodeText() + " hands on its operand, " +
                   in.operands[0]->str() + "; the result cannot be " +
                   result.str());
  return forwardFrom(in, result, 0, out);
}

/// Builds the end of an async op, a collective's too. The started op
/// returns either the result alone, or (operands, result, contexts…).
bool buildAsyncDone(const ResolvedInstruction &in, const Shape &result,
                    OpDraft &out) {
  if (in.operands.size() > 1) return boundLate(in, result, out);
  const Shape &started = *in.operands[0];
  const bool parts = started.isTuple() && started.elements.size() >= 2;
  if (parts && sameUpToLayout(started.elements[1], result))
    return forwardFrom(in, result, started.elements[0].leafCount(), out);
  if (sameUpToLayout(started, result)) return forwardFrom(in, result, 0, out);
  if (parts && isEmptyTuple(started.elements[1]))
    return boundLate(in, result, out);
  return in.fail("the operand of " + in.opcodeText() +
                 " must hold its result, " + result.str() +
                 ", behind its operands; it is " + started.str());
}

}  // namespace opcodes
}  // namespace indexical
