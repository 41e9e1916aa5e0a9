// A view of an order of instructions that has no name does not compile
// (program/module/instruction_order.h).
#include "indexical/program/module/instruction_order.h"

#include <type_traits>
#include <utility>

#include "gtest/gtest.h"

#include "indexical/program/module/program.h"

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

TEST(InstructionOrderTest, TemporariesAreRefused) {
  using Order = InstructionOrder;
  expectForNamedOnes<Order>(INDEXICAL_VIEW(llvm::reverse(INDEXICAL_RANGE)));
  expectForNamedOnes<Order>(INDEXICAL_VIEW(llvm::drop_begin(INDEXICAL_RANGE)));
  expectForNamedOnes<Order>(
      INDEXICAL_VIEW(llvm::drop_begin(INDEXICAL_RANGE, 2)));
  expectForNamedOnes<Order>(INDEXICAL_VIEW(llvm::drop_end(INDEXICAL_RANGE)));
  expectForNamedOnes<Order>(
      INDEXICAL_VIEW(llvm::make_early_inc_range(INDEXICAL_RANGE)));
  expectForNamedOnes<Order>(INDEXICAL_VIEW(llvm::make_filter_range(
      INDEXICAL_RANGE, static_cast<bool (*)(int32_t)>(nullptr))));
  expectForNamedOnes<Order>(INDEXICAL_VIEW(llvm::map_range(
      INDEXICAL_RANGE, static_cast<int (*)(int32_t)>(nullptr))));
}

// Other lists are LLVM's and MLIR's matter.
TEST(InstructionOrderTest, OtherListsAreNot) {
  using List = std::vector<int32_t>;
  auto view = INDEXICAL_VIEW(llvm::reverse(INDEXICAL_RANGE));
  EXPECT_TRUE((Compiles<List, decltype(view)>::value));
}

// A loop over llvm::reverse(computation.postOrder()) read freed memory.
TEST(InstructionOrderTest, TheOrderOfAComputationIsOne) {
  using Order = decltype(std::declval<const Computation &>().postOrder());
  EXPECT_TRUE((std::is_same_v<Order, InstructionOrder>));
}

}  // namespace
}  // namespace indexical
