// A caller of the library needs 256 kB of stack, however deep its inputs are
// nested: each entry point is called on a thread of that size, and says what it
// says on one of 64 MB. Without deep_stack.h most of them end the process here.

#include <functional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/cost/launch/kernels.h"
#include "indexical/cost/memory/coalescing.h"
#include "indexical/cost/memory/device.h"
#include "indexical/cost/memory/thread_map.h"
#include "indexical/cost/tiles/tile.h"
#include "indexical/cost/use/elements.h"
#include "indexical/cost/use/utilization.h"
#include "indexical/exact/exact.h"
#include "indexical/exact/exact_prover.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/stablehlo/import/import.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/map_text.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/same/equality/module_equality.h"
#include "indexical/simplifier/simplify.h"
#include <pthread.h>

namespace indexical {
namespace {

constexpr size_t kSmall = size_t{256} << 10;

void onThread(size_t stack, std::function<void()> work) {
  pthread_attr_t attributes;
  pthread_t thread;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, stack), 0);
  auto call = [](void *argument) -> void * {
    (*static_cast<std::function<void()> *>(argument))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, call, &work), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

/// The work says the same on both stacks, and something.
void expectSame(const std::function<std::string()> &work) {
  std::string little, much;
  onThread(kSmall, [&] { little = work(); });
  onThread(kDeepStack, [&] { much = work(); });
  EXPECT_NE(much, "");
  EXPECT_EQ(little, much);
}

std::string read(const char *path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(static_cast<bool>(file)) << path;
  return file ? (*file)->getBuffer().str() : "";
}

/// ((…d0 * 7 + 1) mod 1000003…) * 7 + 3) mod 1000004, so many levels deep.
std::string nested(int levels) {
  std::string text = "d0";
  for (int k = 0; k < levels; ++k)
    text = "((" + text + ") * 7 + " + std::to_string(k % 7 + 1) + ") mod " +
           std::to_string(1000003 + k % 3);
  return "(d0) -> (" + text + "), domain: d0 in [0, 1000000]";
}

/// As deep as products make it: no text may be.
IndexingMap deepMap(int products) {
  IndexingMap map = *parseMap(nested(200));
  const IndexingMap other = map;
  for (int i = 1; i < products; ++i) map = *compose(map, other);
  return map;
}

std::string said(const absl::StatusOr<IndexingMap> &map) {
  return map.ok() ? printMap(*map) : std::string(map.status().message());
}

std::string said(const absl::StatusOr<Decision> &decision) {
  return decision.ok() ? answerName(decision->answer).str() + decision->reason
                       : std::string(decision.status().message());
}

std::string said(const absl::StatusOr<Count> &count) {
  if (!count.ok()) return std::string(count.status().message());
  std::string text = count->reason + ";";
  llvm::raw_string_ostream os(text);
  if (count->value) os << *count->value;
  return text;
}

std::string said(const absl::StatusOr<IndexingRelation> &relation) {
  if (!relation.ok()) return std::string(relation.status().message());
  std::string text = precisionName(relation->precision()).str();
  for (const IndexingMap &piece : relation->pieces()) text += printMap(piece);
  return text;
}

TEST(SmallStack, TextOfMaps) {
  expectSame([] { return said(parseMap(nested(230))); });
  expectSame([] {
    auto map = parseMap(nested(4'000));
    EXPECT_FALSE(map.ok());
    return said(map);
  });
  expectSame([] {
    auto maps = parseMaps(nested(230) + "\n" + nested(200));
    EXPECT_TRUE(maps.ok());
    return maps.ok() ? printMap((*maps)[1]) : "";
  });
}

TEST(SmallStack, SimplifyAndCompose) {
  const IndexingMap deep = deepMap(8), other = *parseMap(nested(210));
  expectSame([&] { return said(compose(deep, other)); });
  expectSame([&] { return said(simplify(deep)); });
  expectSame([&] {
    ExactProver prover;
    SimplifyOptions options;
    options.prover = &prover;
    return said(simplify(other, options));
  });
}

TEST(SmallStack, Questions) {
  ExactOptions few;
  few.operations = 1'000;
  for (const IndexingMap &map :
       {*parseMap("(d0) -> (d0 floordiv 4), domain: d0 in [0, 31]"),
        deepMap(2)}) {
    const IndexingRelation relation(map);
    expectSame([&] { return said(isEmpty(relation, few)); });
    expectSame([&] {
      return said(areEqual(relation, IndexingRelation(*simplify(map)), few));
    });
    expectSame([&] { return said(isSubset(relation, relation, few)); });
    expectSame([&] { return said(areDisjoint(relation, relation, few)); });
    expectSame([&] { return said(isIdentity(relation, few)); });
    expectSame([&] { return said(isInjective(relation, few)); });
    expectSame(
        [&] { return said(isSurjective(relation, {Interval{0, 7}}, few)); });
    expectSame([&] { return said(inverse(relation)); });
    expectSame([&] { return said(intersect(relation, relation)); });
    expectSame([&] { return said(difference(relation, relation, few)); });
    expectSame([&] { return said(unite(relation, relation, few)); });
    expectSame([&] { return said(image(relation)); });
    expectSame([&] { return said(countDomain(map, {}, few)); });
    expectSame([&] { return said(countImage(map, {}, few)); });
    expectSame([&] { return said(countPairs(map, {}, few)); });
    expectSame([&] { return said(countImage(relation, few)); });
    expectSame([&] { return said(countPairs(relation, few)); });
    expectSame([&] {
      auto ends = extremes(relation, few);
      if (!ends.ok()) return std::string(ends.status().message());
      std::string text = std::to_string(ends->size()) + ":";
      for (const Extremes &of : *ends)
        text += std::to_string(of.least.value_or(-1)) + ",";
      return text;
    });
  }
}

std::string mapsOf(const Program &program) {
  std::string text;
  for (const Module &module : program.modules) {
    ProgramIndexing maps(module);
    for (size_t c = 0; c < module.computations.size(); ++c) {
      auto pairs = maps.computationPairs(ComputationId(c));
      if (!pairs.ok()) return std::string(pairs.status().message());
      for (const LeafPair &pair : *pairs)
        text += said(maps.computation(ComputationId(c), pair.result,
                                      ParameterLeaf{pair.parameter, pair.leaf},
                                      Direction::OutputToInput));
      for (size_t i = 0; i < module.computations[c].instructions.size(); ++i)
        for (const LeafPair &pair :
             maps.instructionPairs(ComputationId(c), InstructionId(i)))
          text += said(maps.instruction(
              {ComputationId(c), InstructionId(i), pair.result}, pair.leaf,
              Direction::InputToOutput));
    }
  }
  return text;
}

/// Brackets as deep as they may be.
std::string nestedTuple() {
  const std::string shape =
      std::string(200, '(') + "f32[4]" + std::string(200, ')');
  return "HloModule m\nENTRY e {\n p = " + shape +
         " parameter(0)\n ROOT t = f32[] constant(0)\n}\n";
}

/// Calls of calls.
std::string deepCalls(int depth) {
  std::string text = "HloModule m\nf0 { ROOT p = f32[64] parameter(0) }\n";
  for (int i = 0; i < depth; ++i)
    text += "f" + std::to_string(i + 1) +
            " { p = f32[64] parameter(0)\n ROOT c = f32[64] call(p), "
            "to_apply=f" +
            std::to_string(i) + " }\n";
  return text + "ENTRY e { x = f32[64] parameter(0)\n ROOT c = f32[64] " +
         "call(x), to_apply=f" + std::to_string(depth) + " }\n";
}

std::string nestedRegions(int depth) {
  std::string text = "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n";
  for (int i = 0; i < depth; ++i) text += " builtin.module {\n";
  for (int i = 0; i < depth; ++i) text += " }\n";
  return text + " return %x : tensor<4xf32>\n}\n";
}

TEST(SmallStack, Readers) {
  for (const std::string &text :
       {read("examples/softmax.hlo"), nestedTuple(), deepCalls(3000)})
    expectSame([&] {
      auto program = parseHlo(text);
      EXPECT_TRUE(program.ok()) << program.status().message();
      return program.ok() ? "read " + mapsOf(*program) : "";
    });
  for (const std::string &text :
       {read("examples/attention.mlir"), nestedRegions(250)})
    expectSame([&] {
      auto program = importMlir(text);
      return program.ok() ? "read " + mapsOf(*program)
                          : std::string(program.status().message());
    });
}

TEST(SmallStack, Analyses) {
  auto program = parseHlo(read("examples/softmax.hlo"));
  ASSERT_TRUE(program.ok());
  const Module &module = program->modules.at(0);
  const InstructionId root = module.computations[module.entry].root;
  expectSame([&] {
    auto equality = compareReads(module, module);
    EXPECT_TRUE(equality.ok());
    return answerName(equality->answer).str();
  });
  expectSame([&] {
    ProgramIndexing maps(module);
    auto use = utilizationOf(maps, module.entry, root, Share::whole(),
                             /*inside=*/true);
    EXPECT_TRUE(use.ok());
    std::string text;
    for (const Use &each : use->operands)
      text += std::to_string(each.footprint.distinct.value_or(-1)) + ",";
    return text;
  });
  expectSame([&] {
    ProgramIndexing maps(module);
    RootTile tile;
    const ArrayShape &shape =
        shapesOf(module.computations[module.entry].instructions[root].op)
            .results[0];
    for (int64_t size : shape.dimensions) {
      tile.shape.push_back(size);
      tile.sizes.push_back(TileExtent::symbol("t" + std::to_string(size)));
    }
    auto tiles = tilesOf(maps, {module.entry, root}, tile);
    EXPECT_TRUE(tiles.ok());
    return std::to_string(tiles->size());
  });
  expectSame([&] {
    const ArrayShape shape(ElementType::F32, {64, 128});
    auto threads = linearThreads(shape, LinearThreads{128, 1, 1});
    auto figures = coalescing(
        IndexingRelation(*parseMap(
            "(d0, d1) -> (d1, d0), domain: d0 in [0, 63], d1 in [0, 127]")),
        ArrayShape(ElementType::F32, {128, 64}), *threads, *findDevice("a100"));
    EXPECT_TRUE(figures.ok());
    return std::to_string(figures->sectors.most);
  });
  expectSame([&] {
    auto elements = elementsAt(IndexingRelation(deepMap(3)), {5});
    return elements.ok() ? "answered"
                         : std::string(elements.status().message());
  });
}

}  // namespace
}  // namespace indexical
