#include "indexical/cost/tiles/tile_time.h"

#include <algorithm>
#include <cmath>

#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace {

constexpr int64_t kMostStages = 5, kMostBlocks = 16;
/// Bytes of shared memory that each block costs a core beside its own, and
/// registers beside its accumulators.
constexpr int64_t kSharedOfBlock = 1024, kRegistersOfBlock = 8192;
/// Bytes a clock between a core and the cache that all share.
constexpr double kCacheBytes = 64;
/// From asking memory for bytes until they are there.
constexpr double kLatencyMicroseconds = 1.0;
constexpr double kBarrierMicroseconds = 0.06;
/// Of the time of a turn's bytes, what two stages leave in sight.
constexpr double kInSight = 0.25;

int64_t roundedUp(int64_t size, int64_t multiple) {
  return ceilDiv(std::max<int64_t>(1, size), multiple) * multiple;
}

double rateOf(const TileProduct &product, const TileDevice &device) {
  const int64_t rate = product.bits >= 64   ? device.products64
                       : product.bits >= 32 ? device.products32
                       : product.bits >= 16 ? device.products16
                                            : device.products8;
  // Operations a microsecond, of one core.
  const double own =
      rate * 1e3 / std::max<int64_t>(1, device.cores) * device.productShare;
  return std::max(product.m, product.n) < device.fewRows
             ? own * device.fewRowsShare
             : own;
}

}  // namespace

TileTime timeOf(const TileWork &work, const TileDevice &device) {
  TileTime time;
  const int64_t stage = std::max<int64_t>(1, work.stageBytes);
  time.stages = std::min(
      {(device.blockShared - work.heldBytes) / stage, kMostStages,
       static_cast<int64_t>(std::min<double>(work.turns, kMostStages))});
  time.fits = time.stages >= 1 && work.accumulators <= device.registers / 4 * 3;
  time.stages = std::max<int64_t>(1, time.stages);
  time.shared = work.heldBytes + time.stages * work.stageBytes;
  if (!time.fits) return time;
  // Blocks that a core has at once.
  const int64_t most =
      std::min({kMostBlocks, device.coreShared / (time.shared + kSharedOfBlock),
                device.registers / (work.accumulators + kRegistersOfBlock),
                ceilDiv(work.blocks, device.cores)});
  const double together = std::max<int64_t>(1, most);
  const double waves = std::ceil(work.blocks / (device.cores * together));
  double products = 0;
  for (const TileProduct &each : work.products)
    products += 2.0 * each.count * roundedUp(each.m, 16) *
                roundedUp(each.n, 8) * roundedUp(each.k, 16) /
                rateOf(each, device) * each.turns;
  products /= std::max(1.0, work.turns);
  const double cache = kCacheBytes * device.megahertz;  // bytes a microsecond
  double turn;
  if (time.stages == 1) {
    turn = std::max(together * products,
                    products + work.turnBytes / cache + kLatencyMicroseconds);
  } else {
    const double loads = std::max(together * work.turnBytes / cache,
                                  kLatencyMicroseconds / (time.stages - 1));
    turn = std::max(together * products, loads) +
           work.turnBytes / cache * kInSight / (time.stages - 1);
  }
  turn += kBarrierMicroseconds;
  const double flying = std::min<double>(work.blocks, device.cores * together) *
                        std::max<int64_t>(1, time.stages - 1) *
                        std::max(1.0, work.turnBytes) / kLatencyMicroseconds;
  const double memory = device.gigabytes * 1e3;  // bytes a microsecond
  const double reads =
      work.operandBytes / std::min(memory * device.readShare, flying);
  time.microseconds = std::max(waves * work.turns * turn, reads) +
                      work.resultBytes / (memory * device.writeShare);
  return time;
}

double timeOfReads(double bytes, double differentBytes, double resultBytes,
                   const TileDevice &device) {
  const double memory = device.gigabytes * 1e3;
  const double cache = kCacheBytes * device.megahertz * device.cores;
  // What fits into the cache comes from memory once.
  const double fromMemory =
      differentBytes <= device.cacheBytes ? differentBytes : bytes;
  return device.launchMicroseconds +
         std::max(fromMemory / (memory * device.readShare) +
                      resultBytes / (memory * device.writeShare),
                  bytes / cache);
}

}  // namespace indexical
