// How complete the canonical form is: shares of random chains.
//
//   StudyOptions options;
//   ChainCounts counts = study(ChainFamily::Transposes, 8, options);
//   Share identity = counts.identity[0];  // 9,990 of 10,000 round trips
//
// The study asks of each chain:
//   direct    the composed map has the form of the one direct map
//   identity  the ops and then what undoes them are the identity: every result
//             is its dimension, on the domain on which the ops read something
//   proof     of the round trips of which the form does not say so, those that
//             a prover settles
//   brackets  composed in two parts, cut anywhere, it has the same form as
//             composed from left to right
//   own form  simplified again, the composed map is itself
//   size      terms that the composed map holds, shared ones once, for each
//             term of its steps
// and compares every map with the ops themselves at random points. Of each
// mixture it asks instead
//   ways      composed in another way, it has the same form as composed from
//             left to right
#ifndef INDEXICAL_TESTS_SIMPLIFIER_CHAIN_STUDY_H
#define INDEXICAL_TESTS_SIMPLIFIER_CHAIN_STUDY_H

#include <cstdint>
#include <functional>
#include <iterator>
#include <string>

#include "indexical/indexing/indexing_map.h"
#include "tests/simplifier/chains.h"

namespace indexical::testing {

struct StudyOptions {
  int64_t chains = 100;
  uint64_t seed = 1;
  int64_t first = 0;  ///< number of the first chain
  int64_t points = 8;
  bool small = false;
  bool variables = true;  ///< of mixtures; without them, they have points
  int64_t proofs = 100;   ///< at most so many are put to the provers
  /// A prover's budget for one question: enough for all points.
  int64_t operations = 10'000'000;
};

/// How many chains, out of all, have a property.
struct Share {
  int64_t yes = 0, all = 0;
  void add(bool is) { yes += is, ++all; }
  /// Returns the share in percent, or 100 if there are no chains.
  double percent() const { return all ? 100.0 * yes / all : 100.0; }
};

struct ChainCounts {
  Share direct[std::size(kHandovers)], identity[std::size(kHandovers)];
  Share byEnumeration, byExact;  ///< of those that are not the identity
  Share brackets, ownForm;
  Share ways[std::size(kWays)], allWays;  ///< of mixtures
  Share empty;  ///< of the chains that read nothing, those that say so
  int64_t points = 0, wrong = 0, errors = 0;
  int64_t unprinted = 0;                 ///< texts too long to be read again
  double meanSize = 0, largestSize = 0;  ///< result over steps
  double milliseconds = 0;               ///< a chain, of the processor
};

/// A chain whose form is not what it should be.
struct Shortfall {
  std::string what;  ///< "direct", "identity", "brackets", "right, forms"…
  ChainFamily family = ChainFamily::Reshapes;
  int64_t length = 0, number = 0;
  std::vector<ChainOp> ops;
  IndexingMap left, right;  ///< equal relations of different forms
};

/// `report` is called for each shortfall. A mixture is made as short as it can
/// be and still differ.
ChainCounts study(ChainFamily family, int64_t length,
                  const StudyOptions &options,
                  const std::function<void(const Shortfall &)> &report = {});

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SIMPLIFIER_CHAIN_STUDY_H
