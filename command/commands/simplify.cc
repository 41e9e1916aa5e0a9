#include <memory>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/command/command.h"
#include "indexical/command/maps_file.h"

namespace indexical {
namespace {

using llvm::StringRef;

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

/// Writes the rewrites to `record`, unless it is null.
absl::StatusOr<Maps> simplifyAll(const Maps &maps, StringRef text,
                                 const Budget &budget,
                                 llvm::raw_ostream *record) {
  Maps simplified;
  for (auto [i, map] : llvm::enumerate(maps)) {
    std::vector<Rewrite> rewrites;
    auto result = simplifyProving(map, budget, record ? &rewrites : nullptr);
    if (!budget.check().ok()) break;
    if (!result.ok()) return aboutMap(result.status(), text, i, maps.size());
    if (record) writeRewrites(rewrites, i, maps.size(), *record);
    simplified.push_back(*std::move(result));
  }
  return simplified;
}

}  // namespace

Command makeSimplify() {
  auto explain = std::make_shared<bool>(false);
  Command simplify;
  simplify.name = "simplify";
  simplify.sentence = "each map of a maps file, simplified";
  simplify.example =
      "echo '(d0, d1) -> ((d0 * 8 + d1) floordiv 8, d1 mod 8),\n"
      "      domain: d0 in [0, 3], d1 in [0, 7]' | indexical simplify";
  simplify.offers = mapsOffers();
  simplify.options = {flagOption("explain", *explain,
                                 "Write each rewrite, and the bounds that "
                                 "justify it, to standard error")};
  simplify.run = [explain](Call &call) {
    return runOnEachMap(call, [&](const Maps &maps, StringRef text,
                                  const Budget &budget) {
      return simplifyAll(
          maps, text, budget,
          *explain ? &static_cast<llvm::raw_ostream &>(call.err()) : nullptr);
    });
  };
  return simplify;
}

}  // namespace indexical
