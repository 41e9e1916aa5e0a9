// What the commands on maps files share: reading them, and saying which map a
// message is about.
#ifndef INDEXICAL_TOOLS_MAPS_FILE_H
#define INDEXICAL_TOOLS_MAPS_FILE_H

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/tools/input.h"
#include "indexical/tools/options.h"

namespace indexical {

using Maps = std::vector<IndexingMap>;

/// The maps of a file, one or more.
absl::StatusOr<Maps> readMaps(const Input &input);

/// The status with the place of map `number` of the text, and its number where
/// there are several.
absl::Status aboutMap(const absl::Status &status, llvm::StringRef text,
                      size_t number, size_t count);

/// Reads maps, works on them, writes what comes out; the exit status.
using MapsWork =
    llvm::function_ref<absl::StatusOr<Maps>(const Maps &, llvm::StringRef)>;
int runOnMaps(const StreamOptions &options, const Input &input,
              llvm::raw_ostream &out, llvm::raw_ostream &err, MapsWork work);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_MAPS_FILE_H
