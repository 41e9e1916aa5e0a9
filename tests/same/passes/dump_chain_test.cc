// Chains of dumps, found by names of files, in sections of mlir-opt, and in
// lists of pairs.
#include "indexical/same/passes/dump_chain.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace indexical::testing {
namespace {

using Names = std::vector<std::string>;

TEST(ReadDumpName, OfAPass) {
  const auto name = readDumpName(
      "dumps/module_0094.jit_f.35.0006.GPU-ir-emit-prepare.after_copy-"
      "insertion.before_sanitize-constant-names.txt");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->kind, DumpName::Kind::Between);
  EXPECT_EQ(name->module, "module_0094.jit_f.35");
  EXPECT_EQ(name->step, 6);
  EXPECT_EQ(name->pipeline, "GPU-ir-emit-prepare");
  EXPECT_EQ(name->pass, "copy-insertion");
}

TEST(ReadDumpName, Others) {
  struct Row {
    const char *path, *module, *pipeline, *pass;
    DumpName::Kind kind;
  };
  using Kind = DumpName::Kind;
  for (const Row &row : {
           Row{"module_0001.f.0024.copy-insertion.after_adding_copies.txt",
               "module_0001.f", "copy-insertion", "adding_copies",
               Kind::Between},
           // Digits in the module's own name.
           Row{"module_0001.jit_1234.0003.p.after_dce.before_cse.txt.gz",
               "module_0001.jit_1234", "p", "dce", Kind::Between},
           Row{"module_0001.f.after_x.2.0003.p.after_dce.txt",
               "module_0001.f.after_x.2", "p", "dce", Kind::Between},
           Row{"module_0001.f.12345.p.after_dce.hlo", "module_0001.f", "p",
               "dce", Kind::Between},
           Row{"module_0049.S.293.before_optimizations.txt",
               "module_0049.S.293", "", "", Kind::Before},
           Row{"module_0049.S.293.sm_8.0_gpu_after_optimizations.txt",
               "module_0049.S.293", "", "", Kind::After},
           Row{"module_0049.S.cpu_after_optimizations.txt.zst", "module_0049.S",
               "", "", Kind::After},
           Row{"module_0049.S.gfx942_gpu_after_optimizations.txt",
               "module_0049.S", "", "", Kind::After},
           Row{"a/jit_train_step_before_optimization.hlo", "jit_train_step", "",
               "", Kind::Before},
           Row{"a/jit_train_step_after_optimization.hlo", "jit_train_step", "",
               "", Kind::After},
       }) {
    const auto name = readDumpName(row.path);
    ASSERT_TRUE(name) << row.path;
    EXPECT_EQ(name->module, row.module) << row.path;
    EXPECT_EQ(name->pipeline, row.pipeline) << row.path;
    EXPECT_EQ(name->pass, row.pass) << row.path;
    EXPECT_EQ(name->kind, row.kind) << row.path;
  }
  for (const char *path : {
           "softmax.hlo",
           "module_0049.S.sm_8.0_gpu_after_optimizations-buffer-assignment.txt",
           "module_0049.S.gpu_after_optimizations-memory-usage-report.txt",
           "module_0001.f.12.p.after_dce.txt",  // no step of four digits
           "module_0001.f.0003.after_dce.txt",  // no pipeline
           "module_0001.f.0003.p.after_.txt",
           "module_0001.f.0003.p.after_dce.ll",
           "before_optimizations.txt",
           "",
       })
    EXPECT_FALSE(readDumpName(path)) << path;
}

TEST(ChainsByName, OrderOfFilesDoesNotShow) {
  Names files = {
      "d/m.f.before_optimizations.txt",
      "d/m.f.0000.p.after_pipeline-start.before_a.txt",
      "d/m.f.0002.p.after_b.before_c.txt",
      "d/m.f.0010.q.after_c.before_d.txt",
      "d/m.f.cpu_after_optimizations.txt",
      "d/m.g.before_optimizations.txt",
      "d/m.g.cpu_after_optimizations.txt",
      "d/notes.txt",
      "e/m.g.0001.p.after_a.txt",
      "e/m.g.0002.p.after_b.txt",
  };
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    std::shuffle(files.begin(), files.end(), random);
    const NamedChains found = chainsByName(files);
    EXPECT_EQ(found.others, Names{"d/notes.txt"});
    ASSERT_EQ(found.chains.size(), 3u);
    EXPECT_EQ(found.chains[0].name, "m.f");
    EXPECT_EQ(found.chains[1].name, "d/m.g");
    EXPECT_EQ(found.chains[2].name, "e/m.g");
    Names order, passes;
    for (const Dump &dump : found.chains[0].dumps) {
      order.push_back(dump.file);
      passes.push_back(dump.pass);
    }
    EXPECT_EQ(order, (Names{"d/m.f.before_optimizations.txt",
                            "d/m.f.0000.p.after_pipeline-start.before_a.txt",
                            "d/m.f.0002.p.after_b.before_c.txt",
                            "d/m.f.0010.q.after_c.before_d.txt",
                            "d/m.f.cpu_after_optimizations.txt"}));
    EXPECT_EQ(passes, (Names{"", "pipeline-start", "b", "c", "optimizations"}));
  }
}

constexpr char kLog[] =
    R"(// -----// IR Dump Before CSE (cse) //----- //
func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}

// -----// IR Dump After CSE (cse) //----- //
func.func @g(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}

// -----// IR Dump After CSE (cse) //----- //
#map = affine_map<(d0) -> (d0)>
func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = scf.if %arg0 {
  }
  return %arg0 : tensor<4xf32>
}
#loc = loc("x")

// -----// IR Dump Before Canonicalizer (canonicalize) //----- //
func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}
)"
    "// -----// IR Dump After Canonicalizer (canonicalize{a=1}) "
    "('func.func' operation: @f) //----- //\n"
    R"(module @m attributes {a = "@b"} {
  func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    return %arg0 : tensor<4xf32>
  }
}


// -----// IR Dump After Inliner Failed (inline) //----- //
module @m {
  func.func @f()
}
// -----// IR Dump After MyPass //----- //
module {
}


module {
}
)";

TEST(ChainsOfSections, OneForEachOp) {
  ASSERT_TRUE(hasSections(kLog));
  const std::vector<DumpChain> chains = chainsOfSections(kLog, "log.mlir");
  ASSERT_EQ(chains.size(), 4u);
  struct Row {
    const char *name;
    Names passes, firstLines, lastLines;
    std::vector<uint32_t> linesBefore;
  };
  const std::vector<Row> rows = {
      {"f",
       {"", "cse"},
       {"func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {",
        "#map = affine_map<(d0) -> (d0)>"},
       {"}", "#loc = loc(\"x\")"},
       {1, 11}},
      {"g",
       {"cse"},
       {"func.func @g(%arg0: tensor<4xf32>) -> tensor<4xf32> {"},
       {"}"},
       {6}},
      {"m",
       {"canonicalize{a=1}"},
       {"module @m attributes {a = \"@b\"} {"},
       {"}"},
       {24}},
      {"module", {"MyPass"}, {"module {"}, {"}"}, {36}},
  };
  const llvm::StringRef text = kLog;
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(chains[i].name, rows[i].name);
    ASSERT_EQ(chains[i].dumps.size(), rows[i].passes.size()) << rows[i].name;
    for (size_t k = 0; k < rows[i].passes.size(); ++k) {
      const Dump &dump = chains[i].dumps[k];
      EXPECT_EQ(dump.pass, rows[i].passes[k]);
      EXPECT_EQ(dump.file, "log.mlir");
      EXPECT_EQ(dump.linesBefore, rows[i].linesBefore[k]) << rows[i].name;
      const llvm::StringRef own = text.substr(dump.offset, dump.size).trim();
      EXPECT_EQ(own.split('\n').first.str(), rows[i].firstLines[k]);
      EXPECT_EQ(own.rsplit('\n').second.str(), rows[i].lastLines[k]);
      EXPECT_EQ(text.take_front(dump.offset).count('\n'), dump.linesBefore);
    }
  }
}

TEST(ChainsOfSections, OtherTexts) {
  EXPECT_FALSE(hasSections("HloModule m\n// -----\n"));
  EXPECT_TRUE(chainsOfSections("module {\n}\n", "x").empty());
  EXPECT_TRUE(chainsOfSections("// -----// IR Dump After A (a) //----- //", "x")
                  .empty());
}

TEST(ChainOfPair, Lines) {
  auto pair = chainOfPair("a.hlo  b.hlo");
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->name, "a.hlo to b.hlo");
  EXPECT_EQ(pair->dumps[0].file, "a.hlo");
  EXPECT_EQ(pair->dumps[1].file, "b.hlo");
  EXPECT_EQ(pair->dumps[1].pass, "");
  pair = chainOfPair("my a.hlo\tmy b.hlo\tcse");
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->dumps[0].file, "my a.hlo");
  EXPECT_EQ(pair->dumps[1].pass, "cse");
  EXPECT_FALSE(chainOfPair("a.hlo"));
  EXPECT_FALSE(chainOfPair("a b c d"));
  EXPECT_FALSE(chainOfPair(""));
}

/// Each folder of shared/passes holds one pipeline.
TEST(ChainsByName, RealPipelines) {
  const char *corpus = std::getenv("INDEXICAL_CORPUS");
  const auto passes =
      std::filesystem::path(corpus ? corpus : "").parent_path() / "passes";
  if (!corpus || !std::filesystem::is_directory(passes))
    GTEST_SKIP() << "there is no folder passes/ beside INDEXICAL_CORPUS";
  Names files;
  std::map<std::string, size_t> folders;
  for (const auto &at : std::filesystem::recursive_directory_iterator(passes)) {
    if (at.is_directory()) continue;
    files.push_back(at.path().string());
    ++folders[at.path().parent_path().filename().string()];
  }
  const NamedChains found = chainsByName(files);
  EXPECT_TRUE(found.others.empty());
  ASSERT_EQ(found.chains.size(), folders.size());
  for (const DumpChain &chain : found.chains) {
    ASSERT_TRUE(folders.count(chain.name)) << chain.name;
    EXPECT_EQ(chain.dumps.size(), folders[chain.name]) << chain.name;
    std::set<std::string> once;
    for (const Dump &dump : chain.dumps) once.insert(dump.file);
    EXPECT_EQ(once.size(), chain.dumps.size()) << chain.name;
  }
}

}  // namespace
}  // namespace indexical::testing
