// Random fusions: one computation of ops that move, combine and reduce.
//
//   Random random(17);
//   randomFusion(random, {});
//   // f { p0 = f32[12,4] parameter(0) reshape.2 = f32[4,12] reshape(p0) … }
//
// These are knobs of the one generator (tests/support/random_body.h). Sizes
// have divisors, so that reshapes split and merge in many ways. There are few
// elements, so that each can be followed.
#ifndef INDEXICAL_TESTS_COST_USE_RANDOM_FUSIONS_H
#define INDEXICAL_TESTS_COST_USE_RANDOM_FUSIONS_H

#include <cstdint>
#include <string>

#include "tests/support/random.h"

namespace indexical::testing {

struct FusionOptions {
  int64_t leastOps = 1, mostOps = 5;
  int64_t mostElements = 96;
  bool runtime = true;  ///< dynamic slices and updates, gathers
  bool reshapesOnly = false;
};

std::string randomFusion(Random &random, const FusionOptions &options);

/// Like randomFusion(), but returns the fusion as a computation f, and an entry
/// whose root is a fusion that calls f.
std::string calledFusion(Random &random, const FusionOptions &options);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_COST_USE_RANDOM_FUSIONS_H
