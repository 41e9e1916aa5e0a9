#include "tests/support/wide.h"

namespace indexical::testing {
namespace {

using Op = Tree::Op;

constexpr unsigned kBits = 512;
/// A product of two such numbers still fits.
constexpr unsigned kMostBits = 254;

std::optional<Wide> small(Wide value) {
  if (value.getSignificantBits() > kMostBits) return std::nullopt;
  return value;
}

std::optional<Wide> floorOf(const Wide &a, const Wide &b) {
  if (b.isZero()) return std::nullopt;
  Wide quotient(kBits, 0), rest(kBits, 0);
  Wide::sdivrem(a, b, quotient, rest);
  if (!rest.isZero() && rest.isNegative() != b.isNegative()) --quotient;
  return quotient;
}

std::optional<Wide> modOf(const Wide &a, const Wide &b) {
  if (!b.isStrictlyPositive()) return std::nullopt;
  return a - b * *floorOf(a, b);
}

}  // namespace

Wide wide(int64_t value) {
  return Wide(kBits, static_cast<uint64_t>(value), /*isSigned=*/true);
}

std::optional<int64_t> in64Bits(const Wide &value) {
  return value.trySExtValue();
}

std::optional<Wide> wideValueOf(const Tree &tree, VariableValues values) {
  if (tree.op == Op::Constant) return wide(tree.constant);
  if (tree.op == Op::Variable) return wide(values(tree.variable));
  const auto a = wideValueOf(tree.parts[0], values);
  if (!a) return std::nullopt;
  if (tree.op == Op::Negate) return -*a;
  const auto b = wideValueOf(tree.parts[1], values);
  if (!b) return std::nullopt;
  switch (tree.op) {
    case Op::Min:
      return a->slt(*b) ? *a : *b;
    case Op::Max:
      return a->slt(*b) ? *b : *a;
    case Op::Add:
      return small(*a + *b);
    case Op::Subtract:
      return small(*a - *b);
    case Op::Multiply:
      return small(*a * *b);
    case Op::FloorDiv:
      return floorOf(*a, *b);
    case Op::CeilDiv: {
      const auto floor = floorOf(-*a, *b);
      if (!floor) return std::nullopt;
      return -*floor;
    }
    default:
      return modOf(*a, *b);
  }
}

std::optional<Wide> wideValueOf(const ExpressionTable &table, FormId form,
                                VariableValues values) {
  Wide sum = wide(table.constant(form));
  for (const Term &term : table.terms(form)) {
    const Atom &atom = table.atom(term.atom);
    std::optional<Wide> value;
    if (atom.kind == AtomKind::Variable) {
      value = wide(values(atom.variable()));
    } else {
      const auto a = wideValueOf(table, atom.a, values);
      if (!a) return std::nullopt;
      if (atom.kind == AtomKind::PositivePart) {
        value = a->isNegative() ? wide(0) : *a;
      } else if (atom.kind == AtomKind::Digit) {
        value = floorOf(*a, wide(atom.stride));
        if (value && atom.modulus) value = modOf(*value, wide(atom.modulus));
      } else {
        const auto b = wideValueOf(table, atom.b, values);
        if (!b) return std::nullopt;
        value = atom.kind == AtomKind::Product    ? small(*a * *b)
                : atom.kind == AtomKind::Quotient ? floorOf(*a, *b)
                                                  : modOf(*a, *b);
      }
    }
    if (!value) return std::nullopt;
    const auto next = small(sum + *value * wide(term.coefficient));
    if (!next) return std::nullopt;
    sum = *next;
  }
  return sum;
}

}  // namespace indexical::testing
