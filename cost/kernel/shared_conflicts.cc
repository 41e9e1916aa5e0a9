#include "indexical/cost/kernel/shared_conflicts.h"

namespace indexical::kernels {

std::optional<layouts::AccessFigures> sharedFigures(
    const SharedAccess &access) {
  if (!access.layout || !access.memory) return std::nullopt;
  const auto places = layouts::placesOf(*access.layout, *access.memory);
  if (!places.ok()) return std::nullopt;
  const auto figures =
      layouts::accessOf(*places, access.elementBits, layouts::Memory::Shared);
  if (!figures.ok()) return std::nullopt;
  return *figures;
}

}  // namespace indexical::kernels
