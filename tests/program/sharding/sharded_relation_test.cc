// Laws of shardings, by enumeration. What a device holds is computed here once
// more, from the axes of a random mesh, and compared with every spelling.
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/program/sharding/sharding.h"
#include "tests/support/random.h"

namespace indexical {
namespace {

using testing::Random;

/// A mesh of binary and ternary digits, and what each dimension takes of them.
struct Instance {
  std::vector<int64_t> digits;             // sizes, major first
  std::vector<std::vector<size_t>> taken;  // by dimension, major first
  std::vector<size_t> unreduced, rest;
  Int64s shape;
  int64_t devices = 1;

  int64_t digitOf(int64_t device, size_t digit) const {
    for (size_t k = digits.size(); k-- > digit + 1;) device /= digits[k];
    return device % digits[digit];
  }
  int64_t mixed(int64_t device, const std::vector<size_t> &of) const {
    int64_t value = 0;
    for (size_t digit : of)
      value = value * digits[digit] + digitOf(device, digit);
    return value;
  }
  int64_t sizeOf(const std::vector<size_t> &of) const {
    int64_t size = 1;
    for (size_t digit : of) size *= digits[digit];
    return size;
  }
};

Instance instanceOf(Random &random) {
  Instance one;
  const int64_t count = random.in(1, 4);
  for (int64_t k = 0; k < count; ++k) {
    const int64_t size = random.oneIn(4) ? 3 : 2;
    if (one.devices * size > 16) break;
    one.digits.push_back(size);
    one.devices *= size;
  }
  const int64_t rank = random.in(0, 3);
  one.taken.resize(rank);
  for (int64_t digit : random.permutation(one.digits.size())) {
    const int64_t to = random.in(0, rank + 1);
    if (to < rank)
      one.taken[to].push_back(digit);
    else if (to == rank)
      one.unreduced.push_back(digit);
    else
      one.rest.push_back(digit);
  }
  for (int64_t k = 0; k < rank; ++k) one.shape.push_back(random.in(0, 9));
  return one;
}

std::string join(llvm::ArrayRef<int64_t> numbers) {
  std::string text;
  for (int64_t each : numbers)
    text += (text.empty() ? "" : ",") + std::to_string(each);
  return text;
}

/// `[2,2,2]<=[2,2,2]T(1,0,2) last_tile_dims={unreduced, replicated}`
std::string iotaText(const Instance &one) {
  Int64s grid, order;
  auto take = [&](const std::vector<size_t> &digits) {
    grid.push_back(one.sizeOf(digits));
    order.append(digits.begin(), digits.end());
  };
  for (const auto &digits : one.taken) take(digits);
  take(one.unreduced);
  take(one.rest);
  return "{devices=[" + join(grid) + "]<=[" +
         join(Int64s(one.digits.begin(), one.digits.end())) + "]T(" +
         join(order) + ") last_tile_dims={unreduced, replicated}}";
}

/// Returns the devices as a list, found by hand, copies before parts.
std::string listText(const Instance &one) {
  Int64s grid;
  for (const auto &digits : one.taken) grid.push_back(one.sizeOf(digits));
  std::map<std::vector<int64_t>, int64_t> places;
  for (int64_t device = 0; device < one.devices; ++device) {
    std::vector<int64_t> key;
    for (const auto &digits : one.taken)
      key.push_back(one.mixed(device, digits));
    key.push_back(one.mixed(device, one.rest));
    key.push_back(one.mixed(device, one.unreduced));
    places[key] = device;
  }
  grid.push_back(one.sizeOf(one.rest));
  grid.push_back(one.sizeOf(one.unreduced));
  Int64s devices;
  for (auto &[key, device] : places) devices.push_back(device);
  return "{devices=[" + join(grid) + "]" + join(devices) +
         " last_tile_dims={replicated, unreduced}}";
}

/// Axes with a digit each, or one axis of all digits and its parts.
std::string meshText(const Instance &one, bool parts, bool shardy) {
  const std::string quote = shardy ? "\"" : "'";
  std::string mesh;
  std::vector<std::string> names;
  int64_t before = 1;
  for (size_t k = 0; k < one.digits.size(); ++k) {
    const std::string name = quote + "a" + std::to_string(k) + quote;
    names.push_back(parts
                        ? quote + "a" + quote + ":(" + std::to_string(before) +
                              ")" + std::to_string(one.digits[k])
                        : name);
    before *= one.digits[k];
    if (!parts)
      mesh += (k ? "," : "") + name + "=" + std::to_string(one.digits[k]);
  }
  if (parts) mesh = quote + "a" + quote + "=" + std::to_string(one.devices);
  auto axes = [&](const std::vector<size_t> &digits) {
    std::string text;
    for (size_t digit : digits)
      text += (text.empty() ? "" : ", ") + names[digit];
    return "{" + text + "}";
  };
  std::string dimensions;
  for (const auto &digits : one.taken)
    dimensions += (dimensions.empty() ? "" : ", ") + axes(digits);
  const std::string body =
      "[" + dimensions + "], unreduced=" + axes(one.unreduced);
  return shardy ? "#sdy.sharding<mesh<[" + mesh + "]>, " + body + ">"
                : "{mesh[" + mesh + "], " + body + "}";
}

void expectHolds(const Instance &one, const Sharding &sharding) {
  auto made = ShardedRelation::make(one.shape, sharding);
  ASSERT_TRUE(made.ok());
  const ShardedRelation &relation = *made;
  ASSERT_EQ(sharding.devices(), one.devices);
  int64_t localCount = 1;
  for (size_t k = 0; k < one.shape.size(); ++k) {
    const int64_t tiles = one.sizeOf(one.taken[k]);
    ASSERT_EQ(relation.local()[k], (one.shape[k] + tiles - 1) / tiles);
    localCount *= relation.local()[k];
  }
  // By element and part, who holds it.
  std::map<std::pair<Int64s, int64_t>, std::set<int64_t>> holders;
  using Point = std::vector<int64_t>;
  std::set<std::pair<Point, Point>> pairs;
  for (int64_t device = 0; device < one.devices; ++device) {
    const int64_t part = one.mixed(device, one.unreduced);
    ASSERT_EQ(sharding.holding(device)->part, part);
    int64_t elements = 0;
    Int64s at(one.shape.size(), 0);
    for (int64_t i = 0; i < localCount; ++i) {
      Int64s want;
      bool padding = false;
      int64_t rest = i;
      for (size_t k = at.size(); k-- > 0; rest /= relation.local()[k])
        at[k] = rest % relation.local()[k];
      for (size_t k = 0; k < at.size(); ++k) {
        want.push_back(one.mixed(device, one.taken[k]) * relation.local()[k] +
                       at[k]);
        padding |= want.back() >= one.shape[k];
      }
      auto got = relation.globalOf(device, at);
      ASSERT_EQ(!got, padding);
      if (padding) continue;
      ASSERT_EQ(*got, want);
      ASSERT_EQ(relation.localOf(device, want), at);
      holders[{want, part}].insert(device);
      ++elements;
      Point from = {device}, to(want.begin(), want.end());
      from.insert(from.end(), at.begin(), at.end());
      pairs.emplace(from, to);
    }
    ASSERT_EQ(elementsOf(*relation.box(device)), elements);
  }
  int64_t all = one.sizeOf(one.unreduced);
  for (int64_t size : one.shape) all *= size;
  ASSERT_EQ(static_cast<int64_t>(holders.size()), all);
  for (auto &[element, devices] : holders) {
    ASSERT_EQ(static_cast<int64_t>(devices.size()), one.sizeOf(one.rest));
    std::set<int64_t> got;
    for (const auto &copy : relation.copiesOf(element.first))
      if (copy.part == element.second) got.insert(copy.device);
    ASSERT_EQ(got, devices);
  }
  // The maps, point by point.
  for (Direction direction :
       {Direction::OutputToInput, Direction::InputToOutput}) {
    auto maps = relation.map(direction);
    ASSERT_TRUE(maps.ok()) << maps.status();
    std::set<std::pair<Point, Point>> got;
    for (const IndexingMap &map : maps->pieces()) {
      IndexingMap::Point point;
      std::vector<Interval> bounds;
      for (const Variable &v : map.dimensions()) bounds.push_back(v.bounds);
      for (const Variable &v : map.ranges()) bounds.push_back(v.bounds);
      std::vector<int64_t> values;
      for (const Interval &b : bounds) values.push_back(b.lower);
      for (;;) {
        point.dimensions.assign(values.begin(),
                                values.begin() + map.dimensions().size());
        point.ranges.assign(values.begin() + map.dimensions().size(),
                            values.end());
        if (map.contains(point)) {
          auto index = map.evaluate(point);
          ASSERT_TRUE(index);
          Point from(point.dimensions.begin(), point.dimensions.end());
          Point to(index->begin(), index->end());
          const bool reads = direction == Direction::OutputToInput;
          ASSERT_TRUE(got.emplace(reads ? from : to, reads ? to : from).second)
              << "twice";
        }
        size_t k = values.size();
        while (k-- > 0 && values[k] == bounds[k].upper)
          values[k] = bounds[k].lower;
        if (k == static_cast<size_t>(-1)) break;
        ++values[k];
      }
    }
    ASSERT_EQ(got, pairs) << (maps->pieces().empty()
                                  ? "none"
                                  : maps->pieces()[0].strOneLine());
  }
}

TEST(ShardedRelationTest, EverySpellingHoldsTheSame) {
  const uint64_t instances =
      testing::fromEnvironment("INDEXICAL_SHARDINGS", 400);
  const uint64_t seed = testing::fromEnvironment("INDEXICAL_SEED", 1);
  for (uint64_t i = seed; i < seed + instances; ++i) {
    Random random(i);
    const Instance one = instanceOf(random);
    std::optional<Sharding> first;
    for (const std::string &text :
         {iotaText(one), listText(one), meshText(one, false, false),
          meshText(one, false, true), meshText(one, true, false),
          meshText(one, true, true)}) {
      SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(i) + " " + text +
                   " of [" + join(one.shape) + "]");
      auto texts = parseShardingText(text, {one.devices, {}});
      ASSERT_TRUE(texts.ok()) << texts.status();
      ASSERT_EQ(texts->size(), 1u);
      auto sharding = Sharding::of((*texts)[0], one.shape.size(), one.devices);
      ASSERT_TRUE(sharding.ok()) << sharding.status();
      expectHolds(one, *sharding);
      if (::testing::Test::HasFatalFailure()) return;
      if (!first) first = *sharding;
      ASSERT_TRUE(*first == *sharding);
    }
  }
}

TEST(ShardedRelationTest, TilesAtTheEndsOf64Bits) {
  const int64_t huge = INT64_MAX;
  auto text = parseShardingText("{devices=[4]<=[4]}", {});
  auto sharding = Sharding::of((*text)[0], 1, 4);
  auto relation = ShardedRelation::make({huge}, *sharding);
  EXPECT_EQ(relation->local()[0], int64_t(1) << 61);
  using Range = std::pair<int64_t, int64_t>;
  EXPECT_EQ(relation->box(3)->front(), Range(3 * (int64_t(1) << 61), huge));
  // One element over many tiles: beyond the first, all are empty.
  text = parseShardingText("{devices=[7]<=[7]}", {});
  sharding = Sharding::of((*text)[0], 1, 7);
  relation = ShardedRelation::make({huge - 1}, *sharding);
  EXPECT_EQ(relation->box(6)->front().second, huge - 1);
}

// A sharding has a place for each device: more than 2^20 are an error, whoever
// says how many there are.
TEST(ShardedRelationTest, MoreDevicesThanASharding) {
  const ArrayShape shape(ElementType::F32, {4});
  auto message = [&](const std::string &text, int64_t devices) {
    ShardingContext context;
    context.devices = devices;
    const auto read = shardingsOf(text, shape, context);
    return read.ok() ? "" : std::string(read.status().message());
  };
  for (int64_t device : {kMostDevices, INT64_MAX - 1, INT64_MAX})
    for (std::string text : {"{maximal device=", "{maximal_mesh[device_id=",
                             "<mesh<[], device_ids=["}) {
      text += std::to_string(device);
      text += text[0] == '<' ? "]>, [{}]>" : text[8] == ' ' ? "}" : "]}";
      EXPECT_EQ(message(text, -1), "in a sharding: there is no device " +
                                       std::to_string(device) + " of 1048576")
          << text;
    }
  EXPECT_EQ(message("{maximal device=1048575}", -1), "");
  for (const char *text :
       {"{maximal device=1}", "{unreduced}", "{replicated}", "{manual}"}) {
    EXPECT_EQ(message(text, kMostDevices), "") << text;
    for (int64_t devices : {kMostDevices + 1, INT64_MAX})
      EXPECT_EQ(message(text, devices),
                "in a sharding: there are " + std::to_string(devices) +
                    " devices, and a sharding has at most 1048576")
          << text;
  }
}

TEST(ShardedRelationTest, MistakesHaveAPlace) {
  struct Mistake {
    const char *text, *message;
    unsigned column;
  };
  for (const Mistake &one : {
           Mistake{"{devices=[2]0,0}", "device 0 twice", 10},
           Mistake{"{devices=[2,2]<=[8]}", "4 tiles for 8 devices", 17},
           Mistake{"{devices=[2]<=[2]T(1)}", "not a permutation", 15},
           Mistake{"{maximal device=7}", "no device 7 of 4", 17},
           Mistake{"{{replicated}, {devices=}}", "`[` is expected", 25},
           Mistake{"{mesh['a'=4], [{'b'}]}", "no axis b", 17},
           Mistake{"{mesh['a'=4], [{'a':(2)2, 'a'}]}", "axis a twice", 27},
           Mistake{"<@m, [{\"x\"}]>", "no mesh @m", 2},
           Mistake{"{replicate}", "`replicated`", 2},
           Mistake{"{devices=[4]<=[4]} x", "goes on", 20},
           Mistake{"{devices=[2]<=[2]}", "over 2 devices", 2},
       }) {
    SCOPED_TRACE(one.text);
    const ArrayShape shapes[] = {ArrayShape(ElementType::F32, {8}),
                                 ArrayShape(ElementType::F32, {8})};
    auto shardings = shardingsOf(one.text, shapes, {4, {}});
    ASSERT_FALSE(shardings.ok());
    EXPECT_NE(shardings.status().message().find(one.message), std::string::npos)
        << shardings.status();
    ASSERT_TRUE(placeOf(shardings.status()));
    EXPECT_EQ(placeOf(shardings.status())->column, one.column);
  }
}

TEST(ShardedRelationTest, TextsThatSayNothingOfWhoHoldsWhat) {
  const ArrayShape shape(ElementType::F32, {8});
  for (const char *text :
       {"{devices=[4]<=[4] metadata={op_name=\"a}b\" op_type=\"c\"}}",
        "{devices=[4]0,1,2,3 shard_as 3}",
        "devices=[4,1]<=[4] "
        "last_tile_dim_replicate",
        "{mesh['x'=4], [{'x', ?}p1]}",
        "#sdy.sharding<mesh<[\\\"x\\\"=4]>, [{\\\"x\\\", ?}]>",
        "{/*index=0*/{devices=[4]<=[4]}}",
        "#sdy.sharding_per_value<[<mesh<[\"x\"=4]>, [{\"x\"}]>]>"}) {
    SCOPED_TRACE(text);
    auto shardings = shardingsOf(text, shape, {4, {}});
    ASSERT_TRUE(shardings.ok()) << shardings.status();
    auto relation = ShardedRelation::make({8}, (*shardings)[0]);
    EXPECT_EQ(relation->box(2)->front(), (std::pair<int64_t, int64_t>(4, 6)));
  }
}

}  // namespace
}  // namespace indexical
