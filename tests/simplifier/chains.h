// Chains of data movement ops, and what they do to an index.
//
//   Random random(17);
//   Chain chain = randomChain(ChainFamily::Transposes, 4, random);
//   const Sizes index(chain.ops[0].from.size(), 0);
//   chain.ops[0].map();      // as it comes from an op's definition, raw
//   chain.ops[0].at(index);  // the same at one index, in plain integers
//   chain.ops[0].inverse();  // the op that undoes it
//
// An op takes an index of a tensor of sizes `from` (the result that is asked
// for) to one of sizes `to` (the operand that is read). `at` shares no code
// with the library: tests compare maps with `at`.
//
// Families, in the order of how much there is to see:
//   Reshapes    row major to row major, nothing else
//   Bitcasts    with layouts, and transposes; all cuts at the same places
//   Transposes  a reshape and a transpose each, cuts anywhere
//   Reverses    and 30% of the axes turned around
//   Slices      reshapes, transposes, reverses, strided slices, broadcasts
//   Pads        and pads with interior, pieces of a concatenation, and single
//               elements of an axis
//   Mixtures    and dynamic slices at runtime variables, windows with range
//               variables; sizes are from 1 to 6, and some larger
#ifndef INDEXICAL_TESTS_SIMPLIFIER_CHAINS_H
#define INDEXICAL_TESTS_SIMPLIFIER_CHAINS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/map_builder.h"
#include "tests/support/random.h"

namespace indexical::testing {

using Sizes = llvm::SmallVector<int64_t, 6>;

struct ChainOp {
  enum class Kind : uint8_t {
    Bitcast,    ///< orders: axes from major to minor; both row major: a reshape
    Transpose,  ///< result k is index toOrder[k]
    Reverse,    ///< the axes for which start is 1
    Slice,      ///< index * step + start
    Pad,        ///< (index - start) / step, where that has no rest
    Drop,       ///< without axis `axis`: what a broadcast reads
    Insert,     ///< axis `axis` with the index start[0]
    // The kinds below have no `at` and no `inverse`: they read at what a run
    // says, or more than one element.
    Dynamic,  ///< index + a runtime variable, for axes whose sizes differ
    Window,   ///< index * step + a range variable of `extent` - start, inside
  };
  Kind kind = Kind::Bitcast;
  Sizes from, to;
  Sizes fromOrder, toOrder;
  Sizes start, step, extent;
  int64_t axis = 0;
  bool clamped = false;  ///< the runtime variables, which no text says

  static ChainOp reshape(Sizes from, Sizes to);
  static ChainOp bitcast(Sizes from, Sizes fromOrder, Sizes to, Sizes toOrder);
  static ChainOp transpose(Sizes from, Sizes order);
  static ChainOp reverse(Sizes sizes, Sizes which);

  /// Returns the map unsimplified: the index is made linear, then cut anew.
  IndexingMap map() const;
  /// Adds the range and runtime variables that the op has of its own.
  std::vector<Expr> addVariables(IndexingMapBuilder &b) const;
  /// Returns the index that is read for `index`, by the op's own variables, and
  /// adds the constraints of where one is read.
  llvm::SmallVector<Expr, 6> apply(IndexingMapBuilder &b,
                                   llvm::ArrayRef<Expr> index,
                                   llvm::ArrayRef<Expr> own) const;
  /// Returns the index that is read, or nothing if no element is.
  std::optional<Sizes> at(llvm::ArrayRef<int64_t> index) const;
  /// Returns the op from an index that `at` reads back to the index that it
  /// came from. Requires a kind other than Drop.
  ChainOp inverse() const;
  /// `reshape [4,6] -> [24]`
  std::string str() const;
};

struct Chain {
  std::vector<ChainOp> ops;
  /// The one map that does what all the ops do, unsimplified, if there is one.
  std::optional<IndexingMap> direct;
};

enum class ChainFamily : uint8_t {
  Reshapes,
  Bitcasts,
  Transposes,
  Reverses,
  Slices,
  Pads,
  Mixtures,
};
/// Those of which every op has an `at`.
constexpr ChainFamily kChainFamilies[] = {
    ChainFamily::Reshapes, ChainFamily::Bitcasts, ChainFamily::Transposes,
    ChainFamily::Reverses, ChainFamily::Slices,   ChainFamily::Pads};
llvm::StringRef familyName(ChainFamily family);

struct ChainOptions {
  int64_t mostRank = 8;
  bool small = false;       ///< tensors of tens of elements
  bool invertible = false;  ///< no Drop
  bool variables = true;    ///< of Mixtures: dynamic slices and windows
};

/// Returns a chain of `length` steps. A step of Transposes is two ops, one of
/// Reverses three.
Chain randomChain(ChainFamily family, int64_t length, Random &random,
                  const ChainOptions &options = {});

/// Returns the prime factors of `count`, dealt out over at most `mostRank`
/// axes.
Sizes randomSizes(Random &random, int64_t count, int64_t mostRank);

/// Returns the ops that undo all of `ops`, the last one first.
std::vector<ChainOp> undone(llvm::ArrayRef<ChainOp> ops);
/// Returns the index that the ops lead to, or nothing if one of them reads
/// nothing.
std::optional<Sizes> at(llvm::ArrayRef<ChainOp> ops, Sizes index);

/// Returns 0, 1, … rank - 1.
Sizes upTo(int64_t rank);

//===-- Compositions ------------------------------------------------------===//

/// How maps are passed to compose. Each step is simplified by itself, as maps
/// of ops are, or raw, as it is defined and other systems print it. The
/// composed map is passed on as it is, or printed and read again at each step
/// (simplified steps are read again, too), or without its marks.
enum class Handover : uint8_t { Forms, FormsAsText, Raw, RawAsText, Anew };
/// Those that completeness is asked for.
constexpr Handover kHandovers[] = {Handover::Forms, Handover::FormsAsText,
                                   Handover::Raw, Handover::RawAsText};
/// `forms`, `forms as text`, `raw`, `raw as text`, `anew`.
llvm::StringRef handoverName(Handover handover);
bool isText(Handover handover);

enum class Order : uint8_t {
  Left,   ///< ((a b) c) d
  Right,  ///< a (b (c d))
  Pairs,  ///< (a b) (c d)
  Once,   ///< a b c d, simplified when it is complete
};

/// How the maps of a chain become one map.
struct Way {
  Order order = Order::Left;
  Handover handover = Handover::Forms;
};
constexpr Way kWays[] = {
    {Order::Left, Handover::Forms},  {Order::Left, Handover::FormsAsText},
    {Order::Left, Handover::Anew},   {Order::Left, Handover::Raw},
    {Order::Right, Handover::Forms}, {Order::Right, Handover::FormsAsText},
    {Order::Pairs, Handover::Forms}, {Order::Once, Handover::Raw}};
/// `left, forms`.
std::string nameOf(Way way);

/// Returns the chain's map. Returns ResourceExhausted if a text that is read
/// again would have more than kMostWritten terms: shared parts are written
/// wherever they are used.
constexpr int64_t kMostWritten = 20'000;
absl::StatusOr<IndexingMap> composedBy(llvm::ArrayRef<ChainOp> ops, Way way);
/// From left to right.
absl::StatusOr<IndexingMap> composedInTurn(llvm::ArrayRef<ChainOp> ops,
                                           Handover handover);

/// Whether a text of the chain's map says all of it.
bool hasText(llvm::ArrayRef<ChainOp> ops);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SIMPLIFIER_CHAINS_H
