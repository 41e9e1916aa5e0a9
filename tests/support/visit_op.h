// Calls a function with the descriptor of an op's family.
//
//   visitOp([](const auto &family) { return nameOf(family); }, op)
#ifndef INDEXICAL_TESTS_SUPPORT_VISIT_OP_H
#define INDEXICAL_TESTS_SUPPORT_VISIT_OP_H

#include "llvm/Support/ErrorHandling.h"

#include "indexical/ops/families.h"
#include "indexical/ops/op.h"

namespace indexical::testing {

template <typename Function>
auto visitOp(Function &&function, OpView op)
    -> decltype(function(*op.as<NullaryOp>())) {
#define INDEXICAL_VISIT(Family) \
  if (const auto *family = op.as<Family>()) return function(*family);
  INDEXICAL_FAMILIES(INDEXICAL_VISIT)
#undef INDEXICAL_VISIT
  llvm_unreachable("a family is not in ops/families.h");
}

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_VISIT_OP_H
