#include "indexical/simplifier/form_order.h"

#include <tuple>

#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace {

uint64_t magnitude(int64_t number) {
  return number < 0 ? -static_cast<uint64_t>(number)
                    : static_cast<uint64_t>(number);
}

}  // namespace

bool FormOrder::operator<(const FormOrder &o) const {
  return std::tie(length, numbers, constant) <
         std::tie(o.length, o.numbers, o.constant);
}

FormOrder &FormOrder::operator+=(const FormOrder &o) {
  length += o.length;
  numbers += o.numbers;
  constant += o.constant;
  return *this;
}

FormOrder formOrder(const ExpressionTable &table, Measures &measures,
                    FormId form) {
  FormOrder order;
  order.length = measures.weight(form);
  order.constant = magnitude(table.constant(form));
  for (const Term &term : table.terms(form)) {
    order.numbers += magnitude(term.coefficient);
    const Atom &atom = table.atom(term.atom);
    if (atom.kind != AtomKind::Digit) continue;
    const int64_t turns = atom.modulus ? atom.modulus : 1;
    order.numbers += checkedMul(atom.stride, turns).value_or(INT64_MAX);
    order.numbers += atom.modulus;
  }
  return order;
}

}  // namespace indexical
