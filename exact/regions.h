// Regions: the pairs of relations, side by side over common parameters.
//
//   (d0)[s0]{rt0} -> (d0 * 4 + s0 + rt0), d0 in [0, 7], s0 in [0, 3]
//
//   region      x0 in [0, 7], x1 = rt0, x2 in [0, 3]
//               results (x0 | x0 * 4 + x2 + x1 | x1)     index, element, rt0
//   membership  x0 = index, x1 = element, x2 = rt0
//               x1 - x0 * 4 - x2 in [0, 3], x0 in [0, 7]
//
// A region is a set whose results are the parts of a pair. Its membership is
// the set of these results (projection.h): the constraints under which a pair
// belongs to the region. A piece is subtracted from a region by letting one
// constraint of the piece's membership after the other fail.
#ifndef INDEXICAL_EXACT_REGIONS_H
#define INDEXICAL_EXACT_REGIONS_H

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/exact/engines.h"
#include "indexical/exact/exact.h"
#include "indexical/exact/system.h"
#include "indexical/indexing/relation.h"

namespace indexical {

/// The runtime variables of some relations, each once.
class Parameters {
 public:
  struct Parameter {
    RuntimeVariable variable;
    std::string name;
    const IndexingMap *owner = nullptr;  ///< the piece that has it
    uint32_t number = 0;                 ///< of the variable in that piece
    /// All values that it can have. If it has no source, these are the values
    /// that some piece allows.
    Interval values;
    /// Whether another index of the map may read another element of the source.
    bool dependsOnIndex = false;
    /// Whether the element of the source depends on ranges, so that the
    /// variable has a value for each value of the ranges.
    bool variesWithRanges = false;
  };

  /// Finds the parameters of these relations, which must outlive this object.
  Parameters(std::initializer_list<const IndexingRelation *> relations);

  size_t size() const { return list_.size(); }
  const Parameter &operator[](size_t i) const { return list_[i]; }
  /// Returns the number of the parameter that is runtime variable `i` of the
  /// piece. Requires a piece of one of the relations, not a copy.
  uint32_t numberOf(const IndexingMap &piece, uint32_t i) const {
    return numbers_.find(&piece)->second[i];
  }
  /// Returns whether one of them varies with ranges. Such a variable has
  /// several values at one index, so that two maps may agree although regions,
  /// in which it is a parameter, differ.
  bool varyWithRanges() const { return vary_; }
  /// Adds a variable for each parameter.
  System::Forms addTo(System &system) const;

 private:
  std::vector<Parameter> list_;
  llvm::DenseMap<const IndexingMap *, llvm::SmallVector<uint32_t, 2>> numbers_;
  bool vary_ = false;
};

/// A piece's variables in a system.
struct PieceVariables {
  System::Forms index, ranges, parameters;
  /// Returns the variables in the order of the piece: dimensions, ranges, and
  /// for each runtime variable its parameter. Requires a piece of one of the
  /// relations that `from` was made of; a copy of the piece will not do.
  System::Forms flat(const IndexingMap &piece, const Parameters &from) const;
};

/// The parameters for which a region also has the index of the source's
/// element: those that vary with ranges, or all. These indices are results
/// behind the others, in the order of the parameters, and 0 if the piece does
/// not have the variable.
enum class Places : uint8_t { OfVarying, OfAll };

/// Returns the region of a piece, a set of its pairs: its variables are the
/// index, the parameters and the ranges of the piece. Returns an error if
/// arithmetic leaves 64 bits.
absl::StatusOr<IndexingMap> regionOf(const IndexingMap &piece,
                                     const Parameters &parameters,
                                     Places places = Places::OfVarying);

/// Returns the points of the region whose results are not in the membership, as
/// regions.
absl::StatusOr<std::vector<IndexingMap>> subtract(
    const IndexingMap &region, const IndexingMap &membership);

/// Fills in a witness from the values of a region's results.
PairWitness witnessOf(llvm::ArrayRef<int64_t> results, size_t indexSize,
                      size_t elementSize, const Parameters &parameters);
/// Returns the results of a region at one of its points, or nothing if
/// arithmetic leaves 64 bits.
std::optional<Values> resultsAt(const IndexingMap &region,
                                llvm::ArrayRef<int64_t> point);

}  // namespace indexical

#endif  // INDEXICAL_EXACT_REGIONS_H
