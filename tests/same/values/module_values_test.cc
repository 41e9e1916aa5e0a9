// Values against execution.
//
// Random programs are rewritten by laws, and found equal; and by what looks
// like laws: none that a run finds different is found equal.
//
//   INDEXICAL_VALUES=50         50 times as many programs
//   INDEXICAL_VALUES_SEED=n     beginning with this one
#include "indexical/same/values/module_values.h"

#include <cstdio>
#include <string>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "tests/same/values/value_programs.h"

namespace indexical::testing {
namespace {

constexpr Numbers kAll[] = {Numbers::S32, Numbers::U8, Numbers::Float,
                            Numbers::Real};

ValueEquality compared(const std::string &first, const std::string &second,
                       Numbers numbers) {
  auto a = parseHlo(first), b = parseHlo(second);
  EXPECT_TRUE(a.ok()) << a.status() << first;
  EXPECT_TRUE(b.ok()) << b.status() << second;
  ValueOptions options;
  if (numbers == Numbers::Real) options.floats = FloatLaws::Real;
  auto equality = compareValues(a->modules[0], b->modules[0], options, {});
  EXPECT_TRUE(equality.ok()) << equality.status();
  return equality.ok() ? *std::move(equality) : ValueEquality();
}

/// Whether the values differ in some run.
bool differInRuns(Random &random, const NodePtr &a, const NodePtr &b,
                  Numbers numbers) {
  const auto parameters = parametersOf({a, b});
  for (int tries = 0; tries < 4; ++tries) {
    const Data data = randomData(random, parameters, numbers);
    if (run(a, data, numbers) != run(b, data, numbers)) return true;
  }
  return false;
}

TEST(ModuleValues, RandomRewrites) {
  const uint64_t first = fromEnvironment("INDEXICAL_VALUES_SEED", 1);
  const uint64_t count = 400 * fromEnvironment("INDEXICAL_VALUES", 1);
  int64_t laws = 0, undecided = 0, nearLaws = 0, wrong = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("INDEXICAL_VALUES_SEED=" + std::to_string(seed));
    Random random(seed);
    const Numbers numbers = kAll[seed % 4];
    const NodePtr program = randomTerm(random, numbers);
    NodePtr same = program;
    for (int64_t steps = random.in(1, 4), tries = 40; steps > 0 && tries > 0;
         --tries)
      if (NodePtr next = byLaw(random, same, numbers)) {
        same = std::move(next);
        --steps;
      }
    NodePtr other;
    for (int tries = 0; tries < 20 && !other; ++tries)
      other = byNearLaw(random, same, numbers);
    std::vector<NodePtr> all = {program, same};
    if (other) all.push_back(other);
    const auto parameters = parametersOf(all);
    const char *type = typeOf(numbers);
    const std::string text = hloOf(program, parameters, type);
    ASSERT_FALSE(differInRuns(random, program, same, numbers))
        << text << hloOf(same, parameters, type);
    ++laws;
    const ValueEquality equal =
        compared(text, hloOf(same, parameters, type), numbers);
    if (!equal.isEqual) {
      ++undecided;
      ASSERT_EQ(equal.leaves.size(), 1u);
      if (fromEnvironment("INDEXICAL_VALUES_SHOW", 0))
        printf("seed %ld: %s | %s | %s\n%s%s\n", static_cast<long>(seed),
               equal.leaves[0].reason.c_str(), equal.leaves[0].terms[0].c_str(),
               equal.leaves[0].terms[1].c_str(), text.c_str(),
               hloOf(same, parameters, type).c_str());
    }
    if (!other || !differInRuns(random, same, other, numbers)) continue;
    ++nearLaws;
    const bool isEqual = compared(hloOf(same, parameters, type),
                                  hloOf(other, parameters, type), numbers)
                             .isEqual;
    wrong += isEqual;
    EXPECT_FALSE(isEqual) << hloOf(same, parameters, type)
                          << hloOf(other, parameters, type);
  }
  printf(
      "  %ld programs by laws, %ld of them undecided; %ld by near-laws, %ld "
      "of them equal\n",
      static_cast<long>(laws), static_cast<long>(undecided),
      static_cast<long>(nearLaws), static_cast<long>(wrong));
  EXPECT_GT(nearLaws * 3, laws);
  EXPECT_LE(undecided * 50, laws);
}

}  // namespace
}  // namespace indexical::testing
