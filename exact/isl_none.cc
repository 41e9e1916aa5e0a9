// Stand-ins for a library that is built without isl: it passes on everything.
#include "indexical/exact/isl.h"

namespace indexical::isl {

bool isThere() { return false; }

Sample sample(const IndexingMap &, Meter &) { return {}; }

std::optional<llvm::DynamicAPInt> countResults(const IndexingMap &, Meter &) {
  return std::nullopt;
}

Sample resultNotIn(const IndexingMap &, llvm::ArrayRef<IndexingMap>, Meter &) {
  return {};
}

std::optional<std::vector<std::vector<BoundedSum>>> pointsOutside(
    llvm::ArrayRef<Interval>, llvm::ArrayRef<IndexingMap>, Meter &) {
  return std::nullopt;
}

}  // namespace indexical::isl
