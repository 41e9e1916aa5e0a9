// Random maps with domains, simplified and compared with their trees.
//
//   FuzzOptions options;
//   options.pairs = 10'000'000;
//   FuzzCounts counts = fuzz(options, report);
//
// A pair is an expression, nested to depth 6, and a domain: intervals that are
// small, large, open or near 2^62, and constraints or none. What is checked:
//   values      at points, the simplified map holds where the constraints'
//               trees say, and has the values of the results' trees; with
//               range variables, all pairs of index and result are the same
//   text        printed and read again, it is the same map
//   own form    simplified again, it is itself
//   constraints in another order, the same map
//   variables   numbered otherwise, the same values, and mostly the same forms
//   size        the text has no more terms than before
//   isl         on a sample: the same relation everywhere, by a library of
//               another kind
// Trees are evaluated in 128 bits, apart from the library
// (tests/support/expression_tree.h).
#ifndef INDEXICAL_TESTS_SIMPLIFIER_SOUNDNESS_FUZZ_H
#define INDEXICAL_TESTS_SIMPLIFIER_SOUNDNESS_FUZZ_H

#include <cstdint>
#include <functional>
#include <string>

#include "tests/support/random_maps.h"

namespace indexical::testing {

struct FuzzOptions {
  int64_t pairs = 10'000;
  uint64_t seed = 1;
  int64_t first = 0;  ///< number of the first pair
  int64_t depth = 6;
  int64_t points = 16;
  int64_t islEvery = 1000;  ///< 0: isl is not asked
  /// Whether a map that grows or is refused is a flaw too.
  bool strict = false;
  /// Whether there are minima and maxima, and numbers near 2^31, 2^53, 2^62 and
  /// 2^63.
  bool minima = false;
};

/// A flaw of one pair.
enum class Flaw : uint8_t {
  None,
  Value,       ///< a point is lost, added, or has another value
  Bounds,      ///< a dimension's interval grew
  Isl,         ///< isl has another relation
  Text,        ///< the text, read again, is another map
  NotOwnForm,  ///< simplified again, it is another map
  Order,       ///< another map with the constraints in another order
  Refused,     ///< simplify has an error, for a map that has none
  Grown,       ///< more terms than before
};
const char *flawName(Flaw flaw);

struct FuzzCounts {
  int64_t pairs = 0;    ///< that were simplified
  int64_t notMaps = 0;  ///< drawn, but they leave 64 bits: no maps
  int64_t refused = 0;  ///< that simplify refuses: forms leave 64 bits
  int64_t constrained = 0, withRanges = 0, empty = 0;
  int64_t points = 0, pointsInside = 0;
  int64_t flaws = 0;
  int64_t again = 0, reordered = 0;
  int64_t renumbered = 0, renumberedSame = 0;
  int64_t grown = 0;
  int64_t islEqual = 0, islUndecided = 0;
  double seconds = 0;  ///< of the processor
};

/// Calls `report` with a text for each pair with a flaw, made small.
FuzzCounts fuzz(const FuzzOptions &options,
                const std::function<void(const std::string &)> &report);

/// Returns the pair with this number.
MapParts fuzzParts(const FuzzOptions &options, int64_t number);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SIMPLIFIER_SOUNDNESS_FUZZ_H
