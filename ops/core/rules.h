// Checks that many rules share. Each is given the rule's number and names.
//
//   checkSorted("C4", "offset_dims", {3, 1})
//     offset_dims must be sorted, but is {3, 1} (C4)
//
// A size that is not known agrees with every size that its bound allows. Rules
// that cannot be decided are left to the run.
#ifndef INDEXICAL_OPS_CORE_RULES_H
#define INDEXICAL_OPS_CORE_RULES_H

#include "indexical/ops/core/family.h"
#include "indexical/ops/violation.h"

namespace indexical {
namespace families {

absl::Status checkSorted(Rule rule, Name name, llvm::ArrayRef<int64_t> values);
absl::Status checkUnique(Rule rule, Name name, llvm::ArrayRef<int64_t> values);
/// Checks that each value is in [low, high). `limit` says what `high` is.
absl::Status checkRange(Rule rule, Name name, llvm::ArrayRef<int64_t> values,
                        int64_t high, Name limit, int64_t low = 0);
/// Checks that there are `count` values. `what` says what `count` is.
absl::Status checkCount(Rule rule, Name name, llvm::ArrayRef<int64_t> values,
                        int64_t count, Name what);
absl::Status checkLeast(Rule rule, Name name, llvm::ArrayRef<int64_t> values,
                        int64_t least);
absl::Status checkSameShape(Rule rule, Name leftName, const ArrayShape &left,
                            Name rightName, const ArrayShape &right);
/// Checks that the shape has these sizes. `because` says in the error why it
/// must.
absl::Status checkShape(Rule rule, Name name, const ArrayShape &shape,
                        llvm::ArrayRef<int64_t> sizes, Name because);
/// Checks that the shape is a list of `count` integers. `what` says what
/// `count` is.
absl::Status checkList(Rule rule, Name name, const ArrayShape &shape,
                       int64_t count, Name what);
/// Checks that the operands from `first` on, named by `names`, are lists with
/// one value for each dimension of operand 0, and that result 0 has its rank.
absl::Status checkLists(const OpShapes &shapes, int64_t first, Rule lists,
                        Rule rank, llvm::ArrayRef<Name> names);
absl::Status checkScalar(Rule rule, Name name, const ArrayShape &shape);

/// Checks that there are N inputs of one shape, N inits of rank 0 and N
/// results, with N at least 1. `counts`, `inputs` and `inits` are the rules'
/// numbers.
absl::Status checkInputsAndInits(const OpShapes &op, Rule counts, Rule inputs,
                                 Rule inits);

/// Returns the size of dimension k, or kDynamicSize if it is not known or only
/// bounded.
int64_t fixedSize(const ArrayShape &shape, int64_t k);
/// Returns the size of each dimension, or kDynamicSize for one that is not
/// known or only bounded: `f32[2,<=3]` has 2 and kDynamicSize.
Int64s fixedSizes(const ArrayShape &shape);

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_CORE_RULES_H
