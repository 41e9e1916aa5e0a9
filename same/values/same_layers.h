// Deep modules, compared from one array to the next.
//
//   first   h = dot(x, w)        second  g = dot(x, w)
//           y = add(h, x)                z = add(x, g)
//           k = dot(y, w)                l = dot(z, w)
//           r = add(k, y)                s = add(l, z)
//
//   h is g, as they are written. Both become one new array n, of which nothing
//   is known. Then add(n, x) and add(x, n) are equal, and become one new array,
//   too; from there on the modules are the same as they are written.
//
// Elements of a deep module are functions of many elements of each array below
// them, and the terms multiply. Behind a new array they begin anew.
//
// Values that are the same as they are written (same/terms/program_terms.h)
// cost nothing. In each round the last of these on each way become new arrays;
// then one pair of values that are not the same as written is found equal by
// module_values.h, and becomes a new array. The rounds end where no such pair
// is found, and the results are compared.
//
// Law (tests/same/values/same_layers_test.cc): modules that are equal are so in
// every run.
#ifndef INDEXICAL_SAME_VALUES_SAME_LAYERS_H
#define INDEXICAL_SAME_VALUES_SAME_LAYERS_H

#include <optional>

#include "indexical/same/values/module_values.h"

namespace indexical {

/// The answer about two modules from one array to the next.
struct LayersEquality {
  /// The answer about the results as functions of the new arrays. If it is
  /// equal, the modules are. A witness, or that they differ, says nothing:
  /// numbers of new arrays need not be those of any run.
  ValueEquality equality;
  /// If they are not equal: the first value of each module's entry that is not
  /// known to be one of the other's, although all its operands are.
  std::optional<InstructionId> partings[2];
};

/// Compares modules in which nothing is new in each execution; nothing for
/// others, and for those that have too little in common.
std::optional<LayersEquality> compareByLayers(const Module &first,
                                              const Module &second,
                                              const ValueOptions &values,
                                              const EqualityOptions &options);

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_SAME_LAYERS_H
