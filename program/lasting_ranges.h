// Views of ranges that last: adaptors of LLVM refuse a container that nobody
// keeps.
//
//   for (int32_t i : llvm::reverse(computation.postOrder())) …   // refused
//
//   const std::vector<int32_t> order = computation.postOrder();
//   for (int32_t i : llvm::reverse(order)) …                     // as it should
//
// llvm::reverse(), drop_begin() and the others below hand out two iterators.
// Those of a temporary container dangle in the body of a loop: C++17 keeps the
// view alive there, and not what it views. These overloads are a better match
// for a temporary than LLVM's own, and are deleted, so that the compiler says
// so. llvm::enumerate() and llvm::zip() keep a temporary, and are allowed.
//
// Law (tests/program/lasting_ranges_test.cc): a temporary vector is refused, a
// named one is not.
#ifndef INDEXICAL_PROGRAM_LASTING_RANGES_H
#define INDEXICAL_PROGRAM_LASTING_RANGES_H

#include <cstddef>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {

template <typename T>
void reverse(std::vector<T> &&) = delete;
template <typename T, unsigned n>
void reverse(SmallVector<T, n> &&) = delete;

template <typename T>
void drop_begin(std::vector<T> &&, size_t = 1) = delete;
template <typename T, unsigned n>
void drop_begin(SmallVector<T, n> &&, size_t = 1) = delete;

template <typename T>
void drop_end(std::vector<T> &&, size_t = 1) = delete;
template <typename T, unsigned n>
void drop_end(SmallVector<T, n> &&, size_t = 1) = delete;

template <typename T>
void make_first_range(std::vector<T> &&) = delete;
template <typename T, unsigned n>
void make_first_range(SmallVector<T, n> &&) = delete;

template <typename T>
void make_second_range(std::vector<T> &&) = delete;
template <typename T, unsigned n>
void make_second_range(SmallVector<T, n> &&) = delete;

template <typename T>
void make_early_inc_range(std::vector<T> &&) = delete;
template <typename T, unsigned n>
void make_early_inc_range(SmallVector<T, n> &&) = delete;

template <typename T, typename Predicate>
void make_filter_range(std::vector<T> &&, Predicate) = delete;
template <typename T, unsigned n, typename Predicate>
void make_filter_range(SmallVector<T, n> &&, Predicate) = delete;

template <typename T, typename Function>
void map_range(std::vector<T> &&, Function) = delete;
template <typename T, unsigned n, typename Function>
void map_range(SmallVector<T, n> &&, Function) = delete;

}  // namespace llvm

#endif  // INDEXICAL_PROGRAM_LASTING_RANGES_H
