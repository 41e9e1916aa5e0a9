// Terms in which the device is a dimension, against runs of both modules on
// numbers of all devices: chains of collectives and what undoes them, right
// ones and mutants. Where terms say that modules are equal, no run differs, and
// where they say that modules are different, a run does.
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/partitioned/partitioned_equality.h"
#include "tests/same/partitioned/runs/compare_runs.h"
#include "tests/support/random.h"

namespace indexical {
namespace {

using testing::Random;
using Numbers = std::vector<int64_t>;

std::string listed(const Numbers &numbers, const char *open = "{",
                   const char *close = "}") {
  std::string text = open;
  for (auto [k, number] : llvm::enumerate(numbers))
    text += (k ? "," : "") + std::to_string(number);
  return text + close;
}

/// An array of [rows, columns] of each device of a mesh [a, b], which is cut
/// into a tiles of rows and b tiles of columns, and chains of steps on it.
class Chains {
 public:
  explicit Chains(Random &random) : random_(random) {
    a_ = random.in(1, 4);
    b_ = random.in(a_ == 1 ? 2 : 1, 3);
    devices_ = a_ * b_;
    order_.resize(devices_);
    std::iota(order_.begin(), order_.end(), 0);
    if (random.oneIn(2)) shuffle(order_);
    // Divisible by the members of every group.
    rows_ = b_ * a_ * random.in(1, 2);
    columns_ = a_ * b_;
    value_ = "x";
    for (int64_t k = random.in(1, 4); k > 0; --k) step();
  }

  std::string whole() const {
    return "HloModule m\nENTRY e {\n x = " + shape(rows_ * a_, columns_ * b_) +
           " parameter(0), sharding=" + sharding() + "\n c = s32[] constant(" +
           std::to_string(factor_) +
           ")\n b = " + shape(rows_ * a_, columns_ * b_) +
           " broadcast(c), dimensions={}\n ROOT r = " +
           shape(rows_ * a_, columns_ * b_) +
           " multiply(x, b), sharding=" + sharding() + "\n}\n";
  }
  std::string parts() const {
    return "HloModule m, num_partitions=" + std::to_string(devices_) +
           "\nadd {\n u = s32[] parameter(0)\n v = s32[] parameter(1)\n ROOT "
           "s = s32[] add(u, v)\n}\n" +
           functions_ + "ENTRY e {\n x = " + shape(rows_, columns_) +
           " parameter(0)\n p = u32[] partition-id()\n zero = s32[] "
           "constant(0)\n" +
           body_ + " ROOT r = " + shape(rows_, columns_) + " copy(" + value_ +
           ")\n}\n";
  }
  int64_t devices() const { return devices_; }

 private:
  static std::string shape(int64_t rows, int64_t columns) {
    return "s32[" + std::to_string(rows) + "," + std::to_string(columns) + "]";
  }
  std::string sharding() const {
    return "{devices=[" + std::to_string(a_) + "," + std::to_string(b_) + "]" +
           listed(order_, "", "") + "}";
  }
  void shuffle(Numbers &numbers) {
    for (size_t k = numbers.size(); k-- > 1;)
      std::swap(numbers[k], numbers[random_.in(0, k)]);
  }
  std::string name() { return "v" + std::to_string(++names_); }
  /// A number, and seldom another one.
  int64_t perhaps(int64_t number, int64_t other) {
    if (!random_.oneIn(12)) return number;
    return other;
  }
  /// Groups of one axis of the mesh.
  std::vector<Numbers> groups(bool isRows) {
    std::vector<Numbers> all;
    for (int64_t g = 0; g < (isRows ? b_ : a_); ++g) {
      all.emplace_back();
      for (int64_t m = 0; m < (isRows ? a_ : b_); ++m)
        all.back().push_back(order_[isRows ? m * b_ + g : g * b_ + m]);
      if (random_.oneIn(4)) shuffle(all.back());
    }
    if (random_.oneIn(12)) std::swap(all.front().front(), all.back().back());
    return all;
  }
  std::string textOf(const std::vector<Numbers> &groups) {
    std::string text;
    for (const Numbers &group : groups)
      text += (text.empty() ? "{" : ",") + listed(group);
    return ", channel_id=1, use_global_device_ids=true, replica_groups=" +
           text + "}";
  }
  /// The entry of a table for this device.
  std::string looked(const Numbers &table) {
    const std::string t = name(), d = name(), r = name();
    body_ += " " + t + " = s32[" + std::to_string(table.size()) +
             "] constant(" + listed(table) + ")\n " + d +
             " = s32[1] dynamic-slice(" + t +
             ", p), dynamic_slice_sizes={1}\n " + r + " = s32[] reshape(" + d +
             ")\n";
    return r;
  }
  void add(const std::string &text) {
    const std::string made = name();
    body_ += " " + made + " = " + text + "\n";
    value_ = made;
  }
  Numbers positions(const std::vector<Numbers> &groups, int64_t by) {
    Numbers table(devices_, 0);
    for (const Numbers &group : groups)
      for (auto [k, device] : llvm::enumerate(group)) table[device] = k * by;
    if (random_.oneIn(12)) table[random_.in(0, devices_ - 1)] = 0;
    return table;
  }
  void permute(const Numbers &target) {
    std::string pairs;
    for (auto [source, to] : llvm::enumerate(target))
      pairs += (source ? ",{" : "{") + std::to_string(source) + "," +
               std::to_string(to) + "}";
    add(shape(rows_, columns_) + " collective-permute(" + value_ +
        "), channel_id=1, source_target_pairs={" + pairs + "}");
  }
  void gather(const std::vector<Numbers> &all, int64_t dimension) {
    const int64_t m = all[0].size();
    add(shape(rows_ * (dimension == 0 ? m : 1),
              columns_ * (dimension == 1 ? m : 1)) +
        " all-gather(" + value_ + "), dimensions={" +
        std::to_string(dimension) + "}" + textOf(all));
  }
  void sliceOwn(const std::vector<Numbers> &all, int64_t dimension) {
    const std::string start =
        looked(positions(all, dimension == 0 ? rows_ : columns_));
    add(shape(rows_, columns_) + " dynamic-slice(" + value_ +
        (dimension == 0 ? ", " + start + ", zero" : ", zero, " + start) +
        "), dynamic_slice_sizes=" + listed({rows_, columns_}));
  }

  void step() {
    const bool isRows = random_.oneIn(2);
    const auto all = groups(isRows);
    const int64_t m = all[0].size(), dimension = random_.in(0, 1);
    const int64_t sizes[] = {rows_, columns_};
    switch (random_.in(0, 6)) {
      case 0: {
        Numbers target(devices_), back(devices_);
        std::iota(target.begin(), target.end(), 0);
        shuffle(target);
        for (auto [source, to] : llvm::enumerate(target)) back[to] = source;
        permute(target);
        if (random_.oneIn(12)) std::swap(back[0], back[devices_ - 1]);
        permute(back);
        return;
      }
      case 1:
        for (int twice = 0; twice < 2; ++twice)
          add(shape(rows_, columns_) + " all-to-all(" + value_ +
              "), dimensions={" +
              std::to_string(perhaps(dimension, 1 - dimension)) + "}" +
              textOf(all));
        return;
      case 2:
        gather(all, dimension);
        sliceOwn(all, dimension);
        return;
      case 3: {
        // A gather, as a sum of what each device has at its place.
        const std::string own = value_,
                          start = looked(positions(all, sizes[dimension])),
                          empty = name();
        const std::string joined = shape(rows_ * (dimension == 0 ? m : 1),
                                         columns_ * (dimension == 1 ? m : 1));
        body_ +=
            " " + empty + " = " + joined + " broadcast(zero), dimensions={}\n";
        add(joined + " dynamic-update-slice(" + empty + ", " + own +
            (dimension == 0 ? ", " + start + ", zero" : ", zero, " + start) +
            ")");
        add(joined + " all-reduce(" + value_ + "), to_apply=add" + textOf(all));
        sliceOwn(all, dimension);
        return;
      }
      case 4: {
        // Each has the sum of m equal ones: gathered, and reduced in parts.
        gather(all, dimension);
        add(shape(rows_, columns_) + " reduce-scatter(" + value_ +
            "), to_apply=add, dimensions={" + std::to_string(dimension) + "}" +
            textOf(all));
        factor_ *= perhaps(m, m + 1);
        return;
      }
      case 5: {
        // Once around the ring, in a loop.
        Numbers target(devices_);
        for (int64_t d = 0; d < devices_; ++d)
          target[order_[d]] = order_[(d + 1) % devices_];
        std::string pairs;
        for (auto [source, to] : llvm::enumerate(target))
          pairs += (source ? ",{" : "{") + std::to_string(source) + "," +
                   std::to_string(to) + "}";
        const std::string tag = std::to_string(++names_),
                          state = "(s32[], " + shape(rows_, columns_) + ")";
        functions_ +=
            "body" + tag + " {\n t = " + state +
            " parameter(0)\n i = s32[] get-tuple-element(t), index=0\n v = " +
            shape(rows_, columns_) +
            " get-tuple-element(t), index=1\n one = s32[] constant(1)\n j = "
            "s32[] add(i, one)\n w = " +
            shape(rows_, columns_) +
            " collective-permute(v), channel_id=1, source_target_pairs={" +
            pairs + "}\n ROOT n = " + state + " tuple(j, w)\n}\ncond" + tag +
            " {\n t = " + state +
            " parameter(0)\n i = s32[] get-tuple-element(t), index=0\n n = "
            "s32[] constant(" +
            std::to_string(perhaps(devices_, devices_ + 1)) +
            ")\n ROOT c = pred[] compare(i, n), direction=LT\n}\n";
        const std::string tuple = name(), loop = name();
        body_ += " " + tuple + " = " + state + " tuple(zero, " + value_ +
                 ")\n " + loop + " = " + state + " while(" + tuple +
                 "), condition=cond" + tag + ", body=body" + tag + "\n";
        add(shape(rows_, columns_) + " get-tuple-element(" + loop +
            "), index=1");
        return;
      }
      default: {
        // The neighbour's rows in front, and gone again.
        const std::string own = value_;
        Numbers target(devices_);
        for (int64_t d = 0; d < devices_; ++d)
          target[order_[d]] = order_[(d + 1) % devices_];
        permute(target);
        add(shape(rows_ * 2, columns_) + " concatenate(" + value_ + ", " + own +
            "), dimensions={0}");
        const int64_t start = perhaps(rows_, 0);
        add(shape(rows_, columns_) + " slice(" + value_ + "), slice={[" +
            std::to_string(start) + ":" + std::to_string(start + rows_) +
            "], [0:" + std::to_string(columns_) + "]}");
      }
    }
  }

  Random &random_;
  int64_t a_, b_, devices_, rows_, columns_, factor_ = 1, names_ = 0;
  Numbers order_;
  std::string value_, body_, functions_;
};

Verdict::Answer answerOf(const absl::StatusOr<PartitionedEquality> &equality) {
  EXPECT_TRUE(equality.ok()) << equality.status();
  return equality.ok() ? equality->verdict.answer : Verdict::Undecided;
}

TEST(DeviceTermsTest, ChainsOfCollectives) {
  const uint64_t instances =
      testing::fromEnvironment("INDEXICAL_DEVICE_TERMS", 150);
  const uint64_t seed = testing::fromEnvironment("INDEXICAL_SEED", 1);
  int64_t equal = 0, byTerms = 0, different = 0, differentByTerms = 0;
  for (uint64_t i = seed; i < seed + instances; ++i) {
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(i));
    Random random(i);
    const Chains chains(random);
    SCOPED_TRACE(chains.whole() + chains.parts());
    auto whole = parseHlo(chains.whole()), parts = parseHlo(chains.parts());
    ASSERT_TRUE(whole.ok()) << whole.status();
    ASSERT_TRUE(parts.ok()) << parts.status();
    const auto terms = answerOf(comparePartitioned(*whole, *parts));
    const auto runs = answerOf(compareByRuns(*whole, *parts));
    if (::testing::Test::HasFailure()) return;
    ASSERT_NE(runs, Verdict::Undecided);
    byTerms += terms == Verdict::Same;
    equal += runs == Verdict::Same;
    different += runs == Verdict::Different;
    differentByTerms += terms == Verdict::Different;
    ASSERT_FALSE(terms != Verdict::Undecided && terms != runs);
    if (testing::fromEnvironment("INDEXICAL_SHOW", 0) &&
        runs == Verdict::Same && terms != runs)
      std::cout << chains.whole() << chains.parts();
  }
  std::cout << equal << " equal, of these " << byTerms << " by terms, "
            << different << " different, of these " << differentByTerms
            << " by terms\n";
  EXPECT_GE(byTerms, equal * 9 / 10);
  EXPECT_GT(different, static_cast<int64_t>(instances) / 10);
  EXPECT_GE(differentByTerms, different / 2);
}

/// A lookup in a table of `rows` rows, and one of two devices that have half of
/// it each: a device reads where the index is in its half, and both are added.
std::string tableOf(const std::string &rows, const std::string &index) {
  return "HloModule m\nENTRY e {\n t = f32[" + rows +
         ",4] parameter(0), sharding={devices=[2,1]<=[2]}\n ids = s32[3] "
         "parameter(1), sharding={replicated}\n z = s32[] constant(0)\n n = "
         "s32[] constant(" +
         std::to_string(std::stoll(rows) - 1) +
         ")\n i = s32[3] clamp(z, ids, n)\n ROOT g = f32[3,4] gather(t, " +
         index +
         "), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
         "index_vector_dim=1, slice_sizes={1,4}, sharding={replicated}\n}\n";
}
std::string halvesOf(const std::string &rows, const std::string &half,
                     const std::string &next, const std::string &mask) {
  return "HloModule m, num_partitions=2\nadd { a = f32[] parameter(0)\n b = "
         "f32[] parameter(1)\n ROOT r = f32[] add(a, b) }\nENTRY e {\n t = "
         "f32[" +
         half +
         ",4] parameter(0)\n ids = s32[3] parameter(1)\n z = s32[] "
         "constant(0)\n n = s32[] constant(" +
         std::to_string(std::stoll(rows) - 1) +
         ")\n i = s32[3] clamp(z, ids, n)\n p = u32[] partition-id()\n q = "
         "s32[] convert(p)\n h = s32[] constant(" +
         half + ")\n k = s32[] constant(" + next +
         ")\n o = s32[] multiply(q, k)\n ob = s32[3] broadcast(o), "
         "dimensions={}\n j = s32[3] subtract(i, ob)\n zb = s32[3] "
         "broadcast(z), dimensions={}\n hb = s32[3] broadcast(h), "
         "dimensions={}\n " +
         mask +
         " g = f32[3,4] gather(t, j), offset_dims={1}, "
         "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
         "slice_sizes={1,4}\n cb = pred[3,4] broadcast(c), dimensions={0}\n fz "
         "= f32[] constant(0)\n fb = f32[3,4] broadcast(fz), dimensions={}\n s "
         "= f32[3,4] select(cb, g, fb)\n ROOT r = f32[3,4] all-reduce(s), "
         "channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, "
         "to_apply=add\n}\n";
}

TEST(DeviceTermsTest, TablesThatAreCutByRows) {
  constexpr char mask[] =
      "a = pred[3] compare(j, zb), direction=GE\n b = pred[3] compare(j, hb), "
      "direction=LT\n c = pred[3] and(a, b)\n";
  constexpr char above[] = "c = pred[3] compare(j, zb), direction=GE\n";
  auto byTerms = [](const std::string &whole, const std::string &parts) {
    auto a = parseHlo(whole), b = parseHlo(parts);
    EXPECT_TRUE(a.ok() && b.ok()) << a.status() << b.status();
    if (!a.ok() || !b.ok()) return Verdict::Undecided;
    return answerOf(comparePartitioned(*a, *b));
  };
  // Sizes do not count.
  EXPECT_EQ(byTerms(tableOf("8", "i"), halvesOf("8", "4", "4", mask)),
            Verdict::Same);
  EXPECT_EQ(byTerms(tableOf("50000000", "i"),
                    halvesOf("50000000", "25000000", "25000000", mask)),
            Verdict::Same);
  // A gather clamps its indices itself.
  EXPECT_EQ(byTerms(tableOf("8", "ids"), halvesOf("8", "4", "4", mask)),
            Verdict::Same);
  // An index beyond the end is the last one's in the whole, and 0 in the parts.
  std::string beyond = halvesOf("8", "4", "4", mask);
  const std::string clamped = "clamp(z, ids, n)";
  beyond.replace(beyond.find(clamped), clamped.size(), "copy(ids)");
  EXPECT_NE(byTerms(tableOf("8", "ids"), beyond), Verdict::Same);
  EXPECT_NE(byTerms(tableOf("8", "i"), beyond), Verdict::Same);
  EXPECT_EQ(byTerms(tableOf("8", "i"), halvesOf("8", "4", "3", mask)),
            Verdict::Different);
  // Both have rows at the index.
  EXPECT_EQ(byTerms(tableOf("8", "i"), halvesOf("8", "4", "4", above)),
            Verdict::Different);
}

/// The largest number of each row and its place, and the same of two devices
/// that have half of each row: each finds its own, all get both, and each picks
/// one of them.
std::string largestOf(bool isLocal, const std::string &start = "q",
                      const std::string &from = "-inf") {
  const std::string size = isLocal ? "4" : "8";
  std::string text =
      "HloModule m, num_partitions=2\nlarger {\n a = f32[] parameter(0)\n i = "
      "s32[] parameter(1)\n b = f32[] parameter(2)\n j = s32[] parameter(3)\n "
      "g = pred[] compare(a, b), direction=GT\n e = pred[] compare(a, b), "
      "direction=EQ\n l = pred[] compare(i, j), direction=LT\n t = pred[] "
      "and(e, l)\n c = pred[] or(g, t)\n v = f32[] select(c, a, b)\n k = s32[] "
      "select(c, i, j)\n ROOT r = (f32[], s32[]) tuple(v, k)\n}\nENTRY e {\n x "
      "= f32[3," +
      size + "] parameter(0)" +
      (isLocal ? "" : ", sharding={devices=[1,2]<=[2]}") +
      "\n n = f32[] constant(" + from +
      ")\n z = s32[] constant(0)\n i = s32[3," + size +
      "] iota(), iota_dimension=1\n ";
  const std::string reduce =
      "(f32[3], s32[3]) reduce(x, ID, n, z), dimensions={1}, to_apply=larger\n";
  auto with = [](std::string of, const std::string &id) {
    of.replace(of.find("ID"), 2, id);
    return of;
  };
  if (!isLocal)
    return text +
           "ROOT r = (f32[3]{0}, s32[3]{0}) reduce(x, i, n, z), "
           "dimensions={1}, "
           "to_apply=larger, sharding={{replicated},{replicated}}\n}\n";
  text +=
      "p = u32[] partition-id()\n s = s32[] convert(p)\n f = s32[] "
      "constant(4)\n q = s32[] multiply(s, f)\n b = s32[3,4] broadcast(" +
      start +
      "), dimensions={}\n k = s32[3,4] add(i, b)\n w = " + with(reduce, "k") +
      " v0 = f32[3] get-tuple-element(w), index=0\n k0 = s32[3] "
      "get-tuple-element(w), index=1\n v1 = f32[3,1] reshape(v0)\n k1 = "
      "s32[3,1] reshape(k0)\n ";
  const std::string gather =
      ", dimensions={1}, channel_id=1, use_global_device_ids=true, "
      "replica_groups={{0,1}}\n ";
  return text + "v2 = f32[3,2] all-gather(v1)" + gather +
         "k2 = s32[3,2] all-gather(k1)" + gather +
         "ROOT r = (f32[3], s32[3]) reduce(v2, k2, n, z), dimensions={1}, "
         "to_apply=larger\n}\n";
}

TEST(DeviceTermsTest, LargestNumbersAndTheirPlaces) {
  auto answer = [](const std::string &parts) {
    auto a = parseHlo(largestOf(false)), b = parseHlo(parts);
    EXPECT_TRUE(a.ok() && b.ok()) << a.status() << b.status();
    if (!a.ok() || !b.ok()) return Verdict::Undecided;
    return answerOf(comparePartitioned(*a, *b));
  };
  EXPECT_EQ(answer(largestOf(true)), Verdict::Same);
  // Places in the own half, and another number to begin with.
  EXPECT_NE(answer(largestOf(true, "z")), Verdict::Same);
  EXPECT_NE(answer(largestOf(true, "q", "0")), Verdict::Same);
}

// Of 36 numbers a witness names 16. The columns that are taken are read last.
TEST(DeviceTermsTest, WitnessesHaveRoomForWhatIsReadByOne) {
  auto module = [](const std::string &head, const char *columns) {
    return "HloModule m" + head +
           "\nENTRY e {\n a = s32[1,4] parameter(0), sharding={replicated}\n b "
           "= "
           "s32[4,4] parameter(1), sharding={replicated}\n c = s32[4,4] "
           "parameter(2), sharding={replicated}\n d = s32[4,4] parameter(3), "
           "sharding={replicated}\n ab = s32[1,4] dot(a, b), "
           "lhs_contracting_dims={1}, rhs_contracting_dims={0}\n abc = "
           "s32[1,4] "
           "dot(ab, c), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n e "
           "= "
           "s32[4,3] slice(d), slice={[0:4], " +
           columns +
           "}\n ROOT r = s32[1,3] dot(abc, e), lhs_contracting_dims={1}, "
           "rhs_contracting_dims={0}, sharding={replicated}\n}\n";
  };
  auto a = parseHlo(module("", "[0:3]"));
  auto b = parseHlo(module(", num_partitions=2", "[1:4]"));
  ASSERT_TRUE(a.ok() && b.ok()) << a.status() << b.status();
  const auto found = comparePartitioned(*a, *b);
  ASSERT_EQ(answerOf(found), Verdict::Different);
  const auto &witness = found->results[0].verdict.witness;
  ASSERT_TRUE(witness && witness->array);
  EXPECT_EQ(witness->second.device, 0);
  EXPECT_EQ(witness->second.index, (std::vector<int64_t>{0, 0}));
  EXPECT_LE(witness->inputs.size(), 16U);
}

// Effects of devices are not compared, so modules that send are not equal.
TEST(DeviceTermsTest, WhatDevicesSendOutIsNotCompared) {
  auto module = [](const std::string &head, int64_t size,
                   const std::string &besides) {
    const std::string shape = "f32[" + std::to_string(size) + "]";
    return "HloModule m" + head + "\nsend {\n x = " + shape +
           " parameter(0)\n t = token[] after-all()\n o = token[] outfeed(x, "
           "t)\n ROOT n = " +
           shape + " negate(x)\n}\nENTRY e {\n x = " + shape +
           " parameter(0), sharding={devices=[4]<=[4]}\n" + besides +
           " ROOT r = " + shape +
           " negate(x), sharding={devices=[4]<=[4]}\n}\n";
  };
  auto answer = [&](const char *ofWhole, const char *ofParts) {
    auto a = parseHlo(module("", 8, ofWhole));
    auto b = parseHlo(module(", num_partitions=4", 2, ofParts));
    EXPECT_TRUE(a.ok() && b.ok()) << a.status() << b.status();
    return answerOf(comparePartitioned(*a, *b));
  };
  const char *draw =
      " z = f32[] constant(0)\n d = f32[4] rng(z, z), "
      "distribution=rng_uniform\n";
  EXPECT_EQ(answer("", ""), Verdict::Same);
  EXPECT_EQ(answer("", draw), Verdict::Same);
  EXPECT_EQ(
      answer(" t = token[] after-all()\n o = token[] outfeed(x, t)\n", ""),
      Verdict::Undecided);
  EXPECT_EQ(answer("", " c = f32[2] call(x), to_apply=send\n"),
            Verdict::Undecided);
  EXPECT_EQ(answer("",
                   " c = () custom-call(x), custom_call_target=\"tell\", "
                   "custom_call_has_side_effect=true\n"),
            Verdict::Undecided);
}

// A mean by a wrong count is told by numbers, rounded products are not.
TEST(DeviceTermsTest, ScalesThatAreFractions) {
  auto module = [](const std::string &head, const std::string &type,
                   int64_t size, const std::string &op,
                   const std::string &factors) {
    const std::string shape = type + "[" + std::to_string(size) + "]";
    std::string text = "HloModule m" + head + "\nENTRY e {\n x = " + shape +
                       " parameter(0), sharding={devices=[4]<=[4]}\n";
    std::string sum;
    llvm::SmallVector<llvm::StringRef, 2> each;
    llvm::StringRef(factors).split(each, '+');
    for (auto [k, factor] : llvm::enumerate(each)) {
      const std::string n = std::to_string(k);
      text += " c" + n + " = " + type + "[] constant(" + factor.str() +
              ")\n b" + n + " = " + shape + " broadcast(c" + n +
              "), dimensions={}\n p" + n + " = " + shape + " " + op + "(x, b" +
              n + ")\n";
    }
    text += " s = " + shape +
            (each.size() == 1 ? " copy(p0)" : " add(p0, p1)") + "\n";
    return text + " ROOT r = " + shape +
           " copy(s), sharding={devices=[4]<=[4]}\n}\n";
  };
  auto answer = [&](const char *type, const char *op, const char *ofWhole,
                    const char *ofParts) {
    auto a = parseHlo(module("", type, 8, op, ofWhole));
    auto b = parseHlo(module(", num_partitions=4", type, 2, op, ofParts));
    EXPECT_TRUE(a.ok() && b.ok()) << a.status() << b.status();
    return answerOf(comparePartitioned(*a, *b));
  };
  for (const char *type : {"f32", "bf16", "f64"})
    for (const char *op : {"multiply", "divide"}) {
      EXPECT_EQ(answer(type, op, "0.5", "0.5"), Verdict::Same);
      EXPECT_EQ(answer(type, op, "0.5", "0.25"), Verdict::Different);
      EXPECT_EQ(answer(type, op, "8", "5"), Verdict::Different);
      EXPECT_EQ(answer(type, op, "0.1", "-0.1"), Verdict::Different);
    }
  EXPECT_EQ(answer("f32", "multiply", "0.3", "0.1+0.2"), Verdict::Undecided);
}

}  // namespace
}  // namespace indexical
