// Every question of exact/ against brute force, on random relations.
//
// INDEXICAL_EXACT_MAPS says how many, INDEXICAL_SEED from which seed on. With
// all engines, and with each alone on what it accepts.
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "gtest/gtest.h"

#include "indexical/exact/exact.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/simplifier/simplify.h"
#include "tests/exact/brute_force.h"
#include "tests/exact/random_relations.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

struct Tally {
  int64_t asked = 0, undecided = 0;
  std::map<Engine, int64_t> by;
};

/// How many questions of each name were asked, and how many were undecided, in
/// all and by engine.
class Tallies {
 public:
  ~Tallies() {
    for (const auto &[name, tally] : tallies) {
      std::string line = name + ": " + std::to_string(tally.asked) +
                         " asked, undecided " + std::to_string(tally.undecided);
      for (auto [engine, count] : tally.by)
        line += ", " + engineName(engine).str() + " " + std::to_string(count);
      printf("  %s\n", line.c_str());
    }
  }
  void note(const std::string &name, Engine engine, bool undecided) {
    Tally &tally = tallies[name];
    ++tally.asked;
    if (undecided)
      ++tally.undecided;
    else
      ++tally.by[engine];
  }

 private:
  std::map<std::string, Tally> tallies;
};

class ExactTest : public ::testing::TestWithParam<const char *> {
 protected:
  ExactOptions options() const {
    ExactOptions o;
    std::string which = GetParam();
    o.closedForm = which == "all" || which == "closed";
    o.enumeration = which == "all" || which == "enumeration";
    o.isl = which == "all" || which == "isl";
    return o;
  }
  int64_t instances() const {
    int64_t n = fromEnvironment("INDEXICAL_EXACT_MAPS", 600);
    return std::string(GetParam()) == "isl" ? std::max<int64_t>(1, n / 50) : n;
  }

  /// Whether there is an answer to be checked.
  bool decided(const char *question, const absl::StatusOr<Decision> &decision) {
    EXPECT_TRUE(decision.ok()) << question << decision.status();
    if (!decision.ok()) return false;
    bool undecided = decision->answer == Answer::Undecided;
    EXPECT_EQ(undecided, !decision->reason.empty()) << question;
    EXPECT_EQ(decision->answer == Answer::No, decision->witness.has_value())
        << question;
    tallies.note(question, decision->engine, undecided);
    return !undecided;
  }
  bool decided(const char *question, const absl::StatusOr<Count> &count) {
    EXPECT_TRUE(count.ok()) << question << count.status();
    if (!count.ok()) return false;
    tallies.note(question, count->engine, !count->value);
    return count->value.has_value();
  }

  void check(uint64_t seed);
  Tallies tallies;
};

Tuple tupleOf(const PairWitness &witness, const BruteForce &brute) {
  Tuple tuple(witness.index.begin(), witness.index.end());
  tuple.insert(tuple.end(), witness.element.begin(), witness.element.end());
  for (const auto &[variable, values] : brute.runtime)
    for (const auto &[name, value] : witness.runtime)
      if (name == variable) tuple.push_back(value);
  return tuple;
}

std::string textOf(const IndexingRelation &relation) {
  std::string text;
  for (const IndexingMap &piece : relation.pieces())
    text += piece.strOneLine() + "\n";
  return text;
}

std::set<Tuple> minus(const std::set<Tuple> &a, const std::set<Tuple> &b) {
  std::set<Tuple> left;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(),
                      std::inserter(left, left.end()));
  return left;
}

std::set<Tuple> common(const std::set<Tuple> &a, const std::set<Tuple> &b) {
  std::set<Tuple> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                        std::inserter(both, both.end()));
  return both;
}

void ExactTest::check(uint64_t seed) {
  Random random(seed);
  RelationPair given = randomRelations(random);
  while (!BruteForce({&given.first, &given.second}).isSmall(given.first, 4000))
    given = randomRelations(random);
  const IndexingRelation &a = given.first, &b = given.second;
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + textOf(a) + "and\n" +
               textOf(b));
  const ExactOptions o = options();
  const BruteForce brute({&a, &b});
  const auto inA = brute.points(a), inB = brute.points(b);
  const size_t index = given.dimensions, element = given.results;

  if (auto d = isEmpty(a, o); decided("empty", d)) {
    // No variable stands for all values where the map alone is asked.
    const BruteForce own({&a});
    const auto points = own.points(a);
    EXPECT_EQ(d->answer == Answer::Yes, points.empty()) << "empty";
    if (d->answer == Answer::No) {
      EXPECT_TRUE(points.count(tupleOf(*d->witness, own))) << "empty: witness";
    }
  }
  BruteForce compared = brute;
  compared.dropsUnused = true;
  const auto ofA = compared.points(a), ofB = compared.points(b);
  if (auto d = areEqual(a, b, o); decided("equal", d)) {
    EXPECT_EQ(d->answer == Answer::Yes, ofA == ofB) << "equal";
    if (d->answer == Answer::No) {
      Tuple tuple = tupleOf(*d->witness, brute);
      bool first = d->witness->onlyIn == PairWitness::Side::First;
      EXPECT_TRUE((first ? ofA : ofB).count(tuple)) << "equal: witness";
      EXPECT_FALSE((first ? ofB : ofA).count(tuple)) << "equal: witness";
    }
  }
  if (auto d = isSubset(a, b, o); decided("subset", d)) {
    EXPECT_EQ(d->answer == Answer::Yes, minus(ofA, ofB).empty()) << "subset";
    if (d->answer == Answer::No) {
      EXPECT_TRUE(minus(ofA, ofB).count(tupleOf(*d->witness, brute)));
    }
  }
  if (auto d = areDisjoint(a, b, o); decided("disjoint", d)) {
    EXPECT_EQ(d->answer == Answer::Yes, common(ofA, ofB).empty()) << "disjoint";
    if (d->answer == Answer::No) {
      EXPECT_TRUE(common(ofA, ofB).count(tupleOf(*d->witness, brute)));
    }
  }
  const BruteForce own({&a});
  const auto points = own.points(a);
  if (index == element)
    if (auto d = isIdentity(a, o); decided("identity", d)) {
      bool is = std::all_of(points.begin(), points.end(), [&](const Tuple &t) {
        return std::equal(t.begin(), t.begin() + index, t.begin() + index);
      });
      EXPECT_EQ(d->answer == Answer::Yes, is) << "identity";
      if (d->answer == Answer::No) {
        EXPECT_TRUE(points.count(tupleOf(*d->witness, own)));
      }
    }
  if (auto d = isInjective(a, o); decided("injective", d)) {
    std::map<Tuple, std::set<Tuple>> readers;
    for (const Tuple &t : points)
      readers[Tuple(t.begin() + index, t.end())].insert(
          Tuple(t.begin(), t.begin() + index));
    bool is = std::all_of(readers.begin(), readers.end(),
                          [](const auto &r) { return r.second.size() == 1; });
    EXPECT_EQ(d->answer == Answer::Yes, is) << "injective";
    if (d->answer == Answer::No) {
      Tuple one = tupleOf(*d->witness, own), other = one;
      std::copy(d->witness->otherIndex.begin(), d->witness->otherIndex.end(),
                other.begin());
      EXPECT_TRUE(points.count(one) && points.count(other) && one != other);
    }
  }

  if (!o.closedForm) return;  // the rest is made by forms, and no engine
  auto turned = inverse(a);
  ASSERT_TRUE(turned.ok()) << turned.status();
  std::set<Tuple> expected;
  for (Tuple t : points) {
    std::rotate(t.begin(), t.begin() + index, t.begin() + index + element);
    expected.insert(std::move(t));
  }
  if (own.isSmall(*turned)) {
    EXPECT_EQ(own.points(*turned), expected) << "inverse\n" << textOf(*turned);
  }

  auto both = intersect(a, b);
  ASSERT_TRUE(both.ok()) << both.status();
  if (brute.isSmall(*both)) {
    EXPECT_EQ(brute.points(*both), common(inA, inB)) << textOf(*both);
  }
  auto left = difference(a, b, o);
  ASSERT_TRUE(left.ok()) << left.status();
  tallies.note("difference", Engine::ClosedForm,
               left->precision() != Precision::Exact);
  if (brute.isSmall(*left)) {
    const auto found = brute.points(*left);
    EXPECT_TRUE(minus(minus(inA, inB), found).empty()) << textOf(*left);
    EXPECT_TRUE(minus(found, inA).empty()) << textOf(*left);
    if (left->precision() == Precision::Exact) {
      EXPECT_TRUE(minus(found, minus(inA, inB)).empty()) << textOf(*left);
    }
  }
  auto all = unite(a, b, o);
  ASSERT_TRUE(all.ok()) << all.status();
  auto sum = inA;
  sum.insert(inB.begin(), inB.end());
  if (brute.isSmall(*all)) {
    EXPECT_EQ(brute.points(*all), sum) << textOf(*all);
  }

  auto read = image(a);
  ASSERT_TRUE(read.ok()) << read.status();
  std::set<Tuple> elements;
  for (const Tuple &t : points)
    elements.insert(Tuple(t.begin() + index, t.end()));
  if (own.isSmall(*read)) {
    EXPECT_EQ(own.points(*read), elements) << "image\n" << textOf(*read);
  }
  std::vector<Interval> box;
  for (size_t i = 0; i < element; ++i) {
    int64_t lower = random.in(-2, 2);
    box.push_back({lower, lower + random.in(0, 3)});
  }
  if (own.runtime.empty())
    if (auto d = isSurjective(a, box, o); decided("surjective", d)) {
      IndexingMapBuilder builder;
      for (Interval side : box) builder.dimension(side);
      auto whole = own.points(IndexingRelation(*builder.build()));
      EXPECT_EQ(d->answer == Answer::Yes, minus(whole, elements).empty());
      if (d->answer == Answer::No) {
        Tuple missing(d->witness->element.begin(), d->witness->element.end());
        EXPECT_TRUE(minus(whole, elements).count(missing));
      }
    }

  const IndexingMap &map = a.pieces()[0];
  Tuple runtime;
  Values values;
  for (const RuntimeVariable &v : map.runtime()) {
    runtime.push_back(random.in(v.bounds.lower, v.bounds.upper));
    values.push_back(runtime.back());
  }
  std::set<Tuple> pairs, images;
  IndexingRelation piece(map);
  for (const Tuple &t : BruteForce({&piece}).points(piece)) {
    if (!std::equal(runtime.begin(), runtime.end(),
                    t.begin() + index + element))
      continue;
    pairs.insert(t);
    images.insert(Tuple(t.begin() + index, t.end()));
  }
  auto is = [](const Count &count, int64_t value) {
    return *count.value == llvm::DynamicAPInt(value);
  };
  if (auto c = countDomain(map, values, o); decided("count domain", c)) {
    EXPECT_TRUE(is(*c, domainSize(map, runtime))) << "count domain";
  }
  if (auto c = countImage(map, values, o); decided("count image", c)) {
    EXPECT_TRUE(is(*c, images.size())) << "count image";
  }
  if (auto c = countPairs(map, values, o); decided("count pairs", c)) {
    EXPECT_TRUE(is(*c, pairs.size())) << "count pairs";
  }
  if (own.runtime.empty()) {
    if (auto c = countPairs(a, o); decided("count union", c)) {
      EXPECT_TRUE(is(*c, points.size())) << "count union";
    }
    if (auto c = countImage(a, o); decided("count union image", c)) {
      EXPECT_TRUE(is(*c, elements.size())) << "count union image";
    }
  }
  auto ends = extremes(a, o);
  ASSERT_TRUE(ends.ok()) << ends.status();
  if (points.empty()) return;
  ASSERT_EQ(ends->size(), element);
  for (size_t k = 0; k < element; ++k) {
    std::set<int64_t> seen;
    for (const Tuple &t : points) seen.insert(t[index + k]);
    const Extremes &e = (*ends)[k];
    tallies.note("extremes", e.engine, !e.least || !e.greatest);
    if (e.least) {
      EXPECT_EQ(*e.least, *seen.begin()) << "least " << k;
      Tuple at = tupleOf(*e.atLeast, own);
      EXPECT_TRUE(points.count(at) && at[index + k] == *e.least);
    }
    if (e.greatest) {
      EXPECT_EQ(*e.greatest, *seen.rbegin()) << "greatest " << k;
      Tuple at = tupleOf(*e.atGreatest, own);
      EXPECT_TRUE(points.count(at) && at[index + k] == *e.greatest);
    }
  }
}

TEST_P(ExactTest, AgreesWithBruteForce) {
  if (std::string(GetParam()) == "isl" && !hasIsl())
    GTEST_SKIP() << "built without isl";
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  for (int64_t i = 0; i < instances(); ++i) {
    check(first + i);
    if (HasFailure()) break;
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, ExactTest,
                         ::testing::Values("all", "closed", "enumeration",
                                           "isl"),
                         [](const auto &info) {
                           return std::string(info.param);
                         });

}  // namespace
}  // namespace indexical::testing
