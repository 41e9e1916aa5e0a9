#include <algorithm>
#include <string>
#include <utility>

#include "indexical/tools/command.h"
#include "indexical/tools/maps_file.h"

namespace indexical {
namespace {

using llvm::StringRef;

// Kept once where they are equal, terms are written each time: 32 maps of two
// can make four thousand million.
constexpr int64_t kMostTerms = 5'000'000;

/// The written terms of the expression that has the most.
int64_t termsOf(const IndexingMap &map) {
  int64_t most = 0;
  for (FormId form : map.results())
    most = std::max(most, map.expressions().writtenSize(form));
  for (const Constraint &constraint : map.constraints())
    most = std::max(most, map.expressions().writtenSize(constraint.form));
  return most;
}

absl::StatusOr<Maps> composeAll(const Maps &maps, StringRef text,
                                const Budget &budget) {
  IndexingMap composed = maps.front();
  for (size_t i = 1; i < maps.size(); ++i) {
    if (!budget.check().ok()) return Maps();
    absl::StatusOr<IndexingMap> result = compose(composed, maps[i]);
    if (!result.ok()) return aboutMap(result.status(), text, i, maps.size());
    composed = *std::move(result);
    if (termsOf(composed) > kMostTerms)
      return aboutMap(absl::InvalidArgumentError(
                          "the product up to here has an expression of more "
                          "than " +
                          std::to_string(kMostTerms) + " terms"),
                      text, i, maps.size());
  }
  auto simple = simplifyProving(composed, budget);
  if (!budget.check().ok()) return Maps();
  if (!simple.ok())
    return maps.size() == 1 ? aboutMap(simple.status(), text, 0, 1)
                            : simple.status();
  return Maps{*std::move(simple)};
}

}  // namespace

Command makeCompose() {
  Command compose;
  compose.name = "compose";
  compose.sentence =
      "the maps of a maps file composed left to right: the first map's results "
      "feed the second's dimensions";
  compose.example =
      "printf '%s\\n' \\\n"
      "  '(d0, d1) -> (d1, d0), domain: d0 in [0, 7], d1 in [0, 3]' \\\n"
      "  '(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]' |\n"
      "  indexical compose";
  compose.offers = mapsOffers();
  compose.run = [](Call &call) { return runOnMaps(call, composeAll); };
  return compose;
}

}  // namespace indexical
