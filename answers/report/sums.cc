#include "indexical/answers/report/sums.h"

#include <algorithm>

#include "indexical/answers/saturated.h"

namespace indexical {

namespace {

constexpr int64_t TrafficSums::*kBytes[] = {
    &TrafficSums::moved,      &TrafficSums::wasted,
    &TrafficSums::movedLeast, &TrafficSums::wastedLeast,
    &TrafficSums::movedSure,  &TrafficSums::wastedSure};

}  // namespace

void TrafficSums::add(const TrafficSums &other) {
  for (int64_t TrafficSums::*of : kBytes)
    this->*of = sumOf(this->*of, other.*of);
  time += other.time;
  measured += other.measured;
  lost += other.lost;
  avoidable += other.avoidable;
  operations += other.operations;
  atomics += other.atomics;
  received += other.received;
}

TrafficSums sumsOf(const Traffic &traffic, const Device &device) {
  TrafficSums sums;
  sums.moved = sums.movedLeast = sums.movedSure = traffic.bytes;
  if (!traffic.figures) return sums;
  const AccessFigures &of = *traffic.figures;
  const LeastFigures least = of.least();
  sums.moved = productOf(of.sectors.most, device.sector);
  sums.movedLeast = productOf(of.sectors.least, device.sector);
  sums.movedSure = productOf(least.sectors, device.sector);
  sums.wasted = std::min(of.wastedBytes.most, sums.moved);
  sums.wastedLeast = of.wastedBytes.least;
  sums.wastedSure = least.wastedBytes;
  return sums;
}

namespace {

TrafficSums ofAllTrips(const TrafficSums &one, int64_t trips) {
  TrafficSums all;
  for (int64_t TrafficSums::*of : kBytes) all.*of = productOf(one.*of, trips);
  return all;
}

}  // namespace

TrafficSums sumsOf(const AccessRow &row) {
  return ofAllTrips(sumsOf(*row.traffic, *row.kernel->device),
                    row.kernel->kernel().trips);
}

TrafficSums sumsOf(const KernelCost &kernel) {
  TrafficSums sums;
  for (const auto *accesses :
       {&kernel.traffic().reads, &kernel.traffic().writes})
    for (const Traffic &traffic : *accesses)
      sums.add(
          ofAllTrips(sumsOf(traffic, *kernel.device), kernel.kernel().trips));
  sums.time = kernel.allTrips();
  sums.lost = kernel.lost();
  sums.avoidable = kernel.avoided().microseconds;
  return sums;
}

}  // namespace indexical
