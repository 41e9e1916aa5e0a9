#include "indexical/same/equality/runnable.h"

#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/ops/families.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/values/shapes.h"

namespace indexical {
namespace {

/// Returns the value of an element of an operand, if it is known.
using ElementOf = llvm::function_ref<std::optional<int64_t>(
    int64_t operand, llvm::ArrayRef<int64_t> index)>;

/// An op whose sizes are numbers.
class Numbers : public SizeContext {
 public:
  Numbers(const OpShapes &shapes, ElementOf elementOf)
      : shapes_(shapes), elementOf_(elementOf) {}

  Expr constant(int64_t value) override {
    return {&pool_, pool_.constantForm(value)};
  }
  std::optional<int64_t> valueOf(Expr expression) const override {
    if (!pool_.isConstant(expression.form())) return std::nullopt;
    return pool_.constant(expression.form());
  }
  Expr size(SizeRef ref) override { return constant(number(ref)); }
  Expr element(int64_t operand, llvm::ArrayRef<int64_t> index,
               Interval bounds) override {
    const auto value = elementOf_(operand, index);
    if (!value) return {&pool_, pool_.variable({VariableKind::Runtime, 0})};
    isBroken_ |= !bounds.contains(Interval::point(*value));
    // Nothing is divided by a stride of 0.
    return constant(isBroken_ ? 1 : *value);
  }

  int64_t number(SizeRef ref) const {
    const int64_t operands = shapes_.operands.size();
    return (ref.tensor < operands ? shapes_.operands[ref.tensor]
                                  : shapes_.results[ref.tensor - operands])
        .dimensions[ref.dimension];
  }
  /// Whether an element has a value that the op does not take.
  bool isBroken() const { return isBroken_ || pool_.overflowed(); }

 private:
  const OpShapes &shapes_;
  const ElementOf elementOf_;
  ExpressionPool pool_;
  bool isBroken_ = false;
};

/// Whether the sizes are those that the op's definition gives.
bool hasSizesOfRules(const Op &op, ElementOf elementOf) {
  const SizeRules rules = sizeRulesOf(op);
  Numbers numbers(shapesOf(op), elementOf);
  for (const auto &[a, b] : rules.equalities())
    if (numbers.number(a) != numbers.number(b)) return false;
  for (const SizeRules::Definition &definition : rules.definitions()) {
    const auto size = definition.formula(numbers);
    if (numbers.isBroken()) return false;
    if (!size) continue;
    if (numbers.valueOf(*size) != numbers.number(definition.ref)) return false;
  }
  return true;
}

/// Returns the values of a list of `count` elements, or nothing.
std::optional<Int64s> listOf(int64_t operand, int64_t count,
                             ElementOf elementOf) {
  Int64s values;
  for (int64_t k = 0; k < count; ++k) {
    const auto value = elementOf(operand, {k});
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

void keepOperands(OpDescriptor &op, size_t count) {
  while (op.operands.size() > count) op.operands.pop_back();
}

/// Returns the op with attributes in place of the operands that give them;
/// nothing if one of these is not known.
std::optional<Op> withAttributes(const Op &op, ElementOf elementOf) {
  const int64_t rank =
      shapesOf(op).operands.empty() ? 0 : shapesOf(op).operands[0].rank();
  const size_t operands = shapesOf(op).operands.size();
  auto list = [&](int64_t operand) { return listOf(operand, rank, elementOf); };
  if (const auto *slice = op.as<SliceOp>(); slice && operands > 1) {
    const auto starts = list(1), limits = list(2), strides = list(3);
    if (!starts || !limits || !strides) return std::nullopt;
    SliceOp made = *slice;
    made.starts = *starts, made.limits = *limits, made.strides = *strides;
    keepOperands(made, 1);
    return Op(std::move(made));
  }
  if (const auto *pad = op.as<PadOp>(); pad && operands > 2) {
    const auto low = list(2), high = list(3), interior = list(4);
    if (!low || !high || !interior) return std::nullopt;
    PadOp made = *pad;
    made.low = *low, made.high = *high, made.interior = *interior;
    keepOperands(made, 2);
    return Op(std::move(made));
  }
  if (const auto *gather = op.as<GatherOp>(); gather && operands > 2) {
    const auto sizes = list(2);
    if (!sizes) return std::nullopt;
    GatherOp made = *gather;
    made.sliceSizes = *sizes;
    keepOperands(made, 2);
    return Op(std::move(made));
  }
  if (const auto *window = op.as<ConvolutionOp>(); window && operands > 2) {
    ConvolutionOp made = *window;
    for (int64_t k = 0; k < static_cast<int64_t>(made.window.size()); ++k) {
      const auto low = elementOf(2, {k, 0}), high = elementOf(2, {k, 1});
      if (!low || !high) return std::nullopt;
      made.window[k].padLow = *low, made.window[k].padHigh = *high;
    }
    keepOperands(made, 2);
    return Op(std::move(made));
  }
  return op;
}

/// Whether the op may read an element that its operand does not have. A gather
/// may have slices of size 0 in a dimension that is collapsed. Their start is
/// clamped to the size of the operand, and the element there is read.
bool readsOutside(const Op &op) {
  const auto *gather = op.as<GatherOp>();
  return gather && !llvm::is_contained(gather->results[0].dimensions, 0) &&
         llvm::any_of(gather->collapsedSliceDims,
                      [&](int64_t k) { return gather->sliceSizes[k] == 0; });
}

/// Whether an instruction's op takes the sizes and the values that it has.
bool takesItsSizes(const Computation &of, InstructionId i,
                   ProgramShapes &shapes) {
  const Op &op = of.instructions[i].op;
  if (hasOpenSizes(shapesOf(op))) return false;
  if (of.instructions[i].parameterNumber >= 0) return true;
  const auto leaves = of.operandLeaves(i);
  auto elementOf =
      [&](int64_t operand,
          llvm::ArrayRef<int64_t> index) -> std::optional<int64_t> {
    const OperandLeaf &leaf = leaves[operand];
    const auto form = shapes.element({leaf.instruction, leaf.result}, index);
    if (!form || !shapes.table().isConstant(*form)) return std::nullopt;
    return shapes.table().constant(*form);
  };
  if (!hasSizesOfRules(op, elementOf)) return false;
  const auto whole = withAttributes(op, elementOf);
  return whole && verifyRefined(*whole).ok() && !readsOutside(*whole);
}

/// Calls `visit` for each computation that the entry calls, and for itself,
/// until it returns false. Returns whether it never did.
bool allCalled(const Module &module,
               llvm::function_ref<bool(ComputationId)> visit) {
  std::vector<bool> seen(module.computations.size(), false);
  std::vector<ComputationId> stack = {module.entry};
  while (!stack.empty()) {
    const ComputationId c = stack.back();
    stack.pop_back();
    if (seen[c]) continue;
    seen[c] = true;
    if (!visit(c)) return false;
    for (const Instruction &i : module.computations[c].instructions)
      for (const CalledComputation &called : i.called)
        if (called.computation >= 0) stack.push_back(called.computation);
  }
  return true;
}

/// Makes parameters of the literals that refinement put in their places.
void restoreParameters(const Module &from, Module &module) {
  Computation &entry = module.computations[module.entry];
  const Computation &before = from.computations[from.entry];
  for (InstructionId parameter : entry.parameters) {
    Op &op = entry.instructions[parameter].op;
    const ShapeList results = shapesOf(op).results;
    op = before.instructions[parameter].op.changed(
        [&](OpDraft &draft) { draft->results = results; });
  }
}

}  // namespace

std::optional<Module> runnableWith(const Module &module,
                                   llvm::ArrayRef<KnownArgument> arguments) {
  auto made = refined(module, module.entry, arguments);
  if (!made.ok()) return std::nullopt;
  const bool runs = allCalled(*made, [&](ComputationId c) {
    const Computation &of = made->computations[c];
    ProgramShapes shapes(of, leafNumber);
    for (InstructionId i(0); i < static_cast<int32_t>(of.instructions.size());
         ++i)
      if (!takesItsSizes(of, i, shapes)) return false;
    return true;
  });
  if (!runs) return std::nullopt;
  restoreParameters(module, *made);
  return *std::move(made);
}

}  // namespace indexical
