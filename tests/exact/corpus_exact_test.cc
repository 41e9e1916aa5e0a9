// Exact answers about the maps of real modules: emptiness, injectivity,
// equality with the same map in other words, the inverse of the inverse; and
// that what an op says of both directions is one relation and its inverse.
// Decided but for one in a thousand; no is believed where its witness is seen
// to hold, and yes is tried at sampled points.
#include <iostream>
#include <map>
#include <string>
#include <unordered_set>

#include "gtest/gtest.h"

#include "indexical/exact/exact.h"
#include "indexical/import/stablehlo/dialect/parse.h"
#include "indexical/import/stablehlo/import/import.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/program/maps/program_indexing.h"
#include "tests/support/corpus.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

constexpr size_t kLargestComputation = 500;

/// Returns the map with the terms of expressions in reverse order, digits
/// written as floors, and range variables renumbered.
IndexingMap reshuffled(const IndexingMap &map) {
  const size_t ranges = map.ranges().size();
  /// `x mod n` is `x - n * (x floordiv n)`.
  struct Expanded : ExpressionPool {
    FormId digit(FormId form, int64_t stride, int64_t modulus) override {
      FormId low = ExpressionPool::digit(form, stride, 0);
      if (!modulus) return low;
      FormId high = ExpressionPool::digit(low, modulus, 0);
      return linear({{low, 1}, {high, -modulus}}, 0);
    }
  };
  Expanded pool;
  IndexingMapBuilder e(pool);
  auto expanded = [&](VariableId id) {
    if (id.kind == VariableKind::Range) id.index = ranges - 1 - id.index;
    return pool.variable(id);
  };
  ExpressionImport import(map.expressions(), pool, expanded);
  for (const Variable &v : map.dimensions()) e.dimension(v.bounds);
  for (size_t i = ranges; i-- > 0;) e.range(map.ranges()[i].bounds);
  for (RuntimeVariable v : map.runtime()) {
    for (FormId &form : v.index) form = import(form);
    e.runtime(std::move(v));
  }
  for (FormId form : map.results()) e.result(e.expression(import(form)));
  for (size_t i = 0; i < map.members().size(); ++i)
    e.member(map.collectives()[i], e.expression(import(map.members()[i])));
  for (const Constraint &c : map.constraints())
    e.constraint(e.expression(import(c.form)), c.bounds);
  auto result = e.build();
  return result.ok() ? *result : map;
}

class Questions {
 public:
  void ask(const IndexingMap &map) {
    if (!seen_.insert(std::hash<std::string>()(map.str())).second) return;
    SCOPED_TRACE(map.str());
    const IndexingRelation relation(map);
    note("empty", isEmpty(relation), map);
    auto injective = isInjective(relation);
    note("injective", injective, map);
    auto equal = areEqual(relation, IndexingRelation(reshuffled(map)));
    note("equal", equal, map);
    EXPECT_NE(equal->answer, Answer::No) << "to itself";
    auto turned = inverse(relation);
    ASSERT_TRUE(turned.ok()) << turned.status();
    auto back = inverse(*turned);
    ASSERT_TRUE(back.ok()) << back.status();
    auto same = areEqual(relation, *back);
    note("inverse of inverse", same, map);
    EXPECT_NE(same->answer, Answer::No) << back->pieces()[0].str();
    // Members are part of what is read.
    if (map.collectives().empty())
      sample(map, *turned, injective->answer == Answer::Yes);
  }

  void ask(const Program &program) {
    for (const Module &module : program.modules) {
      ProgramIndexing maps(module);
      for (size_t c = 0; c < module.computations.size(); ++c)
        for (Direction direction :
             {Direction::OutputToInput, Direction::InputToOutput})
          askComputation(maps, c, direction);
    }
  }

  void report() const {
    for (const auto &[name, tally] : tallies_) {
      std::cout << "  " << name << ": " << tally.asked << " asked, "
                << tally.undecided << " undecided\n";
      EXPECT_LE(tally.undecided * ofCorpus(1000, 300), tally.asked) << name;
    }
  }

 private:
  struct Tally {
    int64_t asked = 0, undecided = 0;
  };

  void askComputation(ProgramIndexing &maps, int32_t c, Direction direction) {
    const Computation &computation = maps.module().computations[c];
    auto pieces = [&](const absl::StatusOr<IndexingRelation> &relation) {
      if (!relation.ok()) return;  // corpus_maps_test fails
      for (const IndexingMap &piece : relation->pieces()) ask(piece);
    };
    for (size_t i = 0; i < computation.instructions.size(); ++i) {
      int64_t results = computation.instructions[i].shape.leafCount();
      int64_t operands = computation.operandLeaves(InstructionId(i)).size();
      for (int64_t r = 0; r < results; ++r)
        for (int64_t k = 0; k < operands; ++k) {
          auto relation =
              maps.instruction({ComputationId(c), InstructionId(i), LeafId(r)},
                               LeafId(k), direction);
          pieces(relation);
          if (direction == Direction::OutputToInput) continue;
          askTransposes(
              maps.instruction({ComputationId(c), InstructionId(i), LeafId(r)},
                               LeafId(k), Direction::OutputToInput),
              relation);
        }
    }
    if (computation.instructions.size() > kLargestComputation) return;
    int64_t roots =
        computation.instructions[computation.root].shape.leafCount();
    for (int64_t r = 0; r < roots; ++r)
      for (size_t p = 0; p < computation.parameters.size(); ++p) {
        int32_t parameter = computation.parameters[p];
        int64_t leaves = computation.instructions[parameter].shape.leafCount();
        for (int64_t l = 0; l < leaves; ++l)
          pieces(maps.computation(ComputationId(c), LeafId(r),
                                  ParameterLeaf{p, LeafId(l)}, direction));
      }
  }

  /// Returns whether sizes have no end. A map does not have the fact that two
  /// sizes are always equal, so the directions may differ at other sizes.
  static bool isOpen(const IndexingRelation &relation) {
    return llvm::any_of(relation.pieces(), [](const IndexingMap &piece) {
      return llvm::any_of(piece.runtime(), [](const RuntimeVariable &v) {
        return !v.bounds.isFinite();
      });
    });
  }

  /// Checks that the maps of both directions have the same pairs, transposed.
  void askTransposes(const absl::StatusOr<IndexingRelation> &reads,
                     const absl::StatusOr<IndexingRelation> &users) {
    if (!reads.ok() || !users.ok() || reads->isEmpty() ||
        reads->precision() != Precision::Exact || isOpen(*reads) ||
        isOpen(*users))
      return;
    std::string text;
    for (const IndexingRelation *relation : {&*reads, &*users})
      for (const IndexingMap &piece : relation->pieces())
        text += piece.strOneLine() + "\n";
    if (!pairsSeen_.insert(std::hash<std::string>()(text)).second) return;
    SCOPED_TRACE(text);
    auto turned = inverse(*reads);
    ASSERT_TRUE(turned.ok()) << turned.status();
    auto same = areEqual(*turned, *users);
    note("directions", same, reads->pieces()[0]);
    EXPECT_NE(same->answer, Answer::No);
  }

  void note(const std::string &name, const absl::StatusOr<Decision> &decision,
            const IndexingMap &map) {
    ASSERT_TRUE(decision.ok()) << name << decision.status();
    Tally &tally = tallies_[name];
    ++tally.asked;
    if (decision->answer != Answer::Undecided) return;
    if (++tally.undecided <= 5)
      std::cout << "  undecided " << name << ": " << decision->reason << "\n"
                << map.str() << "\n";
  }

  /// At a few points: what the map reads the inverse takes back, and an
  /// injective map reads at no other index.
  void sample(const IndexingMap &map, const IndexingRelation &turned,
              bool injective) {
    Random random(seen_.size());
    std::map<std::vector<int64_t>, std::vector<int64_t>> readers;
    for (int n = 0; n < 8; ++n) {
      IndexingMap::Point point;
      auto pick = [&](const Variable &v) {
        int64_t lower = v.bounds.hasLower() ? v.bounds.lower : 0;
        int64_t upper = v.bounds.hasUpper() ? v.bounds.upper : lower + 5;
        return random.in(lower, std::max(lower, upper));
      };
      for (const Variable &v : map.dimensions())
        point.dimensions.push_back(pick(v));
      for (const Variable &v : map.ranges()) point.ranges.push_back(pick(v));
      for (const RuntimeVariable &v : map.runtime())
        point.runtime.push_back(pick(v));
      if (!map.contains(point) || !map.runtime().empty()) continue;
      auto element = map.evaluate(point);
      ASSERT_TRUE(element.has_value());
      std::vector<int64_t> at(element->begin(), element->end());
      std::vector<int64_t> index(point.dimensions.begin(),
                                 point.dimensions.end());
      auto [known, isNew] = readers.try_emplace(at, index);
      if (injective && !isNew) {
        EXPECT_EQ(known->second, index);
      }
      bool back = false;
      for (const IndexingMap &piece : turned.pieces())
        back |= hasPair(piece, at, index);
      EXPECT_TRUE(back) << "the inverse lacks a pair";
    }
  }

  /// Whether the map reads `element` at `index`, by what is decided of it
  /// there.
  static bool hasPair(const IndexingMap &map, llvm::ArrayRef<int64_t> index,
                      llvm::ArrayRef<int64_t> element) {
    IndexingMapBuilder b;
    for (int64_t i : index) b.dimension(Interval::point(i));
    for (int64_t e : element) b.result(e);
    auto common =
        areDisjoint(IndexingRelation(map), IndexingRelation(*b.build()));
    return common.ok() && common->answer == Answer::No;
  }

  std::unordered_set<size_t> seen_, pairsSeen_;
  std::map<std::string, Tally> tallies_;
};

TEST(CorpusExactTest, AllMaps) {
  Questions questions;
  size_t number = 0;
  auto ask = [&](const Program &program, const std::string &name) {
    SCOPED_TRACE(name);
    if (isSampled(number++)) questions.ask(program);
  };
  size_t programs = forEachHloFile(ask) + forEachHloSnippet(ask);
  for (const CorpusFile &file : stablehloFiles()) {
    const std::string text = textOf(file);
    for (const MlirChunk &chunk : splitMlir(text)) {
      auto program = importMlir(chunk.text.str(), file.path);
      if (!program.ok()) continue;  // corpus_dump_test fails
      ++programs;
      ask(*program, file.name);
    }
  }
  std::cout << "  " << programs << " programs\n";
  EXPECT_GT(programs, ofCorpus(2000u, 90u));
  questions.report();
}

}  // namespace
}  // namespace indexical::testing
