#include "indexical/import/triton/integer_ops.h"

#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include "indexical/import/triton/dialect.h"
#include "indexical/import/triton/value_types.h"
#include "indexical/indexing/map_text.h"

namespace indexical::triton {

using kernels::TermKind;
using llvm::StringRef;
using mlir::Operation;
using mlir::Value;

namespace {

/// The ops that are one operation on terms.
const llvm::StringMap<TermKind> &arithmetic() {
  static const auto *const table =
      new llvm::StringMap<TermKind>{{"arith.addi", TermKind::Add},
                                    {"arith.subi", TermKind::Sub},
                                    {"arith.muli", TermKind::Mul},
                                    {"arith.divsi", TermKind::DivS},
                                    {"arith.divui", TermKind::DivU},
                                    {"arith.floordivsi", TermKind::FloorDivS},
                                    {"arith.ceildivsi", TermKind::CeilDivS},
                                    {"arith.remsi", TermKind::RemS},
                                    {"arith.remui", TermKind::RemU},
                                    {"arith.minsi", TermKind::MinS},
                                    {"arith.maxsi", TermKind::MaxS},
                                    {"arith.minui", TermKind::MinU},
                                    {"arith.maxui", TermKind::MaxU},
                                    {"arith.andi", TermKind::And},
                                    {"arith.ori", TermKind::Or},
                                    {"arith.xori", TermKind::Xor},
                                    {"arith.shli", TermKind::Shl},
                                    {"arith.shrsi", TermKind::ShrS},
                                    {"arith.shrui", TermKind::ShrU},
                                    {"arith.extsi", TermKind::SignExtend},
                                    {"arith.extui", TermKind::ZeroExtend},
                                    {"arith.trunci", TermKind::Truncate}};
  return *table;
}

/// Returns the operation on 0 and 1 that is this one on bits, of which the
/// signed value of 1 is -1. Returns nothing if no term is it.
std::optional<TermKind> ofBits(TermKind kind) {
  switch (kind) {
    case TermKind::MinS:
    case TermKind::MaxU:
      return TermKind::Or;
    case TermKind::MaxS:
    case TermKind::MinU:
      return TermKind::And;
    case TermKind::DivS:
    case TermKind::DivU:
    case TermKind::FloorDivS:
    case TermKind::CeilDivS:
    case TermKind::RemS:
    case TermKind::RemU:
    case TermKind::Shl:
    case TermKind::ShrS:
    case TermKind::ShrU:
      return std::nullopt;
    default:
      return kind;
  }
}

}  // namespace

void IntegerOps::traceArith(Operation &op) {
  const StringRef name = op.getName().getStringRef();
  if (const auto known = arithmetic().find(name); known != arithmetic().end())
    return traceArithmetic(op, known->second);
  if (auto constant = llvm::dyn_cast<mlir::arith::ConstantOp>(op))
    return traceConstant(constant);
  if (auto compare = llvm::dyn_cast<mlir::arith::CmpIOp>(op))
    return traceCompare(compare);
  if (name == "arith.index_cast") return traceCast(op, TermKind::SignExtend);
  if (name == "arith.index_castui") return traceCast(op, TermKind::ZeroExtend);
  if (name == "arith.select") return traceSelect(op);
  setUnknown(&op);
}

void IntegerOps::traceArithmetic(Operation &op, TermKind kind) {
  TermList operands;
  for (Value operand : op.getOperands()) {
    const auto id = term(operand);
    if (!id) return setUnknown(&op);
    operands.push_back(*id);
  }
  const mlir::Type type = op.getResult(0).getType();
  if (!isTerm(type)) return setUnknown(&op);
  if (operands.size() == 2 && termBits(type) == 1) {
    const auto bitwise = ofBits(kind);
    if (!bitwise) return setUnknown(&op);
    kind = *bitwise;
  }
  values_[op.getResult(0)] = terms().make(kind, termBits(type), operands);
}

void IntegerOps::traceConstant(mlir::arith::ConstantOp op) {
  mlir::Attribute value = op.getValue();
  if (auto dense = llvm::dyn_cast<mlir::DenseElementsAttr>(value)) {
    if (!dense.isSplat()) return setUnknown(op);
    value = dense.getSplatValue<mlir::Attribute>();
  }
  const auto integer = llvm::dyn_cast<mlir::IntegerAttr>(value);
  if (!integer || !isTerm(op.getType())) return setUnknown(op);
  values_[op.getResult()] =
      number(integer.getValue().getSExtValue(), termBits(op.getType()));
}

void IntegerOps::traceCompare(mlir::arith::CmpIOp op) {
  using P = mlir::arith::CmpIPredicate;
  const auto a = term(op.getLhs()), b = term(op.getRhs());
  if (!a || !b) return setUnknown(op);
  switch (op.getPredicate()) {
    case P::eq:
      return setLess(*op, TermKind::Equal, *a, *b);
    case P::ne:
      return setLess(*op, TermKind::NotEqual, *a, *b);
    case P::slt:
      return setLess(*op, TermKind::LessS, *a, *b);
    case P::sle:
      return setLess(*op, TermKind::LessEqualS, *a, *b);
    case P::sgt:
      return setLess(*op, TermKind::LessS, *b, *a);
    case P::sge:
      return setLess(*op, TermKind::LessEqualS, *b, *a);
    case P::ult:
      return setLess(*op, TermKind::LessU, *a, *b);
    case P::ule:
      return setLess(*op, TermKind::LessEqualU, *a, *b);
    case P::ugt:
      return setLess(*op, TermKind::LessU, *b, *a);
    case P::uge:
      return setLess(*op, TermKind::LessEqualU, *b, *a);
  }
}

void IntegerOps::setLess(Operation &op, TermKind kind, TermId a, TermId b) {
  const bool isSigned = kind == TermKind::LessS || kind == TermKind::LessEqualS;
  // Of one bit, the signed value of 1 is -1, below 0.
  if (isSigned && terms()[a].bits == 1) {
    kind = kind == TermKind::LessS ? TermKind::LessU : TermKind::LessEqualU;
    std::swap(a, b);
  }
  values_[op.getResult(0)] = terms().make(kind, 1, {a, b});
}

void IntegerOps::traceCast(Operation &op, TermKind extension) {
  const auto id = term(op.getOperand(0));
  if (!id || !isTerm(op.getResult(0).getType())) return setUnknown(&op);
  const int32_t bits = termBits(op.getResult(0).getType());
  const bool isWider = bits >= terms()[*id].bits;
  values_[op.getResult(0)] =
      terms().make(isWider ? extension : TermKind::Truncate, bits, {*id});
}

void IntegerOps::traceSelect(Operation &op) {
  Meaning result;
  if (const auto condition = term(op.getOperand(0)))
    result = chosen(*condition, of(op.getOperand(1)), of(op.getOperand(2)));
  if (isUnknown(result)) return setUnknown(&op);
  values_[op.getResult(0)] = result;
}

Meaning IntegerOps::chosen(TermId condition, const Meaning &yes,
                           const Meaning &no) {
  auto pick = [&](TermId a, TermId b) {
    return terms().make(TermKind::Select, terms()[a].bits, {condition, a, b});
  };
  if (auto *a = std::get_if<TermId>(&yes))
    if (auto *b = std::get_if<TermId>(&no)) return pick(*a, *b);
  const auto *a = std::get_if<BlockPointer>(&yes);
  const auto *b = std::get_if<BlockPointer>(&no);
  if (!a || !b || a->offsets.size() != b->offsets.size() ||
      a->checksAll != b->checksAll)
    return {};
  BlockPointer both = *a;
  both.base = pick(a->base, b->base);
  for (size_t k = 0; k < both.offsets.size(); ++k) {
    both.sizes[k] = pick(a->sizes[k], b->sizes[k]);
    both.strides[k] = pick(a->strides[k], b->strides[k]);
    both.offsets[k] = pick(a->offsets[k], b->offsets[k]);
  }
  return both;
}

void IntegerOps::traceIndexing(Operation &op) {
  const auto attribute = op.getAttrOfType<NamedAttr>("map");
  const auto map = attribute ? parseMap(attribute.body())
                             : absl::InvalidArgumentError("no map");
  TermList operands;
  for (Value operand : op.getOperands())
    if (const auto id = term(operand)) operands.push_back(*id);
  if (!map.ok() || operands.size() != op.getNumOperands() ||
      operands.size() != map->dimensions().size() + map->ranges().size() ||
      map->results().size() != op.getNumResults()) {
    note(&op, "an indexing map is not understood");
    return setUnknown(&op);
  }
  if (!trace_.mapPrograms && operands.size() == 1 &&
      map->dimensions().size() == 1 && isProgramAlone(operands[0]) &&
      map->dimensions()[0].bounds.isFinite())
    trace_.mapPrograms = map->dimensions()[0].bounds.upper + 1;
  for (auto [k, form] : llvm::enumerate(map->results())) {
    const auto id = ofForm(*map, form, operands);
    if (!id) {
      note(&op, "an indexing map is not understood");
      return setUnknown(&op);
    }
    values_[op.getResult(k)] = *id;
  }
}

/// Returns whether the term is the program's number along x, cast or not.
bool IntegerOps::isProgramAlone(TermId id) {
  while (!terms()[id].operands.empty()) {
    if (terms()[id].operands.size() != 1) return false;
    id = terms()[id].operands[0];
  }
  return terms()[id].kind == TermKind::Program && terms()[id].value == 0;
}

std::optional<TermId> IntegerOps::ofForm(const IndexingMap &map, FormId form,
                                         const TermList &operands) {
  const ExpressionTable &table = map.expressions();
  TermId sum = number(table.constant(form));
  for (const Term &part : table.terms(form)) {
    const auto value = ofAtom(map, table.atom(part.atom), operands);
    if (!value) return std::nullopt;
    sum = terms().make(
        TermKind::Add, 64,
        {terms().make(TermKind::Mul, 64, {*value, number(part.coefficient)}),
         sum});
  }
  return sum;
}

/// Returns nothing for a runtime variable, a product and a division by an
/// expression.
std::optional<TermId> IntegerOps::ofAtom(const IndexingMap &map,
                                         const Atom &atom,
                                         const TermList &operands) {
  if (atom.kind == AtomKind::Variable) {
    const VariableId id = atom.variable();
    if (id.kind == VariableKind::Runtime) return std::nullopt;
    return operands[id.kind == VariableKind::Dimension
                        ? id.index
                        : map.dimensions().size() + id.index];
  }
  if (atom.kind != AtomKind::Digit) return std::nullopt;
  auto value = ofForm(map, atom.a, operands);
  if (value && atom.stride != 1)
    value =
        terms().make(TermKind::FloorDivS, 64, {*value, number(atom.stride)});
  // In [0, modulus - 1]: value - floor(value / modulus) * modulus.
  if (value && atom.modulus != 0) {
    const TermId modulus = number(atom.modulus);
    const TermId whole =
        terms().make(TermKind::FloorDivS, 64, {*value, modulus});
    value = terms().make(
        TermKind::Sub, 64,
        {*value, terms().make(TermKind::Mul, 64, {whole, modulus})});
  }
  return value;
}

}  // namespace indexical::triton
