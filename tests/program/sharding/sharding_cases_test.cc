// The cases of the specification: a file beside the corpus, each a text and
// what every device holds by enumeration.
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/program/sharding/groups.h"
#include "indexical/program/sharding/sharding.h"
#include "tests/support/corpus_files.h"

namespace indexical {
namespace {

namespace json = llvm::json;

std::vector<json::Object> readCases() {
  std::vector<json::Object> cases;
  std::ifstream in(testing::corpusPath() + "/../sharding_cases.jsonl");
  for (std::string line; std::getline(in, line);)
    if (auto value = json::parse(line)) {
      cases.push_back(*value->getAsObject());
    } else {
      ADD_FAILURE() << llvm::toString(value.takeError());
    }
  return cases;
}

Int64s numbersOf(const json::Array &array) {
  Int64s numbers;
  for (const json::Value &each : array) numbers.push_back(*each.getAsInteger());
  return numbers;
}

ShardingContext contextOf(const json::Object &input) {
  ShardingContext context;
  context.devices = *input.getInteger("devices");
  if (const json::Object *meshes = input.getObject("meshes"))
    for (const auto &[name, text] : *meshes)
      context.meshes[llvm::StringRef(name).str()] = text.getAsString()->str();
  return context;
}

/// The elements of a list of ranges, or nothing of null.
std::optional<ElementBox> boxOf(const json::Value *value) {
  if (!value || value->kind() == json::Value::Null) return std::nullopt;
  ElementBox box;
  for (const json::Value &range : *value->getAsArray()) {
    const Int64s ends = numbersOf(*range.getAsArray());
    box.emplace_back(ends[0], ends[1]);
  }
  return box;
}

bool advanceIn(llvm::MutableArrayRef<int64_t> at,
               llvm::ArrayRef<int64_t> sizes) {
  for (size_t k = sizes.size(); k-- > 0; at[k] = 0)
    if (++at[k] < sizes[k]) return true;
  return false;
}

void expectDevice(const json::Object &expected, const ShardedRelation &relation,
                  int64_t padding) {
  const int64_t device = *expected.getInteger("device");
  SCOPED_TRACE("device " + std::to_string(device));
  const auto box = relation.box(device);
  EXPECT_EQ(box, boxOf(expected.get("box")));
  const int64_t elements = box ? elementsOf(*box) : 0;
  if (auto count = expected.getInteger("elements")) {
    EXPECT_EQ(elements, *count);
  }
  if (box && padding >= 0) {
    int64_t local = 1;
    for (int64_t size : relation.local()) local *= size;
    EXPECT_EQ(local - elements, padding);
  }
  if (auto part = expected.getInteger("part")) {
    EXPECT_EQ(relation.sharding().holding(device)->part, *part);
  }
  const json::Array *global = expected.getArray("global");
  if (!global) return;
  Int64s at(relation.local().size(), 0);
  for (const json::Value &element : *global) {
    const auto got = relation.globalOf(device, at);
    if (element.kind() == json::Value::Null) {
      EXPECT_FALSE(got);
    } else {
      EXPECT_EQ(got, numbersOf(*element.getAsArray()));
    }
    advanceIn(at, relation.local());
  }
}

void expectMap(const json::Object &expected, llvm::ArrayRef<int64_t> shape,
               const Sharding &sharding, int64_t devices) {
  auto relation = ShardedRelation::make(shape, sharding);
  ASSERT_TRUE(relation.ok()) << relation.status();
  EXPECT_EQ(llvm::ArrayRef(numbersOf(*expected.getArray("local_shape"))),
            relation->local());
  if (auto parts = expected.getInteger("parts")) {
    EXPECT_EQ(sharding.parts(), *parts);
  }
  const json::Array *padding = expected.getArray("padding_elements");
  for (const json::Value &device : *expected.getArray("devices")) {
    const json::Object &one = *device.getAsObject();
    const int64_t number = *one.getInteger("device");
    expectDevice(one, *relation,
                 padding ? *(*padding)[number].getAsInteger() : -1);
  }
  const json::Array *copies = expected.getArray("copies");
  if (!copies) return;
  // Copies hold the same elements of the same part.
  std::map<std::pair<ElementBox, int64_t>, std::vector<int64_t>> groups;
  for (int64_t device = 0; device < devices; ++device)
    if (auto box = relation->box(device))
      groups[{*box, sharding.holding(device)->part}].push_back(device);
  std::set<std::vector<int64_t>> got, want;
  for (auto &[held, group] : groups) got.insert(group);
  for (const json::Value &group : *copies) {
    const Int64s numbers = numbersOf(*group.getAsArray());
    want.insert({numbers.begin(), numbers.end()});
  }
  EXPECT_EQ(got, want);
}

TEST(ShardingCasesTest, MapsTuplesAndErrors) {
  if (testing::corpusPath().empty()) GTEST_SKIP() << testing::kNoCorpus;
  std::map<std::string, int> counts;
  for (const json::Object &one : readCases()) {
    const std::string kind = one.getString("kind")->str();
    SCOPED_TRACE("case " + std::to_string(*one.getInteger("id")));
    if (kind != "map" && kind != "tuple" && kind != "error") continue;
    ++counts[kind];
    const json::Object &input = *one.getObject("input");
    const ShardingContext context = contextOf(input);
    std::vector<ArrayShape> shapes;
    if (const json::Array *all = input.getArray("shapes"))
      for (const json::Value &shape : *all)
        shapes.emplace_back(ElementType::F32, numbersOf(*shape.getAsArray()));
    else
      shapes.emplace_back(ElementType::F32,
                          numbersOf(*input.getArray("shape")));
    auto shardings = shardingsOf(*input.getString("sharding"), shapes, context);
    if (kind == "error") {
      ASSERT_FALSE(shardings.ok());
      EXPECT_TRUE(placeOf(shardings.status()));
      const std::string message(shardings.status().message());
      // The words of a case need not be ours; what they name must be.
      const std::string words =
          one.getObject("expected")->getString("error")->str();
      for (llvm::StringRef rest = words; !rest.empty();) {
        auto [word, more] = rest.split(' ');
        if (!word.empty() && llvm::isDigit(word[0])) {
          EXPECT_NE(message.find(word.str()), std::string::npos)
              << message << " does not name " << words;
        }
        rest = more;
      }
      continue;
    }
    ASSERT_TRUE(shardings.ok()) << shardings.status();
    if (kind == "map") {
      expectMap(*one.getObject("expected"), shapes[0].dimensions,
                (*shardings)[0], context.devices);
      continue;
    }
    const json::Array &expected = *one.getArray("expected");
    ASSERT_EQ(expected.size(), shardings->size());
    for (size_t k = 0; k < expected.size(); ++k)
      expectMap(*expected[k].getAsObject(), shapes[k].dimensions,
                (*shardings)[k], context.devices);
  }
  EXPECT_EQ(counts["map"], 25);
  EXPECT_EQ(counts["tuple"], 1);
  EXPECT_EQ(counts["error"], 6);
}

TEST(ShardingCasesTest, Groups) {
  if (testing::corpusPath().empty()) GTEST_SKIP() << testing::kNoCorpus;
  int count = 0;
  for (const json::Object &one : readCases()) {
    if (*one.getString("kind") != "groups") continue;
    SCOPED_TRACE("case " + std::to_string(*one.getInteger("id")));
    ++count;
    const json::Object &input = *one.getObject("input");
    const std::string op = input.getString("op")->str();
    const DeviceCounts devices{*input.getInteger("replicas"),
                               *input.getInteger("partitions")};
    // A module of one collective, so that its groups come from its text.
    const bool gathers = op == "all-gather";
    const std::string attributes = input.getString("attributes")->str();
    const int64_t members =
        static_cast<int64_t>((*one.getObject("expected")->getArray("groups"))[0]
                                 .getAsArray()
                                 ->size());
    const std::string size = std::to_string(gathers ? 8 * members : 8);
    const std::string text =
        "HloModule m, replica_count=" + std::to_string(devices.replicas) +
        ", num_partitions=" + std::to_string(devices.partitions) +
        "\nadd {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
        " ROOT c = f32[] add(a, b)\n}\nENTRY e {\n x = f32[8] parameter(0)\n"
        " ROOT r = f32[" +
        size + "] " + op + "(x), " + attributes +
        (op == "all-reduce" ? ", to_apply=add" : ", dimensions={0}") + "\n}\n";
    auto program = parseHlo(text);
    ASSERT_TRUE(program.ok()) << program.status() << text;
    const Computation &entry =
        program->modules[0].computations[program->modules[0].entry];
    auto groups = groupsOf(entry.instructions[entry.root].op, devices);
    ASSERT_TRUE(groups.ok()) << groups.status();
    DeviceLists want;
    for (const json::Value &group :
         *one.getObject("expected")->getArray("groups")) {
      const Int64s numbers = numbersOf(*group.getAsArray());
      want.emplace_back(numbers.begin(), numbers.end());
    }
    EXPECT_EQ(*groups, want);
  }
  EXPECT_EQ(count, 6);
}

}  // namespace
}  // namespace indexical
