// The points of a program's maps in one run of the program.
//
//   %r = stablehlo.reverse %x, dims = [0] : tensor<?xf32>
//   in a run in which %x has 3 elements: (0, 2), (1, 1), (2, 0)
#ifndef INDEXICAL_TESTS_DOCUMENTS_RUN_POINTS_H
#define INDEXICAL_TESTS_DOCUMENTS_RUN_POINTS_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/program/maps/program_indexing.h"
#include "tests/support/relation_points.h"

namespace indexical::testing {

using Sizes = std::vector<int64_t>;

/// A tensor of a run. Its elements are only needed if a map asks for them.
struct RunTensor {
  Sizes sizes;
  std::vector<int64_t> elements;
};

/// The tensors of a run, by the names of their instructions.
using RunTensors = std::map<std::string, RunTensor>;

/// Returns the points of `relation`, which leads from a tensor of the sizes
/// `from` to one of the sizes `to`. Errors if a map has a point outside of
/// them, or asks for a tensor that the run does not have.
absl::StatusOr<RelationPoints> pointsOfRun(const IndexingRelation &relation,
                                           const ProgramIndexing &maps,
                                           const Computation &computation,
                                           const RunTensors &run,
                                           const Sizes &from, const Sizes &to);

/// Calls `visit(index)` for each index of a tensor, in row major order.
template <typename Visit>
void forEachIndex(const Sizes &sizes, Visit visit) {
  for (int64_t size : sizes)
    if (size == 0) return;
  Sizes index(sizes.size(), 0);
  while (true) {
    visit(static_cast<const Sizes &>(index));
    size_t k = sizes.size();
    while (k > 0 && ++index[k - 1] == sizes[k - 1]) index[--k] = 0;
    if (k == 0) return;
  }
}

/// Returns the place of an index in row major order.
inline int64_t placeOf(const Sizes &index, const Sizes &sizes) {
  int64_t place = 0;
  for (size_t k = 0; k < sizes.size(); ++k) place = place * sizes[k] + index[k];
  return place;
}

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_DOCUMENTS_RUN_POINTS_H
