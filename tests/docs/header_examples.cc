// The C++ examples of the headers of indexing/, simplifier/, exact/, module/
// and ops/: each stands here, line by line (tests/docs/header_examples_test.py
// compares), and runs.
#include "tests/docs/header_examples.h"

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/exact/exact.h"
#include "indexical/exact/exact_prover.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/budget.h"
#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/access.h"
#include "indexical/ops/core/family.h"
#include "indexical/ops/op.h"
#include "indexical/ops/op_interface.h"
#include "indexical/ops/products/contraction.h"
#include "indexical/ops/size_classes.h"
#include "indexical/ops/violation.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/module/module_builder.h"
#include "indexical/program/module/shared_shape.h"
#include "indexical/simplifier/explanation.h"
#include "indexical/simplifier/simplify.h"
#include "indexical/simplifier/variable_bounds.h"
#include "indexical/simplifier/workspace.h"

namespace indexical {
namespace {

//===-- indexing/ ---------------------------------------------------------===//

TEST(HeaderExamples, Arithmetic) {
  checkedAdd(INT64_MAX, 1);  // nothing
  checkedMul(-3, 4);         // -12
  floorDiv(-1, 8);           // -1
  ceilDiv(-1, 8);            // 0
  floorMod(-1, 8);           // 7
  EXPECT_EQ(checkedAdd(INT64_MAX, 1), std::nullopt);
  EXPECT_EQ(checkedMul(-3, 4), -12);
  EXPECT_EQ(floorDiv(-1, 8), -1);
  EXPECT_EQ(ceilDiv(-1, 8), 0);
  EXPECT_EQ(floorMod(-1, 8), 7);
}

TEST(HeaderExamples, Evaluation) {
  ExpressionPool table;
  const FormId d0 = table.variable({VariableKind::Dimension, 0}),
               d1 = table.variable({VariableKind::Dimension, 1});
  const FormId form = table.linear(
      {{table.floorDivBy(table.linear({{d0, 8}, {d1, 1}}, 0), 4), 1}}, 3);
  // The form of (d0 * 8 + d1) floordiv 4 + 3, where d0 is 2 and d1 is 3.
  auto variable = [](VariableId id) { return id.index + 2; };
  Evaluation value(table, variable);
  value(form);  // 7
  EXPECT_EQ(value(form), 7);
}

absl::Status checkRank(const IndexingMap &map, size_t rank) {
  if (map.dimensions().size() == rank) return absl::OkStatus();
  return absl::InvalidArgumentError("another rank");
}

absl::StatusOr<IndexingMap> rowOf(llvm::StringRef text) {
  INDEXICAL_ASSIGN_OR_RETURN(IndexingMap map, parseMap(text));
  INDEXICAL_RETURN_IF_ERROR(checkRank(map, 2));
  return map;
}

TEST(HeaderExamples, StatusMacros) {
  EXPECT_TRUE(
      rowOf("(d0, d1) -> (d1), domain: d0 in [0, 3], d1 in [0, 7]").ok());
  EXPECT_EQ(rowOf("(d0) -> (d0), domain: d0 in [0, 3]").status().message(),
            "another rank");
  EXPECT_FALSE(rowOf("(d0 -> ").ok());
}

TEST(HeaderExamples, MapBuilder) {
  // A reshape of f32[4,8] to f32[32], from output to input.
  IndexingMapBuilder b;
  Expr d0 = b.dimension({0, 31});
  b.result(floorDiv(d0, 8));
  b.result(mod(d0, 8));
  absl::StatusOr<IndexingMap> map = b.build();
  // (d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(map->strOneLine(),
            "(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]");
}

//===-- simplifier/ and exact/ --------------------------------------------===//

TEST(HeaderExamples, Explanation) {
  const IndexingMap map = mapOf(
      "(d0, d1) -> ((d0 * 8 + d1) floordiv 8), domain: d0 in [0, 3], d1 in "
      "[0, 7]");
  std::vector<Rewrite> rewrites;
  SimplifyOptions options;
  options.rewrites = &rewrites;
  // (d0 * 8 + d1) floordiv 8 on d0 in [0, 3], d1 in [0, 7]
  auto simple = simplify(map, options);
  ASSERT_EQ(rewrites.size(), 1u);
  EXPECT_EQ(rewrites[0].before, "(d0 * 8 + d1) floordiv 8");
  EXPECT_EQ(rewrites[0].after, "d0");
  EXPECT_EQ(rewrites[0].rule, "an index, cut at its strides");
  EXPECT_EQ(rewrites[0].because, "d0 in [0, 3], d1 in [0, 7]");
}

TEST(HeaderExamples, VariableBounds) {
  VariableBounds box;
  box.variables[0] = {{0, 3}, {0, 7}};  // d0 in [0, 3], d1 in [0, 7]
  Interval d1 = box[{VariableKind::Dimension, 1}];  // [0, 7]
  EXPECT_EQ(d1, (Interval{0, 7}));
}

TEST(HeaderExamples, Kept) {
  const ExpressionPool *first = nullptr;
  {
    Kept<ExpressionPool> pool;  // the thread's, or a new one
    pool->variable({VariableKind::Dimension, 0});
    // At the end of the scope the thread gets it back, cleared.
    first = pool.get();
  }
  const Kept<ExpressionPool> again;
  EXPECT_EQ(again.get(), first);
  EXPECT_EQ(again->formCount(), 0u);
}

TEST(HeaderExamples, Workspace) {
  VariableBounds box;
  box.variables[0] = {{0, 3}};
  Workspace workspace;             // the thread's, or a new one
  workspace.forms().restart(box);  // forms on a box, in its pool
  const FormId d0 = workspace.forms().variable({VariableKind::Dimension, 0});
  EXPECT_EQ(workspace.forms().bounds(d0), (Interval{0, 3}));
}

TEST(HeaderExamples, ExactProver) {
  const IndexingMap map =
      mapOf("(d0) -> (d0), domain: d0 in [0, 9], (d0 * d0) mod 3 in [2, 2]");
  const Module module;
  ExactProver prover;
  SimplifyOptions options;
  options.prover = &prover;
  auto simple = simplify(map, options);
  ProgramIndexing maps(module, &prover);
  EXPECT_TRUE(simple->isKnownEmpty());
}

TEST(HeaderExamples, Budget) {
  const IndexingRelation a(mapOf("(d0) -> (d0 mod 8), domain: d0 in [0, 31]"));
  const IndexingRelation b = a;
  Stop stop;
  stop.endAfter(std::chrono::seconds(10));
  ExactOptions options;
  options.operations = 50'000;  // for each question; else its usual number
  options.stop = &stop;
  auto decision = areEqual(a, b, options);
  ASSERT_TRUE(decision.ok());
  EXPECT_EQ(decision->answer, Answer::Yes);
}

TEST(HeaderExamples, ExactOptions) {
  const IndexingRelation a(mapOf("(d0) -> (d0 mod 8), domain: d0 in [0, 31]"));
  const IndexingRelation b = a;
  ExactOptions options;
  options.operations = 10'000;  // where they end, the answer is undecided
  options.isl = false;
  auto same = areEqual(a, b, options);
  ASSERT_TRUE(same.ok());
  EXPECT_EQ(same->answer, Answer::Yes);
}

//===-- ops/ --------------------------------------------------------------===//

TEST(HeaderExamples, Descriptor) {
  TransposeOp t;  // a descriptor, still to be filled in
  t.operands = {ArrayShape(ElementType::F32, {2, 3})};
  t.results = {ArrayShape(ElementType::F32, {3, 2})};
  t.permutation = {1, 0};
  Op a = t, b = t;
  bool same = a == b;                                   // true: one object
  int64_t first = a.as<TransposeOp>()->permutation[0];  // 1
  const ReshapeOp *none = a.as<ReshapeOp>();            // null
  KernelRole role = traitsOf(a).role;                   // KernelRole::Maps
  EXPECT_TRUE(same);
  EXPECT_EQ(first, 1);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(role, KernelRole::Maps);
}

TEST(HeaderExamples, Op) {
  TransposeOp op;
  op.operands = {ArrayShape(ElementType::F32, {3, 12288, 6, 128})};
  op.results = {ArrayShape(ElementType::F32, {3, 6, 128, 12288})};
  op.permutation = {0, 2, 3, 1};
  absl::Status valid = verify(op);  // OK
  // What result 0 reads of operand 0:
  auto reads = indexing(op, Direction::OutputToInput, 0, 0);
  // (d0, d1, d2, d3) -> (d0, d3, d1, d2), domain: d0 in [0, 2], …
  EXPECT_TRUE(valid.ok()) << valid;
  EXPECT_EQ(oneLine(reads),
            "(d0, d1, d2, d3) -> (d0, d3, d1, d2), domain: d0 in [0, 2], d1 in "
            "[0, 5], d2 in [0, 127], d3 in [0, 12287]");
}

TEST(HeaderExamples, Access) {
  class Diagonal : public AccessMaps {  // f32[n, n] -> f32[n]
    absl::Status describe(const OpShapes &shapes, int64_t, int64_t,
                          AccessList &list) const override {
      Access &access = list.add();
      const Expr l = access.loop({0, shapes.results[0].dimensions[0] - 1});
      access.result = {l};
      access.operand = {l, l};
      return absl::OkStatus();
    }
  };
  // output to input   (d0) -> (d0, d0)
  // input to output   (d0, d1) -> (d0), d0 - d1 in [0, 0]
  CustomOp op;
  op.operands = {ArrayShape(ElementType::F32, {4, 4})};
  op.results = {ArrayShape(ElementType::F32, {4})};
  op.maps = std::make_shared<Diagonal>();
  EXPECT_EQ(oneLine(indexing(op, Direction::OutputToInput, 0, 0)),
            "(d0) -> (d0, d0), domain: d0 in [0, 3]");
  EXPECT_EQ(oneLine(indexing(op, Direction::InputToOutput, 0, 0)),
            "(d0, d1) -> (d0), domain: d0 in [0, 3], d1 in [0, 3], d0 - d1 in "
            "[0, 0]");
}

TEST(HeaderExamples, ModuleBuilder) {
  const ArrayShape row(ElementType::F32, {4});
  ElementwiseOp negate;
  negate.opKind = kindOf<ElementwiseOp>("negate");
  ModuleBuilder module("m");
  ComputationBuilder f = module.computation("f");
  const auto p = f.parameter(row, "p");
  f.root(f.add(negate, {p}, "r"));
  ComputationBuilder main = module.entry("main");
  const auto x = main.parameter(row, "x");
  main.root(main.fusion(f, {x}, "kLoop", "y"));
  absl::StatusOr<Program> program = module.build();
  ASSERT_TRUE(program.ok()) << program.status();
  ProgramIndexing maps(*std::move(program));
  EXPECT_EQ(oneLine(maps.computation(main.id(), LeafId(0), ParameterLeaf{0},
                                     Direction::OutputToInput)),
            "(d0) -> (d0), domain: d0 in [0, 3]");
}

/// As in examples/custom_op.cc.
class Rotate : public AccessMaps {
 public:
  explicit Rotate(int64_t shift) : shift_(shift) {}
  absl::Status describe(const OpShapes &shapes, int64_t, int64_t,
                        AccessList &list) const override {
    const int64_t size = shapes.results[0].dimensions[0];
    Access &access = list.add();
    access.result = access.loopsOver(shapes.results[0]);
    access.operand = {mod(access.result[0] + shift_, size)};
    return absl::OkStatus();
  }

 private:
  int64_t shift_;
};

TEST(HeaderExamples, OpInterface) {
  CustomOp op;
  op.operands = {ArrayShape(ElementType::F32, {8})};
  op.results = op.operands;
  op.maps = std::make_shared<Rotate>(3);  // examples/custom_op.cc
  auto reads = indexing(op, Direction::OutputToInput, 0, 0);
  // (d0) -> ((d0 + 3) mod 8)
  EXPECT_EQ(oneLine(reads), "(d0) -> ((d0 + 3) mod 8), domain: d0 in [0, 7]");
}

TEST(HeaderExamples, Shape) {
  const ArrayShape x(ElementType::F32, {2}), y(ElementType::F32, {3}),
      z(ElementType::F32, {4});
  ShapeList a = {x, y}, b = a;  // one x, one y
  b.mutableAt(0) = z;           // a: x, y   b: z, y
  EXPECT_EQ(a[0].str(), "f32[2]");
  EXPECT_EQ(a[1].str(), "f32[3]");
  EXPECT_EQ(b[0].str(), "f32[4]");
  EXPECT_EQ(b[1].str(), "f32[3]");
}

TEST(HeaderExamples, SharedShape) {
  SharedShape a = Shape::ofArray(ArrayShape(ElementType::F32, {2, 3}));
  SharedShape b = a;                  // 16 bytes; *a and *b are one object
  bool isArray = b->isArray();        // true
  size_t leaves = b.leaves().size();  // 1; found once, for a and for b
  EXPECT_EQ(sizeof b, 16u);
  EXPECT_EQ(&*a, &*b);
  EXPECT_TRUE(isArray);
  EXPECT_EQ(leaves, 1u);
  EXPECT_TRUE(a.leaves().sharesWith(b.leaves()));
  EXPECT_EQ(SharedShape()->str(), "f32[]");
}

absl::Status checkUniqueExample(llvm::ArrayRef<int64_t> values) {
  return Broken("C4") << Name{"dimensions", "broadcast_dimensions"}
                      << " must not repeat an entry, but " << values << " has "
                      << 1 << " twice";
}

TEST(HeaderExamples, SizeClasses) {
  SizeClasses sizes;
  const size_t a = sizes.add({});                   // ?
  const size_t b = sizes.add({/*size=*/8, false});  // at most 8
  const size_t c = sizes.add({/*size=*/4, true});   // 4
  sizes.join(a, b);                                 // a is at most 8
  EXPECT_EQ(sizes.known(a).size, 8);
  sizes.join(c, b);  // all three are 4
  EXPECT_TRUE(sizes.known(a).fixed);
  EXPECT_EQ(sizes.known(a).size, 4);
  sizes.first(c);  // a
  EXPECT_EQ(sizes.first(c), a);
}

TEST(HeaderExamples, Violation) {
  const absl::Status status = checkUniqueExample({1, 1});
  EXPECT_EQ(status.message(),
            "dimensions must not repeat an entry, but {1, 1} has 1 twice (C4)");
  const auto violation = violationOf(status);
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->rule, "C4");
  EXPECT_EQ(violation->sentence,
            "broadcast_dimensions must not repeat an entry, but [1, 1] has 1 "
            "twice");
}

}  // namespace

namespace families {
namespace {

Answer transposed(const Sides &sides) {
  // transpose, permutation {1, 2, 0}
  return sides.sharing({{0, 1}, {1, 2}, {2, 0}});
  // output to input   (d0, d1, d2) -> (d2, d0, d1)
  // input to output   (d0, d1, d2) -> (d1, d2, d0)
}

TEST(HeaderExamples, Family) {
  const ArrayShape operand(ElementType::F32, {4, 2, 3}),
      result(ElementType::F32, {2, 3, 4});
  EXPECT_EQ(oneLine(transposed({Direction::OutputToInput, result, operand})),
            "(d0, d1, d2) -> (d2, d0, d1), domain: d0 in [0, 1], d1 in [0, 2], "
            "d2 in [0, 3]");
  EXPECT_EQ(oneLine(transposed({Direction::InputToOutput, result, operand})),
            "(d0, d1, d2) -> (d1, d2, d0), domain: d0 in [0, 3], d1 in [0, 1], "
            "d2 in [0, 2]");
}

TEST(HeaderExamples, Contraction) {
  DotOp op;
  op.operands = {ArrayShape(ElementType::F32, {4, 128, 256}),
                 ArrayShape(ElementType::F32, {4, 256, 64})};
  op.results = {ArrayShape(ElementType::F32, {4, 128, 64})};
  op.lhsBatch = {0};
  op.rhsBatch = {0};
  op.lhsContracting = {2};
  op.rhsContracting = {1};
  Contraction contraction(op, op);
  ContractionMap map(contraction);
  map.from(contraction.result);
  map.to(contraction.operands[0]);  // (d0, d1, d2)[s0] -> (d0, d1, s0)
  EXPECT_EQ(map.builder.build()->strOneLine(),
            "(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 3], d1 in "
            "[0, 127], d2 in [0, 63], s0 in [0, 255]");
}

}  // namespace
}  // namespace families
}  // namespace indexical
