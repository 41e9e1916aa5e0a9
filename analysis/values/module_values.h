// Do two modules compute the same?
//
//   before  ROOT r = s32[4] multiply(x, 2)
//   after   ROOT r = s32[4] add(x, x)          equal, for integers are a ring
//
//   before  ROOT r = f32[4] subtract(x, y)
//   after   ROOT r = f32[4] subtract(y, x)     undecided
//     first: subtract(x[i], y[i]), second: subtract(y[i], x[i])
//
// Each leaf of the result is one element as a function of the parameters
// (element_terms.h), in a normal form. Equal forms are equal functions: for all
// values of the parameters, all results are the same. Unequal forms mean
// nothing, so nothing is called different here: that reads can show
// (equality/module_equality.h).
//
// The laws are those of element_table.h.
//
// Law (tests/analysis/module_values_test.cc): of random modules that are
// rewritten by laws and by false laws, no two are equal if an execution shows a
// difference.
#ifndef INDEXICAL_ANALYSIS_VALUES_MODULE_VALUES_H
#define INDEXICAL_ANALYSIS_VALUES_MODULE_VALUES_H

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/analysis/equality/module_equality.h"
#include "indexical/analysis/values/element_table.h"
#include "indexical/module/program.h"

namespace indexical {

/// The answer for one leaf of the result.
struct LeafValue {
  LeafId result;
  bool isEqual = false;
  /// If it is not equal: the first elements that differ, as terms of the
  /// parameters of the first module with indices i, j, k…; or the reason why
  /// they are not known.
  std::string terms[2];
  std::string reason;
};

struct ValueEquality {
  bool isEqual = false;  ///< all are; else it is undecided
  std::vector<LeafValue> leaves;
};

struct ValueOptions {
  FloatLaws floats = FloatLaws::None;
};

/// Compares the entry computations of modules that can be compared by reads.
/// Returns an error if their results differ in number, types or sizes, or if
/// the budget's stop is reached.
absl::StatusOr<ValueEquality> compareValues(const Module &first,
                                            const Module &second,
                                            const ValueOptions &values,
                                            const EqualityOptions &options);

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_VALUES_MODULE_VALUES_H
