#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/exact/exact.h"
#include "indexical/tools/command.h"
#include "indexical/tools/maps_file.h"

namespace indexical {
namespace {

namespace json = llvm::json;

struct CountOptions {
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
                                              const Budget &budget) {
  std::vector<Figures> all;
  const ExactOptions exact(budget);
  llvm::SmallVector<bool, 4> used(options.runtime.size(), false);
  for (auto [i, map] : llvm::enumerate(maps)) {
    auto runtime = runtimeOf(map, options.runtime, used);
    auto domain = countDomain(map, runtime, exact);
    auto image = countImage(map, runtime, exact);
    auto pairs = countPairs(map, runtime, exact);
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
  absl::StatusOr<Maps> maps = readMaps(call.input());
  if (!maps.ok()) return maps.status();
  auto all = countAll(options, *maps, call.input().text, call.budget());
  if (!all.ok()) return all.status();
  CountResult result(*all);
  auto isKnown = [](const Figures &figures) { return figures.areKnown(); };
  return call.writeAndEnd(result,
                          llvm::all_of(*all, isKnown) ? kDone : kUndecided);
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
  count.options = {runtimeOption(
      asked->runtime,
      "The value of a runtime variable (default: its lower bound)")};
  count.run = [asked](Call &call) { return countMaps(*asked, call); };
  return count;
}

}  // namespace indexical
