// The order of ops with effects, against all orders that there are.
//
// A module calls a counter some times, with random control predecessors. Its
// results in every order that these allow are a set. Modules that are called
// equal have one set; a module whose calls have other names is called equal.
//
//   INDEXICAL_EFFECTS=20000  so many pairs
//   INDEXICAL_SEED=n         beginning with this one
#include "indexical/program/values/effects.h"

#include <algorithm>
#include <iostream>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/stablehlo/import/import.h"
#include "indexical/same/values/module_values.h"
#include "indexical/same/values/sameness.h"
#include "tests/support/random.h"

namespace indexical {
namespace {

using testing::Random;

/// Calls of a counter. Call i runs after those of `after[i]`, and takes the
/// result of `reads[i]`, if that is not -1.
struct Calls {
  std::vector<std::set<int>> after;
  std::vector<int> reads;
  std::vector<int> results;  ///< of the module, in order
  std::vector<int> inFile;
  bool isScheduled = false;
};

std::string textOf(const Calls &calls) {
  std::string text = "HloModule m";
  if (calls.isScheduled) text += ", is_scheduled=true";
  text += "\n\nENTRY e {\n  x = s32[2] parameter(0)\n";
  for (int i : calls.inFile) {
    const std::string of =
        calls.reads[i] < 0 ? "x" : "c" + std::to_string(calls.reads[i]);
    text += "  c" + std::to_string(i) + " = s32[2] custom-call(" + of +
            "), custom_call_target=\"count\", custom_call_has_side_effect=true";
    std::string names;
    for (int before : calls.after[i])
      names += (names.empty() ? "c" : ", c") + std::to_string(before);
    if (!names.empty()) text += ", control-predecessors={" + names + "}";
    text += "\n";
  }
  text += "  ROOT r = (";
  for (size_t k = 0; k < calls.results.size(); ++k)
    text += k == 0 ? "s32[2]" : ", s32[2]";
  text += ") tuple(";
  for (auto [k, result] : llvm::enumerate(calls.results))
    text += (k == 0 ? "c" : ", c") + std::to_string(result);
  return text + ")\n}\n";
}

/// What each result is: when its call ran, and what that read.
using Outcome = std::vector<std::vector<int>>;

std::set<Outcome> outcomesOf(const Calls &calls) {
  const int count = calls.inFile.size();
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::set<Outcome> outcomes;
  do {
    std::vector<int> time(count);
    for (int k = 0; k < count; ++k) time[order[k]] = k;
    bool isAllowed = true;
    for (int i = 0; i < count; ++i) {
      for (int before : calls.after[i]) isAllowed &= time[before] < time[i];
      if (calls.reads[i] >= 0) isAllowed &= time[calls.reads[i]] < time[i];
    }
    for (int k = 1; k < count && calls.isScheduled; ++k)
      isAllowed &= time[calls.inFile[k - 1]] < time[calls.inFile[k]];
    if (!isAllowed) continue;
    Outcome outcome;
    for (int result : calls.results) {
      std::vector<int> times;
      for (int i = result; i >= 0; i = calls.reads[i]) times.push_back(time[i]);
      outcome.push_back(std::move(times));
    }
    outcomes.insert(std::move(outcome));
  } while (std::next_permutation(order.begin(), order.end()));
  return outcomes;
}

Calls randomCalls(Random &random) {
  Calls calls;
  const int count = random.in(2, 5);
  calls.isScheduled = random.oneIn(4);
  for (int i = 0; i < count; ++i) {
    calls.after.emplace_back();
    calls.inFile.push_back(i);
    for (int before = 0; before < i; ++before)
      if (random.oneIn(3)) calls.after[i].insert(before);
    calls.reads.push_back(i > 0 && random.oneIn(4) ? random.in(0, i - 1) : -1);
    if (random.oneIn(2) || i == 0)
      calls.results.insert(
          calls.results.begin() + random.in(0, calls.results.size()), i);
  }
  return calls;
}

/// The calls under other names, where call i is names[i].
Calls renamed(const Calls &calls, const std::vector<int> &names) {
  Calls made = calls;
  for (size_t i = 0; i < names.size(); ++i) {
    made.after[names[i]].clear();
    for (int before : calls.after[i])
      made.after[names[i]].insert(names[before]);
    made.reads[names[i]] = calls.reads[i] < 0 ? -1 : names[calls.reads[i]];
    made.inFile[i] = names[calls.inFile[i]];
  }
  for (int &result : made.results) result = names[result];
  return made;
}

void mutate(Calls &calls, Random &random) {
  const int count = calls.inFile.size();
  const int later = random.in(1, count - 1), first = random.in(0, later - 1);
  switch (random.in(0, 3)) {
    case 0:
      if (!calls.after[later].erase(first)) calls.after[later].insert(first);
      break;
    case 1:
      calls.reads[later] = calls.reads[later] == first ? -1 : first;
      break;
    case 2:
      calls.isScheduled = !calls.isScheduled;
      break;
    default:
      std::swap(calls.results.front(), calls.results.back());
  }
}

/// Whether the modules are called equal in values.
bool areEqual(const Calls &first, const Calls &second) {
  const auto a = parseHlo(textOf(first)), b = parseHlo(textOf(second));
  EXPECT_TRUE(a.ok()) << a.status();
  EXPECT_TRUE(b.ok()) << b.status();
  const auto same =
      compareValues(a->modules[0], b->modules[0], ValueOptions(), {});
  EXPECT_TRUE(same.ok()) << same.status();
  EXPECT_FALSE(same->isDifferent);
  return same->isEqual;
}

TEST(EffectsTest, EqualModulesHaveTheSameOutcomes) {
  const uint64_t pairs = testing::fromEnvironment("INDEXICAL_EFFECTS", 400);
  const uint64_t seed = testing::fromEnvironment("INDEXICAL_SEED", 1);
  int64_t equal = 0, others = 0;
  for (uint64_t i = seed; i < seed + pairs; ++i) {
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(i));
    Random random(i);
    const Calls first = randomCalls(random);
    std::vector<int> names;
    for (size_t k = 0; k < first.inFile.size(); ++k)
      names.insert(names.begin() + random.in(0, k), k);
    Calls second = renamed(first, names);
    ASSERT_TRUE(areEqual(first, second)) << textOf(first) << textOf(second);
    Calls mutant = first;
    mutate(mutant, random);
    second = renamed(mutant, names);
    const bool isSame = outcomesOf(first) == outcomesOf(second);
    others += !isSame;
    if (!areEqual(first, second)) continue;
    ++equal;
    // An unscheduled module may run as a scheduled one does.
    if (first.isScheduled == second.isScheduled) {
      ASSERT_TRUE(isSame) << textOf(first) << textOf(second);
    }
  }
  std::cout << equal << " mutants equal, " << others
            << " with other outcomes\n";
  EXPECT_GT(others, static_cast<int64_t>(pairs) / 8);
}

/// Whether the modules are called equal as `equal --values` does it, which
/// takes loops of known trips apart.
bool areEqual(const Module &first, const Module &second) {
  SamenessOptions options;
  options.values = ValueOptions();
  const auto same = compare(first, second, options);
  EXPECT_TRUE(same.ok()) << same.status();
  return same.ok() && same->verdict.answer != Verdict::Undecided &&
         same->verdict.answer != Verdict::Different;
}

bool areEqual(const std::string &first, const std::string &second) {
  const auto a = parseHlo(first), b = parseHlo(second);
  EXPECT_TRUE(a.ok()) << a.status();
  EXPECT_TRUE(b.ok()) << b.status();
  return areEqual(a->modules[0], b->modules[0]);
}

TEST(EffectsTest, WhatLeavesAModuleCounts) {
  const std::string begin =
      "HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n";
  const std::string end = "  ROOT r = f32[4] copy(x)\n}\n";
  const std::string out =
      "  t = token[] after-all()\n  o = token[] outfeed(x, t)\n";
  const std::string other =
      "  t = token[] after-all()\n  n = f32[4] negate(x)\n"
      "  o = token[] outfeed(n, t)\n";
  EXPECT_TRUE(areEqual(begin + out + end, begin + out + end));
  EXPECT_FALSE(areEqual(begin + out + end, begin + end));
  EXPECT_FALSE(areEqual(begin + end, begin + out + end));
  EXPECT_FALSE(areEqual(begin + out + end, begin + other + end));
  // A draw that nobody reads leaves nothing.
  EXPECT_TRUE(areEqual(begin +
                           "  z = f32[] constant(0)\n  o = f32[] constant(1)\n"
                           "  d = f32[4] rng(z, o), "
                           "distribution=rng_uniform\n" +
                           end,
                       begin + end));
}

TEST(EffectsTest, CallsTakePlaceInTheirOrder) {
  auto text = [](const char *first, const char *second) {
    auto call = [](const std::string &name) {
      return "  " + name + " = f32[4] call(x), to_apply=f" + name;
    };
    auto function = [](const std::string &name) {
      return "f" + name + " { x = f32[4] parameter(0)  ROOT c = f32[4] " +
             "custom-call(x), custom_call_target=\"" + name +
             "\", custom_call_has_side_effect=true }\n";
    };
    return "HloModule m\n" + function("a") + function("b") +
           "ENTRY e {\n  x = f32[4] parameter(0)\n" + call(first) + "\n" +
           call(second) + ", control-predecessors={" + first +
           "}\n  ROOT r = f32[4] subtract(a, b)\n}\n";
  };
  EXPECT_TRUE(areEqual(text("a", "b"), text("a", "b")));
  EXPECT_FALSE(areEqual(text("a", "b"), text("b", "a")));
}

// A loop passes x on whatever it sends out.
TEST(EffectsTest, LoopsSendOutAsOftenAsTheyTurn) {
  auto text = [](int turns, const std::string &sent, bool isBefore) {
    const std::string state = "(s32[], f32[4])";
    const std::string user = std::string("  t = token[] after-all()\n") +
                             "  o = token[] outfeed(" + (isBefore ? "y" : "x") +
                             ", t)\n";
    return "HloModule m\nc { p = " + state +
           " parameter(0)  i = s32[] get-tuple-element(p), index=0  n = s32[] "
           "constant(" +
           std::to_string(turns) +
           ")  ROOT l = pred[] compare(i, n), direction=LT }\nb { p = " +
           state +
           " parameter(0)  i = s32[] get-tuple-element(p), index=0  x = f32[4] "
           "get-tuple-element(p), index=1  m = f32[4] negate(x)  t = token[] "
           "after-all()  o = token[] outfeed(" +
           sent +
           ", t)  k = s32[] constant(1)  j = s32[] add(i, k)  ROOT r = " +
           state +
           " tuple(j, x) }\nENTRY e {\n  x = f32[4] parameter(0)\n  z = s32[] "
           "constant(0)\n  s = " +
           state + " tuple(z, x)\n  w = " + state +
           " while(s), condition=c, body=b\n"
           "  y = f32[4] get-tuple-element(w), index=1\n" +
           user + "  ROOT r = f32[4] copy(y)\n}\n";
  };
  EXPECT_TRUE(areEqual(text(2, "x", true), text(2, "x", true)));
  EXPECT_FALSE(areEqual(text(2, "x", true), text(3, "x", true)));
  EXPECT_FALSE(areEqual(text(2, "x", true), text(2, "m", true)));
  EXPECT_FALSE(areEqual(text(2, "x", true), text(2, "x", false)));
}

// The condition of a loop runs, too: once more than the body.
TEST(EffectsTest, ConditionsSendOut) {
  auto text = [](const std::string &sent, int turns) {
    return "HloModule m\nb { i = s32[] parameter(0)  k = s32[] constant(1)  "
           "ROOT "
           "j = s32[] add(i, k) }\nc { i = s32[] parameter(0)  " +
           sent + "  n = s32[] constant(" + std::to_string(turns) +
           ")  ROOT l = pred[] compare(i, n), direction=LT }\nENTRY e {\n  x = "
           "f32[4] parameter(0)\n  z = s32[] constant(0)\n  w = s32[] "
           "while(z), condition=c, body=b\n  ROOT r = f32[4] copy(x)\n}\n";
  };
  const std::string send = "t = token[] after-all()  o = token[] outfeed(i, t)";
  EXPECT_TRUE(areEqual(text(send, 2), text(send, 2)));
  EXPECT_FALSE(areEqual(text(send, 2), text("", 2)));
  EXPECT_FALSE(areEqual(text(send, 2), text(send, 3)));
  EXPECT_TRUE(areEqual(text("", 2), text("", 3)));
}

TEST(EffectsTest, WhatIsSentCounts) {
  auto text = [](const std::string &sent, int channel) {
    const std::string id = ", channel_id=" + std::to_string(channel);
    return "HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n  y = f32[4] "
           "parameter(1)\n  t = token[] after-all()\n" +
           (sent.empty()
                ? ""
                : "  s = (f32[4], u32[], token[]) send(" + sent + ", t)" + id +
                      "\n  d = token[] send-done(s)" + id + "\n") +
           "  ROOT r = f32[4] copy(x)\n}\n";
  };
  EXPECT_TRUE(areEqual(text("x", 1), text("x", 1)));
  EXPECT_FALSE(areEqual(text("x", 1), text("y", 1)));
  EXPECT_FALSE(areEqual(text("x", 1), text("", 1)));
}

// Between a start and its done, others may send first.
TEST(EffectsTest, StartsAndDones) {
  auto text = [](const std::string &after) {
    return "HloModule m\nf { x = f32[4] parameter(0)  t = token[] after-all()  "
           "o "
           "= token[] outfeed(x, t)  ROOT n = f32[4] negate(x) }\nENTRY e {\n  "
           "x = f32[4] parameter(0)\n  y = f32[4] parameter(1)\n  t = token[] "
           "after-all()\n  s = ((f32[4]), f32[4], f32[4]) async-start(x), "
           "calls=f\n  d = f32[4] async-done(s)\n  o = token[] outfeed(y, t), "
           "control-predecessors={" +
           after + "}\n  ROOT r = f32[4] copy(x)\n}\n";
  };
  EXPECT_TRUE(areEqual(text("s"), text("s")));
  EXPECT_TRUE(areEqual(text("d"), text("d")));
  EXPECT_FALSE(areEqual(text("s"), text("d")));
}

// Which device sends is a part of what is sent.
TEST(EffectsTest, DevicesThatSend) {
  auto text = [](int device) {
    return "HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n  t = token[] "
           "after-all()\n  o = token[] outfeed(x, t), sharding={maximal "
           "device=" +
           std::to_string(device) + "}\n  ROOT r = f32[4] copy(x)\n}\n";
  };
  EXPECT_TRUE(areEqual(text(0), text(0)));
  EXPECT_FALSE(areEqual(text(0), text(1)));
}

// Which of an MLIR function's blocks run is known in the run alone.
TEST(EffectsTest, BlocksThatSend) {
  auto equality = [](const std::string &first, const std::string &second) {
    const auto a = importMlir(first), b = importMlir(second);
    EXPECT_TRUE(a.ok() && b.ok()) << a.status() << b.status();
    return areEqual(a->modules[0], b->modules[0]);
  };
  auto text = [](const char *yes, const char *no) {
    return std::string("func.func @main(%p: tensor<4xf32>, %b: i1) -> ") +
           "tensor<4xf32> {\n  cf.cond_br %b, " + yes + ", " + no +
           "\n^one:\n  stablehlo.custom_call @f(%p) {has_side_effect = true} : "
           "(tensor<4xf32>) -> ()\n  cf.br ^two\n^two:\n  return %p : "
           "tensor<4xf32>\n}\n";
  };
  const std::string always =
      "func.func @main(%p: tensor<4xf32>, %b: i1) -> tensor<4xf32> {\n  "
      "stablehlo.custom_call @f(%p) {has_side_effect = true} : "
      "(tensor<4xf32>) -> ()\n  return %p : tensor<4xf32>\n}\n";
  EXPECT_TRUE(equality(text("^one", "^two"), text("^one", "^two")));
  EXPECT_FALSE(equality(text("^one", "^two"), text("^two", "^one")));
  EXPECT_FALSE(equality(text("^one", "^two"), always));
  EXPECT_TRUE(equality(always, always));
}

// Which branch runs is said where another effect comes after it.
TEST(EffectsTest, ChoicesComeBeforeWhatFollows) {
  auto text = [](const char *first) {
    auto choice = [](const std::string &name, const std::string &by) {
      return "  " + name + " = f32[4] conditional(" + by +
             ", x, x), true_computation=send, false_computation=pass\n";
    };
    return std::string("HloModule m\n") +
           "send { x = f32[4] parameter(0)  t = token[] after-all()  o = "
           "token[] outfeed(x, t)  ROOT r = f32[4] negate(x) }\n"
           "pass { x = f32[4] parameter(0)  ROOT r = f32[4] abs(x) }\n"
           "ENTRY e {\n  x = f32[4] parameter(0)\n  p = pred[] parameter(1)\n"
           "  q = pred[] parameter(2)\n" +
           choice("a", "p") + choice("b", "q") +
           "  t = token[] after-all()\n  o = token[] outfeed(x, t), "
           "control-predecessors={" +
           first + "}\n  ROOT r = f32[4] subtract(a, b)\n}\n";
  };
  EXPECT_TRUE(areEqual(text("a"), text("a")));
  EXPECT_FALSE(areEqual(text("a"), text("b")));
  // A choice whose result nobody takes.
  auto chosen = [](const char *by) {
    return std::string("HloModule m\n") +
           "send { x = f32[4] parameter(0)  t = token[] after-all()  o = "
           "token[] outfeed(x, t)  ROOT r = f32[4] negate(x) }\n"
           "pass { x = f32[4] parameter(0)  ROOT r = f32[4] abs(x) }\n"
           "ENTRY e {\n  x = f32[4] parameter(0)\n  p = pred[] parameter(1)\n"
           "  q = pred[] parameter(2)\n  c = f32[4] conditional(" +
           by +
           ", x, x), true_computation=send, false_computation=pass\n  ROOT r "
           "= f32[4] copy(x)\n}\n";
  };
  EXPECT_TRUE(areEqual(chosen("p"), chosen("p")));
  EXPECT_FALSE(areEqual(chosen("p"), chosen("q")));
}

// An order that follows from others may be stated, too.
TEST(EffectsTest, OrdersThatFollow) {
  auto text = [](const char *third) {
    auto send = [](const std::string &name, const std::string &rest) {
      return "  " + name + " = f32[4] custom-call(x), custom_call_target=\"" +
             name + "\", custom_call_has_side_effect=true" + rest + "\n";
    };
    return "HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n" +
           send("a", "") + send("b", ", control-predecessors={a}") +
           send("c", std::string(", control-predecessors={") + third + "}") +
           "  ROOT r = f32[4] copy(x)\n}\n";
  };
  EXPECT_TRUE(areEqual(text("b"), text("a, b")));
  EXPECT_FALSE(areEqual(text("b"), text("a")));
}

// Numbers that are drawn are numbers of their own, also where only an effect
// reads them.
TEST(EffectsTest, DrawsThatAnEffectReads) {
  auto text = [](const std::string &sent) {
    auto draw = [](const std::string &name) {
      return "  " + name + " = f32[4] rng(z, o), distribution=rng_uniform\n";
    };
    return "HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n"
           "  z = f32[] constant(0)\n  o = f32[] constant(1)\n" +
           draw("a") + draw("b") + "  d = f32[4] subtract(" + sent +
           ")\n  t = token[] after-all()\n  s = token[] outfeed(d, t)\n"
           "  ROOT r = f32[4] copy(x)\n}\n";
  };
  EXPECT_TRUE(areEqual(text("a, b"), text("a, b")));
  EXPECT_FALSE(areEqual(text("a, b"), text("a, a")));
}

TEST(EffectsTest, ChannelsAreNoNames) {
  auto text = [](int first, int second) {
    auto recv = [](const std::string &name, int channel) {
      const std::string id = "channel_id=" + std::to_string(channel);
      return "  " + name + "s = (f32[4], u32[], token[]) recv(t), " + id +
             "\n  " + name + "d = (f32[4], token[]) recv-done(" + name +
             "s), " + id + "\n  " + name + " = f32[4] get-tuple-element(" +
             name + "d), index=0\n";
    };
    return "HloModule m\nENTRY e {\n  t = token[] after-all()\n" +
           recv("a", first) + recv("b", second) +
           "  ROOT r = f32[4] subtract(a, b)\n}\n";
  };
  EXPECT_TRUE(areEqual(text(1, 2), text(1, 2)));
  EXPECT_FALSE(areEqual(text(1, 2), text(2, 1)));
}

}  // namespace
}  // namespace indexical
