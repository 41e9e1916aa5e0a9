// The parts that queries about pairs share: the regions of relations over
// common parameters, the intersection of regions, and whether the values of
// runtime variables in a witness are possible.
#ifndef INDEXICAL_EXACT_PAIRS_H
#define INDEXICAL_EXACT_PAIRS_H

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/exact/engines.h"
#include "indexical/exact/exact.h"
#include "indexical/exact/regions.h"
#include "indexical/exact/system.h"

namespace indexical {

inline constexpr char kLeaves64Bits[] =
    "arithmetic leaves the range of 64-bit integers";

/// The ranks of a relation's pairs; -1 if it has no pieces.
struct Ranks {
  int64_t index = -1, element = -1;
  llvm::SmallVector<int64_t, 0> collectives;

  /// Takes the ranks of the relation. Returns an error if they differ from
  /// ranks that are known.
  absl::Status add(const IndexingRelation &relation);
};

/// The pairs of relations as regions without equations.
class Pairs {
 public:
  Pairs(std::initializer_list<const IndexingRelation *> relations)
      : relations_(relations.begin(), relations.end()),
        parameters_(relations) {}

  /// Finds the regions of all relations. Returns an error if ranks differ. If
  /// arithmetic leaves 64 bits, there are no regions, and overflow() says so.
  absl::Status build(Places places = Places::OfVarying);

  /// Returns why there are no regions, or "" if there are.
  const std::string &overflow() const { return overflow_; }
  const std::vector<IndexingMap> &of(size_t relation) const {
    return regions_[relation];
  }
  const Parameters &parameters() const { return parameters_; }
  size_t indexRank() const { return std::max<int64_t>(0, ranks_.index); }
  /// Returns the rank of an element, with one coordinate more for each
  /// collective.
  size_t elementRank() const {
    return std::max<int64_t>(0, ranks_.element) + ranks_.collectives.size();
  }
  /// Returns the witness for these results of a region.
  PairWitness witness(llvm::ArrayRef<int64_t> results) const {
    return witnessOf(results, indexRank(), elementRank(), parameters_);
  }

 private:
  llvm::SmallVector<const IndexingRelation *, 2> relations_;
  Parameters parameters_;
  Ranks ranks_;
  std::vector<std::vector<IndexingMap>> regions_;
  std::string overflow_;
};

Decision undecided(const Engines &engines, std::string reason);
/// Returns the decision if `refuting` is a sample of the pairs that refute a
/// statement: yes if there is no such pair, no with a pair as the witness, else
/// undecided.
Decision decisionOf(const Sample &refuting, const Engines &engines,
                    const Pairs &pairs);

/// Returns the results at a point of the first region that has one. Returns
/// nothing if no region has a point, and unknown if that is not found.
Sample sampleResults(llvm::ArrayRef<IndexingMap> regions, Engines &engines);

/// Two regions of which some results are equal. The system's variables are
/// those of `a`, and those that are left of `b` when the equations are solved.
struct Meeting {
  System system;
  System::Forms a, b;  ///< the results of both
};
/// Returns the meeting of two regions at which the results with the numbers
/// `equal` are equal, or nothing if arithmetic leaves 64 bits.
std::optional<Meeting> meet(const IndexingMap &a, const IndexingMap &b,
                            llvm::ArrayRef<size_t> equal);

/// A runtime variable's value at some index of a map.
struct Reading {
  const RuntimeVariable *variable;
  std::optional<Values> place;  ///< nothing: it depends on ranges
  int64_t value;
};

/// Adds a reading of each parameter at the index, with the parameter's value.
void addReadings(const Parameters &parameters, llvm::ArrayRef<int64_t> index,
                 llvm::ArrayRef<int64_t> values,
                 llvm::SmallVectorImpl<Reading> &readings);

/// Returns whether there can be tensors that give all of these readings: those
/// of one element agree, as far as clamps show it.
bool areConsistent(llvm::ArrayRef<Reading> readings);

}  // namespace indexical

#endif  // INDEXICAL_EXACT_PAIRS_H
