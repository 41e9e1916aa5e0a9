// The values that a kernel stores, as elements of its fusion's parameters: the
// second source of terms for the one engine of sameness (same/values).
//
//   y[p * 32 + t] = exp(a[p * 32 + t])
//     at(value of the store, (p, t) -> (p, t))
//       exponential(read a at (p * 32 + t))
//
// Variables of an element are those of the region that is asked for, and
// behind them those of reductions: lanes of `tt.reduce`, products of `tt.dot`,
// iterations of loops. Masks cut the region, or the variables of a reduction;
// what changes nothing in a reduction (a 0 of a sum) is left out of it.
//
// A load of an argument that the kernel stores to, one outside of the argument,
// and what the tree does not know, is like nothing else.
#ifndef INDEXICAL_SAME_KERNEL_KERNEL_TERMS_H
#define INDEXICAL_SAME_KERNEL_KERNEL_TERMS_H

#include <cstdint>
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

/// An array that an argument of the kernel stands for.
/// Of a pair of kernels also a scalar without a value, which is a parameter.
struct ArgumentArray {
  int64_t parameter = -1, leaf = 0;  ///< -1: it is no parameter
  int64_t result = -1;               ///< -1: it is none
  /// Whether what is stored to it does not count.
  bool isScratch = false;
  /// Whether it holds 0 before the launch.
  bool isZero = false;
  ArrayShape shape;
  IndexingMap toIndex;  ///< from the number of an element to its index
};

class KernelTerms {
 public:
  /// `arrays` has an entry for each argument of the kernel; nothing for one
  /// that is no array. All have to outlive this.
  KernelTerms(const TritonKernel &kernel, ElementTable &table,
              llvm::ArrayRef<std::optional<ArgumentArray>> arrays, Meter &meter,
              const ExactOptions &options);

  /// Returns the element of the value at the points that the map gives of its
  /// space. Returns nothing if the map's region falls into `parts()`.
  std::optional<ElementId> at(int64_t value, const IndexingMap &map);
  /// Whether sums of loops are taken by their turns, in the order of the loop,
  /// and not as reductions, which have none.
  /// InOrder is for pairs: as reductions, of which those of floats keep their
  /// order.
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
  /// What is known of a kernel of which terms are compared with those of
  /// another kernel, not with a fusion's.
  struct OfPair {
    /// Whether it is proved that no load is in a race with a store
    /// (overwritten.h); else `reason` says why not.
    bool isOrdered = false;
    std::string reason;
    /// Whether products of matrices of f32 are told apart by how exactly they
    /// are computed.
    bool namesPrecision = false;
    /// The number of the parameter that stands for the masked lanes of the
    /// kernel's first access, which no `other` gives a value; behind it are
    /// those of the other accesses. -1: they are like nothing else.
    int64_t maskedLanes = -1;
  };
  /// Says so. Then an op that HLO does not have reduces as it does, a loop adds
  /// floats in its order, an argument without a value is a parameter, by its
  /// entry of the arrays, and loads find what the program has stored.
  void takePair(OfPair pair) { pair_ = std::move(pair); }
  /// Returns what the array of an argument holds in the end at the numbers of
  /// elements that the map gives; nothing if the map's region falls into
  /// `parts()`. Requires that no element is written twice without an order.
  std::optional<ElementId> leftAt(int64_t argument,
                                  const IndexingMap &elements);
  /// Whether what atomic additions leave is followed.
  bool followsSums() const { return pair_.has_value(); }
  /// Returns why an element is like nothing else: the first reason that was
  /// met; "" if there was none.
  const std::string &reason() const { return reason_; }
  /// Returns the element as one of that type, if the bytes in memory are the
  /// same: a truth value for a byte that is 0 or 1.
  ElementId asStored(ElementId id, ElementType type);

 private:
  using Pieces = ElementPieces;

  ElementId elementAt(int64_t value, const IndexingMap &map);
  ElementId compute(const KernelValue &value, const IndexingMap &map);
  ElementId indexAt(const KernelValue &value, const IndexingMap &map,
                    ElementType type);
  ElementId loadAt(const KernelValue &value, const IndexingMap &map);
  /// Returns what lanes hold that the mask of a load leaves out.
  ElementId maskedAt(const KernelValue &value, const IndexingMap &map);
  /// Returns what the program itself has stored in the elements that it loads,
  /// which the map from the space of the load names.
  ElementId storedBefore(const KernelValue &value, const IndexingMap &map,
                         const PointerMap &element);
  struct Place;
  ElementId loadedFrom(const KernelValue &value, const IndexingMap &map,
                       const Place &place);
  /// Returns what an array holds before the launch.
  ElementId startOf(int64_t argument, const IndexingMap &elements);
  /// Returns the element of memory as the load has it.
  ElementId asLoaded(const KernelValue &value, ElementId id);
  ElementId foundAfterStores(const KernelValue &value, const Place &place);
  /// Returns what an array holds after atomic additions, which are all that
  /// changes it.
  ElementId afterSums(int64_t argument, size_t number,
                      const IndexingMap &elements);
  /// Returns what an array holds after these stores, the last one first.
  ElementId contentAt(int64_t argument, const IndexingMap &elements,
                      llvm::ArrayRef<size_t> stores);
  ElementId storedAt(int64_t argument, size_t number, const IndexingMap &at);
  ElementId appliedAt(const KernelValue &value, const IndexingMap &map);
  ElementId applied(const KernelValue &value, std::vector<ElementId> operands);
  ElementId foreign(const KernelValue &value,
                    llvm::ArrayRef<ElementId> operands);
  std::optional<ElementId> ofSign(const KernelValue &value,
                                  llvm::ArrayRef<ElementId> operands);
  ElementId selectAt(const KernelValue &value, const IndexingMap &map);
  ElementId movedAt(const KernelValue &value, const IndexingMap &map);
  ElementId reducedAt(const KernelValue &value, const IndexingMap &map);
  ElementId pickedAt(const KernelValue &value, const IndexingMap &map);
  /// Returns a result of a reduction of several values, as a function of whole
  /// lines: that of another kernel is the same if it combines alike, or picks
  /// by the same order.
  ElementId togetherAt(const KernelValue &value, const IndexingMap &map,
                       std::optional<OrderPick> pick = std::nullopt);
  struct Line;
  /// Returns the pairs of which the value is a side of one; nothing if the
  /// value is picked in another way.
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
  /// Returns the number that the map gives; nothing if it falls into parts_,
  /// one for each number, or if these are too many.
  std::optional<int64_t> turnOf(const IndexingMap &map, size_t result);
  ElementId dotAt(const KernelValue &value, const IndexingMap &map);
  /// Returns the element of operand `k` of `value`, whose space the map's
  /// results are a point of. The operand stands in as many loops or fewer.
  ElementId operandAt(const KernelValue &value, size_t k,
                      const IndexingMap &map);
  /// A map of a value, composed with the map at which it is asked for.
  struct Place {
    IndexingMap product;
    const PointerMap *piece;
  };
  /// Returns the products with all maps of the value but those that are empty.
  /// Returns nothing, and notes why, if `what` leaves 64 bits or the budget is
  /// spent.
  std::optional<std::vector<Place>> placesOf(const KernelValue &value,
                                             const IndexingMap &map,
                                             llvm::StringRef what);
  /// Returns kParts, and sets `parts_` to the regions of the products.
  ElementId split(llvm::ArrayRef<Place> places);
  /// Returns kParts, and sets `parts_` to the regions of the products and what
  /// they leave of the map's; an unknown element if that is not known.
  ElementId splitWithRest(llvm::ArrayRef<Place> places,
                          const IndexingMap &whole);
  /// Adds a dimension to the builder for each of the space of the value: the
  /// grid's, the loops around it, those of its tile. Returns them.
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
  /// Notes why an element is like nothing else, if it is the first reason.
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
  std::unordered_map<Key, ElementId, KeyHash> memo_;
  std::vector<IndexingMap> parts_;
  std::string reason_;
};

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_KERNEL_TERMS_H
