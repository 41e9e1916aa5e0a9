// What the commands on maps files share: reading them, and saying which map a
// message is about.
#ifndef INDEXICAL_TOOLS_MAPS_FILE_H
#define INDEXICAL_TOOLS_MAPS_FILE_H

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/budget.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/simplifier/simplify.h"
#include "indexical/tools/command.h"
#include "indexical/tools/input.h"

namespace indexical {

using Maps = std::vector<IndexingMap>;

/// The maps of a file, one or more.
absl::StatusOr<Maps> readMaps(const Input &input);

/// The status with the place of map `number` of the text, and its number where
/// there are several.
absl::Status aboutMap(const absl::Status &status, llvm::StringRef text,
                      size_t number, size_t count);

/// The map simplified, also by what its form does not show.
absl::StatusOr<IndexingMap> simplifyProving(
    const IndexingMap &map, const Budget &budget,
    std::vector<Rewrite> *rewrites = nullptr);

/// Reads the call's maps, works on them, writes the maps that come out: the
/// exit status. Work that is stopped gives the maps that are complete.
using MapsWork = llvm::function_ref<absl::StatusOr<Maps>(
    const Maps &, llvm::StringRef text, const Budget &)>;
absl::StatusOr<int> runOnMaps(Call &call, MapsWork work);

/// What such a command offers.
std::vector<Offer> mapsOffers();

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_MAPS_FILE_H
