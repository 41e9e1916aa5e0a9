#include "indexical/answers/inputs/maps_input.h"

#include "indexical/answers/inputs/meant.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/layout/listing.h"

namespace indexical {

using llvm::StringRef;

absl::StatusOr<Maps> readMaps(const Input &input) {
  INDEXICAL_RETURN_IF_ERROR(checkIsReadable(input, /*isMlir=*/false));
  absl::StatusOr<Maps> maps = layouts::mapsOrLayouts(input.text);
  if (!maps.ok()) return aboutNoMaps(input, maps.status());
  if (maps.ok() && maps->empty())
    return errorAt({1, 1}, "there is no map in the input");
  return maps;
}

bool looksLikeMaps(StringRef text) {
  while (true) {
    text = text.ltrim();
    const bool isComment = text.starts_with("//") || text.starts_with("# ");
    if (!isComment) break;
    text = text.split('\n').second;
  }
  return text.starts_with("(") || text.starts_with("#xla.indexing_map") ||
         text.starts_with("KNOWN") || layouts::beginsLayout(text);
}

}  // namespace indexical
