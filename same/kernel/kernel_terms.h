// The values that a kernel stores, as elements of its fusion's parameters: the
// second source of terms for the one engine of sameness (same/values).
//
//   y[p * 32 + t] = exp(a[p * 32 + t])
//     at(value of the store, (p, t) -> (p, t))
//       exponential(read a at (p * 32 + t))
//
// Variables of an element are those of the requested region, followed by those
// of reductions: lanes of `tt.reduce`, products of `tt.dot`, iterations of
// loops. Masks cut the region, or the variables of a reduction; neutral
// elements of a reduction (a 0 of a sum) are omitted.
//
// A load of an argument that the kernel stores to, a load outside of the
// argument, and an unknown value of the tree are unknown elements, which equal
// no other.
#ifndef INDEXICAL_SAME_KERNEL_KERNEL_TERMS_H
#define INDEXICAL_SAME_KERNEL_KERNEL_TERMS_H

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/exact/exact.h"
#include "indexical/indexing/budget.h"
#include "indexical/ops/shape.h"
#include "indexical/program/kernel/kernel.h"
#include "indexical/same/kernel/store_inverses.h"
#include "indexical/same/values/element_pieces.h"
#include "indexical/same/values/element_table.h"
#include "indexical/same/values/order_picks.h"

namespace indexical::kernels {

/// The array for which an argument of the kernel is passed. For a pair of
/// kernels also a scalar without a value, which is a parameter.
struct ArgumentArray {
  int64_t parameter = -1, leaf = 0;  ///< -1: it is not a parameter
  int64_t result = -1;               ///< -1: it is not a result
  /// Whether stores to it do not count.
  bool isScratch = false;
  /// Whether it is 0 before the launch.
  bool isZero = false;
  ArrayShape shape;
  IndexingMap toIndex;  ///< from the number of an element to its index
};

class KernelTerms {
 public:
  /// `arrays` has an entry for each argument of the kernel; std::nullopt for
  /// one that is not an array. All have to outlive the object.
  KernelTerms(const TritonKernel &kernel, ElementTable &table,
              llvm::ArrayRef<std::optional<ArgumentArray>> arrays, Meter &meter,
              const ExactOptions &options);

  /// Returns the element of the value at the points of its space that the map
  /// gives. Returns std::nullopt if the map's region is split into `parts()`.
  std::optional<ElementId> at(int64_t value, const IndexingMap &map);
  /// How sums of loops are read: as reductions, which have no order; turn by
  /// turn, in the order of the loop; or, for pairs (InOrder), as reductions of
  /// which those of floats keep the order.
  enum class Sums : uint8_t { AsReductions, InOrder, ByTurns };
  void take(Sums sums) { sums_ = sums; }
  /// Whether the rounded result of a product of f32 is that of a product with a
  /// narrow result, as HLO's dot with such a result is, or one of f32 that is
  /// converted.
  enum class Products : uint8_t { Narrow, Converted };
  void take(Products products) { products_ = products; }
  /// Returns the element that a store stores, at points of its space.
  std::optional<ElementId> storedBy(const KernelAccess &store,
                                    const IndexingMap &map);
  llvm::ArrayRef<IndexingMap> parts() const { return parts_; }
  /// The facts about a kernel whose terms are compared with those of another
  /// kernel, not with a fusion's.
  struct OfPair {
    /// Whether it is proved that no load races with a store (overwritten.h);
    /// else `reason` says why not.
    bool isOrdered = false;
    std::string reason;
    /// Whether f32 matrix products are distinguished by their precision.
    bool namesPrecision = false;
    /// The number of the parameter that stands for the masked lanes of the
    /// kernel's first access, which no `other` gives a value; behind it are
    /// those of the other accesses. -1: they are like nothing else.
    int64_t maskedLanes = -1;
  };
  /// Sets the mode for a pair. Then an op that HLO lacks reduces by its own
  /// definition, a loop adds floats in its order, an argument without a value
  /// is a parameter, by its entry of the arrays, and loads find the values that
  /// the program has stored.
  void takePair(OfPair pair) { pair_ = std::move(pair); }
  /// Returns the final content of an argument's array at the element numbers
  /// that the map gives; std::nullopt if the map's region is split into
  /// `parts()`. Requires that no element is written twice without an order.
  std::optional<ElementId> leftAt(int64_t argument,
                                  const IndexingMap &elements);
  /// Returns whether the results of atomic additions are known.
  bool followsSums() const { return pair_.has_value(); }
  /// Returns the first reason why an element is unknown; "" if there was none.
  const std::string &reason() const { return reason_; }
  /// Returns the elements that the last one asked for computes, and that have
  /// no defined value for some numbers (`a / b` for b = 0). A law may have left
  /// them out: `a / b - a / b` is 0, and is not defined all the same.
  std::set<ElementId> undefined() const;
  /// Returns whether an op of the value, or the branch that chooses it, may
  /// fail: then the whole kernel has no defined result. -1 is not followed.
  bool mayFail(int64_t value) const { return value < 0 || mayFail_[value]; }
  /// Returns whether a known op may fail.
  bool mayFail() const { return hasFailures_; }
  /// Returns the line of one of them, or of one like it.
  int64_t lineOf(ElementId undefined) const {
    return linesOfUndefined_.at(undefined);
  }
  /// Returns the element if one of those that may be undefined counts only
  /// where a choice takes it, else nothing.
  std::optional<ElementId> whereTaken(ElementId undefined) const;
  /// Returns the element as one of that type, if its bytes in memory are the
  /// same: a truth value for a byte that is 0 or 1.
  ElementId asStored(ElementId id, ElementType type);

 private:
  using Pieces = ElementPieces;

  /// An element that may be undefined. So is what takes it; or, if an op fails,
  /// the whole kernel, if it comes to the op, which is in `depth` branches.
  struct Undefined {
    ElementId id;
    int32_t depth;
    bool operator<(const Undefined &o) const {
      return id != o.id ? id < o.id : depth < o.depth;
    }
  };
  static constexpr int32_t kOnlyTaken = std::numeric_limits<int32_t>::max();

  ElementId elementAt(int64_t value, const IndexingMap &map);
  ElementId compute(const KernelValue &value, const IndexingMap &map);
  ElementId indexAt(const KernelValue &value, const IndexingMap &map,
                    ElementType type);
  ElementId loadAt(const KernelValue &value, const IndexingMap &map);
  /// Returns what lanes hold that the mask of a load leaves out.
  ElementId maskedAt(const KernelValue &value, const IndexingMap &map);
  /// Returns the values that the program itself has stored in the elements that
  /// it loads, which the map from the space of the load names.
  ElementId storedBefore(const KernelValue &value, const IndexingMap &map,
                         const PointerMap &element);
  struct Place;
  ElementId loadedFrom(const KernelValue &value, const IndexingMap &map,
                       const Place &place);
  /// Returns the content of an array before the launch.
  ElementId startOf(int64_t argument, const IndexingMap &elements);
  /// Returns the element of memory in the load's type.
  ElementId asLoaded(const KernelValue &value, ElementId id);
  ElementId foundAfterStores(const KernelValue &value, const Place &place);
  /// Returns the content of an array after atomic additions, if only these
  /// change it.
  ElementId afterSums(int64_t argument, size_t number,
                      const IndexingMap &elements);
  /// Returns the content of an array after these stores, the last one first.
  ElementId contentAt(int64_t argument, const IndexingMap &elements,
                      llvm::ArrayRef<size_t> stores);
  ElementId storedAt(int64_t argument, size_t number, const IndexingMap &at);
  ElementId appliedAt(const KernelValue &value, const IndexingMap &map);
  ElementId applied(const KernelValue &value, std::vector<ElementId> operands);
  ElementId foreign(const KernelValue &value,
                    llvm::ArrayRef<ElementId> operands);
  std::optional<ElementId> ofSign(const KernelValue &value,
                                  llvm::ArrayRef<ElementId> operands);
  // undefined_terms.cc
  /// Sets mayFail_.
  void findFailures();
  ElementId selectAt(const KernelValue &value, const IndexingMap &map);
  /// Notes that the op has no result for numbers that its flags exclude.
  void noteExcluded(const KernelValue &value,
                    llvm::ArrayRef<ElementId> operands);
  void noteUndefined(const KernelValue &value, ElementId id);
  /// Returns what may be undefined in a side of a choice, or nothing if the
  /// region is split into parts_.
  std::optional<std::set<Undefined>> undefinedInSide(const KernelValue &choice,
                                                     size_t side,
                                                     const IndexingMap &map);
  ElementId movedAt(const KernelValue &value, const IndexingMap &map);
  ElementId reducedAt(const KernelValue &value, const IndexingMap &map);
  ElementId pickedAt(const KernelValue &value, const IndexingMap &map);
  /// Returns a result of a reduction of several values, as a function of whole
  /// lines: another kernel's result is the same if it has the same combiner, or
  /// picks by the same order.
  ElementId togetherAt(const KernelValue &value, const IndexingMap &map,
                       std::optional<OrderPick> pick = std::nullopt);
  struct Line;
  /// Returns the line of pairs, one side of which is the value; std::nullopt if
  /// the value is picked in another way.
  std::optional<Line> lineOf(const KernelValue &value, const IndexingMap &map);
  std::optional<OrderPick> orderOf(const KernelValue &value,
                                   const IndexingMap &map);
  std::optional<IndexingMap> pairsOf(const KernelValue &value, const Line &line,
                                     const IndexingMap &map) const;
  ElementId indexOfPair(const KernelValue &value, const Line &line,
                        const IndexingMap &at);
  ElementId scannedAt(const KernelValue &value, const IndexingMap &map);
  ElementId loopAt(const KernelValue &value, const IndexingMap &map);
  ElementId turnedAt(const KernelValue &value, const IndexingMap &map);
  ElementId carriedAt(const KernelValue &value, const IndexingMap &map);
  /// Returns the number that the map gives; std::nullopt if the region is split
  /// into parts_, one for each number, or if these are too many.
  std::optional<int64_t> turnOf(const IndexingMap &map, size_t result);
  ElementId dotAt(const KernelValue &value, const IndexingMap &map);
  /// Returns the element of operand `k` of `value`, with the map's results as a
  /// point of the value's space. The operand is in as many loops or fewer.
  ElementId operandAt(const KernelValue &value, size_t k,
                      const IndexingMap &map);
  /// A map of a value, composed with the requested map. Not a Place in a text.
  struct Place {
    IndexingMap product;
    const PointerMap *piece;
  };
  /// Returns the non-empty products with all maps of the value. Returns
  /// std::nullopt, and notes why, if `what` exceeds 64 bits or the budget is
  /// spent.
  std::optional<std::vector<Place>> placesOf(const KernelValue &value,
                                             const IndexingMap &map,
                                             llvm::StringRef what);
  /// Returns kParts, and sets `parts_` to the regions of the products.
  ElementId split(llvm::ArrayRef<Place> places);
  /// Returns kParts, and sets `parts_` to the regions of the products and the
  /// rest of the map's region; an unknown element if the rest is unknown.
  ElementId splitWithRest(llvm::ArrayRef<Place> places,
                          const IndexingMap &whole);
  /// Returns new dimensions of the builder, one for each of the value's space:
  /// the grid's, the loops around it, those of its tile.
  llvm::SmallVector<Expr, 8> spaceOf(const KernelValue &value,
                                     IndexingMapBuilder &b) const;
  std::optional<IndexingMap> inOuterLoops(const IndexingMap &map, size_t from,
                                          size_t to) const;
  /// Returns the reduction over the ranges of `added`, maps from the space of
  /// the results of `map`. `body` is given maps to their results.
  ElementId reduceThrough(const Op &op, llvm::ArrayRef<IndexingMap> added,
                          const IndexingMap &map, std::optional<ElementId> init,
                          ElementInRegion body);
  bool isOfLowest(ElementId id) const;
  bool isExponentialOfLine(int64_t number, int64_t axis) const;
  std::optional<ElementId> onlyOne(const IndexingMap &region,
                                   const IndexingMap &added,
                                   const IndexingMap &map,
                                   ElementInRegion body);
  std::optional<Op> reducerOf(const KernelValue &value, ElementType type) const;
  ElementId narrowed(ElementId sum, ElementType type);
  ElementId split(llvm::ArrayRef<IndexingMap> maps);
  /// Returns whether the op has a value for all numbers.
  bool isDefined(const KernelValue &value,
                 llvm::ArrayRef<ElementId> operands) const;
  /// Notes why an element is unknown, if it is the first reason.
  void note(const std::string &reason);
  ElementId unknown(const std::string &reason);
  bool isUnknown(ElementId id) const {
    return table_[id].kind == Element::Kind::Unknown;
  }

  struct Key {
    int64_t value;
    IndexingMap map;
    bool operator==(const Key &o) const {
      return value == o.value && map == o.map;
    }
  };
  struct KeyHash {
    size_t operator()(const Key &key) const {
      return key.map.hash() * 31 + static_cast<size_t>(key.value);
    }
  };

  const TritonKernel &kernel_;
  ElementTable &table_;
  const std::vector<std::optional<ArgumentArray>> arrays_;
  Meter &meter_;
  const ExactOptions &options_;
  std::set<int64_t> changed_;  ///< arguments that are stored to
  bool mayChangeAll_ = false;
  Sums sums_ = Sums::AsReductions;
  Products products_ = Products::Narrow;
  std::optional<OfPair> pair_;
  StoreInverses inverses_;
  /// By a load and one of its maps: the stores that may come before it.
  std::map<std::pair<size_t, const PointerMap *>, std::vector<size_t>> before_;
  bool isOfExponentials_ =
      false;  ///< what is reduced, of a line's exponentials
  /// An element, and those that it computes and that may be undefined.
  struct Known {
    ElementId id;
    std::set<Undefined> undefined;
  };
  std::unordered_map<Key, Known, KeyHash> memo_;
  /// The possibly undefined elements in the values that are being read, the one
  /// asked for first.
  std::vector<std::set<Undefined>> open_ = {{}};
  std::vector<bool> mayFail_;  ///< by value: an op in its tree may fail
  bool hasFailures_ = false;
  std::map<ElementId, int64_t> linesOfUndefined_;
  std::vector<IndexingMap> parts_;
  std::string reason_;
};

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_KERNEL_TERMS_H
