// Whether two indices of a map read one element.
#include <utility>
#include <vector>

#include "indexical/exact/distance.h"
#include "indexical/exact/exact.h"
#include "indexical/exact/pairs.h"
#include "indexical/exact/replay.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/stop_scope.h"

namespace indexical {
namespace {

/// Says how the runtime variables of two indices are related. Each variable
/// that depends on the index either has one value for both, or is another
/// element for each: one coordinate of it is greater or less.
struct TwoReadings {
  llvm::SmallVector<size_t, 8> equal;  ///< results
  struct Apart {
    size_t place;  ///< a result
    bool less;
  };
  llvm::SmallVector<Apart, 2> apart;
};

constexpr size_t kMostWays = 64;

/// Every variable has one value.
TwoReadings sameValues(const Pairs &pairs) {
  const size_t first = pairs.indexRank() + pairs.elementRank();
  TwoReadings way;
  for (size_t i = pairs.indexRank(); i < first + pairs.parameters().size(); ++i)
    way.equal.push_back(i);
  return way;
}

/// Parameters that depend on the index may have any two values.
TwoReadings anyValues(const Pairs &pairs) {
  const size_t first = pairs.indexRank() + pairs.elementRank();
  TwoReadings way;
  for (size_t i = pairs.indexRank(); i < first + pairs.parameters().size(); ++i)
    if (i < first || !pairs.parameters()[i - first].dependsOnIndex)
      way.equal.push_back(i);
  return way;
}

Interval side(bool less) {
  return less ? Interval{Interval::kMinusInfinity, -1}
              : Interval{1, Interval::kInfinity};
}

bool uses(const System &system, FormId form, uint32_t variable) {
  bool found = false;
  system.pool.visitVariables(
      {form}, [&](VariableId id) { found |= id.index == variable; });
  return found;
}

/// Pairs of different indices that read one element; results are those of both.
absl::StatusOr<std::vector<IndexingMap>> twoIndices(const IndexingMap &a,
                                                    const IndexingMap &b,
                                                    const TwoReadings &readings,
                                                    const Pairs &pairs,
                                                    bool samePiece) {
  std::vector<IndexingMap> sets;
  auto meeting = meet(a, b, readings.equal);
  if (!meeting) return absl::OutOfRangeError(kLeaves64Bits);
  for (const TwoReadings::Apart &apart : readings.apart)
    meeting->system.require(meeting->system.pool.sub(meeting->a[apart.place],
                                                     meeting->b[apart.place]),
                            side(apart.less));
  for (size_t k = 0; k < pairs.indexRank(); ++k)
    for (bool less : {false, true}) {
      // One order is enough for a piece and itself.
      if (less && samePiece && readings.apart.empty()) continue;
      System system = meeting->system;
      system.outputs = meeting->a;
      system.outputs.append(meeting->b);
      auto other = system.pool.asVariable(meeting->b[k]);
      if (isSemiAffine(system.pool) && other &&
          !uses(system, meeting->a[k], other->index)) {
        system = withDistance(system, other->index, meeting->a[k], side(less));
      } else {
        system.require(system.pool.sub(meeting->a[k], meeting->b[k]),
                       side(less));
      }
      INDEXICAL_ASSIGN_OR_RETURN(auto set, system.simplified());
      if (!set.isKnownEmpty()) sets.push_back(std::move(set));
    }
  return sets;
}

/// Whether the values of runtime variables at both indices are possible.
bool showsTwoReaders(llvm::ArrayRef<int64_t> results, const Pairs &pairs) {
  llvm::SmallVector<Reading, 4> readings;
  const Parameters &parameters = pairs.parameters();
  for (llvm::ArrayRef<int64_t> half :
       {results.take_front(results.size() / 2),
        results.drop_front(results.size() / 2)}) {
    half = half.drop_front(pairs.indexRank() + pairs.elementRank());
    llvm::ArrayRef<int64_t> places = half.drop_front(parameters.size());
    for (size_t k = 0; k < parameters.size(); ++k) {
      const size_t rank = parameters[k].variable.index.size();
      readings.push_back(
          {&parameters[k].variable, Values(places.take_front(rank)), half[k]});
      places = places.drop_front(rank);
    }
  }
  return areConsistent(readings);
}

/// Whether both indices read the element, each at its values.
bool readBoth(const IndexingRelation &relation, llvm::ArrayRef<int64_t> results,
              const Pairs &pairs, const ExactOptions &options) {
  const size_t own = pairs.indexRank() + pairs.elementRank();
  const llvm::ArrayRef<int64_t> element =
      results.slice(pairs.indexRank(), pairs.elementRank());
  Meter meter(kReplayOperations, options.stop);
  for (llvm::ArrayRef<int64_t> half : {results.take_front(results.size() / 2),
                                       results.drop_front(results.size() / 2)})
    if (readsAt(relation, half.take_front(pairs.indexRank()), element,
                pairs.parameters(), half.slice(own, pairs.parameters().size()),
                meter) != ReplayedReads::Yes)
      return false;
  return true;
}

/// Two readers of one element in regions `a` and `b`.
class TwoReaders {
 public:
  TwoReaders(const Pairs &pairs, Engines &engines)
      : pairs_(pairs), engines_(engines) {}

  /// A point of the results of both regions.
  Sample find(const IndexingMap &a, const IndexingMap &b, bool samePiece) {
    Sample sample = findIn(a, b, sameValues(pairs_), samePiece);
    if (sample.found == Sample::Found::Point) return sample;
    TwoReadings any = anyValues(pairs_);
    if (sample.found == Sample::Found::Nothing &&
        any.equal.size() == sameValues(pairs_).equal.size())
      return sample;
    // A point that is found here may give one element two values.
    sample = findIn(a, b, any, samePiece);
    if (sample.found != Sample::Found::Unknown) return sample;
    auto ways = allWays(a, b, samePiece);
    if (ways.empty()) return sample;
    sample = Sample::nothing();
    for (const TwoReadings &way : ways) {
      Sample own = findIn(a, b, way, samePiece);
      if (own.found == Sample::Found::Point) return own;
      if (own.found == Sample::Found::Unknown) sample = own;
    }
    return sample;
  }

 private:
  /// All combinations in which each variable has equal values, or reads
  /// elements that are apart in one of the possible ways. None if there are too
  /// many.
  std::vector<TwoReadings> allWays(const IndexingMap &a, const IndexingMap &b,
                                   bool samePiece) {
    const Parameters &parameters = pairs_.parameters();
    const TwoReadings any = anyValues(pairs_);
    const size_t first = pairs_.indexRank() + pairs_.elementRank();
    size_t place = first + parameters.size();
    std::vector<TwoReadings> ways{any};
    for (size_t k = 0; k < parameters.size(); ++k) {
      std::vector<TwoReadings::Apart> apart;
      const size_t rank = parameters[k].variable.index.size();
      for (size_t j = 0; parameters[k].dependsOnIndex && j < rank; ++j)
        for (bool less : {false, true}) {
          TwoReadings alone = any;
          alone.apart.push_back({place + j, less});
          auto sets = twoIndices(a, b, alone, pairs_, samePiece);
          if (!sets.ok() || !sets->empty()) apart.push_back({place + j, less});
        }
      place += rank;
      if (!parameters[k].dependsOnIndex) continue;
      std::vector<TwoReadings> next;
      for (const TwoReadings &way : ways) {
        next.push_back(way);
        next.back().equal.push_back(first + k);
        for (TwoReadings::Apart how : apart) {
          next.push_back(way);
          next.back().apart.push_back(how);
        }
      }
      ways = std::move(next);
      if (ways.size() > kMostWays) return {};
    }
    return ways;
  }

  Sample findIn(const IndexingMap &a, const IndexingMap &b,
                const TwoReadings &way, bool samePiece) {
    auto sets = twoIndices(a, b, way, pairs_, samePiece);
    if (!sets.ok()) {
      engines_.noteReason(kLeaves64Bits);
      return {};
    }
    Sample all = Sample::nothing();
    for (const IndexingMap &set : *sets) {
      Sample sample = sampleResults(set, engines_);
      if (sample.found == Sample::Found::Nothing) continue;
      if (sample.found == Sample::Found::Point) {
        if (showsTwoReaders(sample.point, pairs_)) return sample;
        engines_.noteReason(
            "two runtime variables take their values from one element");
      }
      all.found = Sample::Found::Unknown;
    }
    return all;
  }

  const Pairs &pairs_;
  Engines &engines_;
};

}  // namespace

absl::StatusOr<Decision> isInjective(const IndexingRelation &relation,
                                     const ExactOptions &options) {
  if (!hasStack(stackOfQuestion(relation)))
    return onDeepStack([&] { return isInjective(relation, options); });
  const StopScope scope(options.stop);
  Pairs pairs{&relation};
  INDEXICAL_RETURN_IF_ERROR(pairs.build(Places::OfAll));
  Engines engines(options);
  if (!pairs.overflow().empty()) return undecided(engines, pairs.overflow());
  Decision decision;
  decision.answer = Answer::Yes;
  llvm::ArrayRef<IndexingMap> regions = pairs.of(0);
  for (size_t p = 0; p < regions.size(); ++p)
    for (size_t q = p; q < regions.size(); ++q) {
      Sample sample =
          TwoReaders(pairs, engines).find(regions[p], regions[q], p == q);
      if (sample.found == Sample::Found::Unknown)
        decision = undecided(engines, engines.reason());
      if (sample.found != Sample::Found::Point) continue;
      if (!readBoth(relation, sample.point, pairs, options)) {
        decision = undecided(engines, kNotShown);
        continue;
      }
      decision.answer = Answer::No;
      decision.engine = engines.engine();
      decision.reason.clear();
      decision.witness = pairs.witness(sample.point);
      auto second = llvm::ArrayRef(sample.point)
                        .drop_front(regions[p].results().size())
                        .take_front(pairs.indexRank());
      decision.witness->otherIndex.assign(second.begin(), second.end());
      return engines.unlessStopped(std::move(decision));
    }
  decision.engine = engines.engine();
  return engines.unlessStopped(std::move(decision));
}

}  // namespace indexical
