// Random edits of random texts, against a copy that says of each byte where it
// comes from.
#include "indexical/import/stablehlo/text/edits.h"

#include <iostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "tests/support/random.h"

namespace indexical {
namespace {

using testing::Random;

TEST(TextEdits, TheExampleOfTheHeader) {
  TextEdits edits("%0 = mhlo.abs %x : tensor<4xf32>");
  edits.replace(5, 13, "stablehlo.abs");
  const EditedText made = edits.made();
  EXPECT_EQ(made.text, "%0 = stablehlo.abs %x : tensor<4xf32>");
  EXPECT_EQ(made.original(19), 14u);
  EXPECT_EQ(made.edited(14), 19u);
  EXPECT_EQ(made.original(8), 5u);
}

TEST(TextEdits, ALaterEditTakesTheEarlierOnesWithinIt) {
  TextEdits edits("abcdef");
  edits.replace(1, 2, "X");
  edits.replace(3, 4, "Y");
  edits.replace(0, 4, "-");
  EXPECT_EQ(edits.made().text, "-ef");
}

TEST(TextEdits, EveryByteKnowsWhereItStood) {
  const int64_t seed = 20261127;
  std::cout << "seed " << seed << std::endl;
  Random random(seed);
  for (int round = 0; round < 2000; ++round) {
    std::string original;
    for (int64_t k = random.in(0, 30); k > 0; --k)
      original += static_cast<char>('a' + random.in(0, 25));
    TextEdits edits(original);
    std::string text;
    std::vector<size_t> from;  // of each byte of the text
    for (size_t at = 0; at < original.size();) {
      if (random.in(0, 3) != 0) {
        text += original[at];
        from.push_back(at++);
        continue;
      }
      const size_t end = at + random.in(1, original.size() - at);
      const std::string with(random.in(0, 6), '*');
      edits.replace(at, end, with);
      text += with;
      from.insert(from.end(), with.size(), at);
      at = end;
    }
    const EditedText made = edits.made();
    ASSERT_EQ(made.text, text) << original;
    for (size_t k = 0; k < text.size(); ++k) {
      ASSERT_EQ(made.original(k), from[k]) << original << " " << text;
      if (text[k] != '*') {
        ASSERT_EQ(made.edited(from[k]), k) << original << " " << text;
      }
    }
  }
}

}  // namespace
}  // namespace indexical
