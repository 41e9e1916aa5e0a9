// Collectives, run on all members of a group at once.
//
// Element i of operand leaf k of member m has been read from itself alone:
// `{(m * operands + k, i)}`. The results of each member are found by moving
// whole tensors between the members, as the definitions say.
#ifndef INDEXICAL_TESTS_ORACLE_COLLECTIVES_H
#define INDEXICAL_TESTS_ORACLE_COLLECTIVES_H

#include <vector>

#include "indexical/ops/op.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/tensor.h"

namespace indexical::testing {

/// Returns one list of result leaves for each member. `values[m]` are the
/// values of member m's operands. Member m is device m of a collective-permute.
/// Requires a valid collective of `members` members, with static sizes.
std::vector<std::vector<Tensor>> evaluateMembers(
    const Op &op, int64_t members, llvm::ArrayRef<OperandValues> values);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_ORACLE_COLLECTIVES_H
