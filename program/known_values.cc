#include "indexical/program/known_values.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/program/value_walk.h"

namespace indexical {
namespace {

// The most steps from which one element may follow.
constexpr int kMostSteps = 200;

/// Returns the size of a dimension, or nothing if only its bound is known: an
/// index below the bound may then lie behind the last element.
std::optional<int64_t> sizeOf(const ArrayShape &shape, int64_t dimension) {
  const bool isOpen = shape.dimensions[dimension] == kDynamicSize ||
                      (!shape.dynamic.empty() && shape.dynamic[dimension]);
  if (isOpen) return std::nullopt;
  return shape.dimensions[dimension];
}

}  // namespace

//===-- Elements ----------------------------------------------------------===//

Value originOf(const Module &module, Value at) {
  auto computationOf = [&](const Value &of) -> const Computation & {
    return module.computations[of.computation];
  };
  // Calls may nest, and wrong ones may lead back to themselves.
  for (int steps = 0; steps < kMostSteps; ++steps) {
    const InstructionLeaf leaf =
        indexical::originOf(computationOf(at), {at.instruction, at.result});
    at.instruction = InstructionId(leaf.instruction);
    at.result = LeafId(leaf.leaf);
    const Instruction &i = computationOf(at).instructions[at.instruction];
    if (i.parameterNumber >= 0) {
      // A caller's argument is followed; a loop passes a new value in each
      // trip.
      if (at.calls.empty()) return at;
      const CallSite site = at.calls.back();
      const Computation &caller = module.computations[site.computation];
      const Instruction &call = caller.instructions[site.instruction];
      const auto &arguments = call.called[site.called].arguments;
      if (!innermost(call.op).isOneOf<CallOp, ConditionalOp>() ||
          i.parameterNumber >= static_cast<int64_t>(arguments.size()))
        return at;
      const auto leaves = caller.operandLeaves(site.instruction);
      const int64_t handed =
          operandLeafNumber(leaves, arguments[i.parameterNumber], at.result);
      if (handed < 0) return at;
      at.calls.pop_back();
      at.computation = site.computation;
      at.instruction = leaves[handed].instruction;
      at.result = leaves[handed].result;
      continue;
    }
    const auto result = innermostResult(i.op, at.result);
    const auto callee = calleeOfCall(i);
    if (!result || !callee || !innermost(i.op).is<CallOp>()) return at;
    at.calls.push_back({at.computation, at.instruction, callee->called});
    at.computation = callee->computation;
    at.instruction = computationOf(at).root;
    at.result = LeafId(*result);
  }
  return at;
}

/// Returns a variable for a value that is not known.
std::optional<Expr> KnownValues::variableOf(const Value &at, Index index) {
  const ElementType type =
      shapesOf(instructionAt(at).op).results[at.result].type;
  // No expression holds the upper half of 64 bits without a sign.
  const Interval values = valuesOf(type);
  if (bitsOf(type) >= 64 && values.hasLower()) return std::nullopt;
  std::vector<FormId> forms;
  for (Expr e : index) forms.push_back(e.form());
  auto [entry, isNew] = choices_->made_.try_emplace({at, forms});
  if (!isNew) return entry->second;
  entry->second = b_.runtimeElement(values, /*clamped=*/false,
                                    choices_->number_(at), index);
  if (const auto id = b_.pool().asVariable(entry->second.form()))
    choices_->bounds_[*id] = values;
  return entry->second;
}

std::optional<Expr> KnownValues::element(Value at, Index index) {
  if (++steps_ > kMostSteps || (choices_ && choices_->restart_))
    return std::nullopt;
  at = originOf(module_, std::move(at));
  if (given_)
    if (Maybe value = given_(at, b_)) return value;
  const OpShapes &shapes = shapesOf(instructionAt(at).op);
  const ArrayShape &shape = shapes.results[at.result];
  if (!isInteger(shape.type) || index.size() != shape.dimensions.size())
    return std::nullopt;
  if (choices_ && choices_->variables_.count(at)) return variableOf(at, index);
  Maybe value = followed(at, index);
  // The type of a literal, of an iota, or of an op that only moves elements
  // holds them all.
  if (value && instructionAt(at).op.is<ElementwiseOp>() &&
      !valuesOf(shape.type).contains(boundsOf(*value)))
    value = std::nullopt;
  if (value || !choices_ || !choices_->number_ || choices_->restart_ ||
      steps_ > kMostSteps)
    return value;
  // The element is a variable on every way. All begins again, without the
  // values that were made and the comparisons that were decided so far.
  choices_->variables_.insert(at);
  choices_->restart_ = true;
  return std::nullopt;
}

/// Returns the element that the instruction computes, or nothing if it is not
/// known.
std::optional<Expr> KnownValues::followed(const Value &at, Index index) {
  const Instruction &i = instructionAt(at);
  const OpShapes &shapes = shapesOf(i.op);
  const ArrayShape &shape = shapes.results[at.result];
  if (const auto *constant = i.op.as<ConstantOp>())
    return literal(*constant, index);
  if (const auto *iota = i.op.as<IotaOp>()) {
    // The type has to hold the numbers of the whole dimension, or they wrap.
    const int64_t size = shape.dimensions[iota->dimension];
    Interval values = {0,
                       size == kDynamicSize ? Interval::kInfinity : size - 1};
    // A size that stands in a tensor is a number of that tensor's type.
    if (size == kDynamicSize && !shapes.operands.empty() &&
        isInteger(shapes.operands[0].type))
      values = values.intersect(valuesOf(shapes.operands[0].type));
    if (!valuesOf(shape.type).contains(values)) return std::nullopt;
    return index[iota->dimension];
  }
  if (const auto *concatenate = i.op.as<ConcatenateOp>())
    return concatenated(at, *concatenate, index);
  if (const auto *pad = i.op.as<PadOp>()) return padded(at, *pad, index);
  if (const auto *elementwise = i.op.as<ElementwiseOp>())
    return computed(at, *elementwise, index);
  if (!i.op.isOneOf<BroadcastOp, TransposeOp, ReverseOp, SliceOp, ReshapeOp,
                    BitcastOp>() ||
      i.operands.size() != 1 || shapes.operands[0].type != shape.type)
    return std::nullopt;
  auto moved = movedIndex(i.op, index, b_);
  if (!moved) return std::nullopt;
  return element(
      operandOf(at, computationOf(at).operandLeaf(at.instruction, 0)), *moved);
}

/// Returns the element of one of the operands, if the index lies in that
/// operand on all of its bounds.
std::optional<Expr> KnownValues::concatenated(const Value &at,
                                              const ConcatenateOp &op,
                                              Index index) {
  const Interval along = boundsOf(index[op.dimension]);
  const auto leaves = computationOf(at).operandLeaves(at.instruction);
  int64_t start = 0;
  for (const OperandLeaf &leaf : leaves) {
    const auto size = sizeOf(op.operands[&leaf - leaves.begin()], op.dimension);
    if (!size) return std::nullopt;
    if (along.lower >= start && along.upper < start + *size) {
      llvm::SmallVector<Expr, 4> inside(index.begin(), index.end());
      inside[op.dimension] = index[op.dimension] - start;
      return element(operandOf(at, leaf), inside);
    }
    start += *size;
  }
  return std::nullopt;
}

/// Returns the element of the operand, or the padding, if bounds decide which.
std::optional<Expr> KnownValues::padded(const Value &at, const PadOp &op,
                                        Index index) {
  if (op.operands.size() != 2 || op.low.size() != index.size() ||
      llvm::any_of(op.interior, [](int64_t k) { return k != 0; }))
    return std::nullopt;
  const auto leaves = computationOf(at).operandLeaves(at.instruction);
  llvm::SmallVector<Expr, 4> inside;
  bool isInside = true;
  for (size_t k = 0; k < index.size(); ++k) {
    const auto size = sizeOf(op.operands[0], k);
    if (!size) return std::nullopt;
    inside.push_back(index[k] - op.low[k]);
    const Interval along = boundsOf(inside.back());
    if (along.upper < 0 || along.lower >= *size)
      return element(operandOf(at, leaves[1]), {});
    isInside &= along.lower >= 0 && along.upper < *size;
  }
  if (!isInside) return std::nullopt;
  return element(operandOf(at, leaves[0]), inside);
}

Interval valuesOf(ElementType type) {
  const int64_t bits = bitsOf(type);
  const bool isUnsigned = elementTypeName(type).starts_with("u");
  if (!isInteger(type) || bits <= 0) return Interval::all();
  if (type == ElementType::Pred) return {0, 1};
  if (bits >= 64)
    return isUnsigned ? Interval{0, Interval::kInfinity} : Interval::all();
  const int64_t half = int64_t{1} << (bits - 1);
  return isUnsigned ? Interval{0, 2 * half - 1} : Interval{-half, half - 1};
}

bool holdsAll(ElementType type, ElementType from) {
  if (type == from) return true;
  // An interval holds all values of up to 32 bits, and all signed ones of 64
  // bits, but not the upper half of the unsigned ones of 64 bits.
  return isInteger(type) && isInteger(from) && bitsOf(from) < 64 &&
         valuesOf(type).contains(valuesOf(from));
}

std::optional<llvm::SmallVector<Expr, 4>> movedIndex(const Op &op,
                                                     llvm::ArrayRef<Expr> index,
                                                     IndexingMapBuilder &b) {
  if (shapesOf(op).operands.size() != 1) return std::nullopt;
  auto relation = indexing(op, Direction::OutputToInput, 0, 0);
  if (!relation.ok() || relation->pieces().size() != 1 ||
      relation->precision() != Precision::Exact)
    return std::nullopt;
  const IndexingMap &map = relation->pieces()[0];
  // Sizes say how far the map holds. An index that is computed of one has no
  // number here.
  bool isOfDimensions = map.ranges().empty();
  map.expressions().visitVariables(map.results(), [&](VariableId id) {
    isOfDimensions = isOfDimensions && id.kind == VariableKind::Dimension;
  });
  if (!isOfDimensions) return std::nullopt;
  auto replace = [&](VariableId id) { return index[id.index].form(); };
  ExpressionImport import(map.expressions(), b.pool(), replace);
  llvm::SmallVector<Expr, 4> moved;
  for (FormId form : map.results()) moved.push_back(b.expression(import(form)));
  return moved;
}

bool Choices::advance() {
  while (!taken_.empty() && !taken_.back()) taken_.pop_back();
  if (taken_.empty()) return false;
  taken_.back() = false;
  return true;
}

void Choices::begin() {
  if (std::exchange(restart_, false)) taken_.clear();
  next_ = 0;
  computed_ = false;
  conditions_.clear();
  bounds_.clear();
  made_.clear();
}

bool Choices::decide() {
  if (next_ == taken_.size()) taken_.push_back(true);
  return taken_[next_++];
}

std::optional<Expr> knownElement(const Module &module, const Value &value,
                                 llvm::ArrayRef<Expr> index,
                                 IndexingMapBuilder &builder,
                                 IndexBounds bounds, Choices *choices,
                                 GivenValue given) {
  return KnownValues(module, builder, bounds, choices, given)
      .element(value, index);
}

}  // namespace indexical
