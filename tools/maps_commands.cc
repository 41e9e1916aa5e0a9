#include "indexical/tools/maps_commands.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/exact/exact_prover.h"
#include "indexical/simplifier/simplify.h"
#include "indexical/tools/maps_file.h"

namespace indexical {
namespace {

using llvm::StringRef;

// For each question: the points of a tensor of some hundred thousand elements.
constexpr int64_t kProofOperations = 1'000'000;

/// Also by what forms do not show.
absl::StatusOr<IndexingMap> simplifyProving(
    const IndexingMap &map, std::vector<Rewrite> *rewrites = nullptr) {
  ExactOptions ofProofs = ExactProver::ofProofs();
  ofProofs.operations = kProofOperations;
  ExactProver prover(ofProofs);
  SimplifyOptions options;
  options.prover = &prover;
  options.rewrites = rewrites;
  return simplify(map, options);
}

void writeRewrites(llvm::ArrayRef<Rewrite> rewrites, size_t number,
                   size_t count, llvm::raw_ostream &out) {
  if (count > 1) out << "map " << number + 1 << ":\n";
  for (const Rewrite &rewrite : rewrites) {
    out << rewrite.before << " -> "
        << (rewrite.after.empty() ? "nothing" : rewrite.after) << "\n    "
        << rewrite.rule;
    if (!rewrite.because.empty()) out << ": " << rewrite.because;
    out << "\n";
  }
  if (rewrites.empty()) out << "nothing to rewrite\n";
}

/// What was done goes to `record`, if there is one.
absl::StatusOr<Maps> simplifyAll(const Maps &maps, StringRef text,
                                 llvm::raw_ostream *record) {
  Maps simplified;
  for (auto [i, map] : llvm::enumerate(maps)) {
    std::vector<Rewrite> rewrites;
    auto result = simplifyProving(map, record ? &rewrites : nullptr);
    if (!result.ok()) return aboutMap(result.status(), text, i, maps.size());
    if (record) writeRewrites(rewrites, i, maps.size(), *record);
    simplified.push_back(*std::move(result));
  }
  return simplified;
}

absl::StatusOr<Maps> composeAll(const Maps &maps, StringRef text) {
  if (maps.size() == 1) return simplifyAll(maps, text, nullptr);
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

int simplifyMaps(const MapsOptions &options, const Input &input,
                 llvm::raw_ostream &out, llvm::raw_ostream &err) {
  auto simplify = [&](const Maps &maps, StringRef text) {
    return simplifyAll(maps, text, options.explain ? &err : nullptr);
  };
  return runOnMaps(options, input, out, err, simplify);
}

int composeMaps(const StreamOptions &options, const Input &input,
                llvm::raw_ostream &out, llvm::raw_ostream &err) {
  return runOnMaps(options, input, out, err, composeAll);
}

}  // namespace indexical
