// A stack that is deep enough for recursion, whatever stack the caller has.
//
// Readers call themselves for each bracket, and walks over an expression call
// themselves for each of its levels, which products nest. A caller may have
// little room: a thread of a pool has 256 kB. So the entry points of the
// library check how much stack is left. If that may be too little, they call
// themselves once more on a thread with 64 MB, and wait for it:
//
//   simplify, a map of 3 levels     left 250 kB: here
//   simplify, a map of 300 levels   left 250 kB: on a thread of its own
//   simplify, a map of 300 levels   left 8 MB: here
//
// A new thread takes some 30 microseconds, the check a few nanoseconds.
//
// Law (tests/threads/small_stack_test.cc): all entry points answer on a thread
// of 256 kB as on one of 64 MB.
#ifndef INDEXICAL_INDEXING_DEEP_STACK_H
#define INDEXICAL_INDEXING_DEEP_STACK_H

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "llvm/ADT/STLFunctionalExtras.h"

namespace indexical {

constexpr size_t kDeepStack = size_t{64} << 20;

/// The stack that a query needs that composes maps, whatever the maps are.
constexpr size_t kStackOfQuestion = size_t{2} << 20;
/// The stack that a reader needs for the deepest text it accepts
/// (docs/internals/limits.md).
constexpr size_t kStackOfReader = size_t{4} << 20;

/// Returns the bytes of stack that a walk over expressions of `levels` levels
/// needs, at most half of kDeepStack.
constexpr size_t stackOfLevels(size_t levels) {
  constexpr size_t kLeast = size_t{96} << 10, kOfLevel = size_t{16} << 10;
  return std::min(kLeast + levels * kOfLevel, kDeepStack / 2);
}

/// Returns the bytes of stack that a query on these relations needs. The number
/// of atoms of a map bounds its levels.
template <typename... Relations>
size_t stackOfQuestion(const Relations &...relations) {
  size_t levels = 0;
  auto look = [&](const auto &relation) {
    for (const auto &map : relation.pieces())
      levels = std::max<size_t>(levels, map.expressions().atomCount());
  };
  (look(relations), ...);
  return std::max(kStackOfQuestion, stackOfLevels(levels));
}

/// Returns whether the calling thread has `bytes` bytes of stack left. Also
/// true if no thread with a deep stack can be had.
bool hasStack(size_t bytes);

/// Calls the work on a new thread with a stack of 64 MB, and waits for it.
/// Calls it on the calling thread if there is no such thread to be had.
void withDeepStack(llvm::function_ref<void()> work);

/// Calls the work with each step, on up to `workers` threads with stacks of 64
/// MB at once. Each thread takes the next step that is not taken. Worker 0 may
/// be the caller.
void inParallel(size_t workers, size_t steps,
                llvm::function_ref<void(size_t worker, size_t step)> work);

/// Calls the work on a new thread with a deep stack, as withDeepStack() does,
/// and returns its result.
template <typename Work>
auto onDeepStack(Work work) {
  std::optional<decltype(work())> result;
  withDeepStack([&] { result.emplace(work()); });
  return *std::move(result);
}

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_DEEP_STACK_H
