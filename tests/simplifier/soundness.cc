// Ten million random maps, simplified and compared with their trees.
//
//   bazel run --config=release //tests/simplifier:soundness --
//       --pairs=10000000 --seed=1
//   … --seed=1 --first=1234 --pairs=1       one of them
#include <cstdio>

#include "llvm/Support/CommandLine.h"

#include "tests/simplifier/soundness_fuzz.h"

namespace indexical::testing {
namespace {

namespace cl = llvm::cl;

cl::opt<int64_t> pairs("pairs", cl::init(100'000), cl::desc("how many"));
cl::opt<uint64_t> seed("seed", cl::init(1), cl::desc("of the random pairs"));
cl::opt<int64_t> first("first", cl::init(0),
                       cl::desc("number of the first one"));
cl::opt<int64_t> depth("depth", cl::init(6), cl::desc("most nesting"));
cl::opt<int64_t> islEvery("isl-every", cl::init(1000),
                          cl::desc("one in so many is put to isl; 0: none"));
cl::opt<bool> strict("strict",
                     cl::desc("what grows or is refused is a flaw too"));
cl::opt<bool> minima("minima", cl::desc("with minima and great numbers"));
cl::opt<int64_t> show("show", cl::init(20), cl::desc("flaws that are printed"));

void line(const char *what, int64_t count) {
  std::printf("%14lld  %s\n", static_cast<long long>(count), what);
}

int run() {
  FuzzOptions options;
  options.pairs = pairs;
  options.seed = seed;
  options.first = first;
  options.depth = depth;
  options.islEvery = islEvery;
  options.strict = strict;
  options.minima = minima;
  int64_t shown = 0;
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  const FuzzCounts c = fuzz(options, [&](const std::string &text) {
    if (shown++ >= show) return;
    std::printf("\n%s\n", text.c_str());
    std::fflush(stdout);
  });
  line("pairs of expression and domain", c.pairs);
  line("of them with constraints", c.constrained);
  line("of them with range variables", c.withRanges);
  line("of them seen to be empty", c.empty);
  line("drawn, but no maps: they leave 64 bits", c.notMaps);
  line("refused by simplify: forms leave 64 bits", c.refused);
  line("points", c.points);
  line("of them inside", c.pointsInside);
  line("simplified again", c.again);
  line("with constraints in another order", c.reordered);
  line("with variables numbered otherwise", c.renumbered);
  line("of them of the same forms", c.renumberedSame);
  line("grown", c.grown);
  line("the same by isl", c.islEqual);
  line("left open by isl", c.islUndecided);
  line("FLAWS", c.flaws);
  std::printf("%14.1f  seconds\n", c.seconds);
  return c.flaws ? 1 : 0;
}

}  // namespace
}  // namespace indexical::testing

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(
      argc, argv, "Random maps, simplified and held against their trees\n");
  return indexical::testing::run();
}
