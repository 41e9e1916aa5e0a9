#include "llvm/ADT/STLExtras.h"

#include "indexical/command/command.h"
#include "indexical/command/maps_file.h"
#include "indexical/exact/exact.h"

namespace indexical {
namespace {

absl::StatusOr<Maps> invertAll(const Maps &maps, llvm::StringRef text,
                               const Budget &budget) {
  Maps inverses;
  for (auto [i, map] : llvm::enumerate(maps)) {
    if (!budget.check().ok()) break;
    auto turned = inverse(IndexingRelation(map));
    if (!turned.ok()) return aboutMap(turned.status(), text, i, maps.size());
    if (turned->isEmpty()) inverses.push_back(IndexingMap::knownEmpty());
    inverses.insert(inverses.end(), turned->pieces().begin(),
                    turned->pieces().end());
  }
  return inverses;
}

}  // namespace

Command makeInverse() {
  Command inverse;
  inverse.name = "inverse";
  inverse.sentence = "the inverse of each map of a maps file";
  inverse.example =
      "echo '(d0) -> (d0 mod 8), domain: d0 in [0, 31]' | indexical inverse";
  inverse.offers = mapsOffers();
  inverse.run = [](Call &call) { return runOnMaps(call, invertAll); };
  return inverse;
}

}  // namespace indexical
