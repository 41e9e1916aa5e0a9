// Values that regions capture, as operands behind the op's own.
#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "tests/import/stablehlo/imported.h"
#include "tests/support/relation_points.h"

namespace indexical::testing {
namespace {

/// The pairs of a relation between tensors of these sizes, in order.
std::vector<PointPair> pairsOf(const IndexingRelation &relation,
                               const ArrayShape &from, const ArrayShape &to) {
  OperandValues values;
  auto points =
      pointsOf(relation, from.dimensions, to.dimensions, {{}, values});
  EXPECT_TRUE(points.ok()) << points.status();
  return points.ok() ? points->pairs : std::vector<PointPair>();
}

/// One body, twice: `C` is captured, or a slice of an input that has it at
/// every step.
struct Body {
  const char *text;
  bool settles;
};

const Body kBodies[] = {
    // The carry is left alone.
    {"%y = stablehlo.add %a, C : tensor<4xf32>\n"
     "stablehlo.return %y, %b : tensor<4xf32>, tensor<4xf32>",
     true},
    // It is summed up.
    {"%y = stablehlo.add %b, C : tensor<4xf32>\n"
     "stablehlo.return %y, %y : tensor<4xf32>, tensor<4xf32>",
     true},
    // It comes out one step later.
    {"stablehlo.return %b, C : tensor<4xf32>, tensor<4xf32>", true},
    // In places of its own.
    {"%t = stablehlo.reverse C, dims = [0] : tensor<4xf32>\n"
     "%y = stablehlo.multiply %a, %t : tensor<4xf32>\n"
     "%z = stablehlo.add %b, C : tensor<4xf32>\n"
     "stablehlo.return %y, %z : tensor<4xf32>, tensor<4xf32>",
     true},
    // It moves to the right, and out.
    {"%v = stablehlo.slice %b [0:3] : (tensor<4xf32>) -> tensor<3xf32>\n"
     "%f = stablehlo.slice C [1:2] : (tensor<4xf32>) -> tensor<1xf32>\n"
     "%z = stablehlo.concatenate %f, %v, dim = 0 : (tensor<1xf32>, "
     "tensor<3xf32>) -> tensor<4xf32>\n"
     "stablehlo.return %b, %z : tensor<4xf32>, tensor<4xf32>",
     true},
    // The value is reversed in every step.
    {"%t = stablehlo.reverse %b, dims = [0] : tensor<4xf32>\n"
     "%f = stablehlo.slice C [1:2] : (tensor<4xf32>) -> tensor<1xf32>\n"
     "%v = stablehlo.slice %t [1:4] : (tensor<4xf32>) -> tensor<3xf32>\n"
     "%z = stablehlo.concatenate %f, %v, dim = 0 : (tensor<1xf32>, "
     "tensor<3xf32>) -> tensor<4xf32>\n"
     "stablehlo.return %z, %z : tensor<4xf32>, tensor<4xf32>",
     false},
};

std::string withC(std::string text, const std::string &name) {
  for (size_t at; (at = text.find('C')) != std::string::npos;)
    text.replace(at, 1, name);
  return text;
}

std::string scanOf(const Body &body, bool captures, bool reverse, int steps) {
  const std::string n = std::to_string(steps);
  const std::string input = "tensor<" + n + "x4xf32>";
  const std::string slice = "tensor<4xf32>";
  return "func.func @main(%x: " + input + ", %i: " + slice + ", %c: " + slice +
         ") -> (" + input + ", " + slice + ") {\n" +
         (captures ? ""
                   : "%k = stablehlo.broadcast_in_dim %c, dims = [1] : (" +
                         slice + ") -> " + input + "\n") +
         "%r:2 = chlo.scan(%x" + (captures ? "" : ", %k") +
         ") inits (%i) dimension = 0 attributes {is_reverse = " +
         (reverse ? "true" : "false") + "} {\n^bb0(%a: " + slice +
         (captures ? "" : ", %d: " + slice) + ", %b: " + slice + "):\n" +
         withC(body.text, captures ? "%c" : "%d") + "\n} : (" + input +
         (captures ? "" : ", " + input) + ", " + slice + ") -> (" + input +
         ", " + slice + ")\nreturn %r#0, %r#1 : " + input + ", " + slice +
         "\n}\n";
}

TEST(CapturesTest, ScanHasThemAtEveryStep) {
  for (const Body &body : kBodies)
    for (bool reverse : {false, true})
      for (int steps : {1, 2, 3, 7}) {
        const Program captured = imported(scanOf(body, true, reverse, steps));
        const Program given = imported(scanOf(body, false, reverse, steps));
        ASSERT_FALSE(captured.modules.empty() || given.modules.empty());
        SCOPED_TRACE(scanOf(body, true, reverse, steps));
        ProgramIndexing maps(captured.modules[0]), same(given.modules[0]);
        for (int64_t r : {0, 1})
          for (int32_t p : {0, 1, 2})
            for (Direction direction :
                 {Direction::OutputToInput, Direction::InputToOutput}) {
              auto found =
                  maps.computation(captured.modules[0].entry, LeafId(r),
                                   ParameterLeaf{p}, direction);
              auto expected =
                  same.computation(given.modules[0].entry, LeafId(r),
                                   ParameterLeaf{p}, direction);
              ASSERT_TRUE(found.ok()) << found.status();
              ASSERT_TRUE(expected.ok()) << expected.status();
              auto shapeOf = [&](bool result) {
                const bool whole = result ? r == 0 : p == 0;
                return whole ? ArrayShape(ElementType::F32, {steps, 4})
                             : ArrayShape(ElementType::F32, {4});
              };
              const bool down = direction == Direction::OutputToInput;
              const auto pairs = pairsOf(*found, shapeOf(down), shapeOf(!down));
              const auto wanted =
                  pairsOf(*expected, shapeOf(down), shapeOf(!down));
              if (body.settles) {
                EXPECT_EQ(found->precision(), Precision::Exact);
                EXPECT_TRUE(pairs == wanted)
                    << "result " << r << ", operand " << p;
              } else {
                // The cover contains the exact answer of three steps.
                EXPECT_TRUE(std::includes(pairs.begin(), pairs.end(),
                                          wanted.begin(), wanted.end()));
              }
            }
      }
}

TEST(CapturesTest, ScanOfSizesThatAreNotKnown) {
  const Program program = imported(R"(
func.func @main(%x: tensor<?x4xf32>, %i: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<?x4xf32> {
  %r:2 = chlo.scan(%x) inits (%i) dimension = 0 {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    %y = stablehlo.add %a, %c : tensor<4xf32>
    stablehlo.return %y, %b : tensor<4xf32>, tensor<4xf32>
  } : (tensor<?x4xf32>, tensor<4xf32>) -> (tensor<?x4xf32>, tensor<4xf32>)
  return %r#0 : tensor<?x4xf32>
}
)");
  // The size of the result is that of the input.
  EXPECT_EQ(reads(program, "main", 0, 2),
            "cover; (d0, d1){rt0} -> (d1), domain: d0 in [0, inf], d1 in [0, "
            "3], rt0 in [1, inf], d0 - rt0 in [-inf, -1]");
}

/// Only elements that an update lands on read the captured values.
TEST(CapturesTest, ScatterUsesThemWhereAnUpdateLands) {
  auto scatter = [](const std::string &value) {
    return imported(R"(
func.func @main(%x: tensor<8xf32>, %i: tensor<3x1xi32>, %u: tensor<3xf32>, %c: tensor<f32>, %w: tensor<5xf32>) -> tensor<8xf32> {
  %r = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.multiply %b, %c : tensor<f32>
    %t = stablehlo.add )" +
                    value +
                    R"(, %s : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
)");
  };
  const Program adds = scatter("%a");
  // The update computation reads the element: the input is kept for certain.
  EXPECT_EQ(reads(adds, "main", 0, 0),
            "exact; (d0) -> (d0), domain: d0 in [0, 7]");
  EXPECT_EQ(reads(scatter("%b"), "main", 0, 0),
            "cover; (d0) -> (d0), domain: d0 in [0, 7]");
  EXPECT_EQ(reads(adds, "main", 0, 3),
            "exact; (d0)[s0]{rt0} -> (), domain: d0 in [0, 7], s0 in [0, 2], "
            "rt0 in [0, 7], d0 - rt0 in [0, 0]");
  EXPECT_EQ(reads(adds, "main", 0, 3, Direction::InputToOutput),
            "exact; ()[s0]{rt0} -> (rt0), domain: s0 in [0, 2], rt0 in [0, 7]");
}

/// A size that only the op itself has is its result's, not that of what it
/// captures.
TEST(CapturesTest, SizesOfResultsAreTheirOwn) {
  const Program program = imported(R"(
func.func @main(%x: tensor<?xf32>, %z: tensor<f32>, %c: tensor<f32>) -> tensor<?xf32> {
  %r = "stablehlo.reduce_window"(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %b, %c : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 2>, base_dilations = array<i64: 2>} : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
)");
  ASSERT_EQ(program.modules.size(), 1u);
  const Module &module = program.modules[0];
  const Computation &main = module.computations[0];
  ProgramIndexing maps(module);
  for (int64_t operand : {0, 1, 2}) {
    auto relation = maps.instruction({ComputationId(0), main.find("r")},
                                     LeafId(operand), Direction::OutputToInput);
    ASSERT_TRUE(relation.ok()) << relation.status();
    bool isNamed = false;
    for (const IndexingMap &piece : relation->pieces())
      for (const RuntimeVariable &variable : piece.runtime()) {
        const Value &value = maps.value(variable.source.tensor);
        const llvm::StringRef name = main.instructions[value.instruction].name;
        EXPECT_TRUE(name == "r" || name == "x") << name.str();
        isNamed |= name == "r";
      }
    EXPECT_TRUE(isNamed) << operand;
  }
}

}  // namespace
}  // namespace indexical::testing
