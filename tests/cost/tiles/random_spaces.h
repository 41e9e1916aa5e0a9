// Random programs whose reads are known without maps.
//
// Each op says, for an element of its result, which elements of its operands it
// reads: a definition of a few lines, written for this test alone. Reads of a
// whole program follow by going from instruction to instruction. An element of
// another member's tensor has that member's number, and those on the way, in
// front.
#ifndef INDEXICAL_TESTS_COST_TILES_RANDOM_SPACES_H
#define INDEXICAL_TESTS_COST_TILES_RANDOM_SPACES_H

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/cost/tiles/tile_points.h"
#include "tests/support/random.h"

namespace indexical::testing {

/// An element that is read of an operand, and the member whose it is; none: the
/// device's own.
struct ElementRead {
  size_t operand;
  Point index;
  std::vector<int64_t> member = {};
  /// The indices of the summed dimensions by which it is read.
  Point summed = {};
};

struct SpaceInstruction {
  std::string name, text;
  Point shape;
  std::vector<size_t> operands = {};
  Point summed = {};  ///< sizes of the dimensions that it sums up
  std::function<void(const Point &, const std::function<void(ElementRead)> &)>
      reads = nullptr;
};

/// A loop over dimension `dimension` of those that instruction `at` sums up.
struct SpaceStep {
  size_t at;
  int64_t dimension, size;
};

struct SpaceProgram {
  std::vector<SpaceInstruction> instructions;
  std::vector<size_t> results;  ///< several: of a tuple, the root

  std::string text() const;
  /// The elements of each instruction, by its number, that these elements of a
  /// result depend on, in the turn at `turns`.
  std::map<size_t, Points> readsOf(size_t result, const Points &elements,
                                   const std::vector<SpaceStep> &steps,
                                   const Point &turns) const;
};

struct SpaceOptions {
  bool collectives = false, results = false;
  int64_t mostElements = 120;
};

SpaceProgram randomSpace(Random &random, const SpaceOptions &options);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_COST_TILES_RANDOM_SPACES_H
