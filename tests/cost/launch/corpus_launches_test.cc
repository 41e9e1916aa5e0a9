// The launches of the corpus' kernels: every fusion has an emitter, and a
// launch or a reason why it has none; what an emitter tiles is read well.
#include <iostream>
#include <map>
#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/words.h"
#include "indexical/cost/launch/kernels.h"
#include "indexical/cost/memory/traffic.h"
#include "tests/support/corpus.h"

namespace indexical {
namespace {

struct Row {
  int64_t kernels = 0, known = 0, reads = 0, coalesced = 0, shared = 0,
          conflicts = 0;
};

class Launches {
 public:
  void visit(const Program &program, const std::string &name) {
    for (const Module &module : program.modules) {
      ProgramIndexing maps(module);
      for (const KernelSite &site : kernelSites(module)) {
        const Instruction &instruction = module.computations[site.computation]
                                             .instructions[site.instruction];
        if (instruction.opcode != "fusion") continue;
        SCOPED_TRACE(name + " " + instruction.name.str());
        LaunchChoice choice;
        choice.xla = &device_;
        auto kernel = kernelAt(maps, site, choice);
        EXPECT_TRUE(kernel.ok()) << kernel.status().message();
        if (kernel.ok()) look(*kernel, name + " " + instruction.name.str());
      }
    }
  }

  void print(const char *title) const {
    std::cout << title << "\n  emitter, fusions, launch known, reads measured, "
              << "coalesced, with shared tiles, most conflicts\n";
    for (const auto &[emitter, row] : rows_)
      std::cout << "  " << nameOf(emitter).str() << ' ' << row.kernels << ' '
                << row.known << ' ' << row.reads << ' ' << row.coalesced << ' '
                << row.shared << ' ' << row.conflicts << '\n';
    for (const auto &[reason, count] : reasons_)
      std::cout << "  " << count << ": " << reason << '\n';
  }

  const std::map<Emitter, Row> &rows() const { return rows_; }

 private:
  void look(const Kernel &kernel, const std::string &name) {
    Row &row = rows_[*kernel.emitter];
    ++row.kernels;
    // A launch, or why there is none.
    EXPECT_EQ(kernel.grid.has_value(), kernel.reason.empty());
    EXPECT_EQ(kernel.bytesOnly, !kernel.reason.empty());
    if (!kernel.reason.empty()) {
      ++reasons_[nameOf(*kernel.emitter).str() + ": " +
                 kernel.reason.substr(0, 40)];
      return;
    }
    ++row.known;
    EXPECT_LE(kernel.grid->threads[0], 1024);
    const KernelTraffic traffic = meter_.measure(kernel);
    for (const auto &conflicts : traffic.conflicts) {
      row.conflicts = std::max(row.conflicts, conflicts.value_or(0));
      EXPECT_TRUE(conflicts.has_value());
    }
    row.shared += !kernel.shared.empty();
    for (const Traffic &read : traffic.reads) {
      if (!read.figures) continue;
      ++row.reads;
      row.coalesced += read.figures->isCoalesced();
      // Tiles are read along their rows. The reads of a gather follow its
      // indices, and a slice or a second transpose on the way is not tiled.
      const bool isPlain = read.access.map.pieces().size() == 1 &&
                           isIdentity(read.access.map.pieces()[0],
                                      kernel.buffers[read.access.buffer]);
      const bool isTransposed =
          read.finding.pattern.kind == PatternKind::Transposed;
      if (isTiling(*kernel.emitter) && isPlain && isTransposed)
        ADD_FAILURE() << name << ": " << wordsOf(read.finding.pattern);
      if (isTiling(*kernel.emitter) && isPlain && !read.figures->isCoalesced())
        std::cout << "  " << name << ": "
                  << kernel.buffers[read.access.buffer].str(true) << " "
                  << wordsOf(read.finding.pattern) << '\n';
    }
  }

  const Device &device_ = *findDevice("h100");
  CoalescingOptions options() const {
    CoalescingOptions options;
    options.operations = 2'000'000;
    options.distinct = false;
    return options;
  }
  TrafficMeter meter_{device_, options()};
  std::map<Emitter, Row> rows_;
  std::map<std::string, int64_t> reasons_;
};

TEST(CorpusLaunches, EveryFusionHasAnEmitter) {
  Launches scheduled, others;
  auto visit = [&](const Program &program, const std::string &name) {
    const bool isScheduled =
        program.text &&
        program.text->find("is_scheduled=true") != std::string::npos;
    (isScheduled ? scheduled : others).visit(program, name);
  };
  testing::forEachHloFile(visit);
  testing::forEachHloSnippet(visit);
  scheduled.print("scheduled modules");
  others.print("other modules");
  int64_t fusions = 0, known = 0;
  for (const Launches *all : {&scheduled, &others})
    for (const auto &[emitter, row] : all->rows()) {
      fusions += row.kernels;
      if (emitter != Emitter::Library && emitter != Emitter::Triton)
        known += row.known;
    }
  EXPECT_GT(fusions, testing::ofCorpus(500, 90));
  EXPECT_GT(known, fusions / 3);
}

}  // namespace
}  // namespace indexical
