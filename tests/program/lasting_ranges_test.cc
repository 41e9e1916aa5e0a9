// A loop over a view of a temporary does not compile
// (program/lasting_ranges.h).
#include "indexical/program/lasting_ranges.h"

#include <type_traits>
#include <utility>

#include "gtest/gtest.h"

#include "indexical/program/program.h"

namespace indexical {
namespace {

/// Whether `view(range)` compiles for a range of this type.
template <typename Range, typename View, typename = void>
struct Compiles : std::false_type {};
template <typename Range, typename View>
struct Compiles<
    Range, View,
    std::void_t<decltype(std::declval<View>()(std::declval<Range>()))>>
    : std::true_type {};

template <typename Container, typename View>
constexpr bool isForNamedOnes(View) {
  return Compiles<Container &, View>::value &&
         Compiles<const Container &, View>::value &&
         !Compiles<Container, View>::value;
}

template <typename Container, typename View>
void expectForNamedOnes(View view) {
  EXPECT_TRUE(isForNamedOnes<Container>(view));
}

#define INDEXICAL_RANGE std::forward<decltype(range)>(range)
#define INDEXICAL_VIEW(...) \
  [](auto &&range) -> decltype(__VA_ARGS__) { return __VA_ARGS__; }

template <typename Container>
void expectAll() {
  expectForNamedOnes<Container>(INDEXICAL_VIEW(llvm::reverse(INDEXICAL_RANGE)));
  expectForNamedOnes<Container>(
      INDEXICAL_VIEW(llvm::drop_begin(INDEXICAL_RANGE)));
  expectForNamedOnes<Container>(
      INDEXICAL_VIEW(llvm::drop_begin(INDEXICAL_RANGE, 2)));
  expectForNamedOnes<Container>(
      INDEXICAL_VIEW(llvm::drop_end(INDEXICAL_RANGE)));
  expectForNamedOnes<Container>(
      INDEXICAL_VIEW(llvm::make_first_range(INDEXICAL_RANGE)));
  expectForNamedOnes<Container>(
      INDEXICAL_VIEW(llvm::make_second_range(INDEXICAL_RANGE)));
  expectForNamedOnes<Container>(
      INDEXICAL_VIEW(llvm::make_early_inc_range(INDEXICAL_RANGE)));
  using Element = typename Container::value_type;
  expectForNamedOnes<Container>(INDEXICAL_VIEW(llvm::make_filter_range(
      INDEXICAL_RANGE, static_cast<bool (*)(const Element &)>(nullptr))));
  expectForNamedOnes<Container>(INDEXICAL_VIEW(llvm::map_range(
      INDEXICAL_RANGE, static_cast<int (*)(const Element &)>(nullptr))));
}

TEST(LastingRangesTest, TemporariesAreRefused) {
  expectAll<std::vector<std::pair<int, int>>>();
  expectAll<llvm::SmallVector<std::pair<int, int>, 3>>();
}

// The loop that ended with a segmentation fault:
//   for (int32_t i : llvm::reverse(computation.postOrder())) …
TEST(LastingRangesTest, TheOrderOfAComputationIsNamed) {
  using Order = decltype(std::declval<const Computation &>().postOrder());
  expectForNamedOnes<Order>(INDEXICAL_VIEW(llvm::reverse(INDEXICAL_RANGE)));
}

}  // namespace
}  // namespace indexical
