// The table of simplifier.md: how complete the canonical form is.
//
//   bazel run --config=release //tests/simplifier:completeness --
//       --chains=10000 --seed=1
//   … --family=pads --length=8 --show=20    what is left, by kind, made small
//   … --family=pads --length=8 --first=1234 --chains=1 --show=1    one chain
//
// and how often a chain of mixed ops has another form when it is composed
// otherwise:
//
//   bazel run --config=release //tests/simplifier:completeness --
//       --family=mixtures --chains=10000 --show=20
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"

#include "tests/simplifier/chain_study.h"
#include "tests/simplifier/equation.h"

namespace indexical::testing {
namespace {

namespace cl = llvm::cl;

cl::opt<int64_t> chainCount("chains", cl::init(1000),
                            cl::desc("chains of each family and length"));
cl::opt<uint64_t> seed("seed", cl::init(1), cl::desc("of the random chains"));
cl::opt<int64_t> firstChain("first", cl::init(0),
                            cl::desc("number of the first chain"));
cl::list<std::string> families(
    "family", cl::CommaSeparated,
    cl::desc("reshapes, bitcasts, transposes, "
             "reverses, slices, pads, mixtures; else "
             "all but mixtures"));
cl::list<int64_t> lengths("length", cl::CommaSeparated,
                          cl::desc("steps; else 2, 3, 4, 6, 8, 12"));
cl::opt<bool> small("small", cl::desc("tensors of tens of elements"));
cl::opt<bool> plain("plain",
                    cl::desc("mixtures without dynamic slices and windows"));
cl::opt<int64_t> proofs("proofs", cl::init(100),
                        cl::desc("most round trips of each family and length "
                                 "that are put to the provers"));
cl::opt<int64_t> show("show", cl::init(0),
                      cl::desc("explain the first N chains that fall short"));
cl::list<std::string> what("what", cl::CommaSeparated,
                           cl::desc("of --show: direct, identity, brackets, "
                                    "right, pairs…"));

std::string boundsOf(const IndexingMap &map) {
  std::string text;
  for (llvm::ArrayRef<Variable> variables : {map.dimensions(), map.ranges()}) {
    for (const Variable &v : variables) text += v.bounds.str();
    text += ";";
  }
  for (const Variable &v : map.runtime()) text += v.bounds.str();
  return text;
}

std::string constraintsOf(const IndexingMap &map) {
  std::string text;
  for (const Constraint &c : map.constraints())
    text += map.str(c.form) + c.bounds.str() + ";";
  return text;
}

std::string resultsOf(const IndexingMap &map) {
  std::string text;
  for (FormId form : map.results()) text += map.str(form) + ";";
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
  if (resultsOf(a) != resultsOf(b)) kind += "results ";
  if (kind.empty()) kind = "other ";
  kind.pop_back();
  if (!a.constraints().empty()) kind += ", constrained";
  return kind;
}

/// The shortfalls, by kind.
class Shortfalls {
 public:
  void add(const Shortfall &shortfall) {
    if (taken >= show) return;
    if (!what.empty() && llvm::none_of(what, [&](const std::string &w) {
          return llvm::StringRef(shortfall.what).starts_with(w);
        }))
      return;
    ++taken;
    const bool isMixed = shortfall.family == ChainFamily::Mixtures;
    auto small =
        isMixed ? std::nullopt : smallEquation(shortfall.left, shortfall.right);
    const std::string kind =
        shortfall.what + ": " +
        (small ? small->kind : differenceOf(shortfall.left, shortfall.right));
    std::string text;
    if (small) {
      text = small->str();
    } else {
      text = shortfall.left.str() + "\n--- and\n" + shortfall.right.str();
    }
    text += "\n  --family=" + familyName(shortfall.family).str() +
            " --length=" + std::to_string(shortfall.length) +
            " --first=" + std::to_string(shortfall.number) + " --chains=1";
    if (chainCount == 1 || isMixed)
      for (const ChainOp &op : shortfall.ops) text += "\n    " + op.str();
    Kind &entry = kinds[kind];
    if (!entry.count++ || text.size() < entry.smallest.size())
      entry.smallest = text;
  }

  void print() const {
    std::vector<std::pair<std::string, Kind>> sorted(kinds.begin(),
                                                     kinds.end());
    llvm::stable_sort(sorted, [](const auto &a, const auto &b) {
      return a.second.count > b.second.count;
    });
    for (const auto &[kind, entry] : sorted)
      std::printf("\n%lld times  %s\n%s\n", static_cast<long long>(entry.count),
                  kind.c_str(), entry.smallest.c_str());
  }

 private:
  struct Kind {
    int64_t count = 0;
    std::string smallest;
  };
  std::map<std::string, Kind> kinds;
  int64_t taken = 0;
};

std::string percent(const Share &share) {
  if (share.all == 0) return "–";
  char text[32];
  // A share that is not all is never printed as 100.
  std::snprintf(
      text, sizeof text, "%.2f%%",
      share.yes == share.all ? 100.0 : std::min(share.percent(), 99.99));
  return text;
}

std::string percents(llvm::ArrayRef<Share> shares) {
  std::string text;
  for (const Share &share : shares)
    text += (text.empty() ? "" : " / ") + percent(share);
  return text;
}

std::string fraction(const Share &share) {
  return std::to_string(share.yes) + " of " + std::to_string(share.all);
}

StudyOptions studyOptions() {
  StudyOptions options;
  options.chains = chainCount;
  options.seed = seed;
  options.first = firstChain;
  options.small = small;
  options.variables = !plain;
  options.proofs = proofs;
  return options;
}

void printMixtures(int64_t length, const ChainCounts &c) {
  std::printf("| %lld | %s |", static_cast<long long>(length),
              percent(c.allWays).c_str());
  for (const Share &share : llvm::drop_begin(c.ways))
    std::printf(" %s |", percent(share).c_str());
  std::printf(" %lld | %lld of %lld | %lld |\n",
              static_cast<long long>(c.unprinted),
              static_cast<long long>(c.wrong), static_cast<long long>(c.points),
              static_cast<long long>(c.errors));
  std::fflush(stdout);
}

/// Returns the number of wrong maps.
int64_t studyMixtures(llvm::ArrayRef<int64_t> steps, Shortfalls &shortfalls) {
  std::printf("| length | all ways |");
  for (Way way : llvm::drop_begin(kWays))
    std::printf(" %s |", nameOf(way).c_str());
  std::printf(" too long to print | wrong points | errors |\n");
  for (size_t k = 0; k < std::size(kWays) + 4; ++k) std::printf("|---");
  std::printf("|\n");
  int64_t wrong = 0;
  for (int64_t length : steps) {
    const ChainCounts c =
        study(ChainFamily::Mixtures, length, studyOptions(),
              [&](const Shortfall &shortfall) { shortfalls.add(shortfall); });
    printMixtures(length, c);
    wrong += c.wrong + c.errors;
  }
  return wrong;
}

int run() {
  std::printf("seed %llu, %lld chains of each\n\n",
              static_cast<unsigned long long>(seed),
              static_cast<long long>(chainCount));
  std::vector<int64_t> steps(lengths.begin(), lengths.end());
  if (steps.empty()) steps = {2, 3, 4, 6, 8, 12};
  Shortfalls shortfalls;
  int64_t wrong = 0;
  if (llvm::is_contained(families, "mixtures")) {
    wrong = studyMixtures(steps, shortfalls);
    shortfalls.print();
    return wrong ? 1 : 0;
  }
  std::printf(
      "Shares of a chain's maps: steps as forms / and read from text / steps "
      "raw / and read from text\n\n"
      "| family | length | direct | identity | proof of the rest: enumeration, "
      "exact | brackets | own form | size: mean, largest | seen to be empty | "
      "too long to print | wrong points | errors | ms |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (ChainFamily family : kChainFamilies) {
    if (!families.empty() &&
        !llvm::is_contained(families, familyName(family).str()))
      continue;
    for (int64_t length : steps) {
      const ChainCounts c =
          study(family, length, studyOptions(),
                [&](const Shortfall &shortfall) { shortfalls.add(shortfall); });
      wrong += c.wrong + c.errors;
      std::printf(
          "| %s | %lld | %s | %s | %s, %s | %s | %s | %.2f, %.1f | "
          "%s | %lld | %lld of %lld | %lld | %.2f |\n",
          familyName(family).str().c_str(), static_cast<long long>(length),
          percents(c.direct).c_str(), percents(c.identity).c_str(),
          fraction(c.byEnumeration).c_str(), fraction(c.byExact).c_str(),
          percent(c.brackets).c_str(), percent(c.ownForm).c_str(), c.meanSize,
          c.largestSize, fraction(c.empty).c_str(),
          static_cast<long long>(c.unprinted), static_cast<long long>(c.wrong),
          static_cast<long long>(c.points), static_cast<long long>(c.errors),
          c.milliseconds);
      std::fflush(stdout);
    }
  }
  shortfalls.print();
  return wrong ? 1 : 0;
}

}  // namespace
}  // namespace indexical::testing

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(
      argc, argv, "Shares of random chains whose maps have the best form\n");
  return indexical::testing::run();
}
