// Pairs of global and partitioned modules with their answers: those of the
// specification, beside the corpus, and a compiler's own.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/Support/JSON.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/partitioned/partitioned_equality.h"
#include "tests/support/corpus_files.h"

namespace indexical {
namespace {

namespace json = llvm::json;

std::vector<int64_t> numbersOf(const json::Array &array) {
  std::vector<int64_t> numbers;
  for (const json::Value &each : array) numbers.push_back(*each.getAsInteger());
  return numbers;
}

PartitionedEquality compare(const std::string &global, const std::string &local,
                            const PartitionedOptions &options) {
  auto a = parseHlo(global), b = parseHlo(local);
  EXPECT_TRUE(a.ok()) << a.status();
  EXPECT_TRUE(b.ok()) << b.status();
  auto equality = comparePartitioned(*a, *b, options);
  EXPECT_TRUE(equality.ok()) << equality.status();
  return equality.ok() ? *equality : PartitionedEquality();
}

void expectWitness(const json::Object &first, const json::Object &expected,
                   const PartitionedEquality &equality) {
  const PartitionedResult &result =
      equality.results[*first.getInteger("result")];
  ASSERT_TRUE(result.verdict.witness);
  const Witness &witness = *result.verdict.witness;
  EXPECT_EQ(witness.second.device, *first.getInteger("device"));
  EXPECT_EQ(witness.second.index, numbersOf(*first.getArray("index")));
  EXPECT_EQ(witness.first.index, numbersOf(*first.getArray("global_index")));
  const json::Value *element = first.get("element");
  if (!element) {
    EXPECT_TRUE(expected.getBoolean("same_reads").value_or(false));
    EXPECT_FALSE(witness.array);
    EXPECT_FALSE(witness.isPadding);
    EXPECT_EQ(witness.counted, 2);
    return;
  }
  EXPECT_EQ(witness.isOnlyInFirst(), *first.getString("only_in") == "global");
  if (element->getAsString()) {
    EXPECT_TRUE(witness.isPadding);
    return;
  }
  ASSERT_TRUE(witness.array);
  EXPECT_EQ(witness.array, *first.getInteger("parameter"));
  EXPECT_EQ(witness.element, numbersOf(*element->getAsArray()));
}

TEST(PartitionedCasesTest, OfTheSpecification) {
  if (testing::corpusPath().empty()) GTEST_SKIP() << testing::kNoCorpus;
  std::ifstream in(testing::corpusPath() + "/../sharding_cases.jsonl");
  int count = 0;
  for (std::string line; std::getline(in, line);) {
    auto value = json::parse(line);
    ASSERT_TRUE(!!value) << llvm::toString(value.takeError());
    const json::Object &one = *value->getAsObject();
    if (*one.getString("kind") != "equal") continue;
    ++count;
    SCOPED_TRACE("case " + std::to_string(*one.getInteger("id")));
    const json::Object &input = *one.getObject("input");
    const json::Object &expected = *one.getObject("expected");
    const std::string global = input.getString("global")->str();
    const std::string local = input.getString("local")->str();
    PartitionedOptions options;
    options.partitions = *input.getInteger("devices");
    const PartitionedEquality equality = compare(global, local, options);
    EXPECT_EQ(wordOf(equality.verdict.answer),
              expected.getString("answer")->str());
    if (const json::Object *first = expected.getObject("first"))
      expectWitness(*first, expected, equality);
    if (auto reason = expected.getString("reason")) {
      EXPECT_EQ(equality.results[0].verdict.reason, reason->str());
    }
    const json::Object *with = expected.getObject("with");
    if (!with) continue;
    for (const auto &[option, answer] : *with) {
      llvm::StringRef text = option;
      ASSERT_TRUE(text.consume_front("--result-sharding=0:"));
      PartitionedOptions more = options;
      more.resultShardings = {{0, text.str()}};
      EXPECT_EQ(wordOf(compare(global, local, more).verdict.answer),
                answer.getAsString()->str())
          << text.str();
    }
  }
  EXPECT_EQ(count, 12);
}

// A compiler's module with shardings, and each dump of it that is partitioned.
TEST(PartitionedCasesTest, OfAlpa) {
  if (testing::corpusPath().empty()) GTEST_SKIP() << testing::kNoCorpus;
  int pairs = 0, slow = 0;
  const bool allStages = std::getenv("INDEXICAL_ALL_STAGES") != nullptr;
  for (const char *folder : {"module_0002.add_one_shard_parallel.7",
                             "module_0021.func_shard_parallel.10",
                             "module_0095.func_shard_parallel__2.68",
                             "module_0126.func_shard_parallel__6.6"}) {
    std::string before;
    for (const auto &file :
         testing::corpusFiles(std::string("../passes/") + folder)) {
      SCOPED_TRACE(file.name);
      const std::string text = testing::textOf(file);
      if (llvm::StringRef(file.name).contains("after_auto_sharding")) {
        before = text;
        continue;
      }
      if (before.empty() || !llvm::StringRef(text).contains("_spmd {"))
        continue;
      // Those that read everything take seconds each.
      if (llvm::StringRef(folder).contains("0095") && !allStages) {
        if (slow++ > 0) continue;
      }
      ++pairs;
      const PartitionedEquality equality = compare(before, text, {});
      EXPECT_EQ(wordOf(equality.verdict.answer), "equal");
      for (const PartitionedResult &result : equality.results)
        EXPECT_EQ(result.verdict.reason, "")
            << result.result << " "
            << (result.because ? result.because->instruction : "");
    }
  }
  std::cout << pairs << " pairs of a module and its partitioned one\n";
  EXPECT_GE(pairs, 8);
}

}  // namespace
}  // namespace indexical
