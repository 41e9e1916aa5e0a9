// A stack that is deep enough, whoever calls.
//
// Readers call themselves for each bracket, and what goes through an expression
// for each of its levels, which products nest. A caller may have little room: a
// thread of a pool has 256 kB. So the entry points of the library look how much
// is left, and where that may be too little, they call themselves once more on
// a thread with 64 MB, and wait for it:
//
//   simplify, a map of 3 levels     left 250 kB: here
//   simplify, a map of 300 levels   left 250 kB: on a thread of its own
//   simplify, a map of 300 levels   left 8 MB: here
//
// That takes some 30 microseconds; to look takes a few nanoseconds.
//
// Law (tests/threads/small_stack_test.cc): all of them answer on a thread of
// 256 kB as on one of 64 MB.
#ifndef INDEXICAL_INDEXING_DEEP_STACK_H
#define INDEXICAL_INDEXING_DEEP_STACK_H

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "llvm/ADT/STLFunctionalExtras.h"

namespace indexical {

constexpr size_t kDeepStack = size_t{64} << 20;

/// What questions need that compose maps, whatever these are.
constexpr size_t kStackOfQuestion = size_t{2} << 20;
/// What reading nested text needs, as deep as it may be (docs/limits.md).
constexpr size_t kStackOfReader = size_t{4} << 20;

/// What going through expressions of so many levels needs: no more than is
/// there on a thread for it.
constexpr size_t stackOfLevels(size_t levels) {
  constexpr size_t kLeast = size_t{96} << 10, kOfLevel = size_t{16} << 10;
  return std::min(kLeast + levels * kOfLevel, kDeepStack / 2);
}

/// What a question about relations needs: the one with the deepest map.
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

/// Whether the calling thread has so many bytes left; true on one that could
/// not get another thread.
bool hasStack(size_t bytes);

/// Calls the work on a thread with a stack of 64 MB, whatever the caller's is,
/// and waits for it. Calls it here where there is no such thread to be had.
void withDeepStack(llvm::function_ref<void()> work);

/// Calls the work with each step, on so many threads with such stacks at once;
/// each takes the next step that nobody has. Worker 0 may be the caller.
void inParallel(size_t workers, size_t steps,
                llvm::function_ref<void(size_t worker, size_t step)> work);

/// withDeepStack, for what the work returns.
template <typename Work>
auto onDeepStack(Work work) {
  std::optional<decltype(work())> result;
  withDeepStack([&] { result.emplace(work()); });
  return *std::move(result);
}

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_DEEP_STACK_H
