// Are values of a module under construction the same? Private to
// same/partitioned/.
//
//   g = f32[2,4]    the gathered array of each of two groups of devices
//   b = f32[2,4]    the first group's array, twice
//
//   areSameValues(module, writer, {g}, {b})    all devices have the same
#ifndef INDEXICAL_SAME_PARTITIONED_SAME_VALUES_H
#define INDEXICAL_SAME_PARTITIONED_SAME_VALUES_H

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/same/partitioned/stack_writer.h"
#include "indexical/same/values/module_values.h"

namespace indexical {

/// Returns the laws of floats for partitioned modules: a partitioner reorders
/// sums, and does not change the number of roundings.
ValueOptions valuesOfParts();

/// Returns whether two lists of values of the writer's current computation are
/// the same, value by value. Conservative: false when unknown, also after too
/// many steps.
bool areSameValues(Module &module, StackWriter &writer,
                   llvm::ArrayRef<Stacked> first,
                   llvm::ArrayRef<Stacked> second, int64_t operations,
                   const ValueOptions &values = valuesOfParts());

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_SAME_VALUES_H
