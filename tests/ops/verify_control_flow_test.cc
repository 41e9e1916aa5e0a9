// Branches, loops and ops that are started, and that verify refuses, as in
// verify_test.cc.
#include <limits>
#include <memory>

#include "gtest/gtest.h"

#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "tests/ops/expect_refused.h"
#include "tests/support/shapes.h"

namespace indexical::testing {
namespace {

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

TEST(VerifyControlFlowTest, Conditional) {
  auto op = withShapes<ConditionalOp>({s32({}), f32({2})}, {f32({3})});
  expectRefused<ConditionalOp>(
      op,
      {{"operand 0", [](auto &op) { op.operands.clear(); }},
       {"operand 0", [](auto &op) { op.operands.mutableAt(0) = s32({1}); }},
       {"operand 0", [](auto &op) { op.operands.mutableAt(0) = f32({}); }}});
}

TEST(VerifyControlFlowTest, While) {
  auto op = withShapes<WhileOp>({s32({}), f32({2})}, {s32({}), f32({2})});
  expectRefused<WhileOp>(
      op, {{"state", [](auto &op) { op.operands.pop_back(); }},
           {"state", [](auto &op) { op.results.pop_back(); }},
           {"result 1", [](auto &op) { op.results.mutableAt(1) = f32({3}); }}});
}

TEST(VerifyControlFlowTest, Scan) {
  auto op =
      withShapes<ScanOp>({f32({2, 3}), f32({4})}, {f32({2, 3}), f32({4})});
  op.dimension = 1;
  op.carries = 1;
  expectRefused<ScanOp>(
      op,
      {{"dimensions", [](auto &op) { op.dimension = 2; }},
       {"dimensions", [](auto &op) { op.dimension = -1; }},
       {"dimensions", [](auto &op) { op.dimension = kLeast; }},
       {"dimensions", [](auto &op) { op.dimension = kMost; }},
       {"num_carries", [](auto &op) { op.carries = -1; }},
       {"num_carries", [](auto &op) { op.carries = 3; }},
       {"num_carries", [](auto &op) { op.carries = kLeast; }},
       {"num_carries", [](auto &op) { op.carries = kMost; }},
       {"input", [](auto &op) { op.carries = 2; }},
       {"num_carries", [](auto &op) { op.operands.clear(); }},
       {"dimensions", [](auto &op) { op.carries = 0; }},
       {"result 0", [](auto &op) { op.results.mutableAt(0) = f32({2, 4}); }},
       {"carry 0", [](auto &op) { op.results.mutableAt(1) = f32({5}); }}});
}

TEST(VerifyControlFlowTest, Start) {
  auto reverse = withShapes<ReverseOp>({f32({2})}, {f32({2})});
  reverse.dimensions = {0};
  auto op = withShapes<StartOp>({f32({2})}, {f32({2}), f32({2}), s32({})});
  op.forwards = 1;
  op.inner = reverse;
  expectRefused<StartOp>(
      op, {{"missing", [](auto &op) { op.inner.reset(); }},
           {"forwards", [](auto &op) { op.forwards = -1; }},
           {"forwards", [](auto &op) { op.forwards = 2; }},
           {"forwards", [](auto &op) { op.forwards = kLeast; }},
           {"forwards", [](auto &op) { op.forwards = kMost; }},
           {"result 0", [](auto &op) { op.results.mutableAt(0) = f32({3}); }},
           {"result 1", [](auto &op) { op.results.mutableAt(1) = f32({3}); }},
           {"operand 0",
            [](auto &op) {
              op.forwards = 0;
              op.operands.mutableAt(0) = f32({3});
            }},
           {"do not fit",
            [](auto &op) {
              op.results.pop_back();
              op.results.pop_back();
            }},
           {"do not fit", [](auto &op) { op.operands.push_back(f32({2})); }},
           {"dimensions", [](auto &op) {
              ReverseOp reverse = op.inner.template get<ReverseOp>();
              reverse.dimensions = {1};
              op.inner = reverse;
            }}});
}

}  // namespace
}  // namespace indexical::testing
