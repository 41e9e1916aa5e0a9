#include "indexical/program/kernel/access_order.h"

#include <algorithm>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

namespace indexical::kernels {

namespace {

/// Returns whether the access is in all loops of the barrier: in each of their
/// turns both happen.
bool isAround(const KernelBarrier &barrier, const KernelAccess &access) {
  if (barrier.loops.size() > access.loops.size()) return false;
  for (size_t k = 0; k < barrier.loops.size(); ++k)
    if (barrier.loops[k] != access.loops[k].loop) return false;
  return true;
}

/// Returns whether the barrier is in the first `count` loops of the access.
bool isInside(const KernelBarrier &barrier, const KernelAccess &access,
              size_t count) {
  if (barrier.loops.size() < count || access.loops.size() < count) return false;
  for (size_t k = 0; k < count; ++k)
    if (barrier.loops[k] != access.loops[k].loop) return false;
  return true;
}

/// Returns whether the threads that make an access pass the barrier, too, in
/// the same turn of its loops, which are around the access.
bool isPassedWith(const KernelBarrier &barrier, size_t access) {
  return barrier.isAlways || llvm::binary_search(barrier.with, access);
}

}  // namespace

size_t commonLoops(const KernelAccess &a, const KernelAccess &b) {
  size_t count = 0;
  while (count < a.loops.size() && count < b.loops.size() &&
         a.loops[count].loop == b.loops[count].loop)
    ++count;
  return count;
}

BarrierBetween barrierBetween(const TritonKernel &kernel, size_t first,
                              size_t second,
                              const std::optional<TurnDistance> &distance) {
  const KernelAccess &a = kernel.accesses[first], &b = kernel.accesses[second];
  const size_t shared = distance ? distance->loop + 1 : commonLoops(a, b);
  BarrierBetween found;
  for (const KernelBarrier &barrier : kernel.barriers) {
    if (!isInside(barrier, a, shared)) continue;
    const bool isAfterFirst = barrier.before > first;
    const bool isBeforeSecond = barrier.before <= second;
    const bool isInTurnOfFirst = isAfterFirst && isAround(barrier, a);
    const bool isInTurnOfSecond = isBeforeSecond && isAround(barrier, b);
    const bool isPassed = (isInTurnOfFirst && isPassedWith(barrier, first)) ||
                          (isInTurnOfSecond && isPassedWith(barrier, second));
    const bool isDeeper = barrier.loops.size() > shared;
    auto own = BarrierBetween::No;
    if (!distance) {
      // Between them in the file, or in a loop that only one of them is in.
      if (isAfterFirst && isBeforeSecond)
        own = isPassed ? BarrierBetween::Yes : BarrierBetween::Unknown;
      else if (barrier.loops.size() == shared + 1 && isAround(barrier, b) &&
               barrier.isInEachTurn)
        found.firstTurns = 1;
      else if (isInside(barrier, a, shared + 1) ||
               isInside(barrier, b, shared + 1))
        own = BarrierBetween::Unknown;
    } else if (isPassed || (!isDeeper && barrier.isInEachTurn &&
                            distance->turns.lower > 1)) {
      own = BarrierBetween::Yes;
    } else if (isDeeper || isInTurnOfFirst || isInTurnOfSecond ||
               distance->turns.lower > 1) {
      own = BarrierBetween::Unknown;
    }
    found.answer = std::max(found.answer, own);
  }
  return found;
}

std::vector<Interval> turnDistances(int64_t stages) {
  std::vector<Interval> found = {{1, 1}};
  if (stages > 2) found.push_back({2, stages - 1});
  found.push_back({std::max<int64_t>(2, stages), Interval::kInfinity});
  return found;
}

}  // namespace indexical::kernels
