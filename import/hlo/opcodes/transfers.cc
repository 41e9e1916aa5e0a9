// Opcodes that send data to the host or to another device, or receive it.
//
//   s = (f32[4], u32[], token[]) send(x, o)      leaf 0 is x; nothing is read
//                                                for the context
//   d = token[] send-done(s)                     reads nothing
//   r = (f32[4], u32[], token[]) recv(o)         reads nothing
//   v = (f32[4], token[]) recv-done(r)           leaf 0 is leaf 0 of r
//
// Data that arrives was sent elsewhere. The send that it comes from is not
// followed.
#include <numeric>

#include "indexical/import/hlo/opcodes/builders.h"

namespace indexical {
namespace opcodes {
namespace {

/// Forwards the data's leaves. Some texts that XLA reads have results that do
/// not hold the data; these get a cover.
bool handOn(const ResolvedInstruction &in, const Shape &data,
            const Shape &result, OpDraft &out) {
  if (!result.isTuple() || result.elements.empty() ||
      !sameUpToLayout(result.elements[0], data)) {
    make<CoverOp>(in, result, out).reason = "the result of " + in.opcodeText() +
                                            " does not hold its data, " +
                                            data.str();
    return true;
  }
  // The data's leaves are the first ones on both sides.
  auto &op = make<ForwardOp>(in, result, out);
  op.reads.assign(op.results.size(), -1);
  std::iota(op.reads.begin(), op.reads.begin() + data.leafCount(), 0);
  return true;
}

/// The operand beside the token, which may come first.
const Shape &dataOf(const ResolvedInstruction &in) {
  const bool tokenFirst = in.operands[0]->kind == Shape::Kind::Token;
  return *in.operands[tokenFirst ? 1 : 0];
}

}  // namespace

bool buildSend(const ResolvedInstruction &in, const Shape &result,
               OpDraft &out) {
  return handOn(in, dataOf(in), result, out);
}

bool inferSend(const ResolvedInstruction &in, Shape &shape) {
  shape = Shape::ofTuple({dataOf(in),
                          Shape::ofArray(ArrayShape(ElementType::U32, {})),
                          Shape::token()});
  return true;
}

bool buildReceiveDone(const ResolvedInstruction &in, const Shape &result,
                      OpDraft &out) {
  const Shape &received = *in.operands[0];
  if (!received.isTuple() || received.elements.empty())
    return in.fail(
        "the operand of " + in.opcodeText() +
        " must be what a `recv` gives, (data, u32[], token[]), not " +
        received.str());
  return handOn(in, received.elements[0], result, out);
}

bool inferReceiveDone(const ResolvedInstruction &in, Shape &shape) {
  Shape data;
  if (!inferElementOfFirst(in, data)) return false;
  shape = Shape::ofTuple({std::move(data), Shape::token()});
  return true;
}

}  // namespace opcodes
}  // namespace indexical
