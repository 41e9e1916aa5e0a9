// Opcodes that pass on leaves of tuples.
#include <algorithm>
#include <numeric>

#include "indexical/import/hlo/lexer.h"
#include "indexical/import/hlo/opcodes/builders.h"

namespace indexical {
namespace opcodes {
namespace {

constexpr int64_t kInferredTupleLimit = int64_t{1} << 18;

/// Nodes and depth of a shape.
void measure(const Shape &shape, int64_t depth, int64_t &nodes,
             int64_t &deepest) {
  ++nodes;
  deepest = std::max(deepest, depth);
  for (const Shape &element : shape.elements)
    measure(element, depth + 1, nodes, deepest);
}

/// The leaves of operand 0 from `first` on.
bool forward(const ResolvedInstruction &in, const Shape &result, int64_t first,
             int64_t available, OpDraft &out) {
  auto &op = make<ForwardOp>(in, result, out);
  const int64_t results = op.results.size();
  if (results != available)
    return in.fail("the result " + result.str() + " of " + in.opcodeText() +
                   " has " + countOf(results, "array") + ", its operands " +
                   std::to_string(available));
  op.reads.resize(results);
  std::iota(op.reads.begin(), op.reads.end(), first);
  return true;
}

}  // namespace

bool buildTuple(const ResolvedInstruction &in, const Shape &result,
                OpDraft &out) {
  if (!result.isTuple() || result.elements.size() != in.operands.size())
    return in.fail("a tuple of " + countOf(in.operands.size(), "operand") +
                   " cannot have the shape " + result.str());
  return forward(in, result, 0, in.operandLeaves.size(), out);
}

bool buildForward(const ResolvedInstruction &in, const Shape &result,
                  OpDraft &out) {
  return forward(in, result, 0, in.operands[0]->leafCount(), out);
}

bool buildCopy(const ResolvedInstruction &in, const Shape &result,
               OpDraft &out) {
  return result.isArray() ? buildElementwise(in, result, out)
                          : buildForward(in, result, out);
}

bool buildTupleElement(const ResolvedInstruction &in, const Shape &result,
                       OpDraft &out) {
  const Shape &tuple = *in.operands[0];
  if (!tuple.isTuple())
    return in.fail("the operand of " + in.opcodeText() +
                   " must be a tuple, not " + tuple.str());
  int64_t index;
  if (!in.attributes.requiredInteger("index", index)) return false;
  if (index < 0 || index >= static_cast<int64_t>(tuple.elements.size()))
    return in.source.fail(in.attributes.raw("index"),
                          "there is no element " + llvm::Twine(index) +
                              " in a tuple of " +
                              countOf(tuple.elements.size(), "element"));
  int64_t leaves = tuple.elements[index].leafCount();
  auto &op = make<ForwardOp>(in, result, out);
  if (static_cast<int64_t>(op.results.size()) != leaves)
    return in.fail("element " + llvm::Twine(index) + " of the tuple is " +
                   tuple.elements[index].str() + ", not " + result.str());
  op.reads.resize(leaves);
  std::iota(op.reads.begin(), op.reads.end(), in.firstLeaves[index]);
  return true;
}

// The result is (destination, source, context): the first two are the operand.
bool buildCopyStart(const ResolvedInstruction &in, const Shape &result,
                    OpDraft &out) {
  auto &op = make<ForwardOp>(in, result, out);
  int64_t leaves = op.operands.size();
  if (!result.isTuple() || result.elements.size() < 2 ||
      result.elements[0].leafCount() != leaves ||
      result.elements[1].leafCount() != leaves)
    return in.fail(
        "the result of `copy-start` must be (destination, source, "
        "context), not " +
        result.str());
  op.reads.assign(op.results.size(), -1);
  for (int64_t i = 0; i < 2 * leaves; ++i) op.reads[i] = i % leaves;
  return true;
}

bool buildCopyDone(const ResolvedInstruction &in, const Shape &result,
                   OpDraft &out) {
  const Shape &start = *in.operands[0];
  auto &op = make<ForwardOp>(in, result, out);
  int64_t leaves = op.results.size();
  if (!start.isTuple() || start.elements.empty() ||
      start.elements[0].leafCount() != leaves)
    return in.fail("the operand of `copy-done` must be a `copy-start` of " +
                   result.str());
  op.reads.resize(leaves);
  std::iota(op.reads.begin(), op.reads.end(), 0);
  return true;
}

bool inferTuple(const ResolvedInstruction &in, Shape &shape) {
  // A chain of tuples of tuples may grow without bounds.
  int64_t nodes = 0, depth = 0;
  for (const Shape *operand : in.operands)
    if (nodes <= kInferredTupleLimit) measure(*operand, 1, nodes, depth);
  if (nodes > kInferredTupleLimit || depth >= kNestingLimit)
    return in.fail("this tuple is too large to find its shape");
  std::vector<Shape> elements;
  elements.reserve(in.operands.size());
  for (const Shape *operand : in.operands) elements.push_back(*operand);
  shape = Shape::ofTuple(std::move(elements));
  return true;
}

bool inferTupleElement(const ResolvedInstruction &in, Shape &shape) {
  int64_t index;
  if (!in.attributes.requiredInteger("index", index)) return false;
  const Shape &tuple = *in.operands[0];
  if (!tuple.isTuple() || index < 0 ||
      index >= static_cast<int64_t>(tuple.elements.size())) {
    // The op builder says what is wrong.
    shape = Shape::token();
    return true;
  }
  shape = tuple.elements[index];
  return true;
}

}  // namespace opcodes
}  // namespace indexical
