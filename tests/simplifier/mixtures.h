// Chains that mix all families of data movement ops, composed in several ways.
//
//   Random random(17);
//   Chain chain = randomMixture(6, random);
//   IndexingMap one = *composedBy(chain.ops, Way::Right);
//
// The ops are reshapes, transposes, reverses, strided slices, pads with
// interior, pieces of concatenations, broadcasts, single elements of an axis,
// dynamic slices at runtime variables, and windows with range variables.
// Sizes are from 1 to 6, and some larger.
#ifndef INDEXICAL_TESTS_SIMPLIFIER_MIXTURES_H
#define INDEXICAL_TESTS_SIMPLIFIER_MIXTURES_H

#include <cstdint>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/indexing_map.h"
#include "tests/simplifier/chains.h"
#include "tests/support/random.h"

namespace indexical::testing {

struct MixtureOptions {
  bool variables = true;  ///< dynamic slices and windows
  bool small = false;     ///< tensors of a few elements
};
Chain randomMixture(int64_t length, Random &random,
                    const MixtureOptions &options = {});

/// How the maps of a chain become one map.
enum class Way : uint8_t {
  Left,         ///< ((a b) c) d
  LeftAsText,   ///< the same; each map and step is printed and read again
  LeftAnew,     ///< the same; each map on the way loses its marks
  LeftRaw,      ///< the same; the steps are not simplified before
  Right,        ///< a (b (c d))
  RightAsText,  ///< the same, as text
  Pairs,        ///< (a b) (c d)
  Once,         ///< a b c d, simplified when it is complete
  Again,        ///< as Left, simplified again at the end
};
constexpr Way kWays[] = {Way::Left,    Way::LeftAsText, Way::LeftAnew,
                         Way::LeftRaw, Way::Right,      Way::RightAsText,
                         Way::Pairs,   Way::Once,       Way::Again};
llvm::StringRef wayName(Way way);

/// Whether a text of the chain's map says all of it.
bool hasText(llvm::ArrayRef<ChainOp> ops);

/// Returns the chain's map. Returns ResourceExhausted if a text on the way
/// would have more than kMostWritten terms.
absl::StatusOr<IndexingMap> composedBy(llvm::ArrayRef<ChainOp> ops, Way way);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SIMPLIFIER_MIXTURES_H
