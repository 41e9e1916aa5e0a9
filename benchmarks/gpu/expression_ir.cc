#include "benchmarks/gpu/expression_ir.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/fold.h"

namespace indexical {
namespace gpu {

using llvm::Value;

namespace {

constexpr Interval kIn32Bits = {INT32_MIN, INT32_MAX};

}  // namespace

ExpressionWriter::ExpressionWriter(llvm::IRBuilder<> &builder,
                                   const IndexingMap &map,
                                   llvm::ArrayRef<Value *> dimensions,
                                   Value *runtime)
    : b_(builder),
      map_(map),
      dimensions_(dimensions),
      runtime_(runtime),
      boundsOfVariable_(
          [&map](VariableId id) { return map.variable(id).bounds; }),
      bounds_(map.expressions(), boundsOfVariable_),
      type_(builder.getInt32Ty()) {
  // Sums may wrap on their way; dividends and results may not.
  for (FormId form = 0; form < map.expressions().formCount(); ++form)
    if (!kIn32Bits.contains(bounds_(form))) type_ = builder.getInt64Ty();
}

Value *ExpressionWriter::result() {
  return b_.CreateZExtOrTrunc(form(map_.results().front()), b_.getInt64Ty());
}

Value *ExpressionWriter::domain(llvm::ArrayRef<Interval> launched) {
  Value *all = nullptr;
  auto require = [&](Value *value, const Interval &known,
                     const Interval &bounds) {
    for (Value *holds : {bounds.lower > known.lower
                             ? b_.CreateICmpSGE(value, constant(bounds.lower))
                             : nullptr,
                         bounds.upper < known.upper
                             ? b_.CreateICmpSLE(value, constant(bounds.upper))
                             : nullptr})
      if (holds) all = all ? b_.CreateAnd(all, holds) : holds;
  };
  for (auto [i, v] : llvm::enumerate(map_.dimensions()))
    require(variable({VariableKind::Dimension, static_cast<uint32_t>(i)}),
            launched[i], v.bounds);
  for (auto [i, v] : llvm::enumerate(map_.runtime()))
    require(variable({VariableKind::Runtime, static_cast<uint32_t>(i)}),
            Interval::all(), v.bounds);
  for (const Constraint &constraint : map_.constraints())
    require(form(constraint.form), bounds_(constraint.form), constraint.bounds);
  return all;
}

Value *ExpressionWriter::form(FormId form) {
  const ExpressionTable &table = map_.expressions();
  Value *sum = nullptr;
  for (const Term &term : table.terms(form)) {
    Value *part = atom(term.atom);
    if (term.coefficient != 1)
      part = b_.CreateMul(part, constant(term.coefficient));
    sum = sum ? b_.CreateAdd(sum, part) : part;
  }
  if (!sum) return constant(table.constant(form));
  if (table.constant(form) == 0) return sum;
  return b_.CreateAdd(sum, constant(table.constant(form)));
}

/// Instructions for atoms: a domain (indexing/fold.h).
struct ExpressionWriter::AtomCode {
  ExpressionWriter &to;

  Value *variable(VariableId id) const { return to.variable(id); }
  Value *digit(FormId parent, int64_t stride, int64_t modulus) const {
    Value *value = stride == 1 ? to.form(parent)
                               : to.quotient(parent, to.constant(stride));
    if (modulus == 0) return value;
    return to.remainder(value, to.canBeNegative(parent), to.constant(modulus));
  }
  Value *product(FormId a, FormId b) const {
    return to.b_.CreateMul(to.form(a), to.form(b));
  }
  Value *quotient(FormId a, FormId b) const {
    return to.quotient(a, to.form(b));
  }
  Value *remainder(FormId a, FormId b) const {
    return to.remainder(to.form(a), to.canBeNegative(a), to.form(b));
  }
  Value *positivePart(FormId parent) const {
    return to.b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, to.form(parent),
                                       to.constant(0));
  }
};

Value *ExpressionWriter::atom(AtomId id) {
  if (Value *known = atoms_.lookup(id)) return known;
  const Atom &atom = map_.expressions().atom(id);
  Value *value = valueOfAtom(atom, AtomCode{*this}, [](FormId f) { return f; });
  return atoms_[id] = value;
}

Value *ExpressionWriter::variable(VariableId id) {
  return b_.CreateSExtOrTrunc(
      id.kind == VariableKind::Runtime ? runtime_ : dimensions_[id.index],
      type_);
}

Value *ExpressionWriter::constant(int64_t value) {
  return llvm::ConstantInt::getSigned(type_, value);
}

Value *ExpressionWriter::quotient(FormId dividend, Value *divisor) {
  Value *value = form(dividend);
  if (!canBeNegative(dividend)) return b_.CreateUDiv(value, divisor);
  Value *down = b_.CreateSDiv(value, divisor);
  Value *rest = b_.CreateSub(value, b_.CreateMul(down, divisor));
  Value *isBelow = b_.CreateICmpSLT(rest, constant(0));
  return b_.CreateSub(down, b_.CreateZExt(isBelow, type_));
}

Value *ExpressionWriter::remainder(Value *value, bool isNegative,
                                   Value *modulus) {
  if (!isNegative) return b_.CreateURem(value, modulus);
  Value *rest = b_.CreateSRem(value, modulus);
  Value *isBelow = b_.CreateICmpSLT(rest, constant(0));
  return b_.CreateAdd(rest, b_.CreateSelect(isBelow, modulus, constant(0)));
}

bool ExpressionWriter::canBeNegative(FormId form) {
  return bounds_(form).lower < 0;
}

}  // namespace gpu
}  // namespace indexical
