// The launches that XLA's own tests expect: a file of cases beside the corpus,
// each a fusion, a device, a question and the thread map that answers it. Maps
// are compared as sets of points, thread by thread.
#include <fstream>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/Support/JSON.h"

#include "indexical/cost/launch/launch_plan.h"
#include "indexical/exact/exact.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/indexing/map_text.h"
#include "indexical/ops/op.h"
#include "indexical/simplifier/simplify.h"
#include "tests/support/corpus_files.h"

namespace indexical {
namespace {

namespace json = llvm::json;

using Points = std::set<std::vector<int64_t>>;

/// Returns the points of each thread of some blocks: the ids, then the index.
Points pointsOf(const IndexingMap &map, llvm::ArrayRef<int64_t> blocks) {
  Points points;
  IndexingMap::Point point;
  const int64_t threads = map.dimensions()[0].bounds.upper;
  for (int64_t block : blocks)
    for (int64_t z = 0; z <= map.dimensions()[5].bounds.upper; ++z)
      for (int64_t t = 0; t <= threads; ++t) {
        point.dimensions = {t, 0, 0, block, 0, z};
        point.ranges.clear();
        for (const Variable &range : map.ranges())
          point.ranges.push_back(range.bounds.lower);
        for (;;) {
          if (map.contains(point)) {
            std::vector<int64_t> entry = {t, block, z};
            const auto index = map.evaluate(point);
            entry.insert(entry.end(), index->begin(), index->end());
            points.insert(std::move(entry));
          }
          size_t k = point.ranges.size();
          while (k > 0 &&
                 point.ranges[k - 1] == map.ranges()[k - 1].bounds.upper) {
            point.ranges[k - 1] = map.ranges()[k - 1].bounds.lower;
            --k;
          }
          if (k == 0) break;
          ++point.ranges[k - 1];
        }
      }
  return points;
}

/// All blocks of small grids; of others the first, the last, and some between.
std::vector<int64_t> someBlocks(int64_t count) {
  std::vector<int64_t> blocks;
  const int64_t step = std::max<int64_t>(1, count / 24);
  for (int64_t block = 0; block < count; block += step) blocks.push_back(block);
  for (int64_t block = std::max<int64_t>(0, count - 4); block < count; ++block)
    blocks.push_back(block);
  return blocks;
}

struct Case {
  std::string id, hlo, fusion, kind, device, query, map;
  int64_t result = 0, operand = 0;
};

std::vector<Case> readCases(const std::string &path) {
  std::vector<Case> cases;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    auto value = json::parse(line);
    if (!value) {
      ADD_FAILURE() << llvm::toString(value.takeError());
      continue;
    }
    const json::Object &object = *value->getAsObject();
    auto text = [&](const char *key) {
      return object.getString(key).value_or("").str();
    };
    cases.push_back({text("id"), text("hlo"), text("fusion"), text("kind"),
                     text("device"), text("query"), text("map"),
                     object.getInteger("result").value_or(0),
                     object.getInteger("operand").value_or(0)});
  }
  return cases;
}

/// The answers of the plan: one, or for a write in parts one a part.
class Answers {
 public:
  Answers(const Program &program, const Case &of) {
    const Module &module = program.modules[0];
    const Computation &entry = module.computations[module.entry];
    const InstructionId fusion = entry.find(of.fusion);
    auto body = FusionBody::of(module, module.entry, fusion);
    EXPECT_TRUE(body) << of.id;
    if (!body) return;
    auto plan = planLaunch(*body, *findDevice("a6000"));
    EXPECT_TRUE(plan.ok()) << plan.status().message();
    if (!plan.ok()) return;
    emitter = plan->emitter;
    for (const BodyRoot &root : body->roots())
      for (const BodyRoot::Result &result : root.results)
        if (result.result == of.result) find(*body, *plan, of, root);
  }

  Emitter emitter = Emitter::Unknown;
  std::vector<IndexingMap> maps;
  /// XLA's query gives every operand of a concatenate the threads of the
  /// longest. Its kernel reads of each what is there; so much is compared.
  std::optional<ArrayShape> part;

 private:
  void find(const FusionBody &body, const LaunchPlan &plan, const Case &of,
            const BodyRoot &root) {
    // Scatters and updates write what an operand says; others what the root is.
    const InstructionId hero = heroOf(body, root.instruction);
    for (const Visit &visit : plan.visits) {
      auto threads = threadsOf(visit.space, 1);
      ASSERT_TRUE(threads.ok());
      const bool isWrite = visit.result == of.result && !visit.operand;
      if (of.query == "thread_to_output") {
        if (isWrite) maps.push_back(*threads);
      } else if (visit.instruction == hero && visit.operand == of.operand) {
        maps.push_back(*threads);
        if (plan.emitter == Emitter::Concatenate) part = visit.space.shape;
      } else if (isWrite && visit.instruction == hero && !visit.stops.size()) {
        auto reads = indexing(body.at(hero).op, Direction::OutputToInput,
                              visit.leaf, of.operand);
        ASSERT_TRUE(reads.ok());
        for (const IndexingMap &piece : reads->pieces()) {
          auto composed = compose(*threads, piece);
          ASSERT_TRUE(composed.ok());
          maps.push_back(*composed);
        }
      }
    }
  }
};

bool belongs(Emitter emitter, const std::string &kind) {
  switch (emitter) {
    case Emitter::Loop:
      return kind == "loop";
    case Emitter::Concatenate:
      return kind == "concatenate";
    case Emitter::DynamicUpdateSlice:
      return kind == "dus";
    case Emitter::Transpose:
    case Emitter::PackedTranspose:
      return kind == "transpose";
    case Emitter::RowReduction:
    case Emitter::MultiRowReduction:
    case Emitter::ColumnReduction:
    case Emitter::SmallColumnReduction:
      return kind == "reduction";
    case Emitter::Scatter:
    case Emitter::ScatterByIndices:
      return kind == "scatter";
    default:
      return false;
  }
}

/// Drops what has no index of the shape; how many those are.
size_t keepInside(const ArrayShape &shape, Points &points) {
  const size_t before = points.size();
  for (auto at = points.begin(); at != points.end();) {
    bool isInside = true;
    for (size_t k = 0; k < shape.dimensions.size(); ++k)
      isInside &= (*at)[3 + k] < shape.dimensions[k];
    at = isInside ? std::next(at) : points.erase(at);
  }
  return before - points.size();
}

TEST(LaunchCases, AreThoseOfXlasOwnTests) {
  if (testing::corpusPath().empty()) GTEST_SKIP() << testing::kNoCorpus;
  const std::string path = testing::corpusPath() + "/../launch_cases.jsonl";
  const std::vector<Case> cases = readCases(path);
  if (cases.empty()) GTEST_SKIP() << "there is no " << path;
  size_t proven = 0;
  for (const Case &of : cases) {
    SCOPED_TRACE(of.id);
    auto program = parseHlo(of.hlo);
    ASSERT_TRUE(program.ok()) << program.status().message();
    const Answers answers(*program, of);
    EXPECT_TRUE(belongs(answers.emitter, of.kind))
        << nameOf(answers.emitter).str();
    auto expected = parseMaps(of.map);
    ASSERT_TRUE(expected.ok()) << expected.status().message();
    const IndexingMap &map = expected->front();
    const auto blocks = someBlocks(std::max(
        map.dimensions()[3].bounds.count(),
        answers.maps.empty() ? int64_t{1}
                             : answers.maps[0].dimensions()[3].bounds.count()));
    Points points = pointsOf(map, blocks);
    size_t left = 0;
    if (answers.part) left = keepInside(*answers.part, points);
    EXPECT_FALSE(points.empty());
    bool found = false;
    std::string given;
    for (const IndexingMap &answer : answers.maps) {
      given += answer.strOneLine() + "\n";
      if (pointsOf(answer, blocks) != points) continue;
      found = true;
      if (left > 0) continue;
      // Every block, as far as the engine decides it.
      auto same = areEqual(IndexingRelation(answer), IndexingRelation(map));
      ASSERT_TRUE(same.ok()) << same.status().message();
      EXPECT_NE(same->answer, Answer::No);
      proven += same->answer == Answer::Yes;
    }
    EXPECT_TRUE(found) << given << "expected\n" << map.strOneLine();
  }
  std::cout << cases.size() << " cases, " << proven
            << " of them proven for every block\n";
  EXPECT_GT(proven, cases.size() / 2);
}

}  // namespace
}  // namespace indexical
