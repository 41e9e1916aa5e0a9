// Values of a module that is written: are they the same? Private to
// same/partitioned/.
//
//   g = f32[2,4]    what each of two groups of devices has gathered
//   b = f32[2,4]    what the first group has, twice
//
//   areSameValues(module, writer, {g}, {b})    all devices have the same
#ifndef INDEXICAL_SAME_PARTITIONED_SAME_VALUES_H
#define INDEXICAL_SAME_PARTITIONED_SAME_VALUES_H

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/same/partitioned/stack_writer.h"
#include "indexical/same/values/module_values.h"

namespace indexical {

/// Returns the laws that floats are taken to have: a partitioner reorders sums,
/// and does not change how often one rounds.
ValueOptions valuesOfParts();

/// Whether two lists of values of the computation into which is written are
/// known to be the same, value by value, within the budget. False means nothing.
bool areSameValues(Module &module, StackWriter &writer,
                   llvm::ArrayRef<Stacked> first,
                   llvm::ArrayRef<Stacked> second,
                   const EqualityOptions &budget,
                   const ValueOptions &values = valuesOfParts());

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_SAME_VALUES_H
