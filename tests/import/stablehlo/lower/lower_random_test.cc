// Random functions on tensors, lowered to loops, compiled, run, and held
// against what their definitions give (random_tensors.h).
#include <iostream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

#include "tests/import/stablehlo/lower/run_lowered.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// How often each op stands in the text.
void countOps(const std::string &text, std::map<std::string, int64_t> &ops) {
  static const std::regex kName(
      "\\b(stablehlo|linalg|arith|tensor|func)\\.[a-z_]+");
  for (std::sregex_iterator i(text.begin(), text.end(), kName), end; i != end;
       ++i)
    ++ops[i->str()];
}

// Cases that random programs may miss: divisions by zero, of the least integer
// by -1, and shifts by the width and more.
TEST(LowerEdges, IntegersAtTheirEnds) {
  auto numbers = [](std::vector<int64_t> values) {
    NumberTensor tensor;
    tensor.element = "i32";
    tensor.sizes = {4};
    tensor.numbers = std::move(values);
    return tensor;
  };
  constexpr int64_t kLeast = -(int64_t{1} << 31);
  TensorProgram program;
  program.name = "p";
  program.arguments = {numbers({kLeast, kLeast, 5, 7}), numbers({-1, 0, 0, -1}),
                       numbers({32, 31, -1, 1})};
  program.results = {numbers({kLeast, -1, -1, -7}), numbers({0, kLeast, 5, 0}),
                     numbers({0, 0, 0, 14}), numbers({-1, -1, 0, 3}),
                     numbers({0, 1, 0, 3})};
  const char *const kOps[] = {
      "divide %0, %1", "remainder %0, %1", "shift_left %0, %2",
      "shift_right_arithmetic %0, %2", "shift_right_logical %0, %2"};
  std::string body, names, types;
  for (auto [i, op] : llvm::enumerate(kOps)) {
    const std::string name = "%r" + std::to_string(i);
    body += "  " + name + " = stablehlo." + op + " : tensor<4xi32>\n";
    names += (i ? ", " : "") + name;
    types += i ? ", tensor<4xi32>" : "tensor<4xi32>";
  }
  program.text =
      "func.func @p(%0: tensor<4xi32>, %1: tensor<4xi32>, %2: tensor<4xi32>) "
      "-> (" +
      types + ") {\n" + body + "  return " + names + " : " + types + "\n}\n";
  auto lines = runLowered(program);
  ASSERT_TRUE(lines.ok()) << lines.status();
  ASSERT_EQ(lines->size(), program.results.size());
  for (size_t r = 0; r < lines->size(); ++r)
    EXPECT_EQ((*lines)[r], program.results[r].numbers) << kOps[r];
}

TEST(LowerRandom, ProgramsGiveWhatTheirDefinitionsGive) {
  const int64_t count = fromEnvironment("INDEXICAL_LOWERED_PROGRAMS", 200);
  const uint64_t seed = fromEnvironment("INDEXICAL_LOWERED_SEED", 1);
  std::cout << "seed " << seed << ", " << count << " programs\n";
  constexpr int64_t kBatch = 100;
  int64_t elements = 0;
  std::map<std::string, int64_t> ops;
  for (int64_t begin = 0; begin < count; begin += kBatch) {
    std::vector<TensorProgram> programs;
    for (int64_t i = begin; i < std::min(count, begin + kBatch); ++i) {
      Random random(seed * 1'000'003 + i);
      programs.push_back(randomTensorProgram(random, "p" + std::to_string(i)));
      countOps(programs.back().text, ops);
    }
    auto lines = runLowered(programs);
    ASSERT_TRUE(lines.ok()) << lines.status();
    size_t line = 0;
    for (const TensorProgram &program : programs) {
      for (const NumberTensor &result : program.results) {
        ASSERT_LT(line, lines->size());
        elements += result.numbers.size();
        EXPECT_EQ((*lines)[line++], result.numbers) << program.text;
      }
    }
    EXPECT_EQ(line, lines->size());
  }
  std::cout << elements << " elements, " << ops.size() << " ops\n";
  // Every op that can be written has been.
  EXPECT_GE(ops.size(), 45u);
  EXPECT_GT(elements, 5 * count);
}

}  // namespace
}  // namespace indexical::testing
