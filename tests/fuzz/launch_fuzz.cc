// A thread map, and what its threads read, against the simulator of
// tests/same/values: figures are right, or hold the right ones between them.

#include <optional>
#include <string>

#include "indexical/cost/memory/coalescing.h"
#include "indexical/cost/memory/device.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/map_text.h"
#include "tests/cost/memory/simulator.h"
#include "tests/fuzz/check.h"

namespace indexical::testing {
namespace {

constexpr int64_t kMostThreads = 4096;

/// Returns the number of points of the box, or nothing if the box is empty,
/// large or open, or the map has runtime variables.
std::optional<int64_t> pointsOf(const IndexingMap &map) {
  int64_t points = 1;
  auto add = [&](const Variable &v) {
    const bool isSmall = v.bounds.isFinite() && v.bounds.lower >= 0 &&
                         v.bounds.upper < kMostThreads;
    points = isSmall && points > 0 ? points * v.bounds.count() : 0;
    if (points > kMostThreads) points = 0;
  };
  for (const Variable &v : map.dimensions()) add(v);
  for (const Variable &v : map.ranges()) add(v);
  if (!map.runtime().empty() || map.isKnownEmpty() || points == 0)
    return std::nullopt;
  return points;
}

}  // namespace
}  // namespace indexical::testing

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace indexical;
  using namespace indexical::testing;
  if (size > kMostFuzzBytes) return 0;
  auto maps = parseMaps(testing::textOf(data, size));
  if (!maps.ok() || maps->size() != 2) return 0;
  const IndexingMap &threads = (*maps)[0], &read = (*maps)[1];
  if (!pointsOf(threads) || !pointsOf(read) ||
      threads.results().size() != read.dimensions().size())
    return 0;
  // The array that the read fits into.
  llvm::SmallVector<int64_t, 4> sizes;
  auto boundsOf = [&](VariableId id) { return read.variable(id).bounds; };
  FormBounds bounds(read.expressions(), boundsOf);
  for (FormId form : read.results()) {
    const Interval values = bounds(form);
    if (!values.isFinite() || values.lower < 0 || values.upper > 100'000)
      return 0;
    sizes.push_back(values.upper + 1);
  }
  const ArrayShape operand(ElementType::F32, sizes);
  auto launch = Coalescing::of(threads, *findDevice("h100"));
  if (!launch.ok()) return 0;
  CoalescingOptions options;
  options.operations = 200'000;
  const IndexingRelation relation(read);
  const Measured measured = launch->figures(relation, operand, options);
  if (!measured.ok()) return 0;
  const Simulated simulated = simulate(relation, operand, threads, Machine());
  const std::string more =
      printMap(threads) + "\n" + printMap(read) + "\n" + simulated.str();
  const AccessFigures &found = *measured;
  auto check = [&](const Figure &figure, int64_t right) {
    FUZZ_CHECK(figure.least <= right && right <= figure.most, more);
  };
  check(found.accesses, simulated.accesses);
  check(found.activeLanes, simulated.activeLanes);
  check(found.bytesUsed, simulated.bytesUsed);
  check(found.sectors, simulated.sectors);
  check(found.sectorsFewest, simulated.sectorsFewest);
  check(found.lines, simulated.lines);
  check(found.distinctSectors, simulated.distinctSectors);
  return 0;
}
