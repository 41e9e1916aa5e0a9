// How often a chain of mixed ops has another map when it is composed otherwise.
//
//   bazel run --config=release //tests/simplifier:mixture_study --
//       --chains=100000 --seed=1 --show=20
//
// It prints, for each way to compose, how many chains differ from left to
// right, by what is different, and the chains that have the least to read.
#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "llvm/Support/CommandLine.h"

#include "tests/simplifier/equation.h"
#include "tests/simplifier/mixtures.h"

namespace indexical::testing {
namespace {

namespace cl = llvm::cl;

cl::opt<int64_t> chainCount("chains", cl::init(10000), cl::desc("chains"));
cl::opt<uint64_t> seed("seed", cl::init(1), cl::desc("of the first chain"));
cl::opt<int64_t> show("show", cl::init(0),
                      cl::desc("print the N smallest chains of each kind"));
cl::opt<int64_t> least("least", cl::init(2), cl::desc("steps"));
cl::opt<int64_t> most("most", cl::init(8), cl::desc("steps"));
cl::opt<bool> small("small", cl::desc("tensors of a few elements"));
cl::opt<bool> plain("plain", cl::desc("no dynamic slices and windows"));
cl::opt<std::string> only("only", cl::desc("show this way only"));

std::string boundsOf(const IndexingMap &map) {
  std::string text;
  for (const Variable &v : map.dimensions()) text += v.bounds.str();
  text += ";";
  for (const Variable &v : map.ranges()) text += v.bounds.str();
  text += ";";
  for (const Variable &v : map.runtime()) text += v.bounds.str();
  return text;
}

std::string constraintsOf(const IndexingMap &map) {
  std::string text;
  for (const Constraint &c : map.constraints())
    text += map.str(c.form) + c.bounds.str() + ";";
  return text;
}

std::string differenceOf(const IndexingMap &a, const IndexingMap &b) {
  if (a.isKnownEmpty() != b.isKnownEmpty()) return "emptiness";
  if (a.ranges().size() != b.ranges().size() ||
      a.runtime().size() != b.runtime().size())
    return "variables";
  std::string kind;
  if (boundsOf(a) != boundsOf(b)) kind += "bounds ";
  if (constraintsOf(a) != constraintsOf(b)) kind += "constraints ";
  std::string left, right;
  for (FormId form : a.results()) left += a.str(form) + ";";
  for (FormId form : b.results()) right += b.str(form) + ";";
  if (left != right) kind += "results ";
  if (kind.empty()) kind = "other ";
  kind.pop_back();
  if (!a.constraints().empty()) kind += ", constrained";
  return kind;
}

struct Found {
  uint64_t seed;
  std::vector<ChainOp> ops;
  IndexingMap left, other;
  size_t weight() const {
    return left.str().size() + other.str().size() + 60 * ops.size();
  }
};

/// The shortest part of the chain that differs still.
Found shortest(Found found, Way way) {
  for (bool again = true; again && found.ops.size() > 2;) {
    again = false;
    for (bool front : {true, false}) {
      llvm::ArrayRef<ChainOp> ops = found.ops;
      ops = front ? ops.drop_front() : ops.drop_back();
      auto left = composedBy(ops, Way::Left), other = composedBy(ops, way);
      if (!left.ok() || !other.ok() || *left == *other) continue;
      found.ops = ops.vec();
      found.left = *left, found.other = *other;
      again = true;
      break;
    }
  }
  return found;
}

int run() {
  std::map<std::string, std::map<std::string, std::vector<Found>>> all;
  std::map<std::string, int64_t> counts;
  int64_t differing = 0, errors = 0;
  for (uint64_t i = seed; i < seed + chainCount; ++i) {
    Random random(i);
    MixtureOptions options;
    options.small = small;
    options.variables = !plain;
    const Chain chain = randomMixture(random.in(least, most), random, options);
    auto left = composedBy(chain.ops, Way::Left);
    if (!left.ok()) {
      ++errors;
      std::printf("seed %ld: %s\n", static_cast<long>(i),
                  left.status().ToString().c_str());
      continue;
    }
    bool differs = false;
    std::optional<IndexingMap> right;
    for (Way way : kWays) {
      if ((way == Way::LeftAsText || way == Way::RightAsText) &&
          !hasText(chain.ops))
        continue;
      auto other = composedBy(chain.ops, way);
      if (!other.ok()) {
        ++counts[wayName(way).str() + " errors"];
        continue;
      }
      if (way == Way::Right) right = *other;
      if (way == Way::RightAsText && right && *right != *other)
        ++counts["right as text, not right"];
      if (*other == *left) continue;
      differs = true;
      ++counts[wayName(way).str()];
      Found found{i, chain.ops, *left, *other};
      if (show) found = shortest(std::move(found), way);
      all[wayName(way).str()][differenceOf(found.left, found.other)].push_back(
          std::move(found));
    }
    differing += differs;
  }
  std::printf("%ld of %ld chains differ, %ld errors\n",
              static_cast<long>(differing), static_cast<long>(chainCount),
              static_cast<long>(errors));
  for (auto &[way, count] : counts)
    std::printf("  %-16s %ld\n", way.c_str(), static_cast<long>(count));
  for (auto &[way, kinds] : all)
    for (auto &[kind, list] : kinds) {
      std::printf("%s: %s: %zu\n", way.c_str(), kind.c_str(), list.size());
      if (!only.empty() && only != way) continue;
      std::sort(list.begin(), list.end(), [](const Found &a, const Found &b) {
        return a.weight() < b.weight();
      });
      for (size_t k = 0; k < list.size() && k < static_cast<size_t>(show);
           ++k) {
        std::printf("--- %s, seed %ld\n", way.c_str(),
                    static_cast<long>(list[k].seed));
        for (const ChainOp &op : list[k].ops)
          std::printf("    %s\n", op.str().c_str());
        std::printf("  left  %s\n  other %s\n",
                    list[k].left.strOneLine().c_str(),
                    list[k].other.strOneLine().c_str());
      }
    }
  return 0;
}

}  // namespace
}  // namespace indexical::testing

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv);
  return indexical::testing::run();
}
