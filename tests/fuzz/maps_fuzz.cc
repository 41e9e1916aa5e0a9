// Maps files, against enumeration.
//
//   a map's text is read as the same map again;
//   simplify keeps the pairs, and does nothing the second time;
//   a product has the pairs of its factors, one after another;
//   a count is the number of points.
//
// The oracle goes through the points of the dimensions and asks for values
// alone: only maps whose boxes are small take part in it.

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "indexical/exact/exact.h"
#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/simplify.h"
#include "tests/fuzz/check.h"

namespace indexical::testing {
namespace {

constexpr int64_t kMostPoints = 2000;

using Values = std::vector<int64_t>;
using Pairs = std::set<std::pair<Values, Values>>;

/// Returns the pairs of all points in the box of dimensions, ranges and runtime
/// variables, or nothing if the box is large.
std::optional<Pairs> pairsOf(const IndexingMap &map) {
  std::vector<Interval> box;
  for (const Variable &v : map.dimensions()) box.push_back(v.bounds);
  for (const Variable &v : map.ranges()) box.push_back(v.bounds);
  if (!map.runtime().empty()) return std::nullopt;
  int64_t points = 1;
  Values at;
  for (const Interval &side : box) {
    if (!side.isFinite() || side.count() > kMostPoints ||
        (points *= side.count()) > kMostPoints)
      return std::nullopt;
    at.push_back(side.lower);
  }
  Pairs pairs;
  if (map.isKnownEmpty() || points == 0) return pairs;
  const size_t rank = map.dimensions().size();
  while (true) {
    auto variable = [&](VariableId id) {
      return at[id.index + (id.kind == VariableKind::Range ? rank : 0)];
    };
    Evaluation value(map.expressions(), variable);
    bool isIn = true;
    for (const Constraint &c : map.constraints()) {
      const auto found = value(c.form);
      isIn &= found && c.bounds.contains(*found);
    }
    if (isIn) {
      Values results;
      for (FormId form : map.results()) {
        const auto found = value(form);
        if (!found) return std::nullopt;
        results.push_back(*found);
      }
      pairs.insert({Values(at.begin(), at.begin() + rank), results});
    }
    size_t k = 0;
    while (k < at.size() && at[k] == box[k].upper) at[k] = box[k].lower, ++k;
    if (k == at.size()) return pairs;
    ++at[k];
  }
}

/// The pairs of the product, by those of the factors.
Pairs productOf(const Pairs &first, const Pairs &second) {
  Pairs product;
  for (const auto &[from, between] : first)
    for (auto at = second.lower_bound({between, {}});
         at != second.end() && at->first == between; ++at)
      product.insert({from, at->second});
  return product;
}

void checkOne(const IndexingMap &map, const std::optional<Pairs> &pairs) {
  const std::string text = printMap(map);
  auto again = parseMap(text);
  FUZZ_CHECK(again.ok() && (*again == map || !map.runtime().empty()), text);
  auto simple = simplify(map);
  if (!simple.ok()) return;
  auto twice = simplify(*simple);
  FUZZ_CHECK(twice.ok() && *twice == *simple, text);
  if (!pairs) return;
  // A map that simplify knows to be empty has no ranks, so it has no pairs.
  if (auto found = pairsOf(*simple))
    FUZZ_CHECK(*found == *pairs, text + "\n" + printMap(*simple));
  ExactOptions options;
  options.operations = 20'000;
  auto count = countPairs(map, {}, options);
  if (count.ok() && count->value)
    FUZZ_CHECK(*count->value == static_cast<int64_t>(pairs->size()), text);
}

}  // namespace
}  // namespace indexical::testing

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace indexical;
  using namespace indexical::testing;
  if (size > kMostFuzzBytes) return 0;
  auto maps = parseMaps(testing::textOf(data, size));
  if (!maps.ok()) return 0;
  std::optional<Pairs> before;
  for (size_t i = 0; i < maps->size() && i < 4; ++i) {
    const IndexingMap &map = (*maps)[i];
    const auto pairs = pairsOf(map);
    checkOne(map, pairs);
    if (i > 0 && before && pairs) {
      auto product = compose((*maps)[i - 1], map);
      if (product.ok())
        if (auto found = pairsOf(*product))
          FUZZ_CHECK(*found == productOf(*before, *pairs),
                     printMap((*maps)[i - 1]) + "\n" + printMap(map) + "\n" +
                         printMap(*product));
    }
    before = pairs;
  }
  return 0;
}
