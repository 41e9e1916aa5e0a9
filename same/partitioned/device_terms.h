// Compares a global and a partitioned module as terms, in which the device is a
// dimension: private to same/partitioned/.
//
//   LOCAL, element (i) of device d      x[2 * d + i] + y[2 * d + i]
//   GLOBAL, element (e)                 x[e] + y[e]
//
// LOCAL becomes a module whose arrays have the devices in front (stacker.h). A
// parameter is cut by its sharding, and the whole arrays, each copy of them,
// are assembled from the devices' results. Then two modules of the same
// parameters and results are compared (values/sameness.h), which takes as long
// for large arrays as for small ones.
#ifndef INDEXICAL_SAME_PARTITIONED_DEVICE_TERMS_H
#define INDEXICAL_SAME_PARTITIONED_DEVICE_TERMS_H

#include <optional>
#include <string>
#include <vector>

#include "indexical/same/partitioned/entry_arrays.h"
#include "indexical/same/partitioned/stacker.h"
#include "indexical/same/partitioned/values_on_the_way.h"

namespace indexical {

/// The answer of terms for one array of the result.
struct TermsOfResult {
  bool isEqual = false;
  std::string reason;  ///< why it is not equal
  /// The numbers that show a difference.
  std::optional<Witness> witness;
};

struct DeviceTerms {
  std::vector<TermsOfResult> results;  ///< empty: nothing was compared
  std::string reason;                  ///< why nothing was compared
  /// The instruction of GLOBAL that is not followed, if that is why.
  std::optional<Stacker::Cause> ofWhole;
  bool isManual = false;  ///< GLOBAL has manual computations, one per device
  bool areDrawn = false;  ///< the answer holds for any drawn numbers
  std::vector<Stacker::Cause> causes;  ///< not followed in LOCAL
  std::optional<Parting> parting;      ///< if not equal
};

/// Returns the comparison of all results. The modules' entries have to fit.
DeviceTerms compareAsTerms(const Program &global, const Program &local,
                           const PartitionedOptions &options,
                           const EntryArrays &entry);

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_DEVICE_TERMS_H
