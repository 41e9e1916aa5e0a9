// The offsets that each thread takes, and the figures of taking them.
#ifndef INDEXICAL_LAYOUT_THREAD_OFFSETS_H
#define INDEXICAL_LAYOUT_THREAD_OFFSETS_H

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/layout/access.h"

namespace indexical::layouts {

/// The offsets of one thread, without those that stand twice, in the order of
/// its registers.
struct ThreadOffsets {
  int64_t warp = 0, lane = 0;
  std::vector<int64_t> offsets;
};

/// Returns the offsets of all threads, warp by warp. Returns an error as
/// accessOf() does.
absl::StatusOr<std::vector<ThreadOffsets>> offsetsOf(const Layout &threads);

/// Returns the figures of these threads, as accessOf() says.
absl::StatusOr<AccessFigures> figuresOf(llvm::ArrayRef<ThreadOffsets> threads,
                                        int64_t elementBits, Memory memory,
                                        RegisterOrder order,
                                        const MemorySizes &sizes);

}  // namespace indexical::layouts

#endif  // INDEXICAL_LAYOUT_THREAD_OFFSETS_H
