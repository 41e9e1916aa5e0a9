// Random programs of linalg, as their authors write them and as passes rewrite
// them: tiled by loops and threads, interchanged, generalised, made of vectors,
// which may be larger than the tensor and padded. A right
// rewrite is equal, and one with a mistake is equal only where an interpreter,
// which shares no code with the library, finds no difference.
//
//   %a = linalg.generic  …                 a[i, j] = x[j, i] + 2 * y[i, j]
//   %r = linalg.reduce   …                 r[i] = z[i] + a[i, 0] + a[i, 1] + …
//
// A program is a list of steps on integers, so that sums have no order.
#include <cstdint>
#include <iostream>
#include <string>

#include "gtest/gtest.h"

#include "indexical/import/stablehlo/import/import.h"
#include "indexical/same/values/sameness.h"
#include "tests/same/values/linalg_programs.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

TEST(RandomMlirValues, RewritesAreEqualAndMistakesAreNot) {
  const int64_t seed = fromEnvironment("INDEXICAL_SEED", 20261127);
  const int64_t count = fromEnvironment("INDEXICAL_COUNT", 150);
  std::cout << "seed " << seed << std::endl;
  int64_t right = 0, decided = 0, mistakes = 0, found = 0;
  for (int64_t k = 0; k < count; ++k) {
    Random random(seed + k);
    const LinalgProgram program = randomLinalgProgram(random);
    LinalgProgram other = rewritten(program, random);
    if (random.oneIn(2)) mutate(other, random);
    bool isSame = true;
    for (int tries = 0; tries < 8 && isSame; ++tries) {
      const LinalgTensor x = randomTensor(program.size, random),
                         y = randomTensor(program.size, random);
      isSame = run(program, x, y).numbers == run(other, x, y).numbers;
    }
    const std::string texts[] = {textOf(program), textOf(other)};
    const auto first = importMlir(texts[0]), second = importMlir(texts[1]);
    ASSERT_TRUE(first.ok()) << first.status() << texts[0];
    ASSERT_TRUE(second.ok()) << second.status() << texts[1];
    SamenessOptions options;
    options.values = ValueOptions{};
    const auto same = compare(first->modules[0], second->modules[0], options);
    ASSERT_TRUE(same.ok()) << same.status() << texts[0] << texts[1];
    const bool isEqual = same->verdict.answer == Verdict::Same ||
                         same->verdict.answer == Verdict::FewerReads ||
                         same->verdict.answer == Verdict::OtherReads;
    ASSERT_TRUE(isSame || !isEqual) << "seed " << seed + k << "\n"
                                    << texts[0] << texts[1];
    ASSERT_TRUE(!isSame || same->verdict.answer != Verdict::Different)
        << "seed " << seed + k << "\n"
        << texts[0] << texts[1];
    (isSame ? right : mistakes) += 1;
    decided += isSame && isEqual;
    found += !isSame && same->verdict.answer == Verdict::Different;
    if (isSame && !isEqual && fromEnvironment("INDEXICAL_SHOW", 0))
      std::cout << "undecided, seed " << seed + k << "\n"
                << texts[0] << texts[1];
  }
  std::cout << decided << " of " << right << " rewrites are equal, " << found
            << " of " << mistakes << " mistakes are different\n";
  EXPECT_GE(decided * 100, right * 95);
  EXPECT_GE(found * 100, mistakes * 80);
}

}  // namespace
}  // namespace indexical::testing
