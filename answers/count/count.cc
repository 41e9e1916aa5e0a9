#include "indexical/answers/count/count.h"

#include <algorithm>
#include <unordered_map>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace indexical {
namespace {

/// The values of the map's runtime variables: those given, else the lower
/// bound. `used` notes the names that some map has.
llvm::SmallVector<int64_t, 4> runtimeOf(
    const IndexingMap &map,
    const std::vector<std::pair<std::string, int64_t>> &given,
    llvm::SmallVectorImpl<bool> &used) {
  llvm::SmallVector<int64_t, 4> values;
  for (uint32_t i = 0; i < map.visibleRuntimeCount(); ++i) {
    const Interval bounds = map.runtime()[i].bounds;
    values.push_back(bounds.hasLower() ? bounds.lower : 0);
    for (auto [k, entry] : llvm::enumerate(given)) {
      if (entry.first != map.nameOf({VariableKind::Runtime, i})) continue;
      values.back() = entry.second;
      used[k] = true;
    }
  }
  return values;
}

/// Asks the questions of a call. A question that stays undecided has used up
/// its operations, and isl can take 1.5 s for a million of them. So after
/// kMostUndecided such questions every other question has kOperationsAfter. A
/// number that the user gives holds for every question.
class Questions {
 public:
  explicit Questions(const Budget &budget) : options_(budget) {}

  absl::StatusOr<Count> ask(
      llvm::function_ref<absl::StatusOr<Count>(const ExactOptions &)>
          question) {
    if (undecided_ >= kMostUndecided && !options_.operations)
      options_.operations = kOperationsAfter;
    auto count = question(options_);
    if (count.ok() && !count->value) ++undecided_;
    return count;
  }

 private:
  static constexpr int64_t kMostUndecided = 16;
  static constexpr int64_t kOperationsAfter = 10'000;

  ExactOptions options_;
  int64_t undecided_ = 0;
};

/// The maps of a file that were counted, by hash. A map that is there twice is
/// counted once.
class CountedMaps {
 public:
  using Runtime = llvm::SmallVector<int64_t, 4>;

  /// Returns the number of the first map that equals `map` and has the same
  /// values of its runtime variables: `number` if there is none before. `map`
  /// has to outlive this object.
  size_t firstLike(const IndexingMap &map, Runtime runtime, size_t number) {
    const size_t hash = map.hash();
    auto [at, end] = byHash_.equal_range(hash);
    for (; at != end; ++at) {
      const Entry &entry = at->second;
      if (*entry.map == map && entry.runtime == runtime) return entry.number;
    }
    byHash_.emplace(hash, Entry{&map, std::move(runtime), number});
    return number;
  }

 private:
  struct Entry {
    const IndexingMap *map;
    Runtime runtime;
    size_t number;
  };
  std::unordered_multimap<size_t, Entry> byHash_;
};

}  // namespace

bool MapFigures::areKnown() const {
  return domain.value && image.value && pairs.value;
}

Engine MapFigures::engine() const {
  return std::max({domain.engine, image.engine, pairs.engine});
}

bool CountAnswer::areKnown() const {
  return llvm::all_of(maps, [](const MapFigures &of) { return of.areKnown(); });
}

absl::StatusOr<CountAnswer> countsOf(llvm::ArrayRef<IndexingMap> maps,
                                     const CountQuestion &question,
                                     const Ask &ask) {
  CountAnswer answer;
  std::vector<MapFigures> &all = answer.maps;
  Questions questions(ask.budget);
  CountedMaps counted;
  llvm::SmallVector<bool, 4> used(question.runtime.size(), false);
  for (auto [i, map] : llvm::enumerate(maps)) {
    auto runtime = runtimeOf(map, question.runtime, used);
    if (const size_t first = counted.firstLike(map, runtime, i); first != i) {
      all.push_back(all[first]);
      continue;
    }
    auto domain = questions.ask([&, &map = map](ExactOptions exact) {
      if (question.explain) exact.certificates = &answer.certificates;
      // One figure shows it for all.
      return countDomain(map, runtime, exact);
    });
    auto image = questions.ask([&, &map = map](const ExactOptions &exact) {
      return countImage(map, runtime, exact);
    });
    auto pairs = questions.ask([&, &map = map](const ExactOptions &exact) {
      return countPairs(map, runtime, exact);
    });
    if (!ask.budget.check().ok()) return answer;
    for (const auto *count : {&domain, &image, &pairs})
      if (!count->ok())
        return question.about ? question.about(count->status(), i)
                              : count->status();
    all.push_back({*std::move(domain), *std::move(image), *std::move(pairs)});
  }
  for (auto [k, entry] : llvm::enumerate(question.runtime))
    if (!used[k])
      return absl::InvalidArgumentError("no map has a runtime variable `" +
                                        entry.first + "`");
  return answer;
}

}  // namespace indexical
