// The kernels of every HLO module of the corpus: all are measured, and what a
// figure says agrees with the others.
#include <iostream>
#include <map>
#include <string>

#include "gtest/gtest.h"

#include "analysis/traffic.h"
#include "tests/corpus.h"

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
          // Ops that do not pass verification are told where they stand.
          ++failed;
          continue;
        }
        ++kernels;
        const KernelTraffic traffic = meter.measure(*std::move(kernel));
        for (const auto *list : {&traffic.reads, &traffic.writes})
          for (const Traffic &one : *list) {
            ++reads;
            if (!one.figures) {
              ++reasons[one.reason];
              continue;
            }
            ++measured;
            const AccessFigures &of = *one.figures;
            bounds += !of.exact;
            SCOPED_TRACE(name + ", " +
                         computation.instructions[site.instruction].name.str());
            EXPECT_FALSE(one.pattern.empty());
            for (const Figure &figure :
                 {of.accesses, of.activeLanes, of.bytesUsed, of.sectors,
                  of.sectorsFewest, of.lines, of.distinctSectors,
                  of.wastedBytes}) {
              EXPECT_LE(0, figure.least);
              EXPECT_LE(figure.least, figure.most);
            }
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
  if (files == 0) GTEST_SKIP() << "INDEXICAL_CORPUS is not set";
  std::cout << files << " files, " << kernels << " kernels (" << failed
            << " that fail), " << reads << " reads and writes, " << measured
            << " measured, " << bounds << " with bounds\n";
  for (const auto &[reason, times] : reasons)
    std::cout << times << " times: " << reason << '\n';
  EXPECT_GT(measured, reads / 2);
}

}  // namespace
}  // namespace indexical::testing
