#include "indexical/cost/memory/access.h"

#include "indexical/cost/memory/thread_map.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/ops/address.h"

namespace indexical {

absl::StatusOr<IndexingMap> threadsOf(const LaunchSpace &space,
                                      int64_t vector) {
  switch (space.order) {
    case ThreadOrder::Given:
      if (space.threads) return *space.threads;
      return absl::InvalidArgumentError("the threads of a launch are missing");
    case ThreadOrder::Rows:
      return rowThreads(space.shape, space.rowDimensions);
    case ThreadOrder::Linear:
      break;
  }
  LinearThreads options;
  options.threads = space.blockThreads;
  options.vector = space.vector > 0 ? space.vector : vector;
  return linearThreads(space.shape, options);
}

int64_t bytesOf(const ArrayShape &buffer) {
  const auto stored = storedElements(buffer);
  const auto bits =
      stored ? checkedMul(*stored, storedBits(buffer)) : std::nullopt;
  return bits ? ceilDiv(*bits, 8) : 0;
}

void KernelAccesses::launchBy(const IndexingMap &threads) {
  for (LaunchSpace &launch : launches) {
    launch.order = ThreadOrder::Given;
    launch.threads = threads;
  }
}

}  // namespace indexical
