// The elements that must move between two shardings: the cases of the
// specification, and laws, element by element.
#include "indexical/program/sharding/reshard.h"

#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/Support/JSON.h"

#include "tests/support/corpus_files.h"
#include "tests/support/random.h"

namespace indexical {
namespace {

namespace json = llvm::json;
using testing::Random;

ShardedRelation relationOf(llvm::StringRef text, llvm::ArrayRef<int64_t> shape,
                           const ShardingContext &context) {
  auto shardings =
      shardingsOf(text, ArrayShape(ElementType::F32, shape), context);
  EXPECT_TRUE(shardings.ok()) << shardings.status();
  auto relation = ShardedRelation::make(shape, (*shardings)[0]);
  EXPECT_TRUE(relation.ok());
  return *relation;
}

std::vector<int64_t> bytes(llvm::ArrayRef<int64_t> elements, ElementType type) {
  std::vector<int64_t> all;
  for (int64_t each : elements) all.push_back(bytesOf(each, bitsOf(type)));
  return all;
}

std::vector<int64_t> numbersOf(const json::Array &array) {
  std::vector<int64_t> numbers;
  for (const json::Value &each : array) numbers.push_back(*each.getAsInteger());
  return numbers;
}

TEST(ReshardTest, OfTheSpecification) {
  if (testing::corpusPath().empty()) GTEST_SKIP() << testing::kNoCorpus;
  std::ifstream in(testing::corpusPath() + "/../sharding_cases.jsonl");
  int reshards = 0, steps = 0;
  for (std::string line; std::getline(in, line);) {
    auto value = json::parse(line);
    ASSERT_TRUE(!!value) << llvm::toString(value.takeError());
    const json::Object &one = *value->getAsObject();
    const bool isStep = *one.getString("kind") == "steps";
    if (!isStep && *one.getString("kind") != "reshard") continue;
    ++(isStep ? steps : reshards);
    SCOPED_TRACE("case " + std::to_string(*one.getInteger("id")));
    const json::Object &input = *one.getObject("input");
    const json::Object &expected = *one.getObject("expected");
    ShardingContext context;
    context.devices = *input.getInteger("devices");
    if (const json::Object *meshes = input.getObject("meshes"))
      for (const auto &[name, text] : *meshes)
        context.meshes[llvm::StringRef(name).str()] = text.getAsString()->str();
    const auto shape = numbersOf(*input.getArray("shape"));
    const auto type = *parseElementType(*input.getString("dtype"));
    llvm::StringRef to;
    if (isStep)
      to = *input.getArray("steps")->back().getAsObject()->getString("out");
    else
      to = *input.getString("to");
    auto needs = needsOf(relationOf(*input.getString("from"), shape, context),
                         relationOf(to, shape, context));
    ASSERT_TRUE(needs.ok()) << needs.status();
    EXPECT_EQ(bytes(needs->receives, type),
              numbersOf(*expected.getArray("receives_least")));
    if (auto all = expected.getInteger("all_least")) {
      EXPECT_EQ(bytesOf(needs->all, bitsOf(type)), *all);
    }
    if (const json::Array *once = expected.getArray("sends_once_least")) {
      EXPECT_EQ(bytes(needs->sendsOnce, type), numbersOf(*once));
    }
    if (auto all = expected.getInteger("through_replication")) {
      EXPECT_EQ(bytesOf(needs->throughReplication, bitsOf(type)), *all);
    }
  }
  EXPECT_EQ(reshards, 12);
  EXPECT_EQ(steps, 9);
}

/// A random cut of a tensor over `devices`, copies for the rest.
ShardedRelation anyRelation(Random &random, llvm::ArrayRef<int64_t> shape,
                            int64_t devices) {
  std::string grid, list;
  int64_t rest = devices;
  for (size_t k = 0; k < shape.size(); ++k) {
    int64_t tiles = 1;
    while (rest % 2 == 0 && random.oneIn(2)) {
      tiles *= 2;
      rest /= 2;
    }
    grid += std::to_string(tiles) + ",";
  }
  for (int64_t device : random.permutation(devices))
    list += (list.empty() ? "" : ",") + std::to_string(device);
  return relationOf("{devices=[" + grid + std::to_string(rest) + "]" + list +
                        " last_tile_dim_replicate}",
                    shape, {devices, {}});
}

TEST(ReshardTest, CountsElementByElement) {
  const uint64_t seed = testing::fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t instances =
      testing::fromEnvironment("INDEXICAL_RESHARDS", 500);
  for (uint64_t i = seed; i < seed + instances; ++i) {
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(i));
    Random random(i);
    const int64_t devices = 1 << random.in(0, 4);
    Int64s shape;
    for (int64_t k = random.in(0, 3); k > 0; --k)
      shape.push_back(random.in(0, 9));
    const auto a = anyRelation(random, shape, devices);
    const auto b = anyRelation(random, shape, devices);
    const auto c = anyRelation(random, shape, devices);
    auto ab = needsOf(a, b), bc = needsOf(b, c), ac = needsOf(a, c);
    ASSERT_TRUE(ab.ok() && bc.ok() && ac.ok());
    std::vector<int64_t> receives(devices, 0);
    int64_t all = 0, count = 1;
    for (int64_t size : shape) count *= size;
    for (int64_t e = 0; e < count; ++e) {
      Int64s at(shape.size());
      int64_t rest = e;
      for (size_t k = shape.size(); k-- > 0; rest /= shape[k])
        at[k] = rest % shape[k];
      for (int64_t d = 0; d < devices; ++d)
        if (b.localOf(d, at) && !a.localOf(d, at)) ++receives[d], ++all;
    }
    ASSERT_EQ(ab->receives, receives);
    ASSERT_EQ(ab->all, all);
    ASSERT_EQ(needsOf(a, a)->all, 0);
    ASSERT_LE(ac->all, ab->all + bc->all);
    auto whole = ShardedRelation::make(
        shape, Sharding::replicated(shape.size(), devices));
    ASSERT_EQ(needsOf(*whole, b)->all, 0);
  }
}

}  // namespace
}  // namespace indexical
