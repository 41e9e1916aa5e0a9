#include "indexical/import/llvm/element_terms.h"

namespace indexical::compiled {

TermId ElementTerms::inElements(TermId pointer, int64_t width, TermId within) {
  kernels::Terms &terms = terms_;
  const kernels::TermNode node = terms[pointer];
  if (node.kind == TermKind::Select)
    return terms.make(
        TermKind::Select, 64,
        {node.operands[0], inElements(node.operands[1], width, within),
         inElements(node.operands[2], width, within)});
  TermId base = pointer, element = terms.constant(0, 64);
  if (node.kind == TermKind::PointerAdd) {
    base = node.operands[0];
    element = divided(node.operands[1], width);
  }
  element = terms.make(TermKind::Add, 64, {element, within});
  return terms.make(TermKind::PointerAdd, 64, {base, element});
}

TermId ElementTerms::divided(TermId id, int64_t by) {
  if (by == 1) return id;
  if (const auto exact = quotient(id, by)) return *exact;
  if (!isMultiple(id, by)) unsure_.push_back({id, by});
  kernels::Terms &terms = terms_;
  return terms.make(TermKind::FloorDivS, 64, {id, terms.constant(by, 64)});
}

std::optional<TermId> ElementTerms::quotient(TermId id, int64_t by) {
  const auto known = quotients_.find({id, by});
  if (known != quotients_.end()) return known->second;
  const auto made = computeQuotient(id, by);
  quotients_[{id, by}] = made;
  return made;
}

std::optional<TermId> ElementTerms::computeQuotient(TermId id, int64_t by) {
  kernels::Terms &terms = terms_;
  const kernels::TermNode node = terms[id];
  if (node.bits != 64) return std::nullopt;
  switch (node.kind) {
    case TermKind::Constant:
      if (node.value % by != 0) return std::nullopt;
      return terms.constant(node.value / by, 64);
    case TermKind::Add:
    case TermKind::Sub: {
      const auto a = quotient(node.operands[0], by);
      const auto b = a ? quotient(node.operands[1], by) : std::nullopt;
      if (!b) return std::nullopt;
      return terms.make(node.kind, 64, {*a, *b});
    }
    case TermKind::Mul:
      for (int k = 0; k < 2; ++k)
        if (const auto own = quotient(node.operands[k], by))
          return terms.make(TermKind::Mul, 64, {*own, node.operands[1 - k]});
      return std::nullopt;
    case TermKind::Select: {
      const auto a = quotient(node.operands[1], by);
      const auto b = a ? quotient(node.operands[2], by) : std::nullopt;
      if (!b) return std::nullopt;
      return terms.make(TermKind::Select, 64, {node.operands[0], *a, *b});
    }
    default:
      return std::nullopt;
  }
}

bool ElementTerms::isMultiple(TermId id, int64_t by) {
  const auto known = multiples_.find({id, by});
  if (known != multiples_.end()) return known->second;
  const bool made = computeMultiple(id, by);
  multiples_[{id, by}] = made;
  return made;
}

bool ElementTerms::computeMultiple(TermId id, int64_t by) {
  const kernels::TermNode node = terms_[id];
  // What wraps keeps its lowest bits.
  if (by <= 0 || (by & (by - 1)) != 0 || node.bits > 64 ||
      (node.bits < 63 && by > int64_t{1} << node.bits))
    return false;
  auto operand = [&](int k) { return isMultiple(node.operands[k], by); };
  switch (node.kind) {
    case TermKind::Constant:
      return node.value % by == 0;
    case TermKind::Add:
    case TermKind::Sub:
    case TermKind::Or:
    case TermKind::Xor:
      return operand(0) && operand(1);
    case TermKind::Mul:
    case TermKind::And:
      return operand(0) || operand(1);
    case TermKind::Shl: {
      const kernels::TermNode shift = terms_[node.operands[1]];
      return operand(0) || (shift.kind == TermKind::Constant &&
                            shift.value >= 0 && shift.value < 62 &&
                            (int64_t{1} << shift.value) % by == 0);
    }
    case TermKind::Select:
      return operand(1) && operand(2);
    case TermKind::SignExtend:
    case TermKind::ZeroExtend:
    case TermKind::Truncate:
      return operand(0);
    default:
      return false;
  }
}

}  // namespace indexical::compiled
