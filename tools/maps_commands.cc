#include "tools/maps_commands.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "exact/prover.h"
#include "simplifier/simplify.h"
#include "tools/maps_file.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// Also by what forms do not show.
absl::StatusOr<IndexingMap> simplifyProving(const IndexingMap &map) {
  ExactProver prover;
  SimplifyOptions options;
  options.prover = &prover;
  return simplify(map, options);
}

absl::StatusOr<Maps> simplifyAll(const Maps &maps, StringRef text) {
  Maps simplified;
  for (auto [i, map] : llvm::enumerate(maps)) {
    absl::StatusOr<IndexingMap> result = simplifyProving(map);
    if (!result.ok()) return aboutMap(result.status(), text, i, maps.size());
    simplified.push_back(*std::move(result));
  }
  return simplified;
}

absl::StatusOr<Maps> composeAll(const Maps &maps, StringRef text) {
  if (maps.size() == 1) return simplifyAll(maps, text);
  IndexingMap composed = maps.front();
  for (size_t i = 1; i < maps.size(); ++i) {
    absl::StatusOr<IndexingMap> result = compose(composed, maps[i]);
    if (!result.ok()) return aboutMap(result.status(), text, i, maps.size());
    composed = *std::move(result);
  }
  auto simple = simplifyProving(composed);
  if (!simple.ok()) return simple.status();
  return Maps{*std::move(simple)};
}

}  // namespace

int simplifyMaps(const StreamOptions &options, const Input &input,
                 llvm::raw_ostream &out, llvm::raw_ostream &err) {
  return runOnMaps(options, input, out, err, simplifyAll);
}

int composeMaps(const StreamOptions &options, const Input &input,
                llvm::raw_ostream &out, llvm::raw_ostream &err) {
  return runOnMaps(options, input, out, err, composeAll);
}

}  // namespace indexical
