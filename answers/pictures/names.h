// Indices as text, and the two dimensions of a space that are shown; private to
// pictures/.
#ifndef INDEXICAL_ANSWERS_PICTURES_NAMES_H
#define INDEXICAL_ANSWERS_PICTURES_NAMES_H

#include <cstdint>
#include <optional>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/answers/pictures/picture.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/interval.h"

namespace indexical {

/// `(3, 5)`; of a scalar `()`.
std::string indexText(llvm::ArrayRef<int64_t> index);
/// `3 elements`, `1 element`.
std::string countText(int64_t count, const char *what);

/// Returns the two results of the maps that are best shown beside these of
/// their dimensions: those that depend on a shown dimension, or else on a
/// range; of several the last ones. Empty if the maps have no more than two
/// results.
///
///   (d0, d1, d2) -> (d1, d0, d2), shown d0, d2: 1, 2
llvm::SmallVector<size_t, 2> shownBeside(llvm::ArrayRef<IndexingMap> maps,
                                         llvm::ArrayRef<size_t> shown);

/// A plane of an index space: the shown dimensions vary, the others stand
/// still.
class Plane {
 public:
  /// `shown`: rows and columns, one dimension (columns), or empty for the last
  /// two. `at` is an index of the space, through which the plane goes.
  Plane(llvm::ArrayRef<Interval> sides, llvm::ArrayRef<size_t> shown,
        llvm::ArrayRef<int64_t> at);

  llvm::SmallVector<int64_t, 4> indexOf(int64_t row, int64_t column) const;
  bool contains(llvm::ArrayRef<int64_t> index) const;
  int64_t rowOf(llvm::ArrayRef<int64_t> index) const;
  int64_t columnOf(llvm::ArrayRef<int64_t> index) const;
  /// Sets the sides and names of a grid, and shows these indices.
  void apply(CellGrid &grid, char name) const;
  /// `at d0 = 3, d2 = 0`; empty if all dimensions are shown.
  std::string restText(char name) const;

 private:
  llvm::SmallVector<Interval, 4> sides_;
  llvm::SmallVector<int64_t, 4> at_;
  std::optional<size_t> row_, column_;
};

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_PICTURES_NAMES_H
