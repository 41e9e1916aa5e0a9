// The corpus' modules against themselves in other words.
#ifndef INDEXICAL_TESTS_SAME_EQUALITY_CORPUS_EQUALITY_H
#define INDEXICAL_TESTS_SAME_EQUALITY_CORPUS_EQUALITY_H

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <string>

#include "gtest/gtest.h"

#include "indexical/ops/sizes.h"
#include "indexical/same/equality/module_equality.h"
#include "indexical/same/values/module_values.h"
#include "tests/same/equality/other_words.h"
#include "tests/support/random.h"

namespace indexical::testing {

/// Compares modules with themselves in other words, and counts.
class CorpusEquality {
 public:
  /// Programs of one text, one for each side.
  void compare(Program one, Program other, const std::string &name,
               size_t bytes) {
    rename(other);
    for (size_t m = 0; m < one.modules.size(); ++m) {
      Module &module = one.modules[m];
      for (size_t c = 0; c < module.computations.size(); ++c) {
        if (!module.computations[c].entry && module.entry != int32_t(c))
          continue;
        if (module.computations[c].root < 0) continue;
        module.entry = ComputationId(c);
        Module words = other.modules[m];
        words.entry = ComputationId(c);
        Random random(++modules);
        shuffle(random, words);
        commute(random, words);
        repack(random, words);
        outline(random, other, words);
        compare(module, words, name, bytes);
      }
    }
  }

  void compare(const Module &module, const Module &words,
               const std::string &name, size_t bytes) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    auto equal = compareReads(module, words);
    const double seconds =
        std::chrono::duration<double>(Clock::now() - start).count();
    slowest = std::max(slowest, seconds / (0.1 + bytes / 1e6));
    if (seconds > 5) printf("  %s: %.1f s\n", name.c_str(), seconds);
    ASSERT_TRUE(equal.ok()) << name << ": " << equal.status();
    EXPECT_NE(equal->answer, Answer::No) << name;
    bool decided = true;
    for (const LeafEquality &leaf : equal->leaves) {
      ++pairs;
      terms += leaf.byTerms;
      if (leaf.decision.answer == Answer::Yes) continue;
      decided = false;
      ++undecided;
      if (leaf.because)
        ++obstacles[leaf.because->opcode + ": " + leaf.because->reason];
    }
    if (!decided) printf("  undecided: %s\n", name.c_str());
    undecidedModules += !decided;
    if (byValues) compareByValues(module, words, name);
  }

  /// A module is equal to itself and to its other words by values, too, unless
  /// its results have open sizes.
  void compareByValues(const Module &module, const Module &words,
                       const std::string &name) {
    const Computation &entry = module.computations[module.entry];
    for (const ArrayShape &leaf : entry.instructions[entry.root].shape.leaves())
      if (hasOpenSize(leaf)) return;
    for (const Module *other : {&module, &words}) {
      const auto equal = compareValues(module, *other, {}, {});
      ASSERT_TRUE(equal.ok()) << name << ": " << equal.status();
      ++valuePairs;
      if (equal->isEqual) continue;
      ++undecidedValues;
      printf("  undecided by values (%s): %s\n",
             other == &module ? "itself" : "other words", name.c_str());
    }
  }

  void report(const char *what) const {
    printf(
        "  %s: %lld modules, %lld not decided; %lld pairs, %lld by terms, %lld "
        "undecided; slowest %.2f s/MB\n",
        what, static_cast<long long>(modules),
        static_cast<long long>(undecidedModules), static_cast<long long>(pairs),
        static_cast<long long>(terms), static_cast<long long>(undecided),
        slowest);
    if (valuePairs > 0)
      printf("    %lld pairs by values, %lld not decided\n",
             static_cast<long long>(valuePairs),
             static_cast<long long>(undecidedValues));
    for (const auto &[what, count] : obstacles)
      printf("    %6lld %s\n", static_cast<long long>(count), what.c_str());
  }

  int64_t modules = 0, undecidedModules = 0, pairs = 0, terms = 0,
          undecided = 0, valuePairs = 0, undecidedValues = 0;
  bool byValues = false;  ///< whether values are compared, too
  double slowest = 0;
  std::map<std::string, int64_t> obstacles;
};

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SAME_EQUALITY_CORPUS_EQUALITY_H
