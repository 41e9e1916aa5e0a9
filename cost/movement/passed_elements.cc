#include "indexical/cost/movement/passed_elements.h"

#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/identity.h"
#include "indexical/ops/op.h"
#include "indexical/program/values/integers.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

// Fusions in fusions; deeper ones are no compiler's.
constexpr int kMostDepth = 8;

/// Returns how many of its operands hold the elements that the op moves; 0: it
/// computes, or is not known. The others say where.
size_t movedOperands(const Op &op) {
  const size_t all = shapesOf(op).operands.size();
  if (op.isOneOf<BroadcastOp, ReverseOp, SliceOp, TransposeOp, ReshapeOp,
                 DynamicSliceOp, GatherOp>())
    return 1;
  if (op.isOneOf<PadOp, DynamicUpdateSliceOp>()) return 2;
  if (op.is<ConcatenateOp>()) return all;
  if (op.isOneOf<BitcastOp, BitcastConvertOp>())
    return shapesOf(op).operands[0].type == shapesOf(op).results[0].type;
  const auto *elementwise = op.as<ElementwiseOp>();
  return elementwise && elementwise->keepsValues() && all == 1;
}

/// Whether values say which elements the op moves.
bool movesByValues(const Op &op) {
  return op.isOneOf<DynamicSliceOp, DynamicUpdateSliceOp, GatherOp>();
}

/// Whether a computation only moves elements, from places that are fixed and
/// without another type. Elements of its own, as constants, may stand beside
/// them.
bool onlyMoves(const Module &module, ComputationId computation, int depth) {
  if (computation < 0 || depth == kMostDepth) return false;
  return llvm::all_of(
      module.computations[computation].instructions,
      [&](const Instruction &each) {
        if (each.parameterNumber >= 0 || each.op.is<ForwardOp>()) return true;
        if (each.op.is<CallOp>()) {
          const auto callee = calleeOfCall(each);
          return callee && onlyMoves(module, callee->computation, depth + 1);
        }
        const OpShapes &shapes = shapesOf(each.op);
        if (shapes.operands.empty()) return each.called.empty();
        return movedOperands(each.op) == shapes.operands.size() &&
               shapes.results.size() == 1 &&
               shapes.operands[0].type == shapes.results[0].type;
      });
}

/// What an op moves, as leaves of its operands.
struct Moved {
  size_t operands = 0;  ///< so many of the first leaves
  /// The operand leaf that a result is, unchanged; -1: maps say which elements.
  int64_t whole = -1;
};

Moved movedBy(const Module &module, const Instruction &instruction,
              LeafId result) {
  const Op &op = instruction.op;
  if (const auto *forward = op.as<ForwardOp>())
    return {0, forward->reads[result]};
  if (const auto *start = op.as<StartOp>()) {
    if (result < start->forwards) return {0, result};
    return {result == start->forwards ? movedOperands(start->inner) : 0};
  }
  if (op.is<CallOp>()) {
    const auto callee = calleeOfCall(instruction);
    const bool moves = callee && instruction.customCallTarget.empty() &&
                       onlyMoves(module, callee->computation, 0);
    return {moves ? shapesOf(op).operands.size() : 0};
  }
  return {instruction.called.empty() ? movedOperands(op) : 0};
}

/// A float's bits behind the point and of its exponent.
struct FloatBits {
  int mantissa, exponent;
};
std::optional<FloatBits> floatBits(ElementType type) {
  switch (type) {
    case ElementType::F64:
      return FloatBits{52, 11};
    case ElementType::F32:
      return FloatBits{23, 8};
    case ElementType::F16:
      return FloatBits{10, 5};
    case ElementType::BF16:
      return FloatBits{7, 8};
    default:
      return std::nullopt;
  }
}

/// The bits of a value of an integer type without its sign.
int64_t valueBits(ElementType type) {
  if (type == ElementType::Pred) return 1;
  return bitsOf(type) - (valuesOf(type).lower < 0);
}

}  // namespace

bool holdsEvery(ElementType in, ElementType of) {
  if (in == of) return in != ElementType::Unknown;
  const auto to = floatBits(in), from = floatBits(of);
  if (to && from)
    return to->mantissa >= from->mantissa && to->exponent >= from->exponent;
  // The exponents of these floats are wide enough for integers that their
  // mantissa and its hidden bit hold.
  if (to && isInteger(of)) return valueBits(of) <= to->mantissa + 1;
  // A conversion to pred asks whether a value is zero.
  return in != ElementType::Pred && holdsAll(in, of);
}

bool isWhole(const IndexingMap &map, const ArrayShape &shape) {
  if (map.isKnownEmpty() || !map.ranges().empty() || !map.runtime().empty() ||
      !map.constraints().empty() || !map.collectives().empty() ||
      map.dimensions().size() != shape.dimensions.size())
    return false;
  for (auto [variable, size] : llvm::zip(map.dimensions(), shape.dimensions))
    if (variable.bounds != Interval{0, size - 1}) return false;
  return true;
}

bool movesMemory(const Instruction &instruction) {
  const Op &op = instruction.op;
  return instruction.parameterNumber < 0 && !op.is<ForwardOp>() &&
         !op.is<BitcastOp>();
}

absl::StatusOr<std::vector<PassedPart>> partsOf(ProgramIndexing &maps,
                                                ComputationId computation,
                                                InstructionLeaf value) {
  const Computation &own = maps.module().computations[computation];
  const Instruction &instruction = own.instructions[value.instruction];
  std::vector<PassedPart> parts;
  if (instruction.parameterNumber >= 0) return parts;
  const Moved moved = movedBy(maps.module(), instruction, value.leaf);
  if (moved.operands == 0 && moved.whole < 0) return parts;
  const OpShapes &shapes = shapesOf(instruction.op);
  if (shapes.operands.hasOpenSize() || shapes.results.hasOpenSize())
    return parts;
  const ArrayShape &shape = shapes.results[value.leaf];
  for (LeafId k; k < static_cast<int64_t>(shapes.operands.size()); ++k) {
    const bool isWholeLeaf = moved.whole == static_cast<int64_t>(k);
    if (!isWholeLeaf && static_cast<size_t>(k) >= moved.operands) continue;
    const OperandLeaf leaf = own.operandLeaf(value.instruction, k);
    const InstructionLeaf from{leaf.instruction, leaf.result};
    if (isWholeLeaf) {
      INDEXICAL_ASSIGN_OR_RETURN(auto same, simplify(identityOf(shape)));
      return std::vector<PassedPart>{{from, std::move(same)}};
    }
    INDEXICAL_ASSIGN_OR_RETURN(
        auto relation,
        maps.instruction({computation, value.instruction, value.leaf}, k,
                         Direction::OutputToInput));
    if (movesByValues(instruction.op)) {
      INDEXICAL_ASSIGN_OR_RETURN(relation, maps.withKnownValues(relation));
    }
    if (relation.precision() != Precision::Exact)
      return std::vector<PassedPart>();
    for (const IndexingMap &piece : relation.pieces()) {
      if (!piece.ranges().empty() || !piece.runtime().empty() ||
          !piece.collectives().empty())
        return std::vector<PassedPart>();
      INDEXICAL_ASSIGN_OR_RETURN(auto map, simplify(piece));
      if (!map.isKnownEmpty()) parts.push_back({from, std::move(map)});
    }
  }
  return parts;
}

}  // namespace indexical
