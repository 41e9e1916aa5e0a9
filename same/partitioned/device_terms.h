// Compares a global and a partitioned module as terms, in which the device is a
// dimension: private to same/partitioned/.
//
//   LOCAL, element (i) of device d      x[2 * d + i] + y[2 * d + i]
//   GLOBAL, element (e)                 x[e] + y[e]
//
// LOCAL becomes a module whose arrays have the devices in front (stacker.h). A
// parameter is cut as its sharding says, and from the results of the devices
// the whole arrays are put together, each copy of them. What is compared then
// are two modules of the same parameters and results (values/sameness.h), so
// that sizes do not count.
#ifndef INDEXICAL_SAME_PARTITIONED_DEVICE_TERMS_H
#define INDEXICAL_SAME_PARTITIONED_DEVICE_TERMS_H

#include <optional>
#include <string>
#include <vector>

#include "indexical/same/partitioned/entry_arrays.h"
#include "indexical/same/partitioned/stacker.h"
#include "indexical/same/partitioned/values_on_the_way.h"

namespace indexical {

/// What terms say of one array of the result.
struct TermsOfResult {
  bool isEqual = false;
  std::string reason;  ///< why it is not
  /// Numbers that show a difference.
  std::optional<Witness> witness;
};

struct DeviceTerms {
  std::vector<TermsOfResult> results;  ///< empty: nothing was compared
  std::string reason;                  ///< why nothing was
  /// The instruction of GLOBAL that is not followed, if that is why.
  std::optional<Stacker::Cause> ofWhole;
  bool isManual = false;  ///< GLOBAL has parts that say what each device does
  bool areDrawn = false;  ///< what is said holds for any numbers that are drawn
  std::vector<Stacker::Cause> causes;  ///< what is not followed of LOCAL
  std::optional<Parting> parting;      ///< of what is not equal
};

/// Compares all results. Says nothing of modules whose entries do not fit.
DeviceTerms compareAsTerms(const Program &global, const Program &local,
                           const PartitionedOptions &options,
                           const EntryArrays &entry);

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_DEVICE_TERMS_H
