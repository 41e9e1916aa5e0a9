#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/command/command.h"
#include "indexical/command/maps_file.h"
#include "indexical/exact/exact.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

namespace json = llvm::json;

struct CountOptions {
  bool explain = false;
  /// Values of runtime variables, by name.
  std::vector<std::pair<std::string, int64_t>> runtime;
};

/// The three figures of one map.
struct Figures {
  Count domain, image, pairs;

  bool areKnown() const { return domain.value && image.value && pairs.value; }
  Engine engine() const {
    return std::max({domain.engine, image.engine, pairs.engine});
  }
};

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

void writeCount(const Count &count, llvm::raw_ostream &os,
                const char *unknown) {
  if (count.value)
    os << *count.value;
  else
    os << unknown;
}

class CountResult : public Result {
 public:
  explicit CountResult(llvm::ArrayRef<Figures> all) : all_(all) {}

  void text(llvm::raw_ostream &os, TextStyle) override {
    for (const Figures &figures : all_) {
      os << "domain ";
      writeCount(figures.domain, os, "undecided");
      os << ", image ";
      writeCount(figures.image, os, "undecided");
      os << ", pairs ";
      writeCount(figures.pairs, os, "undecided");
      os << " (" << engineName(figures.engine()) << ")\n";
    }
  }

  void structure(Structure &to) override {
    to.beginList("counts");
    for (auto [number, figures] : llvm::enumerate(all_)) {
      auto index = [number = number](json::OStream &json) {
        json.attribute("index", number);
      };
      auto members = [&figures = figures](json::OStream &json) {
        writeFigures(figures, json);
      };
      to.item({"count", members, index});
    }
    to.endList();
  }

 private:
  /// Numbers are written as they are: they can be past 64 bits.
  static void writeFigures(const Figures &figures, json::OStream &json) {
    auto number = [&](const char *name, const Count &count) {
      json.attributeBegin(name);
      json.rawValue(
          [&](llvm::raw_ostream &os) { writeCount(count, os, "null"); });
      json.attributeEnd();
    };
    number("domain", figures.domain);
    number("image", figures.image);
    number("pairs", figures.pairs);
    json.attribute("engine", engineName(figures.engine()));
  }

  const llvm::ArrayRef<Figures> all_;
};

absl::StatusOr<std::vector<Figures>> countAll(const CountOptions &options,
                                              const Maps &maps,
                                              llvm::StringRef text,
                                              const Budget &budget,
                                              std::vector<std::string> *why) {
  std::vector<Figures> all;
  Questions questions(budget);
  CountedMaps counted;
  llvm::SmallVector<bool, 4> used(options.runtime.size(), false);
  for (auto [i, map] : llvm::enumerate(maps)) {
    auto runtime = runtimeOf(map, options.runtime, used);
    if (const size_t first = counted.firstLike(map, runtime, i); first != i) {
      all.push_back(all[first]);
      continue;
    }
    auto domain = questions.ask([&, &map = map](ExactOptions exact) {
      exact.certificates = why;  // what shows it of one figure shows it of all
      return countDomain(map, runtime, exact);
    });
    auto image = questions.ask([&, &map = map](const ExactOptions &exact) {
      return countImage(map, runtime, exact);
    });
    auto pairs = questions.ask([&, &map = map](const ExactOptions &exact) {
      return countPairs(map, runtime, exact);
    });
    if (!budget.check().ok()) return all;
    for (const auto *count : {&domain, &image, &pairs})
      if (!count->ok()) return aboutMap(count->status(), text, i, maps.size());
    all.push_back({*std::move(domain), *std::move(image), *std::move(pairs)});
  }
  for (auto [k, entry] : llvm::enumerate(options.runtime))
    if (!used[k])
      return absl::InvalidArgumentError("no map has a runtime variable `" +
                                        entry.first + "`");
  return all;
}

absl::StatusOr<int> countMaps(const CountOptions &options, Call &call) {
  INDEXICAL_ASSIGN_OR_RETURN(Maps maps, readMaps(call.input()));
  std::vector<std::string> why;
  INDEXICAL_ASSIGN_OR_RETURN(
      auto all, countAll(options, maps, call.input().text, call.budget(),
                         options.explain ? &why : nullptr));
  for (const std::string &line : why) call.err() << "  " << line << '\n';
  CountResult result(all);
  auto isKnown = [](const Figures &figures) { return figures.areKnown(); };
  return call.writeAndEnd(result,
                          llvm::all_of(all, isKnown) ? kDone : kUndecided);
}

}  // namespace

Command makeCount() {
  auto asked = std::make_shared<CountOptions>();
  Command count;
  count.name = "count";
  count.sentence =
      "the number of points, of elements read, and of (index, element) pairs "
      "of each map of a maps file";
  count.example =
      "echo '(d0){rt0} -> (d0 floordiv 4 + rt0),\n"
      "      domain: d0 in [0, 31], rt0 in [0, 7]' |\n"
      "  indexical count --runtime=rt0=4";
  count.statuses = {{kUndecided, "a figure was not found"}};
  count.offers = {Offer::Text, Offer::Structure};
  count.options = {
      runtimeOption(
          asked->runtime,
          "The value of a runtime variable (default: its lower bound)"),
      flagOption("explain", asked->explain,
                 "Write to standard error the certificates by which unknown "
                 "sizes leave no point")};
  count.run = [asked](Call &call) { return countMaps(*asked, call); };
  return count;
}

}  // namespace indexical
