// Ragged all-to-all: rows that each member sends to each, of any number.
//
//   input f32[16], output f32[8], offsets and sizes s32[4], groups of 4
//   result of input, output to input, rt0 the own position; rt1 the input
//   offset, rt2 the output offset, rt3 the send size [rt0] of member s0:
//     (d0)[s0]{rt0, rt1, rt2, rt3} -> (d0 + rt1 - rt2), member s0
//     d0 - rt2 in [0, inf], d0 - rt2 - rt3 in [-inf, -1]
//   of output: (d0) -> (d0), a cover: what is written over is not read
//
// The run decides the sizes of updates and their places. If a device sends more
// than the sizes say, or past the end, there is no result, and the maps say
// nothing.
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/collectives/groups.h"
#include "indexical/ops/core/rules.h"

namespace indexical {
namespace families {
namespace {

enum Operand : int64_t {
  kInput,
  kOutput,
  kInputOffsets,
  kSendSizes,
  kOutputOffsets,
  kReceiveSizes
};

/// Updates from one member to another, if that is known.
std::optional<int64_t> updatesOf(const RaggedAllToAllOp &op) {
  auto members = membersOf(op);
  const ArrayShape &offsets = op.operands[kInputOffsets];
  if (!members || !isFixed(offsets, 0)) return std::nullopt;
  return offsets.dimensions[0] / *members;
}

/// One update, sent by any member to the device itself.
struct Update {
  Update(IndexingMapBuilder &builder, const RaggedAllToAllOp &op,
         int64_t updates)
      : member(anyMember(builder, op)) {
    number = ownPosition(builder, op) * updates;
    if (updates > 1) number = number + builder.range({0, updates - 1});
    const int64_t rows = op.operands[kInput].dimensions[0];
    const int64_t resultRows = op.results[0].dimensions[0];
    inputOffset = element(builder, kInputOffsets, {0, rows - 1});
    outputOffset = element(builder, kOutputOffsets, {0, resultRows - 1});
    size = element(builder, kSendSizes, {1, rows});
  }

  /// The value of an element of the member's operand number `operand`.
  Expr element(IndexingMapBuilder &builder, int64_t operand, Interval bounds) {
    RuntimeVariable variable;
    variable.bounds = bounds;
    variable.source.kind = RuntimeSource::Kind::Element;
    variable.source.tensor = operand;
    variable.index = {number.form(), member.form()};
    variable.collectives = {0};
    return builder.runtime(std::move(variable));
  }

  Expr member, number, inputOffset, outputOffset, size;
};

Answer steering(const RaggedAllToAllOp &op, const Sides &sides,
                int64_t operand) {
  const ArrayShape &from = sides.from(), &to = sides.to();
  auto updates = updatesOf(op);
  if (!updates) return everythingOfAll(op, from, to, Precision::Cover);
  IndexingMapBuilder builder;
  Exprs d = dimensionsOf(builder, from);
  // A device has the sizes that it receives in its own operand.
  const bool own = operand == kReceiveSizes;
  Expr position = ownPosition(builder, op);
  Expr member = own ? position : anyMember(builder, op);
  if (sides.isForward()) {
    if (own) {
      builder.result(builder.range(indicesOf(to, 0)));
    } else {
      Expr number = position * *updates;
      if (*updates > 1) number = number + builder.range({0, *updates - 1});
      builder.result(number);
    }
  } else {
    if (!own) builder.constraint(d[0] - position * *updates, {0, *updates - 1});
    for (Expr range : rangesOf(builder, to)) builder.result(range);
  }
  return answerOf(builder, member);
}

/// Rows of the result and of the input: both count from their offset.
Answer rows(const RaggedAllToAllOp &op, const Sides &sides) {
  const ArrayShape &from = sides.from(), &to = sides.to();
  auto updates = updatesOf(op);
  if (!updates || !isFixed(from, 0) || !isFixed(to, 0))
    return everythingOfAll(op, from, to, Precision::Cover);
  IndexingMapBuilder builder;
  Exprs d;
  for (int64_t k = 0; k < from.rank(); ++k)
    d.push_back(builder.dimension(k == 0 ? indicesOf(from, k)
                                         : sharedIndices(from, k, to, k)));
  Update update(builder, op, *updates);
  const auto [begin, end] =
      sides.ordered(update.outputOffset, update.inputOffset);
  Expr row = d[0] - begin;
  Expr index = row + end;
  builder.constraint(row, {0, Interval::kInfinity});
  builder.constraint(row - update.size, {Interval::kMinusInfinity, -1});
  builder.constraint(index, indicesOf(to, 0));
  builder.result(index);
  for (int64_t k = 1; k < from.rank(); ++k) builder.result(d[k]);
  return answerOf(builder, update.member);
}

/// The rows of `output`: which of them are written over is known in the run.
Answer kept(const RaggedAllToAllOp &op, const Sides &sides) {
  const ArrayShape &from = sides.from(), &to = sides.to();
  IndexingMapBuilder builder;
  for (int64_t k = 0; k < from.rank(); ++k)
    builder.result(builder.dimension(sharedIndices(from, k, to, k)));
  return answerOf(builder, ownPosition(builder, op), Precision::Cover);
}

}  // namespace

absl::Status verify(const RaggedAllToAllOp &op) {
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, 6, 1));
  INDEXICAL_RETURN_IF_ERROR(checkGroups(op));
  const ArrayShape &input = op.operands[kInput], &output = op.operands[kOutput];
  INDEXICAL_RETURN_IF_ERROR(
      checkSameShape("", "output", output, "the result", op.results[0]));
  bool alike = input.rank() == output.rank() && input.rank() > 0;
  for (int64_t k = 1; alike && k < input.rank(); ++k)
    alike = canAgree(input, k, output, k);
  if (!alike)
    return Broken("") << "input and output must have the same shape but for "
                         "dimension 0, but are "
                      << input << " and " << output;
  const auto members = membersOf(op);
  for (int64_t k = kInputOffsets; k <= kReceiveSizes; ++k) {
    const ArrayShape &list = op.operands[k];
    if (list.rank() != 1 || !canAgree(list, op.operands[kInputOffsets]) ||
        (members && isFixed(list, 0) && list.dimensions[0] % *members != 0))
      return Broken("") << Name("operand")[k]
                        << " must be a list as long as the other offsets and "
                           "sizes, a multiple of the number of members, "
                        << membersText(op) << ", but is " << list;
  }
  return absl::OkStatus();
}

Answer reads(const RaggedAllToAllOp &op, const Sides &sides, int64_t,
             int64_t operand) {
  switch (operand) {
    case kInput:
      return rows(op, sides);
    case kOutput:
      return kept(op, sides);
    default:
      return steering(op, sides, operand);
  }
}

}  // namespace families
}  // namespace indexical
