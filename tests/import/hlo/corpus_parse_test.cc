// Real modules: all of the corpus is read, but for the few texts named below
// with the reason why they are no HLO.
#include <algorithm>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/Support/JSON.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "tests/support/corpus_files.h"

namespace indexical::testing {
namespace {

const char *const kFolders[] = {
    "gpu_a100_vllm_qwen3", "gpu_a100_vllm_fusion_snippets",
    "gpu_v100_alpa",       "tpu_v6e_maxtext",
    "models_preopt",       "hloenv_jax_projects",
    "neuron_graphhelper",  "xla",
    "xla_history",         "xla_fuzz",
    "tf_history",          "misc",
};

/// Files that are no valid HLO: path below hlo/, and why. The tests of XLA that
/// use the last ones do not check shapes.
const struct {
  const char *path, *reason;
} kBrokenFiles[] = {
    {"neuron_graphhelper/mlp__test.hlo",
     "one instruction cut out of a module: its operand is not defined"},
    {"tpu_v6e_maxtext/reference_hlo_llama3_8b.txt",
     "cut off after 2000 lines, inside a computation"},
    {"tf_history/mlir__xla__tests__hlo_to_lhlo_with_xla__hlo_text_to_lhlo_no_"
     "opt.hlotxt",
     "a dot of [1,3,4] and [1,4,5] that is [1,4,5]"},
    {"tf_history/mlir__xla__tests__translate__import.hlotxt",
     "a dot of [1,4] and [4,1] that is a scalar"},
    {"tf_history/mlir__xla__tests__translate__import~1.hlotxt",
     "a comparison of [3] and [1]"},
    {"xla/hlo__transforms__tests__operand_upcaster.hlo",
     "a dot of [8] and [8] that is [8]"},
    {"xla/hlo__translate__hlo_to_mhlo__tests__import.hlo",
     "a reduce whose init is an array"},
    {"xla/hlo__tools__tests__generate_hlo_test_checks_test_input.hlo",
     "a call that hands f32[4] to a parameter f32[]"},
};

/// Rows of the snippets that are no valid HLO: the test that they come from,
/// the line (0: all of them), and why.
const struct {
  const char *path;
  int line;
  const char *reason;
} kBrokenSnippets[] = {
    {"xla/hlo/transforms/simplifiers/instruction_hoister_test.cc", 154,
     "a bitcast of one array to a tuple of two"},
    {"xla/hlo/transforms/simplifiers/algebraic_simplifier_test.cc", 14134,
     "a copy from [126,16384] to [16384,126]"},
    {"xla/backends/gpu/transforms/multi_output_fusion_test.cc", 2156,
     "a bitcast of 1 element to 32"},
    {"xla/tests/convolution_test.cc", 2213, "the inner part of a text"},
    {"xla/tools/hlo_control_flow_flattening_test.cc", 878,
     "sizes by name, which the test replaces"},
    {"xla/tools/hlo_dump/hlo_dump_utils_test.cc", 242,
     "names with `@`, which that tool alone reads"},
    {"xla/backends/cpu/testlib/elemental_kernel_emitter_test.py", 0,
     "a Python format string: `{shape}`, `{{`"},
    {"xla/backends/cpu/benchmarks/log_benchmark_test.cc", 0, "`$d0`"},
    {"xla/backends/cpu/benchmarks/exp_benchmark_test.cc", 0, "`$d0`"},
    {"xla/backends/cpu/benchmarks/transposed_copy_benchmark_test.cc", 0,
     "`$d0`"},
    {"xla/backends/cpu/benchmarks/optimizer_benchmark_test.cc", 0, "`$d0`"},
    {"xla/backends/cpu/benchmarks/reduction_benchmark_test.cc", 40, "`$d0`"},
    {"xla/backends/cpu/benchmarks/reduction_benchmark_test.cc", 70, "`$d0`"},
    {"xla/backends/cpu/benchmarks/reduction_benchmark_test.cc", 100, "`$d0`"},
    {"xla/backends/cpu/benchmarks/reduction_benchmark_test.cc", 132, "`$d0`"},
    {"xla/backends/cpu/benchmarks/reduction_benchmark_test.cc", 164, "`$d0`"},
    {"xla/backends/cpu/benchmarks/reduction_benchmark_test.cc", 196, "`$d0`"},
    {"xla/backends/gpu/transforms/collectives/"
     "collective_kernel_strategy_annotator_test.cc",
     46, "`%d`"},
    {"xla/backends/gpu/tests/all_reduce_e2e_test.cc", 635, "`%d`"},
    {"xla/backends/gpu/tests/all_reduce_e2e_test.cc", 747, "`%d`"},
    {"xla/backends/gpu/tests/all_reduce_e2e_test.cc", 794, "`%d`"},
    {"xla/backends/gpu/codegen/triton/collective_emitter_test.cc", 165,
     "`%1$s`"},
    {"xla/backends/gpu/codegen/triton/tests/fusion_emitter_device_test.cc", 374,
     "`_offset_`, which the test replaces"},
};

const char *reasonOf(llvm::StringRef path, int64_t line) {
  for (const auto &snippet : kBrokenSnippets)
    if (path == snippet.path && (snippet.line == 0 || line == snippet.line))
      return snippet.reason;
  return nullptr;
}

std::string describe(const std::string &name, const absl::Status &status) {
  auto place = placeOf(status).value_or(Place());
  return name + ":" + std::to_string(place.line) + ":" +
         std::to_string(place.column) + ": " + std::string(status.message());
}

TEST(CorpusParseTest, EveryFile) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  std::set<std::string> broken;
  for (const auto &file : kBrokenFiles) broken.insert(file.path);
  size_t parsed = 0, instructions = 0;
  for (const char *folder : kFolders) {
    const auto files = corpusFiles(std::string("hlo/") + folder);
    EXPECT_FALSE(files.empty()) << folder;
    for (const CorpusFile &file : files) {
      std::string name = std::string(folder) + "/" + file.name;
      auto program = parseHlo(textOf(file), name);
      if (broken.erase(name)) {
        EXPECT_FALSE(program.ok()) << name << " is not broken any more";
        continue;
      }
      EXPECT_TRUE(program.ok()) << describe(name, program.status());
      if (!program.ok()) continue;
      ++parsed;
      for (const Module &module : program->modules)
        for (const Computation &computation : module.computations)
          instructions += computation.instructions.size();
    }
  }
  EXPECT_TRUE(broken.empty()) << *broken.begin() << " is not there";
  std::cout << parsed << " files, " << instructions << " instructions\n";
  EXPECT_GT(parsed, 450u);
}

// The tables of real dumps are complete: no note says that they are wrong. Most
// stacks end where a program begins. JAX leaves out the rest of some.
TEST(CorpusParseTest, StackFrames) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  size_t withTables = 0, placed = 0, begun = 0, deepest = 0;
  for (const CorpusFile &file : corpusFiles("hlo/models_preopt")) {
    const std::string text = textOf(file);
    if (text.find("\nStackFrames\n1 ") == std::string::npos) continue;
    ++withTables;
    auto program = parseHlo(text, file.name);
    ASSERT_TRUE(program.ok()) << describe(file.name, program.status());
    for (const Note &note : program->notes)
      EXPECT_EQ(note.text.find("has no row"), std::string::npos)
          << file.name << ": " << note.text;
    const Module &module = program->modules[0];
    for (const Computation &computation : module.computations)
      for (const Instruction &instruction : computation.instructions) {
        const auto stack = module.frames.stackFrom(instruction.metadata.frame);
        if (stack.empty()) continue;
        ++placed;
        deepest = std::max(deepest, stack.size());
        EXPECT_GT(stack.back().line, 0) << instruction.name.str();
        const llvm::StringRef outermost = stack.back().function;
        begun += outermost == "<module>" ||
                 outermost == "_run_module_as_main" ||
                 outermost == "run_filename_as_main";
      }
  }
  std::cout << withTables << " files with tables, " << placed
            << " instructions with a stack, at most " << deepest
            << " frames deep\n";
  EXPECT_GE(withTables, 6u);
  EXPECT_GT(placed, 5000u);
  EXPECT_GT(begun, placed * 9 / 10);
}

TEST(CorpusParseTest, SnippetsOfTests) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  std::istringstream file(textOfFile(corpusPath() + kHloSnippets));
  std::string line;
  size_t read = 0, left = 0;
  while (std::getline(file, line)) {
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
    ASSERT_TRUE(static_cast<bool>(value));
    const llvm::json::Object &row = *value->getAsObject();
    bool usable = true;
    for (const llvm::json::Value &flag : *row.getArray("flags"))
      usable &=
          flag.getAsString() != llvm::StringRef("template") &&
          flag.getAsString() != llvm::StringRef("maybe_invalid_on_purpose");
    if (!usable) continue;
    std::string path = row.getString("path")->str();
    int64_t number = *row.getInteger("line");
    auto program = parseHlo(row.getString("text")->str());
    if (reasonOf(path, number)) {
      EXPECT_FALSE(program.ok()) << path << ":" << number << " is fine";
      ++left;
      continue;
    }
    EXPECT_TRUE(program.ok())
        << describe(path + ":" + std::to_string(number), program.status());
    ++read;
  }
  std::cout << read << " snippets, " << left << " exceptions\n";
  EXPECT_GT(read, 1600u);
}

}  // namespace
}  // namespace indexical::testing
