#include "indexical/exact/replay.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/exact/system.h"
#include "indexical/simplifier/enumeration.h"

namespace indexical {
namespace {

// Points of the ranges that are looked at one after the other.
constexpr int64_t kMostPoints = 4096;

/// A witness' values in one piece.
class PieceAt {
 public:
  PieceAt(const IndexingMap &piece, llvm::ArrayRef<int64_t> index,
          llvm::ArrayRef<int64_t> element, const Parameters &parameters,
          llvm::ArrayRef<int64_t> values)
      : piece_(piece), element_(element) {
    point_.dimensions.assign(index.begin(), index.end());
    for (const Variable &v : piece.ranges())
      point_.ranges.push_back(v.bounds.lower);
    for (uint32_t i = 0; i < piece.runtime().size(); ++i)
      point_.runtime.push_back(values[parameters.numberOf(piece, i)]);
  }

  ReplayedReads reads(Meter &meter) {
    if (piece_.isKnownEmpty() ||
        point_.dimensions.size() != piece_.dimensions().size() ||
        element_.size() != piece_.resultsAndMembers().size())
      return ReplayedReads::No;
    const auto count = pointCount();
    if (!count) return bySearch(meter);
    bool isKnown = true;
    for (int64_t n = 0; n < *count; ++n) {
      if (!meter.spend(cost())) return ReplayedReads::Unknown;
      const ReplayedReads here = atPoint();
      if (here == ReplayedReads::Yes) return here;
      isKnown &= here == ReplayedReads::No;
      next();
    }
    return isKnown ? ReplayedReads::No : ReplayedReads::Unknown;
  }

 private:
  int64_t cost() const {
    return 4 + piece_.expressions().atomCount() + piece_.results().size();
  }

  /// Returns the number of points of the ranges, or nothing if there are too
  /// many.
  std::optional<int64_t> pointCount() const {
    int64_t count = 1;
    for (const Variable &v : piece_.ranges()) {
      if (v.bounds.isEmpty()) return 0;
      if (!v.bounds.isFinite() ||
          v.bounds.upper - v.bounds.lower >= kMostPoints)
        return std::nullopt;
      count *= v.bounds.upper - v.bounds.lower + 1;
      if (count > kMostPoints) return std::nullopt;
    }
    return count;
  }

  void next() {
    for (auto [value, v] : llvm::zip(point_.ranges, piece_.ranges())) {
      if (value < v.bounds.upper) {
        ++value;
        return;
      }
      value = v.bounds.lower;
    }
  }

  ReplayedReads atPoint() const {
    if (!piece_.contains(point_)) return ReplayedReads::No;
    auto results = piece_.evaluate(point_);
    const auto members = piece_.evaluateMembers(point_);
    if (!results || !members) return ReplayedReads::Unknown;
    results->append(members->begin(), members->end());
    return llvm::ArrayRef<int64_t>(*results) == element_ ? ReplayedReads::Yes
                                                         : ReplayedReads::No;
  }

  /// Looks for values of the ranges, and puts what it finds into the piece.
  ReplayedReads bySearch(Meter &meter) {
    System system;
    System::Forms forms;
    auto add = [&](llvm::ArrayRef<int64_t> values) {
      for (int64_t value : values)
        forms.push_back(system.pool.constantForm(value));
    };
    add(point_.dimensions);
    for (const Variable &v : piece_.ranges())
      forms.push_back(system.add(v.bounds));
    add(point_.runtime);
    system.outputs = system.addMap(piece_, forms);
    for (auto [form, value] : llvm::zip(system.outputs, element_))
      system.require(form, Interval::point(value));
    const auto set = system.simplified();
    if (!set.ok()) return ReplayedReads::Unknown;
    if (set->isKnownEmpty()) return ReplayedReads::No;
    const Sample sample = Enumeration(*set, meter).sample();
    if (sample.found == Sample::Found::Nothing) return ReplayedReads::No;
    if (sample.found != Sample::Found::Point ||
        sample.point.size() < point_.ranges.size())
      return ReplayedReads::Unknown;
    point_.ranges.assign(sample.point.begin(),
                         sample.point.begin() + piece_.ranges().size());
    return atPoint() == ReplayedReads::Yes ? ReplayedReads::Yes
                                           : ReplayedReads::Unknown;
  }

  const IndexingMap &piece_;
  const llvm::ArrayRef<int64_t> element_;
  IndexingMap::Point point_;
};

/// Returns a value for each parameter, by its name; of several of one name in
/// their order. Nothing if the witness lacks one.
std::optional<Values> valuesOf(const Parameters &parameters,
                               const PairWitness &witness) {
  Values values;
  std::vector<bool> isTaken(witness.runtime.size(), false);
  for (size_t k = 0; k < parameters.size(); ++k) {
    std::optional<size_t> found;
    for (size_t n = 0; n < isTaken.size() && !found; ++n)
      if (!isTaken[n] && witness.runtime[n].first == parameters[k].name)
        found = n;
    if (!found) return std::nullopt;
    isTaken[*found] = true;
    values.push_back(witness.runtime[*found].second);
  }
  return values;
}

}  // namespace

ReplayedReads readsAt(const IndexingRelation &relation,
                      llvm::ArrayRef<int64_t> index,
                      llvm::ArrayRef<int64_t> element,
                      const Parameters &parameters,
                      llvm::ArrayRef<int64_t> values, Meter &meter) {
  ReplayedReads all = ReplayedReads::No;
  for (const IndexingMap &piece : relation.pieces()) {
    const ReplayedReads own =
        PieceAt(piece, index, element, parameters, values).reads(meter);
    if (own == ReplayedReads::Yes) return own;
    if (own == ReplayedReads::Unknown) all = own;
  }
  return all;
}

bool holds(Claim claim, const IndexingRelation &first,
           const IndexingRelation &second, const PairWitness &witness,
           const Budget &budget) {
  const Parameters parameters({&first, &second});
  const auto values = valuesOf(parameters, witness);
  if (!values) return false;
  Meter meter(kReplayOperations, budget.stop);
  auto reads = [&](const IndexingRelation &relation) {
    return readsAt(relation, witness.index, witness.element, parameters,
                   *values, meter);
  };
  const bool isSecond =
      claim == Claim::OneReads && witness.onlyIn == PairWitness::Side::Second;
  if (reads(isSecond ? second : first) != ReplayedReads::Yes) return false;
  return reads(isSecond ? first : second) ==
         (claim == Claim::BothRead ? ReplayedReads::Yes : ReplayedReads::No);
}

bool holds(const IndexingRelation &relation, const PairWitness &witness,
           const Budget &budget) {
  const Parameters parameters({&relation});
  const auto values = valuesOf(parameters, witness);
  if (!values) return false;
  Meter meter(kReplayOperations, budget.stop);
  return readsAt(relation, witness.index, witness.element, parameters, *values,
                 meter) == ReplayedReads::Yes;
}

}  // namespace indexical
