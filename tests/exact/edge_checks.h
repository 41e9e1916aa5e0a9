// Questions about maps at the edge of 64 bits, whose answers are compared with
// arithmetic in 256 bits.
//
//   EdgeCase both = drawnCase(random, EdgeQuestion::Compose);
//   EdgeTally tally;
//   flawOf(EdgeQuestion::Compose, both, tally);   // "" where all is well
//
// Maps come as text, so that the parser is tested too. The parser may refuse a
// map whose arithmetic can leave 64 bits, and so may the function that is
// asked, each with its own error. An answer must be right.
#ifndef INDEXICAL_TESTS_EXACT_EDGE_CHECKS_H
#define INDEXICAL_TESTS_EXACT_EDGE_CHECKS_H

#include <cstdint>
#include <string>

#include "tests/exact/edge_maps.h"

namespace indexical::testing {

enum class EdgeQuestion : uint8_t { Simplify, Compose, Count, Equal, Inverse };
const char *nameOf(EdgeQuestion question);

struct EdgeCase {
  MapParts first, second;
  /// The first map's dimensions have an open side, and constraints bound them.
  bool isOpen = false;
  std::string text() const;
};

struct EdgeTally {
  int64_t drawn = 0, atTheDoor = 0, refused = 0, undecided = 0, answered = 0;
  int64_t points = 0;  ///< of the domains of the answered cases
};

EdgeCase drawnCase(Random &random, EdgeQuestion question);
/// Returns what is wrong with the answer, or "".
std::string flawOf(EdgeQuestion question, const EdgeCase &given,
                   EdgeTally &tally);
/// Returns a smaller case that is wrong in the same way.
EdgeCase shrunk(EdgeQuestion question, EdgeCase given);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_EXACT_EDGE_CHECKS_H
