// Random functions on tensors, lowered to loops, compiled, run, and held
// against what their definitions give (random_tensors.h).
#include <iostream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

#include "indexical/stablehlo/dialect/parse.h"
#include "indexical/stablehlo/lower/lower_to_affine.h"
#include "tests/stablehlo/lower/machine_code.h"
#include "tests/stablehlo/lower/random_tensors.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// The ops of the module, lowered; "" and a failure of the test where they are
/// not.
std::string lowered(const std::string &text) {
  auto file = parseMlir(text);
  EXPECT_TRUE(file.ok()) << file.status() << "\n" << text;
  if (!file.ok()) return "";
  mlir::ModuleOp module = *file->modules[0].module;
  mlir::PassManager passes(file->context.get());
  passes.addPass(createLowerToAffinePass());
  const bool isLowered = mlir::succeeded(passes.run(module));
  EXPECT_TRUE(isLowered) << text;
  if (!isLowered) return "";
  std::string code;
  llvm::raw_string_ostream out(code);
  for (mlir::Operation &op : *module.getBody()) {
    // No tensor is left.
    op.walk([&](mlir::Operation *inner) {
      for (mlir::Type type : inner->getResultTypes())
        EXPECT_FALSE(llvm::isa<mlir::TensorType>(type)) << text;
    });
    op.print(out);
    out << "\n";
  }
  return code;
}

/// Calls the program on its arguments and prints each result on a line.
std::string callOf(const TensorProgram &program, const std::string &name) {
  std::string globals, body = "func.func @run_" + name + "() {\n";
  std::string names, types;
  auto hand = [&](const std::string &value, const std::string &type) {
    names += (names.empty() ? "" : ", ") + value;
    types += (types.empty() ? "" : ", ") + type;
  };
  for (auto [i, argument] : llvm::enumerate(program.arguments)) {
    const std::string symbol = name + "_a" + std::to_string(i);
    const std::string type = argument.memref();
    globals += "memref.global \"private\" constant @" + symbol + " : " + type +
               " = " + argument.dense() + "\n";
    const std::string value = "%a" + std::to_string(i);
    body +=
        "  " + value + " = memref.get_global @" + symbol + " : " + type + "\n";
    hand(value, type);
  }
  for (auto [i, result] : llvm::enumerate(program.results)) {
    const std::string value = "%r" + std::to_string(i);
    body += "  " + value + " = memref.alloc() : " + result.memref() + "\n";
    hand(value, result.memref());
  }
  body += "  call @" + name + "(" + names + ") : (" + types + ") -> ()\n";
  for (auto [r, result] : llvm::enumerate(program.results)) {
    const std::string value = "%r" + std::to_string(r);
    std::string index;
    for (size_t k = 0; k < result.sizes.size(); ++k)
      index += (k ? ", %i" : "%i") + std::to_string(k);
    for (size_t k = 0; k < result.sizes.size(); ++k)
      body += "  affine.for %i" + std::to_string(k) + " = 0 to " +
              std::to_string(result.sizes[k]) + " {\n";
    const std::string own = std::to_string(r);
    std::string last = "%e" + own;
    body += "  " + last + " = affine.load " + value + "[" + index +
            "] : " + result.memref() + "\n";
    auto become = [&](const std::string &name, const std::string &op,
                      const std::string &types) {
      body += "  " + name + own + " = arith." + op + " " + last + " : " +
              types + "\n";
      last = name + own;
    };
    if (result.element == "f32") become("%w", "extf", "f32 to f64");
    if (result.isFloat())
      become("%n", "fptosi", "f64 to i64");
    else if (result.element != "i64")
      become("%n", result.isUnsigned() ? "extui" : "extsi",
             result.signless() + " to i64");
    body += "  func.call @printI64(" + last +
            ") : (i64) -> ()\n  func.call @printComma() : () -> ()\n";
    for (size_t k = 0; k < result.sizes.size(); ++k) body += "  }\n";
    body += "  call @printNewline() : () -> ()\n";
  }
  return globals + body + "  return\n}\n";
}

/// How often each op stands in the text.
void countOps(const std::string &text, std::map<std::string, int64_t> &ops) {
  static const std::regex kName(
      "\\b(stablehlo|linalg|arith|tensor|func)\\.[a-z_]+");
  for (std::sregex_iterator i(text.begin(), text.end(), kName), end; i != end;
       ++i)
    ++ops[i->str()];
}

// What no random program is sure to meet: divisions by zero, of the least
// integer by -1, and shifts by the width and more.
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
  const std::string code = lowered(program.text);
  auto lines = runMain(code + callOf(program, "p") +
                       "func.func @main() {\n  call @run_p() : () -> ()\n"
                       "  return\n}\n");
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
    std::string source, driver, main = "func.func @main() {\n";
    for (int64_t i = begin; i < std::min(count, begin + kBatch); ++i) {
      Random random(seed * 1'000'003 + i);
      const std::string name = "p" + std::to_string(i);
      programs.push_back(randomTensorProgram(random, name));
      source += programs.back().text;
      countOps(programs.back().text, ops);
      driver += callOf(programs.back(), name);
      main += "  call @run_" + name + "() : () -> ()\n";
    }
    const std::string code = lowered(source);
    ASSERT_FALSE(code.empty());
    auto lines = runMain(code + driver + main + "  return\n}\n");
    ASSERT_TRUE(lines.ok()) << lines.status() << "\n" << source;
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
