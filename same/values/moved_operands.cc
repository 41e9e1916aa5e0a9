#include "indexical/same/values/moved_operands.h"

#include <algorithm>
#include <iterator>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/families.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/values/op_identity.h"

namespace indexical {
namespace {

/// The operands whose elements an op of MLIR moves.
struct MlirMove {
  llvm::StringLiteral name;
  size_t operands;  ///< 0: all of them
};

constexpr MlirMove kMlirMoves[] = {
    {"linalg.pack", 3},
    {"linalg.unpack", 2},
    {"tensor.collapse_shape", 1},
    {"tensor.concat", 0},
    {"tensor.expand_shape", 1},
    {"tensor.extract", 1},
    {"tensor.extract_slice", 1},
    {"tensor.from_elements", 0},
    {"tensor.gather", 1},
    {"tensor.insert", 2},
    {"tensor.insert_slice", 2},
    {"tensor.pad", 0},
    {"tensor.reshape", 1},
    {"tensor.splat", 1},
    {"vector.broadcast", 1},
    {"vector.extract", 1},
    {"vector.extract_strided_slice", 1},
    {"vector.from_elements", 0},
    {"vector.insert", 2},
    {"vector.insert_strided_slice", 2},
    {"vector.interleave", 2},
    {"vector.shape_cast", 1},
    {"vector.shuffle", 2},
    {"vector.transpose", 1},
};

/// Whether the region of a padding returns a value from around it, and not what
/// it makes of an index.
bool yieldsWhatIsAround(const Module &module, const Instruction &instruction) {
  const ComputationId c = instruction.called[0].computation;
  if (c < 0 || instruction.called.size() != 1 || instruction.captured != 1)
    return false;
  const Computation &body = module.computations[c];
  return body.root >= 0 && !body.parameters.empty() &&
         originOf(body, InstructionLeaf{body.root}).instruction ==
             body.parameters.back();
}

}  // namespace

llvm::SmallVector<size_t, 4> movedOperands(const Module &module,
                                           const Instruction &instruction) {
  const Op &op = instruction.op;
  const OpShapes &shapes = shapesOf(op);
  if (shapes.results.size() != 1 || shapes.operands.empty()) return {};
  const ElementType type = shapes.results[0].type;
  auto first = [](size_t count) {
    return llvm::to_vector<4>(llvm::seq<size_t>(0, count));
  };
  auto keepType = [&](llvm::ArrayRef<size_t> operands) {
    return llvm::all_of(
        operands, [&](size_t k) { return shapes.operands[k].type == type; });
  };
  const size_t all = shapes.operands.size();
  if (op.kind().name == "vector.transfer_read") {
    // The tensor, an index for each of its dimensions, the padding, a mask. A
    // mask chooses between both.
    const size_t padding = 1 + shapes.operands[0].rank();
    const llvm::SmallVector<size_t, 4> both = {0, padding};
    return all == padding + 1 && keepType(both) ? both : decltype(both)();
  }
  if (op.kind().name == "vector.transfer_write")
    // The vector, the tensor, an index for each of its dimensions, a mask.
    return first(all == static_cast<size_t>(2 + shapes.operands[1].rank()) &&
                         keepType({0, 1})
                     ? 2
                     : 0);
  const auto *row = llvm::find_if(kMlirMoves, [&](const MlirMove &move) {
    return move.name == op.kind().name;
  });
  if (row != std::end(kMlirMoves)) {
    if (!instruction.called.empty() && !yieldsWhatIsAround(module, instruction))
      return {};
    size_t count = row->operands ? std::min(row->operands, all) : all;
    // What stands behind are sizes.
    while (count > 0 && shapes.operands[count - 1].type != type) --count;
    auto moved = first(count);
    return keepType(moved) ? moved : first(0);
  }
  if (shapes.operands[0].type != type || !isPlain(op)) return {};
  if (op.isOneOf<BroadcastOp, TransposeOp, ReverseOp, SliceOp, ReshapeOp,
                 BitcastOp, DynamicSliceOp, GatherOp>())
    return first(1);
  if (op.isOneOf<PadOp, DynamicUpdateSliceOp>()) return first(all >= 2 ? 2 : 0);
  return first(op.is<ConcatenateOp>() ? all : 0);
}

}  // namespace indexical
