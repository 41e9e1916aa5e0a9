// Each digit rule and each move of the search by itself, found by its name.
//
// A rule is applied to digits of random sums, apart from the other rules, and
// its result is compared with the digit at every point of the box. A move is
// compared in the same way, for random sums of digits. So a wrong rule is
// found, even if an earlier rule would hide it. A rule that never applies is a
// failure.
//
//   INDEXICAL_RULES=20       20 times as many sums
//   INDEXICAL_RULES_SEED=n   beginning with this one
#include <cctype>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/canonical_form.h"
#include "indexical/simplifier/simplify.h"
#include "tests/simplifier/chains.h"
#include "tests/simplifier/parsed_map.h"
#include "tests/simplifier/soundness_fuzz.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// `a part that cannot carry` as the name of a test: APartThatCannotCarry.
std::string testNameOf(const std::string &name) {
  std::string words;
  bool begins = true;
  for (char c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) {
      begins = true;
      continue;
    }
    words += begins ? static_cast<char>(std::toupper(c)) : c;
    begins = false;
  }
  return words;
}

std::string testName(const ::testing::TestParamInfo<const char *> &test) {
  return testNameOf(test.param);
}

//===-- Random sums on small boxes ----------------------------------------===//

class Draw {
 public:
  explicit Draw(uint64_t seed) : random(seed), forms(pool, boxOf(random)) {}

  Random random;
  VariableBounds box;
  ExpressionPool pool;
  CanonicalForms forms;

  /// The known facts about digits, in some draws.
  std::vector<Constraint> facts;

  FormId sumOfVariables() {
    std::vector<ScaledForm> parts;
    for (uint32_t i = 0; i < 3; ++i)
      if (!random.oneIn(4))
        parts.push_back({forms.variable({VariableKind::Dimension, i}),
                         random.in(-9, 9) * (random.oneIn(4) ? 6 : 1)});
    return forms.linear(parts, random.oneIn(2) ? 0 : random.in(-30, 30));
  }
  /// In some order, each stride the number of values below.
  FormId index() {
    std::vector<ScaledForm> parts;
    int64_t stride = random.oneIn(3) ? 2 : 1;
    for (uint32_t i : random.permutation(3)) {
      parts.push_back({forms.variable({VariableKind::Dimension, i}), stride});
      stride *= box.variables[0][i].count() * (random.oneIn(4) ? 2 : 1);
    }
    return forms.linear(parts, 0);
  }
  FormId plain() { return random.oneIn(2) ? index() : sumOfVariables(); }
  FormId digitOf(FormId parent) {
    return forms.digit(parent, random.in(1, 9),
                       random.oneIn(3) ? 0 : random.in(2, 9));
  }
  FormId sumOfDigits() {
    const FormId one = plain();
    std::vector<ScaledForm> parts;
    for (int64_t i = random.in(1, 3); i > 0; --i)
      parts.push_back({digitOf(random.oneIn(3) ? plain() : one),
                       random.in(1, 8) * (random.oneIn(4) ? -1 : 1)});
    if (random.oneIn(2)) parts.push_back({sumOfVariables(), 1});
    return forms.linear(parts, random.oneIn(2) ? 0 : random.in(-30, 30));
  }
  /// Digits that are one above the other, as they come from an index.
  FormId stackOfDigits() {
    const FormId one = plain();
    const int64_t a = random.in(2, 6), b = random.in(2, 4);
    return forms.linear({{forms.digit(one, 1, a), 1},
                         {forms.digit(one, a, b), a},
                         {forms.digit(one, a * b, 0),
                          a * b + (random.oneIn(2) ? random.in(-1, 3) : 0)}},
                        random.oneIn(3) ? random.in(-9, 9) : 0);
  }
  /// The floors of neighbours, which are one sum together, in the pool.
  FormId floorsOfNeighbours() {
    const FormId one = pool.variable({VariableKind::Dimension, 0});
    const int64_t n = random.in(2, 3);
    std::vector<ScaledForm> parts;
    for (int64_t i = 0; i < n; ++i)
      parts.push_back({pool.digit(pool.shift(one, i), n, 0), 1});
    return pool.linear(parts, 0);
  }
  /// A floor with a digit inside it, and the digit above that, in the pool.
  FormId floorBelowDigit() {
    const FormId x = pool.variable({VariableKind::Dimension, 0});
    const FormId y = pool.variable({VariableKind::Dimension, 1});
    const int64_t n = random.in(2, 3), k = random.in(2, 5);
    const FormId low = pool.linear({{pool.digit(x, 1, n), k}, {y, 1}}, 0);
    return pool.linear({{pool.digit(x, n, 0), k}, {pool.digit(low, n, 0), 1}},
                       0);
  }
  /// Two floors of sums that are a constant apart, and a digit together.
  FormId floorsApart() {
    const FormId parent = sumOfVariables();
    const int64_t stride = random.in(2, 4), ratio = random.in(2, 5);
    const int64_t k = random.in(1, 2), turns = random.in(1, 2) * stride;
    return pool.linear(
        {{forms.digit(parent, stride, 0), k},
         {forms.digit(pool.shift(parent, turns), stride * ratio, 0),
          -k * ratio}},
        random.in(-2, 2));
  }
  /// The floor of a minimum or a maximum, in the pool.
  FormId floorOfMinimum() {
    const FormId a = plain(), b = plain();
    return pool.digit(random.oneIn(2) ? forms.min(a, b) : forms.max(a, b),
                      random.in(2, 6), 0);
  }
  /// As it is before it is searched for a better one, in the pool.
  FormId unsearched() {
    if (random.oneIn(9)) return floorOfMinimum();
    if (random.oneIn(6)) return floorsOfNeighbours();
    if (random.oneIn(6)) return floorBelowDigit();
    if (random.oneIn(8)) return floorsApart();
    const FormId sum = this->sum();
    std::vector<ScaledForm> parts;
    for (const Term &term : llvm::SmallVector<Term, 8>(pool.terms(sum)))
      parts.push_back({pool.atomForm(term.atom), term.coefficient});
    parts.push_back({digitOf(plain()), random.in(1, 6)});
    return pool.linear(parts, pool.constant(sum));
  }
  FormId sum() { return random.oneIn(4) ? stackOfDigits() : sumOfDigits(); }
  /// Adds the residue of a form to the facts.
  void addResidue() {
    const FormId form = sumOfVariables();
    if (pool.isConstant(form)) return;
    const FormId digit =
        pool.digit(pool.shift(form, -pool.constant(form)), 1, random.in(2, 12));
    const Atom &atom = pool.atom(*pool.asAtom(digit));
    facts.push_back({digit, Interval::point(random.in(0, atom.modulus - 1))});
    forms.facts.add(facts.back().form, facts.back().bounds);
    ofResidue = pool.shift(form, -pool.constant(form));
  }
  std::optional<FormId> ofResidue;

  /// Calls `visit` with the values at each point at which the facts hold.
  void forPoints(llvm::function_ref<
                 void(llvm::function_ref<std::optional<int64_t>(FormId)>)>
                     visit) {
    llvm::SmallVector<int64_t, 4> at;
    for (const Interval &bounds : box.variables[0]) at.push_back(bounds.lower);
    while (true) {
      auto value = [&](VariableId id) { return at[id.index]; };
      Evaluation evaluate(pool, value);
      auto valueOf = [&](FormId form) { return evaluate(form); };
      if (llvm::all_of(facts, [&](const Constraint &c) {
            return c.bounds.contains(*evaluate(c.form));
          }))
        visit(valueOf);
      size_t k = 0;
      while (k < at.size() && ++at[k] > box.variables[0][k].upper) {
        at[k] = box.variables[0][k].lower;
        ++k;
      }
      if (k == at.size()) return;
    }
  }

 private:
  const VariableBounds &boxOf(Random &random) {
    for (int i = 0; i < 3; ++i) {
      const int64_t lower = random.oneIn(4) ? random.in(-5, 5) : 0;
      box.variables[0].push_back(
          {lower, lower + random.in(1, random.oneIn(3) ? 1 : 8)});
    }
    return box;
  }
};

uint64_t times() { return fromEnvironment("INDEXICAL_RULES", 1); }
uint64_t firstSeed() { return fromEnvironment("INDEXICAL_RULES_SEED", 1); }

//===-- Digit rules -------------------------------------------------------===//

class DigitRules : public ::testing::TestWithParam<const char *> {};

const DigitRule *ruleNamed(llvm::StringRef name) {
  for (const DigitRule &rule : digitRules())
    if (name == rule.name) return &rule;
  return nullptr;
}

/// Checks that the rule keeps the values of a random digit. Returns whether the
/// rule applies to the digit.
bool keepsValues(const DigitRule &rule, uint64_t seed) {
  Draw draw(seed);
  Random &random = draw.random;
  const bool addsResidue = random.oneIn(4);
  if (addsResidue) draw.addResidue();
  FormId parent = random.oneIn(2) ? draw.plain() : draw.sum();
  if (addsResidue && draw.ofResidue && random.oneIn(2))
    parent = draw.forms.linear({{*draw.ofResidue, random.in(1, 3)}},
                               random.in(-9, 9));
  Cut cut{parent, random.in(1, 12), random.oneIn(2) ? 0 : random.in(2, 12)};
  if (random.oneIn(3)) cut.stride = int64_t{1} << random.in(0, 4);
  const bool isDigit = cut.stride > 1 || cut.modulus;
  const bool isPart = random.oneIn(8);
  if (isPart) cut.parent = draw.forms.positivePart(cut.parent);
  if (!isDigit || draw.pool.isConstant(cut.parent) ||
      (!isPart && draw.pool.asAtom(cut.parent)))
    return false;
  const auto form = rule.what(draw.forms, cut);
  if (!form) return false;
  draw.forPoints([&](auto valueOf) {
    int64_t expected = floorDiv(*valueOf(cut.parent), cut.stride);
    if (cut.modulus) expected = floorMod(expected, cut.modulus);
    EXPECT_EQ(valueOf(*form), expected)
        << rule.name << ", seed " << seed << ": (" << std::string()
        << printExpression(draw.pool, cut.parent, standardName) << ") floordiv "
        << cut.stride << " mod " << cut.modulus << " as "
        << printExpression(draw.pool, *form, standardName);
  });
  return true;
}

TEST_P(DigitRules, KeepsEveryValue) {
  const DigitRule *rule = ruleNamed(GetParam());
  ASSERT_TRUE(rule);
  constexpr int kEnough = 30;
  uint64_t applied = 0;
  for (uint64_t i = 0; i < 20'000 * times() && !HasFailure(); ++i) {
    applied += keepsValues(*rule, firstSeed() + i);
    if (applied == kEnough * times()) break;
  }
  EXPECT_EQ(applied, kEnough * times()) << "does not apply";
}

/// The example of a row: the rewrites of its map say the rule by its name.
void expectExample(const char *name, const char *example, const char *becomes) {
  std::vector<Rewrite> rewrites;
  SimplifyOptions options;
  options.rewrites = &rewrites;
  const auto simple = simplify(mapOf(example), options);
  ASSERT_TRUE(simple.ok()) << simple.status();
  std::string said;
  for (const Rewrite &rewrite : rewrites) {
    said += "\n  " + rewrite.before + " -> " + rewrite.after + " [" +
            rewrite.rule + "]";
    if (rewrite.rule == name && rewrite.after == becomes) return;
  }
  ADD_FAILURE() << name << ": " << example << said;
}

TEST_P(DigitRules, TurnsItsExample) {
  const DigitRule *rule = ruleNamed(GetParam());
  ASSERT_TRUE(rule);
  expectExample(rule->name, rule->example, rule->becomes);
}

constexpr const char *kRuleNames[] = {
    "a part, divided",
    "an index, cut at its strides",
    "a known remainder",
    "affine between two values",
    "a digit of digits of one parent",
    "a part that cannot carry",
    "the constant is within one period",
    "turned over, the first coefficient is positive",
    "an inner remainder takes away whole turns",
    "multiples of the divisor go out",
    "whole turns do not count",
    "multiples of the period do not count",
    "remainders that cannot carry",
    "in simpler terms, by bounds",
};
INSTANTIATE_TEST_SUITE_P(Each, DigitRules, ::testing::ValuesIn(kRuleNames),
                         testName);

//===-- Moves of the search -----------------------------------------------===//

class SearchMoves : public ::testing::TestWithParam<const char *> {};

/// How often the move proposed something for a random sum of digits.
int proposalsKeepValues(const char *name, uint64_t seed) {
  Draw draw(seed);
  if (draw.random.oneIn(4)) draw.addResidue();
  const FormId form = draw.unsearched();
  int proposed = 0;
  Proposals proposals(draw.forms, form);
  for (const Proposals::Found &found : proposals.all()) {
    if (llvm::StringRef(found.move->name) != name) continue;
    ++proposed;
    draw.forPoints([&](auto valueOf) {
      EXPECT_EQ(valueOf(found.form), valueOf(form))
          << name << ", seed " << seed << ": "
          << printExpression(draw.pool, form, standardName) << " as "
          << printExpression(draw.pool, found.form, standardName);
    });
  }
  return proposed;
}

TEST_P(SearchMoves, KeepsEveryValue) {
  constexpr int kEnough = 40;
  uint64_t proposed = 0;
  for (uint64_t i = 0; i < 20'000 * times() && !HasFailure(); ++i) {
    proposed += proposalsKeepValues(GetParam(), firstSeed() + i);
    if (proposed >= kEnough * times()) break;
  }
  EXPECT_GE(proposed, kEnough * times()) << "does not apply";
}

TEST_P(SearchMoves, TurnsItsExample) {
  for (const SearchMove &move : searchMoves())
    if (llvm::StringRef(move.name) == GetParam())
      return expectExample(move.name, move.example, move.becomes);
  ADD_FAILURE() << "no such move";
}

constexpr const char *kMoveNames[] = {
    "digits as their floors",
    "a sum as its own digits",
    "floors that are one sum together",
    "digits of two parents that can be one",
    "floors of parents a constant apart",
    "a floor takes in the digit above it",
    "a digit joins the one below it",
    "a digit is cut in two",
    "a floor of a maximum is the maximum of floors",
};
INSTANTIATE_TEST_SUITE_P(Each, SearchMoves, ::testing::ValuesIn(kMoveNames),
                         testName);

//===-- All of them -------------------------------------------------------===//

TEST(Rules, EachHasItsTest) {
  std::vector<std::string> rules, moves;
  for (const DigitRule &rule : digitRules()) rules.push_back(rule.name);
  for (const SearchMove &move : searchMoves()) moves.push_back(move.name);
  EXPECT_EQ(rules, std::vector<std::string>(std::begin(kRuleNames),
                                            std::end(kRuleNames)));
  EXPECT_EQ(moves, std::vector<std::string>(std::begin(kMoveNames),
                                            std::end(kMoveNames)));
}

/// The ops one after the other, nothing simplified in between.
absl::StatusOr<IndexingMap> rawProduct(llvm::ArrayRef<ChainOp> ops) {
  IndexingMapBuilder b;
  std::vector<FormId> index;
  for (int64_t size : ops.front().from)
    index.push_back(b.dimension({0, size - 1}).form());
  for (const ChainOp &op : ops) {
    const IndexingMap map = op.map();
    auto replace = [&](VariableId id) { return index[id.index]; };
    ExpressionImport import(map.expressions(), b.pool(), replace);
    std::vector<FormId> results;
    for (FormId form : map.results()) results.push_back(import(form));
    index = results;
  }
  for (FormId form : index) b.result(b.expression(form));
  return b.build();
}

/// `(d0) -> (X), domain: …` is X.
std::string resultOf(llvm::StringRef map) {
  return map.split(" -> (").second.split("), domain: ").first.str();
}

TEST(Rules, EachIsOnThePage) {
  std::ifstream file("docs/internals/normal_form.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  size_t place = 0;
  auto expectRow = [&](const char *name, const char *example,
                       const char *becomes) {
    const std::string row = std::string("| ") + name + " | `" +
                            resultOf(example) + "` | `" + becomes + "` |";
    const size_t found = page.find(row);
    EXPECT_NE(found, std::string::npos) << row;
    EXPECT_GT(found, place) << row << " stands in another order";
    place = found;
  };
  for (const DigitRule &rule : digitRules())
    expectRow(rule.name, rule.example, rule.becomes);
  for (const SearchMove &move : searchMoves())
    expectRow(move.name, move.example, move.becomes);
}

// In their turn, on random maps and chains of ops: a rule that an earlier one
// always hides is of no use.
TEST(Rules, EachFiresOnRandomMaps) {
  std::map<std::string, int64_t> fired;
  for (const DigitRule &rule : digitRules()) fired[rule.name] = 0;
  for (const SearchMove &move : searchMoves()) fired[move.name] = 0;
  auto count = [&](const absl::StatusOr<IndexingMap> &map) {
    std::vector<Rewrite> rewrites;
    SimplifyOptions options;
    options.rewrites = &rewrites;
    if (!map.ok() || !simplify(*map, options).ok()) return;
    for (const Rewrite &rewrite : rewrites)
      if (auto rule = fired.find(rewrite.rule); rule != fired.end())
        ++rule->second;
  };
  FuzzOptions options;
  options.seed = firstSeed();
  for (uint64_t i = 0; i < 8'000 * times(); ++i) {
    options.minima = i % 8 == 0;
    count(fuzzParts(options, i).buildOrError());
  }
  for (uint64_t i = 0; i < 150; ++i) {
    Random random(firstSeed() + i);
    ChainOptions small;
    small.small = true;
    const auto family =
        random.oneIn(2) ? ChainFamily::Transposes : ChainFamily::Reverses;
    count(rawProduct(randomChain(family, random.in(2, 4), random, small).ops));
  }
  for (uint64_t i = 0; i < 2'000 * times(); ++i) {
    Draw draw(firstSeed() + i);
    IndexingMapBuilder b(draw.pool);
    for (const Interval &bounds : draw.box.variables[0]) b.dimension(bounds);
    b.result(b.expression(draw.unsearched()));
    count(b.build());
  }
  for (const auto &[name, times] : fired) {
    EXPECT_GT(times, 0) << name;
    RecordProperty(testNameOf(name), std::to_string(times));
  }
}

}  // namespace
}  // namespace indexical::testing
