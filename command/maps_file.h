// Common work of the commands on maps files: reading maps, and messages about
// one of them.
#ifndef INDEXICAL_COMMAND_MAPS_FILE_H
#define INDEXICAL_COMMAND_MAPS_FILE_H

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/inputs/input.h"
#include "indexical/answers/inputs/maps_input.h"
#include "indexical/command/command.h"
#include "indexical/indexing/budget.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {

/// Returns the maps of a file, one or more, with nothing for each that is
/// `UNDEFINED`.
absl::StatusOr<std::vector<std::optional<IndexingMap>>> readMapsOrUndefined(
    const Input &input);

/// Returns the status with the place of map `number` in the text, and with its
/// number if there are several maps.
absl::Status aboutMap(const absl::Status &status, llvm::StringRef text,
                      size_t number, size_t count);

/// Simplifies the map with an exact prover, also by facts that its form does
/// not show.
absl::StatusOr<IndexingMap> simplifyProving(
    const IndexingMap &map, const Budget &budget,
    std::vector<Rewrite> *rewrites = nullptr);

/// Reads the call's maps, works on them, and writes the resulting maps. Returns
/// the exit status. If the work is stopped, writes the maps that are complete.
using MapsWork = llvm::function_ref<absl::StatusOr<Maps>(
    const Maps &, llvm::StringRef text, const Budget &)>;
absl::StatusOr<int> runOnMaps(Call &call, MapsWork work);

/// Overload for work that makes a map of each: one that is `UNDEFINED` stays.
absl::StatusOr<int> runOnEachMap(Call &call, MapsWork work);

/// Returns the formats that such a command offers.
std::vector<Offer> mapsOffers();

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_MAPS_FILE_H
