// Computations that do the same, found by their instructions.
//
//   f { x = f32[8] parameter(0)  ROOT r = f32[8] reverse(x), dimensions={0} }
//   g { y = f32[8] parameter(0)  ROOT s = f32[8] reverse(y), dimensions={0} }
//
// g is alike f: the ops, the order of operands, the parameters and the root are
// the same; names are not compared. A model repeats its layers, so the maps of
// the first one's fusions are those of the others', if they name no values.
//
// A computation that runs others, or in which a size is open, is alike no
// other: its maps may depend on more than its ops.
//
// Law (tests/program/maps/alike_computations_test.cc): the maps of a
// computation that is alike another one are the same if no other computation
// was asked about.
#ifndef INDEXICAL_PROGRAM_MAPS_ALIKE_COMPUTATIONS_H
#define INDEXICAL_PROGRAM_MAPS_ALIKE_COMPUTATIONS_H

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "indexical/program/module/program.h"

namespace indexical {

class AlikeComputations {
 public:
  /// The parts of a computation, as numbers. Empty if it is alike no other.
  using Parts = std::vector<int64_t>;
  static Parts partsOf(const Computation &computation);

  /// Returns the computation that was noted with these parts, or -1.
  ComputationId find(const Parts &parts) const;
  /// Notes the first computation with these parts. Keeps at most a few
  /// thousand.
  void note(Parts parts, ComputationId computation);

 private:
  struct Hash {
    size_t operator()(const Parts &parts) const;
  };
  std::unordered_map<Parts, ComputationId, Hash> first_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_ALIKE_COMPUTATIONS_H
