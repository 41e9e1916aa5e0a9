// Opcodes in which devices take part together.
#include <memory>
#include <utility>

#include "llvm/Support/MathExtras.h"

#include "indexical/import/hlo/lexer.h"
#include "indexical/import/hlo/opcodes/builders.h"
#include "indexical/import/hlo/replica_groups.h"

namespace indexical {
namespace opcodes {
namespace {

/// A collective whose groups are known. Its operands may be a tuple.
template <typename T>
T *makeCollective(const ResolvedInstruction &in, const Shape &result,
                  OpDraft &out, ChannelGroups groups) {
  T &op = make<T>(in, result, out);
  return parseGroupSize(in, groups, op.groupSize) ? &op : nullptr;
}

template <typename T>
bool alongDimension(const ResolvedInstruction &in, const Shape &result,
                    OpDraft &out) {
  auto *op =
      makeCollective<T>(in, result, out, ChannelGroups::ReplicasAndPartitions);
  return op && in.attributes.requiredInteger("dimensions", op->dimension);
}

/// `{{0,1},{1,2}}`
bool parsePairs(const ResolvedInstruction &in,
                std::vector<CollectivePermuteOp::Pair> &pairs) {
  if (!in.attributes.has("source_target_pairs"))
    return in.attributes.failMissing("source_target_pairs", "{{0,1},{1,0}}");
  Lexer lexer(in.source, in.attributes.raw("source_target_pairs"));
  if (!lexer.expect('{')) return false;
  if (lexer.consume('}')) return true;
  do {
    auto &pair = pairs.emplace_back();
    if (!lexer.expect('{') || !lexer.takeInteger(pair.source) ||
        !lexer.expect(',') || !lexer.takeInteger(pair.target) ||
        !lexer.expect('}'))
      return false;
  } while (lexer.consume(','));
  return lexer.expect('}') &&
         (lexer.atEnd() || lexer.failExpected("the end of the pairs"));
}

/// The collective that is started, as its synchronous opcode builds it.
bool buildStartedCollective(const ResolvedInstruction &in, const Shape &result,
                            OpDraft &out) {
  llvm::StringRef name = in.syntax.opcode;
  name.consume_back("-start");
  ResolvedInstruction inner = in;
  inner.opcode = findOpcode(name);
  return buildOp(inner, result, out);
}

}  // namespace

/// The result is (operands, results, contexts…), and the collective makes the
/// results. One operand stands alone, several are a tuple.
bool buildCollectiveStart(const ResolvedInstruction &in, const Shape &result,
                          OpDraft &out) {
  // Old texts have the results alone. A buffer that slices are sent into is an
  // operand.
  if (in.attributes.has("slice_sizes") ||
      result.leafCount() == static_cast<int64_t>(in.operandLeaves.size()))
    return buildStartedCollective(in, result, out);
  if (!result.isTuple() || result.elements.size() < 2)
    return in.fail("the result of " + in.opcodeText() +
                   " must be (operands, results, contexts…), not " +
                   result.str());
  OpDraft inner;
  if (!buildStartedCollective(in, result.elements[1], inner)) return false;
  auto &start = make<StartOp>(in, result, out);
  start.forwards = result.elements[0].leafCount();
  start.inner = Op(std::move(inner));
  return true;
}

namespace {

/// The result's shape along `dimensions`, so many times the operand's.
bool inferParts(const ResolvedInstruction &in, bool multiply, Shape &shape) {
  Interval size;
  int64_t dimension;
  if (!parseGroupSize(in, ChannelGroups::ReplicasAndPartitions, size) ||
      !in.attributes.requiredInteger("dimensions", dimension))
    return false;
  if (!size.isPoint()) return cannotInfer(in);
  std::vector<Shape> results;
  for (size_t k = 0; k < in.operands.size(); ++k) {
    ArrayShape array;
    if (!takeArray(in, k, array)) return false;
    if (dimension < 0 || dimension >= array.rank()) return cannotInfer(in);
    int64_t &extent = array.dimensions[dimension];
    if (extent == kDynamicSize ||
        (multiply ? llvm::MulOverflow(extent, size.lower, extent)
                  : extent % size.lower != 0))
      return cannotInfer(in);
    if (!multiply) extent /= size.lower;
    results.push_back(Shape::ofArray(std::move(array)));
  }
  if (results.empty()) return cannotInfer(in);
  shape = results.size() == 1 ? results[0] : Shape::ofTuple(std::move(results));
  return true;
}

}  // namespace

bool buildAllGather(const ResolvedInstruction &in, const Shape &result,
                    OpDraft &out) {
  return alongDimension<AllGatherOp>(in, result, out);
}

bool inferAllGather(const ResolvedInstruction &in, Shape &shape) {
  return inferParts(in, /*multiply=*/true, shape);
}

bool buildAllReduce(const ResolvedInstruction &in, const Shape &result,
                    OpDraft &out) {
  return makeCollective<AllReduceOp>(in, result, out,
                                     ChannelGroups::ReplicasAndPartitions);
}

bool buildReduceScatter(const ResolvedInstruction &in, const Shape &result,
                        OpDraft &out) {
  return alongDimension<ReduceScatterOp>(in, result, out);
}

bool inferReduceScatter(const ResolvedInstruction &in, Shape &shape) {
  return inferParts(in, /*multiply=*/false, shape);
}

bool buildAllToAll(const ResolvedInstruction &in, const Shape &result,
                   OpDraft &out) {
  auto *op =
      makeCollective<AllToAllOp>(in, result, out, ChannelGroups::Partitions);
  if (!op) return false;
  if (!in.attributes.has("dimensions")) {
    // A tuple's elements are exchanged whole.
    if (result.isTuple()) return true;
    make<CoverOp>(in, result, out).reason =
        "an all-to-all of an array that does not say which dimension is cut";
    return true;
  }
  return in.attributes.requiredInteger("dimensions", op->dimension.emplace());
}

bool buildCollectiveBroadcast(const ResolvedInstruction &in,
                              const Shape &result, OpDraft &out) {
  bool hasDynamicRoot = false;
  if (!in.attributes.flag("has_dynamic_root", hasDynamicRoot)) return false;
  if (hasDynamicRoot) {
    make<CoverOp>(in, result, out).reason =
        "a collective-broadcast from members that the last operand tells";
    return true;
  }
  return makeCollective<CollectiveBroadcastOp>(in, result, out,
                                               ChannelGroups::Partitions);
}

bool buildCollectivePermute(const ResolvedInstruction &in, const Shape &result,
                            OpDraft &out) {
  if (in.attributes.has("slice_sizes")) {
    make<CoverOp>(in, result, out).reason =
        "a collective-permute of slices into a buffer";
    return true;
  }
  auto &op = make<CollectivePermuteOp>(in, result, out);
  op.deviceCount = deviceCount(in);
  return parsePairs(in, op.pairs);
}

bool buildRaggedAllToAll(const ResolvedInstruction &in, const Shape &result,
                         OpDraft &out) {
  return makeCollective<RaggedAllToAllOp>(in, result, out,
                                          ChannelGroups::Partitions);
}

}  // namespace opcodes
}  // namespace indexical
