// Elements that decide sizes, as shapes.h follows them.
//
//   n = s32[] get-dimension-size(p), dimensions={0}
//   m = s32[] multiply(n, four)      the element of m is 4 * the size of p
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/program/values/elements_at.h"
#include "indexical/program/values/shapes.h"

namespace indexical {

/// The operands of an instruction, and integers that are sizes.
class ProgramShapes::Elements : public OperandElements, public Integers {
 public:
  using Index = llvm::ArrayRef<Expr>;

  Elements(ProgramShapes &shapes, InstructionId instruction)
      : shapes_(shapes), instruction_(instruction) {}

  Maybe element(size_t operand, Index index) override {
    const OperandLeaf &leaf = shapes_.leaves_[instruction_][operand];
    llvm::SmallVector<int64_t, 4> numbers;
    for (Expr along : index) {
      const auto number = valueOf(along);
      if (!number) return std::nullopt;
      numbers.push_back(*number);
    }
    return made(shapes_.element({leaf.instruction, leaf.result}, numbers));
  }
  Maybe size(int64_t dimension) override {
    const OperandLeaf &leaf = shapes_.leaves_[instruction_][0];
    if (const auto open =
            shapes_.size({leaf.instruction, leaf.result}, dimension))
      return expression(*open);
    return constant(
        shapes_.shapeOf({leaf.instruction, leaf.result}).dimensions[dimension]);
  }
  /// Returns the exact result: no computation of sizes leaves its type.
  Maybe computed(const ElementwiseOp &op, Index index) override {
    if (!op.opKind || op.opKind->traits.arithmetic == Arithmetic::None)
      return std::nullopt;
    llvm::SmallVector<Expr, 3> values;
    for (auto [k, operand] : llvm::enumerate(op.operands)) {
      // A scalar counts for all elements.
      const Maybe value = element(k, operand.isScalar() ? Index() : index);
      if (!value) return std::nullopt;
      values.push_back(*value);
    }
    return exactResult(op, values);
  }

  ExpressionPool &pool() override { return shapes_.pool_; }
  Interval boundsOf(Expr value) override {
    return shapes_.boundsOf(value.form());
  }
  using Integers::isAtMost;
  std::optional<bool> isAtMost(Expr value, int64_t most) override {
    const Interval bounds = boundsOf(value);
    if (bounds.upper <= most) return true;
    if (bounds.lower > most) return false;
    return std::nullopt;
  }
  Maybe product(Expr a, Expr b) override { return a * b; }
  /// Ops round toward 0 or down, which is the same if nothing is negative.
  Maybe quotient(const ElementwiseOp &op, Expr a, Expr b) override {
    if (boundsOf(a).lower < 0 || boundsOf(b).lower < 1) return std::nullopt;
    return expression(op.opKind->traits.arithmetic == Arithmetic::Divide
                          ? pool().quotient(a.form(), b.form())
                          : pool().remainder(a.form(), b.form()));
  }

 private:
  Maybe made(std::optional<FormId> form) {
    if (!form) return std::nullopt;
    return expression(*form);
  }

  ProgramShapes &shapes_;
  const InstructionId instruction_;
};

std::optional<FormId> ProgramShapes::element(InstructionLeaf leaf,
                                             llvm::ArrayRef<int64_t> index) {
  const auto key = std::make_tuple(leaf.instruction, leaf.leaf, index.vec());
  if (auto found = elements_.find(key); found != elements_.end())
    return found->second;
  // An element that follows from itself, or from too many others, is not known.
  constexpr int kDeepest = 400;
  elements_[key] = std::nullopt;
  if (depth_ == kDeepest) return std::nullopt;
  ++depth_;
  const auto value = valueOf(leaf, index);
  --depth_;
  return elements_[key] = value;
}

/// Returns the element, or a variable for it.
std::optional<FormId> ProgramShapes::valueOf(InstructionLeaf leaf,
                                             llvm::ArrayRef<int64_t> index) {
  const Op &op = computation_->instructions[leaf.instruction].op;
  const ArrayShape &shape = shapeOf(leaf);
  const bool integral =
      shape.type == ElementType::Unknown || isInteger(shape.type);
  if (!integral || shape.rank() != static_cast<int64_t>(index.size()))
    return std::nullopt;
  for (int64_t k = 0; k < shape.rank(); ++k)
    if (shape.dimensions[k] != kDynamicSize && index[k] >= shape.dimensions[k])
      return std::nullopt;
  Elements elements(*this, leaf.instruction);
  llvm::SmallVector<Expr, 4> at;
  for (int64_t along : index) at.push_back(elements.constant(along));
  const auto value = elementAt(op, leaf.leaf, at, elements, elements);
  if (value && fits(value->form(), shape.type)) return value->form();
  return elementVariable(leaf, index);
}

/// Whether a type holds the value. A size is taken to fit into 32 and 64 bits,
/// but a negative number is none of an unsigned type. In fewer bits sums wrap,
/// and what they are then may be an amount of a pad as well.
bool ProgramShapes::fits(FormId form, ElementType type) {
  const Interval held = valuesOf(type);
  if (isInteger(type) && bitsOf(type) < 32)
    return held.contains(boundsOf(form));
  if (pool_.isConstant(form)) return held.contains(pool_.constant(form));
  return held.lower != 0 || boundsOf(form).lower >= 0;
}

}  // namespace indexical
