#include "indexical/cost/communication/topology.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

namespace indexical {
namespace {

using llvm::StringRef;

std::optional<double> rateOf(StringRef text) {
  text = text.trim();
  static constexpr std::pair<llvm::StringLiteral, double> kUnits[] = {
      {"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}, {"B/s", 1}};
  for (const auto &[unit, factor] : kUnits) {
    StringRef number = text;
    if (!number.consume_back(unit)) continue;
    double value = 0;
    if (number.trim().getAsDouble(value) || !(value > 0) || value > 1e12)
      return std::nullopt;
    return value * factor;
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<Topology> parseTopology(StringRef text) {
  Topology topology;
  bool hasWithin = false;
  for (StringRef rest = text; !rest.empty();) {
    const size_t end = rest.find_first_of("\n;");
    const StringRef line = rest.take_front(end).split('#').first;
    const Place place =
        placeOfOffset(text, line.ltrim().begin() - text.begin());
    rest = end == StringRef::npos ? "" : rest.drop_front(end + 1);
    if (line.trim().empty()) continue;
    auto [word, rate] = line.trim().split(':');
    const auto bytes = rateOf(rate);
    if (!bytes)
      return errorAt(place,
                     "a link has a rate, as in `between: 50 GB/s`; units are "
                     "B/s, kB/s, MB/s, GB/s and TB/s");
    word = word.trim();
    if (word == "between" && !topology.between) {
      topology.between = *bytes;
    } else if (word.consume_front("within") && !hasWithin) {
      hasWithin = true;
      topology.within = *bytes;
      if (word.trim().getAsInteger(10, topology.devicesPerHost) ||
          topology.devicesPerHost < 1)
        return errorAt(place,
                       "`within` has the number of devices of a host, as in "
                       "`within 8: 450 GB/s`");
    } else {
      return errorAt(place,
                     "a topology has one line `within N: RATE` and at most one "
                     "line `between: RATE`");
    }
  }
  if (!hasWithin)
    return errorAt({1, 1}, "a topology has a line `within N: RATE`");
  return topology;
}

LinkTimes linkTimesOf(const Collective &of, const Topology &topology,
                      int64_t devices) {
  LinkTimes times;
  if (of.isRagged() || of.isLowered) return times;
  devices = std::max(devices, of.devices);
  std::vector<double> in[2], out[2];
  for (auto *sums : {in, out})
    for (int link : {0, 1}) sums[link].assign(devices, 0);
  of.transfers(of.bytes(), [&](int64_t from, int64_t to, ByteFraction bytes) {
    const int link =
        from / topology.devicesPerHost == to / topology.devicesPerHost ? 0 : 1;
    const double each =
        static_cast<double>(bytes.numerator) / bytes.denominator;
    out[link][from] += each;
    in[link][to] += each;
  });
  auto slowest = [&](int link) {
    return std::max(*llvm::max_element(in[link]),
                    *llvm::max_element(out[link]));
  };
  if (slowest(0) > 0) times.within = slowest(0) / topology.within * 1e6;
  if (slowest(1) > 0 && topology.between)
    times.between = slowest(1) / *topology.between * 1e6;
  return times;
}

}  // namespace indexical
