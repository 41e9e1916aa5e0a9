// The C++ examples of the headers of import/hlo, program/, cost/, same/ and
// answers/: each stands here, line by line (tests/docs/header_examples_test.py
// compares), and runs.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers.h"
#include "indexical/answers/reshard/reshard.h"
#include "indexical/cost/memory/access.h"
#include "indexical/cost/memory/device.h"
#include "indexical/cost/memory/traffic.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/hlo/lexer.h"
#include "indexical/import/hlo/source.h"
#include "indexical/indexical.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/module/custom_calls.h"
#include "indexical/same/solver/solver.h"
#include "indexical/same/terms/program_terms.h"
#include "tests/docs/header_examples.h"

namespace indexical {
namespace {

TEST(HeaderExamples, Answers) {
  auto program = parseHlo(
      "f { p = f32[4,8] parameter(0)\n"
      "    ROOT t = f32[8,4] transpose(p), dimensions={1,0} }");
  ReportQuestion question;
  question.device = findDevice("a100");
  auto measured = measure(*std::move(program), question);
  auto report = reportOf(*std::move(measured), question);
  size_t kernels = report->rows.kernels.size();  // 1
  EXPECT_EQ(kernels, 1u);
}

//===-- hlo/ and program/ -------------------------------------------------===//

TEST(HeaderExamples, HloParser) {
  auto program =
      parseHlo("f { p = f32[4] parameter(0) ROOT r = f32[4] negate(p) }");
  const Computation &f = program->modules[0].computations[0];
  llvm::StringRef name = f.instructions[1].name;  // "r"
  EXPECT_EQ(name, "r");
}

TEST(HeaderExamples, StackFrames) {
  StackFrames frames;
  int32_t step = frames.add({"model.py", "step", 12});
  int32_t dense = frames.add({"layer.py", "dense", 80, step});
  std::string stack;
  for (const StackFrame &frame : frames.stackFrom(dense))
    stack += frame.str() + "; ";
  // "layer.py:80 in dense; model.py:12 in step; "
  EXPECT_EQ(stack, "layer.py:80 in dense; model.py:12 in step; ");
}

TEST(HeaderExamples, Lexer) {
  Source source("");
  llvm::StringRef value;
  Lexer lexer(source, "%a.3 = f32[4] add(b, c), metadata={op_name=\"}\"}");
  llvm::StringRef name = lexer.takeName();  // a.3
  bool found = lexer.consume('=');          // true
  EXPECT_EQ(name, "a.3");
  EXPECT_TRUE(found);
  while (lexer.takeWord() != "metadata")
    lexer.setPosition(lexer.position() + 1);
  lexer.consume('=');
  lexer.takeValue(value);  // {op_name="}"}: brackets and quotes balanced
  EXPECT_EQ(value, "{op_name=\"}\"}");
}

bool parseOpcode(Lexer &lexer, Source &source) {
  if (!lexer.expect('=')) return false;
  const std::string name = lexer.takeName().str();
  return source.fail(name, "unknown opcode `" + name + "`", "add");
}

TEST(HeaderExamples, Source) {
  Source source("= ad(");
  Lexer lexer(source, source.text());
  EXPECT_FALSE(parseOpcode(lexer, source));
  EXPECT_EQ(source.error().message(), "unknown opcode `ad`");
  EXPECT_EQ(suggestionOf(source.error()), "add");
}

TEST(HeaderExamples, CustomCalls) {
  const std::string text =
      "f { x = f32[4,6] parameter(0)\n"
      "    ROOT r = f32[24] custom-call(x), custom_call_target=\"flatten\" }";
  CustomCallRegistry calls;
  calls.add("flatten", [](const CustomCall &) { return Op(ReshapeOp()); });
  HloOptions options;  // or MlirOptions, importMlir
  options.customCalls = &calls;
  auto program = parseHlo(text, "model.hlo", options);
  //   r = f32[24] custom-call(x), custom_call_target="flatten"
  //   is read as a reshape of x
  ASSERT_TRUE(program.ok()) << program.status();
  ProgramIndexing maps(program->modules[0]);
  EXPECT_EQ(
      oneLine(maps.computation(ComputationId(0), LeafId(0), ParameterLeaf{0},
                               Direction::OutputToInput)),
      "(d0) -> (d0 floordiv 6, d0 mod 6), domain: d0 in [0, 23]");
}

TEST(HeaderExamples, ProgramTerms) {
  auto first = parseHlo(
      "f { x = f32[4] parameter(0) y = f32[4] parameter(1)\n"
      "    ROOT r = f32[4] add(x, y) }");
  auto second = parseHlo(
      "f { p = f32[4] parameter(0) q = f32[4] parameter(1)\n"
      "    ROOT s = f32[4] multiply(q, p) }");
  ASSERT_TRUE(first.ok() && second.ok());
  const Module &a = first->modules[0], &b = second->modules[0];
  const InstructionId rootOfA(2), rootOfB(2);
  TermTable table;
  ProgramTerms before(a, table), after(b, table);
  // Whether the first results are known to read the same.
  bool same = before.of({rootOfA}).reads == after.of({rootOfB}).reads;
  EXPECT_TRUE(same);
  EXPECT_NE(before.of({rootOfA}).value, after.of({rootOfB}).value);
}

TEST(HeaderExamples, Ids) {
  auto program = parseHlo(
      "main { k = f32[8] parameter(0) v = s32[8] parameter(1)\n"
      "  ROOT sort = (f32[8], s32[8]) sort(k, v), dimensions={0} }");
  ASSERT_TRUE(program.ok()) << program.status();
  const Module &module = program->modules[0];
  const ComputationId main = module.find("main");
  const InstructionId sort = module.computations[main].find("sort");
  const Leaf keys = {main, sort};               // the first array
  const Leaf values = {main, sort, LeafId(1)};  // the second
  EXPECT_EQ(sort, 2);
  EXPECT_NE(keys, values);
  EXPECT_EQ(keys.leaf, 0);
  EXPECT_EQ(module.find("none"), -1);
}

TEST(HeaderExamples, ProgramIndexing) {
  auto program = parseHlo(
      "f { a = f32[4] parameter(0) b = f32[4] parameter(1)\n"
      "    p = f32[4] parameter(2) s = f32[4] add(b, p)\n"
      "    ROOT r = f32[4] reverse(s), dimensions={0} }");
  ASSERT_TRUE(program.ok()) << program.status();
  const Module &module = program->modules[0];
  const ComputationId c(0);
  const InstructionId i(3), from(4), to(1);
  ProgramIndexing maps(module);
  // What leaf 0 of instruction i reads of its operand leaf 1; a fusion or
  // call is composed through its computation.
  auto reads = maps.instruction({c, i}, LeafId(1), Direction::OutputToInput);
  // What leaf 0 of the root reads of leaf 0 of parameter 2.
  auto read = maps.computation(c, LeafId(0), ParameterLeaf{2},
                               Direction::OutputToInput);
  // What leaf 0 of `from` reads of leaf 0 of `to`, through all paths.
  auto along = maps.between({c, from}, {c, to}, Direction::OutputToInput);
  EXPECT_EQ(oneLine(reads), "(d0) -> (d0), domain: d0 in [0, 3]");
  EXPECT_EQ(oneLine(read), "(d0) -> (-d0 + 3), domain: d0 in [0, 3]");
  EXPECT_EQ(oneLine(along), "(d0) -> (-d0 + 3), domain: d0 in [0, 3]");
}

//===-- indexical.h -------------------------------------------------------===//

TEST(HeaderExamples, Umbrella) {
  auto first = parseMap("(d0) -> (d0 * 2), domain: d0 in [0, 3]");
  auto second = parseMap("(d0) -> (d0 floordiv 2), domain: d0 in [0, 7]");
  ASSERT_TRUE(first.ok() && second.ok());
  auto both = compose(*first, *second);
  ASSERT_TRUE(both.ok());
  std::string text = both->strOneLine();
  // (d0) -> (d0), domain: d0 in [0, 3]
  EXPECT_EQ(text, "(d0) -> (d0), domain: d0 in [0, 3]");
}

//===-- analysis/ ---------------------------------------------------------===//

TEST(HeaderExamples, Traffic) {
  const ArrayShape shape(ElementType::F32, {128, 64});
  KernelAccesses kernel;  // access.h
  kernel.launches.emplace_back().shape = shape;
  kernel.buffers.push_back(ArrayShape(ElementType::F32, {64, 128}));
  kernel.reads.emplace_back();
  kernel.reads[0].map.add(
      mapOf("(d0, d1) -> (d1, d0), domain: d0 in [0, 127], d1 in [0, 63]"));
  TrafficMeter meter(defaultDevice());
  KernelTraffic traffic = meter.measure(kernel);
  int64_t wasted = traffic.reads[0].figures->wastedBytes.most;  // 98304
  EXPECT_EQ(wasted, 98304);
}

TEST(HeaderExamples, Report) {
  auto program = parseHlo(
      "f { p = f32[64,128] parameter(0)\n"
      "ROOT t = f32[128,64] transpose(p), dimensions={1,0} }");
  const int64_t limit = 4096;
  std::string printed;
  llvm::raw_string_ostream os(printed);
  ReportQuestion question;
  question.device = findDevice("h100");
  auto measured = measure(*std::move(program), question);
  auto report = reportOf(*std::move(measured), question);
  for (const KernelRow &row : report->rows.kernels)
    if (row.sums.wastedLeast > limit)
      os << report->names().instructionOf(*row.kernel).name << ": "
         << row.sums.wastedLeast << " bytes\n";
  EXPECT_EQ(printed, "t: 98304 bytes\n");
}

TEST(HeaderExamples, Ask) {
  auto program =
      parseHlo("f { p = f32[2] parameter(0)\nROOT n = f32[2] negate(p) }");
  const ReportQuestion question;
  const Budget budget;
  MessageList messages;
  auto measured =
      measure(*std::move(program), question, {budget, /*jobs=*/8, messages});
  ASSERT_TRUE(measured.ok());
  EXPECT_EQ(measured->kernels.size(), 1u);
  EXPECT_TRUE(messages.messages.empty());
}

TEST(HeaderExamples, UsesOf) {
  auto program = parseHlo(
      "f { p = f32[64,64] parameter(0)\n"
      "ROOT s = f32[32,64] slice(p), slice={[0:64:2], [0:64]} }");
  UseQuestion question;
  question.tile = {8, 16};
  auto uses = usesOf(*program, question);
  ASSERT_TRUE(uses.ok()) << uses.status();
  const Footprint &ofP = uses->operands[0].use.footprint;  // 128 elements
  EXPECT_EQ(ofP.distinct, 128);
  EXPECT_EQ(uses->operands[0].name, "p");
}

TEST(HeaderExamples, SparsityOf) {
  auto program = parseHlo(
      "f { p = f32[6] parameter(0)\n"
      "a = f32[5] slice(p), slice={[0:5]}\nb = f32[5] slice(p), "
      "slice={[1:6]}\nROOT r = f32[5] subtract(a, b) }");
  SparsityQuestion question;
  auto found = sparsityOf(*program, question);
  int64_t entries = *found->jacobian.entries;  // 10 of 5 x 6
  int64_t products = found->ofColumns->count;  // 2 in place of 6
  EXPECT_EQ(entries, 10);
  EXPECT_EQ(products, 2);
}

TEST(HeaderExamples, EqualityOf) {
  auto before = parseHlo(
      "f { p = f32[2,3] parameter(0)\n"
      "ROOT t = f32[3,2] transpose(p), dimensions={1,0} }");
  auto after =
      parseHlo("f { p = f32[2,3] parameter(0)\nROOT r = f32[3,2] reshape(p) }");
  auto found = equalityOf(*before, *after);
  bool differ = found->verdict() == Verdict::Different;              // true
  auto index = found->same.reads.leaves[0].decision.witness->index;  // 0, 1
  EXPECT_TRUE(differ);
  EXPECT_EQ(index, (decltype(index){0, 1}));
}

/// Dumps that a compiler holds itself: the name of one is its text.
class DumpInMemory : public DumpText {
 public:
  explicit DumpInMemory(std::string text) : text_(std::move(text)) {}
  llvm::StringRef text() const override { return text_; }
  absl::StatusOr<Program> program() const override { return parseHlo(text_); }

 private:
  const std::string text_;
};

TEST(HeaderExamples, PassesOf) {
  const std::string head = "f { p = f32[2,3] parameter(0)\n";
  DumpChain chain;
  chain.name = "f";
  for (const char *root : {"t = f32[3,2] transpose(p), dimensions={1,0}",
                           "u = f32[3,2] transpose(p), dimensions={1,0}",
                           "u = f32[3,2] transpose(p), dimensions={1,0}",
                           "r = f32[3,2] reshape(p)", "what is this"})
    chain.dumps.emplace_back().file = head + "ROOT " + root + " }";
  const auto reader = []() -> ReadDumpText {
    return [](const Dump &dump)
               -> absl::StatusOr<std::shared_ptr<const DumpText>> {
      return std::make_shared<const DumpInMemory>(dump.file);
    };
  };
  for (size_t jobs : {1, 3}) {
    PassesQuestion question;
    std::vector<std::string> mistakes;
    question.mistake = [&](const Dump &dump, const DumpText *text,
                           const absl::Status &) {
      ASSERT_TRUE(text);
      mistakes.push_back(dump.file);
    };
    int pairs = 0;
    Ask ask{{}, jobs};
    ask.itemDone = [&] { ++pairs; };
    const PassesAnswer found = passesOf(chain, reader, question, ask);
    std::vector<Verdict::Answer> verdicts;
    for (const DumpComparison &each : found.compared)
      verdicts.push_back(each.verdict.answer);
    EXPECT_EQ(verdicts, (std::vector<Verdict::Answer>{
                            Verdict::Same, Verdict::Same, Verdict::Different,
                            Verdict::Undecided}));
    EXPECT_EQ(pairs, 4);
    EXPECT_EQ(found.first, 2u);
    EXPECT_EQ(found.figures.changed, 3);
    EXPECT_EQ(found.figures.changedEqual(), 1);
    EXPECT_EQ(mistakes, std::vector<std::string>{chain.dumps[4].file});
    EXPECT_TRUE(found.hasMistakes);
  }
}

TEST(HeaderExamples, CountsOf) {
  auto map = parseMap(
      "(d0){rt0} -> (d0 floordiv 4 + rt0), domain: d0 in [0, 31], "
      "rt0 in [0, 7]");
  CountQuestion question;
  question.runtime = {{"rt0", 4}};
  auto found = countsOf({*map}, question);
  auto points = found->maps[0].domain.value;   // 32
  auto elements = found->maps[0].image.value;  // 8
  EXPECT_EQ(points, llvm::DynamicAPInt(32));
  EXPECT_EQ(elements, llvm::DynamicAPInt(8));
}

TEST(HeaderExamples, ShardingsIn) {
  auto program = parseHlo(
      "ENTRY e { ROOT x = f32[8,3] parameter(0), "
      "sharding={devices=[4,1]<=[4]} }");
  auto found = shardingsIn(*program);
  const ValueSharding &x = found->values[0];
  auto box = x.relation->box(1);  // [2, 4) of 8, [0, 3) of 3
  EXPECT_EQ(*box, (ElementBox{{2, 4}, {0, 3}}));
}

TEST(HeaderExamples, GivenShardings) {
  ShardingWords words;
  words.sharding = "{devices=[4,1]<=[4]}";
  words.shape = "f32[8,3]";
  auto given = givenShardings(words);  // one array: 4 tiles of dimension 0
  ASSERT_EQ(given->size(), 1u);
  EXPECT_EQ((*given)[0].sharding.tiles(), (llvm::ArrayRef<int64_t>{4, 1}));
}

TEST(HeaderExamples, Reshard) {
  ReshardQuestion question;
  question.from = "{devices=[4,1]<=[4]}";
  question.to = "{devices=[1,4]<=[4]}";
  question.shape = "f32[64,64]";
  auto found = reshardPlans(question);
  const ReshardPlan &best = found->plans[0].plan;  // one all-to-all
  bool isProved = found->plans[0].isProved();      // true
  ASSERT_EQ(best.steps.size(), 1u);
  EXPECT_EQ(nameOf(best.steps[0].op), "all-to-all");
  EXPECT_TRUE(isProved);
}

TEST(HeaderExamples, ElementOf) {
  auto program = parseHlo(
      "add { a = f32[] parameter(0)\nb = f32[] parameter(1)\n"
      "ROOT s = f32[] add(a, b) }\n"
      "ENTRY f { p = f32[4,3] parameter(0)\nz = f32[] constant(0)\n"
      "ROOT r = f32[4] reduce(p, z), dimensions={1}, to_apply=add }");
  ElementQuestion question;
  question.instructions = {"r"};
  question.element = {2};
  auto found = elementOf(*program, question);
  ASSERT_TRUE(found.ok()) << found.status();
  // (2, 0), (2, 1), (2, 2), of p
  const auto &ofP = *found->arrays[0].elements.listed;
  ASSERT_EQ(ofP.size(), 3u);
  EXPECT_EQ(indexText(ofP[1]), "(2, 1)");
}

TEST(HeaderExamples, TilesOf) {
  auto program = parseHlo(
      "f { p = f32[12,4] parameter(0)\nROOT r = f32[4,12] reshape(p) }");
  TileQuestion question;
  question.sizes = {"2", "b"};
  question.candidates = {{4}, {6}, {12}};
  auto found = tilesOf(*program, question);
  ASSERT_TRUE(found.ok()) << found.status();
  const SymbolicTile &ofP = found->tiles[1].tile;  // over o0, o1 and b
  std::vector<size_t> fitting = found->fitting;    // 4 and 12: 0 and 2
  EXPECT_TRUE(ofP.isExact());
  EXPECT_EQ(fitting, (std::vector<size_t>{0, 2}));
}

TEST(HeaderExamples, TileSpaces) {
  const Program program = *parseHlo(
      "f { a = bf16[4096,512] parameter(0)\n b = bf16[512,1024] parameter(1)\n"
      "ROOT d = bf16[4096,1024] dot(a, b), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={0} }");
  ProgramIndexing maps(program.modules[0]);
  TileSpace space = TileSpace::of(maps, "d").sizes({128, 256}).step("d", 0, 64);
  auto tiles = tilesBehind(maps, space);
  // a: (o0, k0) (128, 64)      b: (k0, o1) (64, 256)
  ASSERT_TRUE(tiles.ok()) << tiles.status();
  const SymbolicTile &ofA = tiles->back().tile;
  EXPECT_EQ(ofA.str(ofA.offsets()[1]), "k0");
  EXPECT_EQ(ofA.str(ofA.sizes()[1]), "64");
}

TEST(HeaderExamples, DumpedItems) {
  auto program =
      parseHlo("f { p = f32[2] parameter(0)\nROOT n = f32[2] negate(p) }");
  size_t answers = 0;
  const absl::Status status =
      dumpOf(*program, DumpQuestion(), [&](const DumpedItem &of) {
        answers += of.item.outputToInput->size();
        return true;
      });
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(answers, 2u);  // of f, and of n
}

TEST(HeaderExamples, Solver) {
  using solver::bitsSort;
  using solver::Operation;
  using solver::Solver;
  using solver::Term;
  if (!Solver::make()) GTEST_SKIP() << "no Z3 is installed";
  auto solver = Solver::make();  // nothing where there is no Z3
  const Term x = solver->variable(bitsSort(32));
  const Term by8 =
      solver->apply(Operation::DivideUnsigned, {x, solver->bits(32, 8)});
  const Term shifted =
      solver->apply(Operation::ShiftRightLogical, {x, solver->bits(32, 3)});
  solver->areEqual(by8, shifted);  // Solver::Answer::Equal
  EXPECT_EQ(solver->areEqual(by8, shifted), Solver::Answer::Equal);
}

}  // namespace
}  // namespace indexical
