// Pairs of modules of which a test knows whether they compute the same: what
// `compareValues` says of each is held against that, and counted.
#ifndef INDEXICAL_TESTS_SAME_VALUES_PAIR_TALLY_H
#define INDEXICAL_TESTS_SAME_VALUES_PAIR_TALLY_H

#include <cstdio>
#include <string>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/values/module_values.h"

namespace indexical::testing {

struct PairTally {
  int same = 0, equal = 0;         ///< pairs, and those of them called equal
  int different = 0, refuted = 0;  ///< likewise, called different

  /// Equal ones have to be the same, and different ones may not be.
  void check(const std::string &first, const std::string &second,
             bool areSame) {
    const auto a = parseHlo(first), b = parseHlo(second);
    ASSERT_TRUE(a.ok() && b.ok())
        << a.status() << b.status() << first << second;
    const auto said = compareValues(a->modules[0], b->modules[0],
                                    ValueOptions(), EqualityOptions());
    ASSERT_TRUE(said.ok()) << said.status();
    EXPECT_FALSE(said->isEqual && !areSame) << first << second;
    EXPECT_FALSE(said->isDifferent && areSame) << first << second;
    ++(areSame ? same : different);
    equal += said->isEqual;
    refuted += said->isDifferent;
  }

  void print() const {
    std::printf(
        "%d of %d pairs that are the same are equal, %d of %d others "
        "different\n",
        equal, same, refuted, different);
  }
};

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SAME_VALUES_PAIR_TALLY_H
