// Checks that many rules are made of, each told its number and its names.
//
//   checkSorted("C4", "offset_dims", {3, 1})
//     offset_dims must be sorted, but is {3, 1} (C4)
//
// A size that is not known agrees with every size that its bound allows: what
// cannot be decided is left to the run.
#ifndef INDEXICAL_OPS_CORE_RULES_H
#define INDEXICAL_OPS_CORE_RULES_H

#include "indexical/ops/core/family.h"
#include "indexical/ops/violation.h"

namespace indexical {
namespace families {

absl::Status checkSorted(Rule rule, Name name, llvm::ArrayRef<int64_t> values);
absl::Status checkUnique(Rule rule, Name name, llvm::ArrayRef<int64_t> values);
/// Each is in [low, high), where `limit` says what `high` is.
absl::Status checkRange(Rule rule, Name name, llvm::ArrayRef<int64_t> values,
                        int64_t high, Name limit, int64_t low = 0);
/// There are `count` of them, which `what` says.
absl::Status checkCount(Rule rule, Name name, llvm::ArrayRef<int64_t> values,
                        int64_t count, Name what);
absl::Status checkLeast(Rule rule, Name name, llvm::ArrayRef<int64_t> values,
                        int64_t least);
absl::Status checkSameShape(Rule rule, Name leftName, const ArrayShape &left,
                            Name rightName, const ArrayShape &right);
/// The sizes are those, for which `because` is the reason.
absl::Status checkShape(Rule rule, Name name, const ArrayShape &shape,
                        llvm::ArrayRef<int64_t> sizes, Name because);
/// A tensor of integers holds `count` of them, which `what` says.
absl::Status checkList(Rule rule, Name name, const ArrayShape &shape,
                       int64_t count, Name what);
/// Operands from `first` on, `names` one by one, are lists of one value a
/// dimension of operand 0, whose rank result 0 has.
absl::Status checkLists(const OpShapes &shapes, int64_t first, Rule lists,
                        Rule rank, llvm::ArrayRef<Name> names);
absl::Status checkScalar(Rule rule, Name name, const ArrayShape &shape);

/// N inputs of one shape, N inits of rank 0 and N results, with N at least 1.
/// The rules of the counts, of the inputs and of the inits have these numbers.
absl::Status checkInputsAndInits(const OpShapes &op, Rule counts, Rule inputs,
                                 Rule inits);

/// The size of dimension k; kDynamicSize where it is not known.
int64_t fixedSize(const ArrayShape &shape, int64_t k);
/// All of them.
Int64s fixedSizes(const ArrayShape &shape);

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_CORE_RULES_H
