// Artifacts with bytes changed at random: each is read or refused, and nothing
// aborts.
//
//   INDEXICAL_ARTIFACT_COUNT=10000   how many, from INDEXICAL_SEED on
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/Support/MemoryBuffer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

#include "indexical/answers/inputs/bytecode.h"
#include "indexical/import/stablehlo/dialect/parse.h"
#include "tests/import/stablehlo/vhlo/artifact.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

// Each function of every_op.mlir in a module of its own, with the one that is
// called, in some format.
std::vector<std::string> artifacts() {
  auto text =
      llvm::MemoryBuffer::getFile("tests/import/stablehlo/vhlo/every_op.mlir");
  EXPECT_TRUE(text);
  absl::StatusOr<MlirFile> file = parseMlir((*text)->getBuffer());
  EXPECT_TRUE(file.ok()) << file.status();
  std::vector<std::string> all;
  mlir::ModuleOp module = *file->modules[0].module;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    mlir::OwningOpRef<mlir::ModuleOp> part =
        mlir::ModuleOp::create(module.getLoc());
    mlir::OpBuilder builder(part->getBodyRegion());
    builder.clone(*function);
    if (function.getSymName() != "inner")
      builder.clone(*module.lookupSymbol("inner"));
    Artifact how;
    how.newest = all.size() % 2 == 0;
    how.bytecode = all.size() % 3 == 0 ? 4 : 6;
    absl::StatusOr<std::string> bytes = writeArtifact(*part, how);
    EXPECT_TRUE(bytes.ok()) << bytes.status();
    all.push_back(*bytes);
  }
  return all;
}

TEST(ArtifactRandom, BrokenArtifactsAreReadOrRefused) {
  const std::vector<std::string> seeds = artifacts();
  const uint64_t count = fromEnvironment("INDEXICAL_ARTIFACT_COUNT", 1500);
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 0);
  // A crash leaves what was read there.
  const char *last = std::getenv("INDEXICAL_LAST");
  std::map<std::string, int> answers;
  std::unique_ptr<mlir::MLIRContext> context;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    if (!context || seed % 500 == 0) context = makeMlirContext();
    Random random(seed);
    std::string bytes = seeds[random.in(0, seeds.size() - 1)];
    for (int64_t changes = random.in(1, 3); changes > 0; --changes)
      bytes[random.in(4, bytes.size() - 1)] =
          static_cast<char>(random.in(0, 255));
    if (last) std::ofstream(last) << bytes;
    absl::StatusOr<MlirModule> read = readBytecode(*context, bytes, "");
    if (read.ok()) {
      ++answers["read"];
      continue;
    }
    const std::string why(read.status().message());
    EXPECT_FALSE(why.empty()) << "seed " << seed;
    ++answers[why == "this bytecode is damaged" ? "MLIR's reader gave up"
                                                : "refused with a reason"];
    if (last && why == "this bytecode is damaged")
      std::ofstream(std::string(last) + std::to_string(seed)) << bytes;
  }
  for (const auto &[answer, times] : answers)
    std::cout << times << " times: " << answer << "\n";
  EXPECT_GT(answers["read"], 0);
  EXPECT_GT(answers["refused with a reason"], 0);
}

}  // namespace
}  // namespace indexical::testing
