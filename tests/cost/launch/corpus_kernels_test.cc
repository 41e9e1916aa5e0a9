// The kernels of every HLO module of the corpus: all are measured, and what a
// figure says agrees with the others.
#include <iostream>
#include <map>
#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/words.h"
#include "indexical/command/run.h"
#include "indexical/cost/launch/kernels.h"
#include "indexical/cost/memory/traffic.h"
#include "indexical/exact/exact.h"
#include "tests/support/corpus.h"

namespace indexical::testing {
namespace {

TEST(CorpusKernels, AreMeasured) {
  std::map<std::string, int64_t> reasons;
  int64_t kernels = 0, reads = 0, measured = 0, bounds = 0, failed = 0;
  CoalescingOptions options;
  options.operations = 500'000;
  const size_t files = forEachHloFile([&](const Program &program,
                                          const std::string &name) {
    TrafficMeter meter(*findDevice("h100"), options);
    for (const Module &module : program.modules) {
      ProgramIndexing maps(module);
      for (const KernelSite &site : kernelSites(module)) {
        const Computation &computation = module.computations[site.computation];
        auto kernel = kernelAt(maps, site);
        if (!kernel.ok()) {
          // The kernel has an op that does not pass verification.
          ++failed;
          continue;
        }
        ++kernels;
        const KernelTraffic traffic = meter.measure(*kernel);
        for (const auto *list : {&traffic.reads, &traffic.writes})
          for (const Traffic &one : *list) {
            ++reads;
            if (!one.figures) {
              ++reasons[wordsOf(one.why)];
              continue;
            }
            ++measured;
            const AccessFigures &of = *one.figures;
            bounds += !of.exact;
            SCOPED_TRACE(name + ", " +
                         computation.instructions[site.instruction].name.str());
            EXPECT_FALSE(wordsOf(one.finding.pattern).empty());
            for (const Figure &figure :
                 {of.accesses, of.activeLanes, of.bytesUsed, of.sectors,
                  of.sectorsFewest, of.lines, of.distinctSectors,
                  of.wastedBytes}) {
              EXPECT_LE(0, figure.least);
              EXPECT_LE(figure.least, figure.most);
            }
            EXPECT_LE(of.distinctSectors.most, of.sectors.most);
            if (!of.exact || !of.sectors.isKnown() || !of.bytesUsed.isKnown())
              continue;
            EXPECT_LE(of.accesses.least, of.activeLanes.least);
            EXPECT_LE(of.sectorsFewest.least, of.sectors.least);
            EXPECT_LE(of.lines.least, of.sectors.least);
            EXPECT_LE(of.sectors.least, of.lines.least * 4);
            EXPECT_LE(of.distinctSectors.least, of.sectors.least);
            EXPECT_LE(of.bytesUsed.least, of.sectors.least * 32);
            EXPECT_LE(of.distinctSectors.least * 32, one.bytes + 31);
            if (of.sectors.isKnown() && of.wastedBytes.isKnown()) {
              EXPECT_EQ(of.wastedBytes.least,
                        (of.sectors.least - of.sectorsFewest.least) * 32);
            }
          }
      }
    }
  });
  std::cout << files << " files, " << kernels << " kernels (" << failed
            << " that fail), " << reads << " reads and writes, " << measured
            << " measured, " << bounds << " with bounds\n";
  for (const auto &[reason, times] : reasons)
    std::cout << times << " times: " << reason << '\n';
  EXPECT_GT(measured, reads / 2);
}

bool hasRuntime(const IndexingRelation &relation) {
  return llvm::any_of(relation.pieces(), [](const IndexingMap &piece) {
    return !piece.runtime().empty();
  });
}

/// The reads of a loop fusion, use by use, are those that program/ gives for
/// the operand.
TEST(CorpusKernels, ReadsOfAFusionAreItsMaps) {
  int64_t compared = 0, undecided = 0;
  forEachHloFile([&](const Program &program, const std::string &name) {
    for (const Module &module : program.modules) {
      ProgramIndexing maps(module);
      for (const KernelSite &site : kernelSites(module)) {
        const Instruction &instruction = module.computations[site.computation]
                                             .instructions[site.instruction];
        if (instruction.opcode != "fusion" || !instruction.shape->isArray())
          continue;
        auto kernel = kernelAt(maps, site);
        ASSERT_TRUE(kernel.ok()) << kernel.status().message();
        if (kernel->bytesOnly || !kernel->complete ||
            kernel->launches.size() != 1 ||
            kernel->launches[0].shape.dimensions !=
                instruction.shape->array.dimensions)
          continue;
        std::map<int64_t, IndexingRelation> reads;
        for (const MemoryAccess &read : kernel->reads)
          reads[kernel->leafOf(read)].unite(read.map);
        const int64_t leaves = shapesOf(instruction.op).operands.size();
        for (int64_t leaf = 0; leaf < leaves; ++leaf) {
          auto whole = maps.instruction({ComputationId(site.computation),
                                         InstructionId(site.instruction)},
                                        LeafId(leaf), Direction::OutputToInput);
          ASSERT_TRUE(whole.ok()) << whole.status().message();
          if (hasRuntime(*whole) || hasRuntime(reads[leaf]) ||
              whole->precision() != Precision::Exact)
            continue;
          // Most are the same to the letter.
          if (*whole == reads[leaf]) {
            ++compared;
            continue;
          }
          auto same = areEqual(reads[leaf], *whole);
          ASSERT_TRUE(same.ok()) << same.status().message();
          EXPECT_NE(same->answer, Answer::No)
              << name << ", " << instruction.name.str() << ", operand " << leaf;
          ++(same->answer == Answer::Yes ? compared : undecided);
        }
      }
    }
  });
  std::cout << compared << " operands compared, " << undecided
            << " undecided\n";
  EXPECT_GT(compared, ofCorpus(200, 90));
  EXPECT_LT(undecided, compared / 100);
}

/// The command ends well on every module that was dumped for a GPU.
TEST(CorpusKernels, AreReported) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  int64_t files = 0;
  for (const CorpusFile &file : corpusFiles("hlo")) {
    if (file.name.compare(0, 3, "gpu") != 0 ||
        llvm::StringRef(file.name).ends_with(".ttir"))
      continue;
    ++files;
    std::string out, err;
    llvm::raw_string_ostream outStream(out), errStream(err);
    for (const char *format : {"--format=text", "--format=json"}) {
      const char *call[] = {"indexical", "report", file.path.c_str(), format};
      EXPECT_EQ(runIndexical(4, call, outStream, errStream), 0)
          << file.name << '\n'
          << err;
    }
    EXPECT_FALSE(out.empty()) << file.name;
  }
  EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace indexical::testing
