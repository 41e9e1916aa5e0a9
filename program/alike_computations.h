// Computations that do the same, found by what they are made of.
//
//   f { x = f32[8] parameter(0)  ROOT r = f32[8] reverse(x), dimensions={0} }
//   g { y = f32[8] parameter(0)  ROOT s = f32[8] reverse(y), dimensions={0} }
//
// g is alike f: the ops, the order of operands, the parameters and the root are
// the same; names are not looked at. A model repeats its layers, and what was
// found of the first one's fusions is true of the others, where it names no
// values.
//
// Nothing is alike a computation that runs others, or in which a size is open:
// its maps may depend on more than its ops.
//
// Law (tests/program/alike_computations_test.cc): the maps of a computation
// that is alike another one are those that it has where it is asked about
// alone.
#ifndef INDEXICAL_PROGRAM_ALIKE_COMPUTATIONS_H
#define INDEXICAL_PROGRAM_ALIKE_COMPUTATIONS_H

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "indexical/program/program.h"

namespace indexical {

class AlikeComputations {
 public:
  /// What a computation is made of; empty where nothing is alike it.
  using Parts = std::vector<int64_t>;
  static Parts partsOf(const Computation &computation);

  /// The computation that was noted with these parts, or -1.
  int32_t find(const Parts &parts) const;
  /// Notes the first one with these parts. Keeps no more than a few thousand.
  void note(Parts parts, int32_t computation);

 private:
  struct Hash {
    size_t operator()(const Parts &parts) const;
  };
  std::unordered_map<Parts, int32_t, Hash> first_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_ALIKE_COMPUTATIONS_H
