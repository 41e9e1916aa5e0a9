// Elements that are nested deeper than the stack reaches: two chains of so many
// ops are compared, which differ at their beginning alone.
#include <string>
#include <thread>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/values/module_values.h"

namespace indexical {
namespace {

/// `x1 = op(x0, x0)`, `x2 = op(x1, x1)`…, from the parameter of that name.
Program chainFrom(const std::string &parameter, const std::string &op,
                  int length) {
  std::string text =
      "ENTRY e {\n  p = f32[8] parameter(0)\n  q = f32[8] parameter(1)\n"
      "  x0 = f32[8] negate(" +
      parameter + ")\n";
  for (int n = 1; n <= length; ++n) {
    const std::string before = "x" + std::to_string(n - 1);
    text += std::string(n == length ? "  ROOT x" : "  x") + std::to_string(n) +
            " = f32[8] " + op + "(" + before + ", " + before + ")\n";
  }
  auto program = parseHlo(text + "}\n");
  EXPECT_TRUE(program.ok()) << program.status();
  return *std::move(program);
}

absl::StatusOr<ValueEquality> valuesOf(const Program &first,
                                       const Program &second) {
  return compareValues(first.modules[0], second.modules[0], ValueOptions(),
                       EqualityOptions(), /*reads=*/nullptr);
}

void expectDecided(const std::string &op, int length) {
  const Program first = chainFrom("p", op, length);
  const Program second = chainFrom("q", op, length);
  auto same = valuesOf(first, first);
  ASSERT_TRUE(same.ok()) << same.status();
  EXPECT_TRUE(same->isEqual) << op << ", " << length;
  auto other = valuesOf(first, second);
  ASSERT_TRUE(other.ok()) << other.status();
  EXPECT_FALSE(other->isEqual) << op << ", " << length;
}

TEST(DeepElementsTest, OfAChain) {
  for (const char *op : {"add", "maximum", "atan2"})
    for (int length : {1'000, 16'384, 100'000}) expectDecided(op, length);
}

}  // namespace
}  // namespace indexical
