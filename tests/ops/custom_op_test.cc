// Ops of others: what their maps are held to, and custom calls whose targets
// are registered.
#include <memory>
#include <string>

#include "gtest/gtest.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "indexical/ops/op.h"
#include "indexical/program/module/custom_calls.h"
#include "tests/support/delegated_op.h"
#include "tests/support/program_reads.h"

namespace indexical::testing {
namespace {

/// An op with the map that it is given.
class Fixed : public OpInterface {
 public:
  explicit Fixed(absl::StatusOr<IndexingMap> map) : map(std::move(map)) {}
  absl::Status verify(const OpShapes &) const override {
    return absl::OkStatus();
  }
  absl::StatusOr<IndexingRelation> outputToInput(const OpShapes &, int64_t,
                                                 int64_t) const override {
    return map.ok() ? absl::StatusOr<IndexingRelation>(IndexingRelation(*map))
                    : map.status();
  }
  absl::StatusOr<IndexingRelation> inputToOutput(
      const OpShapes &shapes, int64_t result, int64_t operand) const override {
    return outputToInput(shapes, result, operand);
  }
  absl::StatusOr<IndexingMap> map;
};

std::string answerOf(absl::StatusOr<IndexingMap> map) {
  CustomOp op;
  op.operands = {ArrayShape(ElementType::F32, {8}),
                 ArrayShape(ElementType::S32, {2, 3})};
  op.results = {ArrayShape(ElementType::F32, {4})};
  op.maps = std::make_shared<Fixed>(std::move(map));
  EXPECT_TRUE(verify(op).ok());
  auto answer = indexing(op, Direction::OutputToInput, 0, 0);
  return answer.ok() ? textOf(*answer) : std::string(answer.status().message());
}

/// `(d0){rt0} -> (d0 + rt0)` with this source.
absl::StatusOr<IndexingMap> withSource(RuntimeSource source,
                                       size_t indexSize = 0) {
  IndexingMapBuilder b;
  const Expr d = b.dimension({0, 3});
  RuntimeVariable variable;
  variable.bounds = {0, 4};
  variable.clamped = true;
  variable.source = source;
  for (size_t k = 0; k < indexSize; ++k)
    variable.index.push_back(b.pool().constantForm(0));
  b.result(d + b.runtime(std::move(variable)));
  return b.build();
}

TEST(CustomOpTest, MapsAreChecked) {
  EXPECT_EQ(answerOf(parseMap("(d0) -> (d0 * 2), domain: d0 in [0, 3]")),
            "exact:\n  (d0) -> (d0 * 2), domain: d0 in [0, 3]");
  EXPECT_EQ(answerOf(absl::InvalidArgumentError("no idea")), "no idea");
  EXPECT_EQ(answerOf(parseMap("(d0, d1) -> (d0), domain: d0 in [0, 3], "
                              "d1 in [0, 3]")),
            "the maps of a custom op are wrong: a map from f32[4] to f32[8] "
            "has 2 dimensions and 1 result");
  EXPECT_EQ(answerOf(parseMap("(d0) -> (d0, d0), domain: d0 in [0, 3]")),
            "the maps of a custom op are wrong: a map from f32[4] to f32[8] "
            "has 1 dimension and 2 results");
  using Kind = RuntimeSource::Kind;
  const std::string fine =
      "exact:\n  (d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], "
      "rt0 in [0, 4]";
  EXPECT_EQ(answerOf(withSource({Kind::None})), fine);
  EXPECT_EQ(answerOf(withSource({Kind::Element, 1}, 2)), fine);
  EXPECT_EQ(answerOf(withSource({Kind::Size, 1, 1})), fine);
  EXPECT_EQ(answerOf(withSource({Kind::Element, 2}, 2)),
            "the maps of a custom op are wrong: a runtime variable has its "
            "source in operand 2; the op has 2 operands");
  EXPECT_EQ(answerOf(withSource({Kind::Element, -1}, 2)),
            "the maps of a custom op are wrong: a runtime variable has its "
            "source in operand -1; the op has 2 operands");
  EXPECT_EQ(answerOf(withSource({Kind::Element, 1}, 1)),
            "the maps of a custom op are wrong: a runtime variable is an "
            "element of operand 1, s32[2,3], with an index of 1 numbers");
  EXPECT_EQ(answerOf(withSource({Kind::Size, 1, 2})),
            "the maps of a custom op are wrong: a runtime variable is the "
            "size of dimension 2 of operand 1, s32[2,3]");
  EXPECT_EQ(answerOf(withSource({Kind::GroupPosition, 0})),
            "the maps of a custom op are wrong: a runtime variable is of a "
            "collective");
}

TEST(CustomOpTest, NoMapsIsAnError) {
  const CustomOp op;
  EXPECT_EQ(verify(op).message(), "a custom op has no maps");
}

// Tensors without elements are answered before the maps are asked.
TEST(CustomOpTest, NothingReadsATensorWithoutElements) {
  CustomOp op;
  op.operands = {ArrayShape(ElementType::F32, {0})};
  op.results = {ArrayShape(ElementType::F32, {4})};
  op.maps = std::make_shared<Fixed>(absl::InvalidArgumentError("not asked"));
  auto answer = indexing(op, Direction::OutputToInput, 0, 0);
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(textOf(*answer), "exact:");
}

//===-- Custom calls ------------------------------------------------------===//

/// A few targets.
const CustomCallRegistry &registry() {
  static const CustomCallRegistry *made = [] {
    auto *calls = new CustomCallRegistry();
    calls->add("flatten", [](const CustomCall &) { return Op(ReshapeOp()); });
    calls->add("slice", [](const CustomCall &call) {
      DynamicSliceOp op;
      for (int64_t size : call.result.array.dimensions)
        op.sizes.push_back(size);
      return Op(delegated(op));
    });
    calls->add("choose",
               [](const CustomCall &) { return Op(ConditionalOp()); });
    calls->add("start", [](const CustomCall &) {
      StartOp op;
      op.inner = CallOp();
      return Op(op);
    });
    calls->add("call", [](const CustomCall &) { return Op(CallOp()); });
    calls->add("echo", [](const CustomCall &call) -> absl::StatusOr<Op> {
      return absl::InvalidArgumentError(
          call.target.str() + "|" + call.backendConfig + "|" +
          call.attribute("api_version").str() + "|" +
          std::to_string(call.operands.size()));
    });
    return calls;
  }();
  return *made;
}

absl::StatusOr<Program> parse(const std::string &text) {
  HloOptions options;
  options.customCalls = &registry();
  return parseHlo(text, "", options);
}

std::string rootReads(const std::string &text, int32_t parameter = 0) {
  auto program = parse(text);
  if (!program.ok()) return std::string(program.status().message());
  const Module &module = program->modules[0];
  ProgramIndexing maps(module);
  auto relation = maps.computation(module.entry, LeafId(0),
                                   ParameterLeaf{parameter}, kReads);
  if (!relation.ok()) return std::string(relation.status().message());
  std::string text2 = textOf(*relation);
  for (const IndexingMap &piece : relation->pieces())
    for (const RuntimeVariable &variable : piece.runtime()) {
      const Value &value = maps.value(variable.source.tensor);
      text2 += "\n  from " + module.computations[value.computation]
                                 .instructions[value.instruction]
                                 .name.str();
    }
  return text2;
}

TEST(CustomOpTest, ATargetBecomesAnOpOfTheLibrary) {
  EXPECT_EQ(rootReads(R"(e { p = f32[4,6] parameter(0)
  f = f32[24] custom-call(p), custom_call_target="flatten"
  ROOT r = f32[4,6] reshape(f) })"),
            "exact:\n  (d0, d1) -> (d0, d1), domain: d0 in [0, 3], "
            "d1 in [0, 5]");
}

// Its runtime variables have their sources among the operands.
TEST(CustomOpTest, ATargetBecomesAnOpOfOnesOwn) {
  EXPECT_EQ(rootReads(R"(e { p = f32[100] parameter(0)  i = s32[] parameter(1)
  j = s32[] negate(i)
  s = f32[50] dynamic-slice(p, i), dynamic_slice_sizes={50}
  ROOT r = f32[10] custom-call(s, j), custom_call_target="slice" })"),
            "exact:\n  (d0){rt0, rt1} -> (d0 + rt0 + rt1), domain: "
            "d0 in [0, 9], rt0 in [0, 50], rt1 in [0, 40]"
            "\n  from i\n  from j");
}

TEST(CustomOpTest, OtherTargetsStayOpaque) {
  EXPECT_EQ(rootReads(R"(e { p = f32[4] parameter(0)
  ROOT r = f32[4] custom-call(p), custom_call_target="flattened" })"),
            "opaque:\n  (d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 3]");
}

TEST(CustomOpTest, TheAsyncFormHasTheMapsToo) {
  EXPECT_EQ(rootReads(R"(e { p = f32[4,6] parameter(0)
  s = ((f32[4,6]), f32[24], s32[]) custom-call-start(p),
    custom_call_target="flatten"
  ROOT r = f32[24] custom-call-done(s) })"),
            "exact:\n  (d0) -> (d0 floordiv 6, d0 mod 6), domain: "
            "d0 in [0, 23]");
}

// A target that calls a computation is composed through it, and checked.
TEST(CustomOpTest, ATargetMayCall) {
  const std::string f =
      "HloModule m\nf { a = f32[4] parameter(0)\n  ROOT r = f32[4] "
      "reverse(a), dimensions={0} }\n";
  EXPECT_EQ(rootReads(f + R"(ENTRY e { p = f32[4] parameter(0)
  ROOT r = f32[4] custom-call(p), custom_call_target="call", to_apply=f })"),
            "exact:\n  (d0) -> (-d0 + 3), domain: d0 in [0, 3]");
  EXPECT_EQ(rootReads(f + R"(ENTRY e { p = f32[5] parameter(0)
  ROOT r = f32[4] custom-call(p), custom_call_target="call", to_apply=f })"),
            "parameter 0 of `f` is f32[4], `r` hands it f32[5]");
}

// A target may need attributes that its instruction lacks: this is an error.
TEST(CustomOpTest, TargetsThatDoNotFitTheirInstruction) {
  const std::string f =
      "HloModule m\nf { a = f32[4] parameter(0)\n  ROOT r = f32[4] copy(a) }\n"
      "ENTRY e { i = s32[] parameter(0)  p = f32[4] parameter(1)\n";
  EXPECT_EQ(rootReads(f + R"(  ROOT r = f32[4] custom-call(i, p),
    custom_call_target="choose", branch_computations={f, f, f} })"),
            "`r` has 3 branches, and operands for 1 of them");
  EXPECT_EQ(rootReads(f + R"(  ROOT r = f32[4] custom-call(i, p),
    custom_call_target="choose", branch_computations={f} })"),
            "exact:\n  (d0) -> (), domain: d0 in [0, 3]");
  EXPECT_EQ(rootReads(f + R"(  ROOT r = f32[4] custom-call(i, p),
    custom_call_target="start", calls=f })"),
            "the op that is started has 0 operands and 0 results, which do not "
            "fit into 2 and 1, the first 0 forwarded");
}

TEST(CustomOpTest, ErrorsOfATargetStandAtTheOpcode) {
  auto program = parse(R"(
e { p = f32[4] parameter(0)
  ROOT r = f32[4] custom-call(p, p), custom_call_target="echo",
    api_version=API_VERSION_STATUS_RETURNING,
    backend_config="{\"a\": \"b\\c\"}" })");
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.status().message(),
            "custom call to `echo`: echo|{\"a\": \"b\\c\"}|"
            "API_VERSION_STATUS_RETURNING|2");
  auto place = placeOf(program.status());
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->line, 3);
  EXPECT_EQ(place->column, 19);
  // Braces are passed on unchanged.
  EXPECT_EQ(rootReads("e { ROOT r = f32[4] custom-call(), "
                      "custom_call_target=\"echo\", backend_config={\"a\":1} "
                      "}"),
            "custom call to `echo`: echo|{\"a\":1}||0");
  // The op that the target makes is verified like any other.
  EXPECT_EQ(
      rootReads("e { p = f32[4] parameter(0)\n  ROOT r = f32[5] "
                "custom-call(p), custom_call_target=\"flatten\" }"),
      std::string(parseHlo("e { p = f32[4] parameter(0)\n  ROOT r = f32[5] "
                           "reshape(p) }")
                      .status()
                      .message()));
}

}  // namespace
}  // namespace indexical::testing
