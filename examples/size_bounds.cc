// Bounds of a value in a compiler's pass, where sizes are not known.
//
// A pass removes the checks of a loop over the tiles of a tensor that always
// hold. What is known in the loop are the bounds of its indices and sizes, and
// a check is a claim. sizes::follows shows a claim, with a proof; where it does
// not, the check stays.
//
//   for t in [0, n ceildiv m):         tiles of m of n elements
//     check t * m < n                  goes: no tile is empty
//     for i in [0, min(m, n - t * m)):
//       check t * m + i < n            goes
//       check t * m + i + 1 < n        stays: not true of the last element
//
//   bazel run //examples:size_bounds

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/simplifier/sizes.h"

namespace {

using namespace indexical;

/// A loop with its checks and the loops inside of it.
struct Loop {
  std::vector<std::string> bounds;  ///< of its index, in the loop
  std::vector<std::string> checks;
  std::vector<Loop> inside;
};

/// Removes the checks that follow from what is known around them.
absl::Status removeChecks(Loop &loop, std::vector<std::string> known) {
  known.insert(known.end(), loop.bounds.begin(), loop.bounds.end());
  std::vector<std::string> kept;
  for (const std::string &check : loop.checks) {
    absl::StatusOr<sizes::Answer> answer = sizes::follows(known, check);
    if (!answer.ok()) return answer.status();
    llvm::outs() << check << (answer->follows ? ": removed\n" : ": stays\n");
    for (const std::string &line : answer->certificate)
      llvm::outs() << "    " << line << '\n';
    if (!answer->follows) kept.push_back(check);
  }
  loop.checks = kept;
  for (Loop &inner : loop.inside)
    if (absl::Status status = removeChecks(inner, known); !status.ok())
      return status;
  return absl::OkStatus();
}

absl::Status run() {
  Loop elements;
  elements.bounds = {"i >= 0", "i < m", "i < n - t * m"};
  elements.checks = {"t * m + i < n", "t * m + i + 1 < n"};
  Loop tiles;
  tiles.bounds = {"t >= 0", "t < n ceildiv m"};
  tiles.checks = {"t * m < n"};
  tiles.inside = {elements};
  return removeChecks(tiles, {"n >= 1", "m >= 1"});
}

}  // namespace

int main() {
  absl::Status status = run();
  if (!status.ok()) llvm::errs() << std::string(status.message()) << '\n';
  return status.ok() ? 0 : 1;
}
