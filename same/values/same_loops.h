// Modules with loops of any number of trips, compared by induction.
//
//   while (i = 0, a = x) { i < n } { i + 1, a + a * m }
//   k = 1 + m;  while (i = 0, a = x) { i < n } { i + 1, a * k }
//     one trip, of any i and a:  (i + 1, a + a * m) and (i + 1, a * k): equal
//     with the loops as one op:  op(0, x) and op(0, x): equal
//
// single_trips.h has the modules that are compared. Of two loops that are equal
// so, the varied leaves of the state stand in one order. A trip that has loops
// is compared in the same way.
//
// Law (tests/same/values/same_loops_test.cc): modules that are equal are so in
// every run.
#ifndef INDEXICAL_SAME_VALUES_SAME_LOOPS_H
#define INDEXICAL_SAME_VALUES_SAME_LOOPS_H

#include <optional>

#include "indexical/same/values/module_values.h"

namespace indexical {

/// Returns the answer for both modules with equal loops as ops, if the values
/// are equal then; nothing else is known of them if they are not.
std::optional<ValueEquality> equalByLoops(const Module &first,
                                          const Module &second,
                                          const ValueOptions &values,
                                          const EqualityOptions &options);

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_SAME_LOOPS_H
