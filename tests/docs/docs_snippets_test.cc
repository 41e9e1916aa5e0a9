// The C++ of README.md and docs/: each fenced block of C++ in them stands here,
// line by line (tests/docs/docs_test.py compares), and runs.
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/MLIRContext.h"

#include "indexical/answers/equality/equality.h"
#include "indexical/cost/memory/coalescing.h"
#include "indexical/cost/memory/thread_map.h"
#include "indexical/cost/tiles/tile.h"
#include "indexical/exact/exact.h"
#include "indexical/exact/exact_prover.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/llvm/read.h"
#include "indexical/indexing/affine_map.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "indexical/layout/operations.h"
#include "indexical/layout/parse.h"
#include "indexical/ops/access.h"
#include "indexical/ops/op.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/module/module_builder.h"
#include "indexical/simplifier/simplify.h"

using namespace indexical;

namespace {

constexpr char kScaleAndTranspose[] = R"(
  scale_and_transpose {
    x = f32[4,8] parameter(0)
    scale = f32[8] parameter(1)
    wide = f32[4,8] broadcast(scale), dimensions={1}
    scaled = f32[4,8] multiply(x, wide)
    ROOT turned = f32[8,4] transpose(scaled), dimensions={1,0}
  }
  ENTRY main {
    a = f32[4,8] parameter(0)
    b = f32[8] parameter(1)
    ROOT fusion = f32[8,4] fusion(a, b), kind=kLoop, calls=scale_and_transpose
  }
)";

TEST(ReadMe, AsksAProgram) {
  std::string text = kScaleAndTranspose;
  testing::internal::CaptureStdout();
  auto program = parseHlo(text);  // a StatusOr, as all that can fail
  const Module &module = program->modules[0];
  ProgramIndexing maps(module);
  auto read = maps.computation(module.entry, LeafId(0), ParameterLeaf{0},
                               Direction::OutputToInput);
  for (const IndexingMap &map : read->pieces()) std::cout << map.str() << "\n";
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "(d0, d1) -> (d1, d0),\ndomain:\nd0 in [0, 7],\nd1 in [0, 3]\n");
}

// Everything that main reads of its parameters.
absl::Status printReads(std::string text, llvm::raw_ostream &os) {
  absl::StatusOr<Program> program = parseHlo(std::move(text), "fusion.hlo");
  if (!program.ok()) return program.status();
  const Module &module = program->modules.front();
  const Computation &main = module.computations[module.entry];

  ProgramIndexing maps(module);
  for (size_t p = 0; p < main.parameters.size(); ++p) {
    absl::StatusOr<IndexingRelation> read = maps.computation(
        module.entry, LeafId(0), ParameterLeaf{p}, Direction::OutputToInput);
    if (!read.ok()) return read.status();
    os << main.instructions[main.parameters[p]].name << ": "
       << precisionName(read->precision()) << '\n';
    for (const IndexingMap &map : read->pieces())
      os << "  " << map.strOneLine() << '\n';
  }
  return absl::OkStatus();
}

TEST(Docs, Program) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ASSERT_TRUE(printReads(kScaleAndTranspose, os).ok());
  EXPECT_EQ(text,
            "a: exact\n"
            "  (d0, d1) -> (d1, d0), domain: d0 in [0, 7], d1 in [0, 3]\n"
            "b: exact\n"
            "  (d0, d1) -> (d0), domain: d0 in [0, 7], d1 in [0, 3]\n");
}

absl::Status checkRewrite(const Program &before, const Program &after) {
  absl::StatusOr<EqualityAnswer> found = equalityOf(before, after);
  if (!found.ok()) return found.status();
  if (found->verdict() != Verdict::Different) return absl::OkStatus();
  for (const LeafEquality &pair : found->same.reads.leaves)
    if (pair.decision.answer == Answer::No)
      return absl::InternalError(
          "the rewrite reads other elements of parameter " +
          std::to_string(pair.parameter));
  return absl::InternalError("the rewrite computes something else");
}

TEST(Docs, Rewrite) {
  auto before = parseHlo(kScaleAndTranspose);
  std::string text = kScaleAndTranspose;
  // The scale goes along the other dimension, of a square.
  for (size_t at; (at = text.find("f32[4,8]")) != std::string::npos;)
    text.replace(at, 8, "f32[8,8]");
  for (size_t at; (at = text.find("f32[8,4]")) != std::string::npos;)
    text.replace(at, 8, "f32[8,8]");
  auto square = parseHlo(text);
  text.replace(text.find("dimensions={1}"), 14, "dimensions={0}");
  auto other = parseHlo(text);
  ASSERT_TRUE(before.ok() && square.ok() && other.ok());
  EXPECT_TRUE(checkRewrite(*before, *before).ok());
  EXPECT_EQ(checkRewrite(*square, *other).message(),
            "the rewrite reads other elements of parameter 1");
  EXPECT_FALSE(checkRewrite(*before, *square).ok());  // other sizes
}

absl::Status questions(const Module &module) {
  ProgramIndexing maps(module);
  ComputationId c = module.find("main");
  const Computation &computation = module.computations[c];

  // Asks what one instruction reads of one operand.
  absl::StatusOr<IndexingRelation> operand = maps.instruction(
      {c, computation.find("fusion")}, LeafId(1), Direction::OutputToInput);
  // Asks what one instruction reads of another, through all paths.
  absl::StatusOr<IndexingRelation> between =
      maps.between({c, computation.find("fusion")}, {c, computation.find("b")},
                   Direction::OutputToInput);
  // Asks which elements of the fusion read an element of b.
  absl::StatusOr<IndexingRelation> readers = maps.instruction(
      {c, computation.find("fusion")}, LeafId(1), Direction::InputToOutput);
  if (!operand.ok()) return operand.status();
  if (!between.ok()) return between.status();
  if (!readers.ok()) return readers.status();
  EXPECT_TRUE(*operand == *between);
  EXPECT_EQ(readers->pieces()[0].strOneLine(),
            "(d0)[s0] -> (d0, s0), domain: d0 in [0, 7], s0 in [0, 3]");
  return absl::OkStatus();
}

TEST(Docs, Questions) {
  absl::StatusOr<Program> program = parseHlo(kScaleAndTranspose);
  ASSERT_TRUE(program.ok());
  EXPECT_TRUE(questions(program->modules[0]).ok());
}

void printSources(ProgramIndexing &maps, const IndexingMap &map,
                  llvm::raw_ostream &os) {
  for (size_t i = 0; i < map.runtime().size(); ++i) {
    const RuntimeVariable &variable = map.runtime()[i];
    if (variable.source.kind != RuntimeSource::Kind::Element) continue;
    const Value &value = maps.value(variable.source.tensor);
    const Computation &computation =
        maps.module().computations[value.computation];
    os << map.nameOf({VariableKind::Runtime, static_cast<uint32_t>(i)})
       << " is an element of "
       << computation.instructions[value.instruction].name << ", at "
       << map.sourceMap(i).strOneLine() << '\n';
  }
}

TEST(Docs, Sources) {
  absl::StatusOr<Program> program = parseHlo(R"(
    window {
      x = f32[10] parameter(0)
      start = s32[] parameter(1)
      ROOT w = f32[4] dynamic-slice(x, start), dynamic_slice_sizes={4}
    })");
  ASSERT_TRUE(program.ok());
  ProgramIndexing maps(program->modules[0]);
  auto read = maps.instruction({ComputationId(0), InstructionId(2)}, LeafId(0),
                               Direction::OutputToInput);
  ASSERT_TRUE(read.ok());
  std::string text;
  llvm::raw_string_ostream os(text);
  printSources(maps, read->pieces()[0], os);
  EXPECT_EQ(
      text,
      "rt0 is an element of start, at (d0) -> (), domain: d0 in [0, 3]\n");
}

absl::StatusOr<IndexingRelation> readThroughTranspose() {
  BroadcastOp broadcast;
  broadcast.operands = {ArrayShape(ElementType::F32, {8})};
  broadcast.results = {ArrayShape(ElementType::F32, {4, 8})};
  broadcast.dimensions = {1};

  TransposeOp transpose;
  transpose.operands = broadcast.results;
  transpose.results = {ArrayShape(ElementType::F32, {8, 4})};
  transpose.permutation = {1, 0};

  for (const Op &op : {Op(broadcast), Op(transpose)})
    if (absl::Status status = verify(op); !status.ok()) return status;

  auto turned = indexing(transpose, Direction::OutputToInput, /*result=*/0,
                         /*operand=*/0);
  if (!turned.ok()) return turned.status();
  auto wide = indexing(broadcast, Direction::OutputToInput, /*result=*/0,
                       /*operand=*/0);
  if (!wide.ok()) return wide.status();
  return compose(*turned, *wide);
}

TEST(Docs, Ops) {
  auto relation = readThroughTranspose();
  ASSERT_TRUE(relation.ok());
  EXPECT_EQ(relation->precision(), Precision::Exact);
  EXPECT_EQ(relation->pieces()[0].strOneLine(),
            "(d0, d1) -> (d0), domain: d0 in [0, 7], d1 in [0, 3]");
}

/// Element i of the result is element (i + shift) mod size of the operand.
class Rotate : public AccessMaps {
 public:
  explicit Rotate(int64_t shift) : shift(shift) {}

  absl::Status verify(const OpShapes &shapes) const override {
    if (shapes.operands.size() == 1 && shapes.results.size() == 1 &&
        shapes.operands[0].rank() == 1 &&
        !shapes.operands[0].hasUnknownSize() &&
        sameDimensions(shapes.operands[0], shapes.results[0]))
      return absl::OkStatus();
    return absl::InvalidArgumentError(
        "rotate takes one array of rank 1 and gives one of the same size");
  }
  absl::Status describe(const OpShapes &shapes, int64_t, int64_t,
                        AccessList &list) const override {
    Access &access = list.add();
    const Expr i = access.loopsOver(shapes.results[0])[0];
    access.result = {i};
    access.operand = {mod(i + shift, shapes.results[0].dimensions[0])};
    return absl::OkStatus();
  }

 private:
  int64_t shift;
};

absl::StatusOr<Op> rotate(const CustomCall &call) {
  int64_t shift = 0;
  if (llvm::StringRef(call.backendConfig).getAsInteger(10, shift))
    return absl::InvalidArgumentError("backend_config holds the shift");
  CustomOp op;
  op.maps = std::make_shared<Rotate>(shift);
  return op;
}

TEST(Docs, OpsOfFunctions) {
  // Element i of the result is element (i, i) of the operand.
  auto diagonal = [](const OpShapes &shapes, int64_t, int64_t,
                     AccessList &list) {
    Access &access = list.add();
    const Expr i = access.loopsOver(shapes.results[0])[0];
    access.result = {i};
    access.operand = {i, i};
    return absl::OkStatus();
  };
  CustomOp op;
  op.results = {ArrayShape(ElementType::F32, {4})};
  op.maps = std::make_shared<FunctionMaps>(diagonal);

  ModuleBuilder builder("m");
  ComputationBuilder main = builder.entry("main");
  BuiltInstruction x = main.parameter(ArrayShape(ElementType::F32, {4, 4}));
  BuiltInstruction d = main.add(op, {x});
  main.root(d);
  absl::StatusOr<Program> program = builder.build();
  if (!program.ok()) FAIL() << program.status();
  ProgramIndexing maps(*std::move(program));
  absl::StatusOr<IndexingRelation> read =
      maps.between(d, x, Direction::OutputToInput);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->pieces()[0].strOneLine(),
            "(d0) -> (d0, d0), domain: d0 in [0, 3]");
}

TEST(Docs, CustomCalls) {
  const std::string text =
      "e { p = f32[2,4] parameter(0)\n"
      "  f = f32[8] custom-call(p), custom_call_target=\"flatten\"\n"
      "  ROOT r = f32[8] custom-call(f), custom_call_target=\"rotate\", "
      "backend_config=\"3\" }";
  CustomCallRegistry calls;
  calls.add("rotate", rotate);
  calls.add("flatten", [](const CustomCall &) { return Op(ReshapeOp()); });
  HloOptions options;
  options.customCalls = &calls;
  absl::StatusOr<Program> program = parseHlo(text, "rotate.hlo", options);
  ASSERT_TRUE(program.ok()) << program.status();
  ProgramIndexing maps(program->modules[0]);
  auto read = maps.instruction({ComputationId(0), InstructionId(2)}, LeafId(0),
                               Direction::OutputToInput);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->pieces()[0].strOneLine(),
            "(d0) -> ((d0 + 3) mod 8), domain: d0 in [0, 7]");
  EXPECT_FALSE(parseHlo(text + "custom-call()", "", options).ok());
}

TEST(Docs, BuildAndEvaluate) {
  // Every other element of each row of f32[4,8], and that element's neighbour.
  IndexingMapBuilder builder;
  Expr row = builder.dimension({0, 3});
  Expr column = builder.dimension({0, 7});
  Expr step = builder.range({0, 1});
  builder.result(row);
  builder.result(column + step);
  builder.constraint(mod(column, 2), Interval::point(0));
  absl::StatusOr<IndexingMap> map = builder.build();
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(
      map->strOneLine(),
      "(d0, d1)[s0] -> (d0, d1 + s0), domain: d0 in [0, 3], d1 in [0, 7], "
      "s0 in [0, 1], d1 mod 2 in [0, 0]");

  IndexingMap::Point point;
  point.dimensions = {2, 4};
  point.ranges = {1};
  bool holds = map->contains(point);  // true
  auto index = map->evaluate(point);  // {2, 5}
  EXPECT_TRUE(holds);
  EXPECT_EQ(*index, (llvm::SmallVector<int64_t, 6>{2, 5}));
  point.dimensions = {2, 5};
  EXPECT_FALSE(map->contains(point));
}

TEST(Docs, Text) {
  absl::StatusOr<IndexingMap> first =
      parseMap("(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]");
  absl::StatusOr<IndexingMap> second =
      parseMap("(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]");
  ASSERT_TRUE(first.ok() && second.ok());
  absl::StatusOr<IndexingMap> both = compose(*first, *second);
  ASSERT_TRUE(both.ok());
  both->strOneLine();  // (d0) -> (d0), domain: d0 in [0, 31]
  EXPECT_EQ(both->strOneLine(), "(d0) -> (d0), domain: d0 in [0, 31]");
}

TEST(Docs, AffineMaps) {
  mlir::MLIRContext context;
  mlir::AffineExpr d0 = mlir::getAffineDimExpr(0, &context);
  mlir::AffineExpr s0 = mlir::getAffineSymbolExpr(0, &context);
  mlir::AffineMap affine = mlir::AffineMap::get(
      /*dimCount=*/1, /*symbolCount=*/1, {d0.floorDiv(8), d0 + s0}, &context);

  absl::StatusOr<IndexingMap> map =
      fromAffineMap(affine, /*dimensions=*/{{0, 31}}, /*ranges=*/{{0, 2}});
  ASSERT_TRUE(map.ok());
  mlir::AffineMap back = map->affineMap(&context);  // affine again
  EXPECT_EQ(back, affine);
  EXPECT_EQ(map->strOneLine(),
            "(d0)[s0] -> (d0 floordiv 8, d0 + s0), domain: d0 in [0, 31], s0 "
            "in [0, 2]");
}

TEST(Docs, AffineConstraints) {
  mlir::MLIRContext context;
  mlir::AffineExpr d0 = mlir::getAffineDimExpr(0, &context);
  mlir::AffineExpr s0 = mlir::getAffineSymbolExpr(0, &context);

  IndexingMapBuilder builder;
  Expr d = builder.dimension({0, 31});
  Expr s = builder.range({0, 2});
  absl::StatusOr<Expr> sum = fromAffineExpr(d0 + s0, builder, /*numRanges=*/1);
  ASSERT_TRUE(sum.ok());
  builder.result(d * 3 + s);
  builder.constraint(*sum, {0, 31});
  absl::StatusOr<IndexingMap> map = builder.build();
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(map->strOneLine(),
            "(d0)[s0] -> (d0 * 3 + s0), domain: d0 in [0, 31], s0 in [0, 2], "
            "d0 + s0 in [0, 31]");
}

TEST(Docs, ExactAnswers) {
  IndexingRelation rows(
      *parseMap("(d0)[s0] -> (d0 * 8 + s0), domain: d0 in [0, 3], "
                "s0 in [0, 7]"));
  IndexingRelation shifted(
      *parseMap("(d0)[s0] -> (d0 * 8 + s0 + 1), domain: d0 in [0, 3], "
                "s0 in [0, 7]"));
  absl::StatusOr<Decision> same = areEqual(rows, shifted);
  Answer answer = same->answer;               // Answer::No
  const PairWitness &shown = *same->witness;  // at index (0), element (0)
  PairWitness::Side side = shown.onlyIn;      // is read by the first alone
  EXPECT_EQ(answer, Answer::No);
  EXPECT_EQ(shown.index, Values{0});
  EXPECT_EQ(shown.element, Values{0});
  EXPECT_EQ(side, PairWitness::Side::First);

  absl::StatusOr<IndexingRelation> readers = inverse(rows);
  readers->pieces()[0].strOneLine();
  // (d0) -> (d0 floordiv 8), domain: d0 in [0, 31]
  absl::StatusOr<IndexingRelation> both = intersect(rows, shifted);
  absl::StatusOr<Count> elements = countImage(rows);  // 32
  absl::StatusOr<Count> pairs = countPairs(*both);    // 28
  EXPECT_EQ(readers->pieces()[0].strOneLine(),
            "(d0) -> (d0 floordiv 8), domain: d0 in [0, 31]");
  EXPECT_TRUE(*elements->value == 32);
  EXPECT_TRUE(*pairs->value == 28);
}

TEST(Docs, Provers) {
  auto square = parseMap("(d0) -> ((d0 * d0) mod 3), domain: d0 in [1, 2]");
  ASSERT_TRUE(square.ok());
  ExactProver prover;
  SimplifyOptions options;
  options.prover = &prover;
  absl::StatusOr<IndexingMap> simple = simplify(*square, options);
  ASSERT_TRUE(simple.ok());
  EXPECT_EQ(simple->strOneLine(), "(d0) -> (1), domain: d0 in [1, 2]");
}

std::string describe(const absl::Status &status) {
  std::string text(status.message());
  if (std::optional<Place> place = placeOf(status))
    text = std::to_string(place->line) + ":" + std::to_string(place->column) +
           ": " + text;
  if (std::string near = suggestionOf(status); !near.empty())
    text += "; did you mean `" + near + "`?";
  return text;
}

TEST(Docs, Errors) {
  auto map = parseMap("(row) ->\n(rwo + 1), domain: row in [0, 3]");
  // describe(map.status()): 2:2: unknown variable `rwo`; did you mean `row`?
  EXPECT_EQ(describe(map.status()),
            "2:2: unknown variable `rwo`; did you mean `row`?");
}

TEST(Docs, Threads) {
  absl::StatusOr<Program> program = parseHlo(kScaleAndTranspose);
  ASSERT_TRUE(program.ok());
  std::vector<IndexingRelation> reads(program->modules.size() * 4);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < reads.size(); ++i)
    threads.emplace_back([&, i] {
      ProgramIndexing maps(program->modules[i / 4]);  // one a thread
      auto read = maps.computation(program->modules[i / 4].entry, LeafId(0),
                                   ParameterLeaf{0}, Direction::OutputToInput);
      if (read.ok()) reads[i] = *std::move(read);
    });
  for (std::thread &thread : threads) thread.join();
  for (const IndexingRelation &read : reads) EXPECT_TRUE(read == reads[0]);
}

TEST(Layouts, AreComposed) {
  testing::internal::CaptureStdout();
  auto a = layouts::parseLayout("(4,8):(8,1)");
  auto b = layouts::parseLayout("Sw<2,0,3> o 0 o 32:1");
  auto both = layouts::compose(*b, *a);
  std::cout << *layouts::print(*both, layouts::Notation::Cute) << "\n"
            << both->at({3, 5})[0] << "\n";
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "Sw<2,0,3> o 0 o (4,8):(8,1)\n30\n");
}

// Returns a line for each access: the array's name, and the elements.
absl::StatusOr<std::string> accessesOf(llvm::StringRef ir) {
  kernels::ReadOptions options;
  options.grid = {4, 1, 1};
  auto found = kernels::readLlvmKernels(ir, options);
  if (!found.ok()) return found.status();
  std::string lines;
  for (const kernels::TritonKernel &kernel : *found) {
    if (kernel.incomplete) return absl::UnimplementedError(kernel.function);
    for (const kernels::KernelAccess &access : kernel.accesses)
      for (const kernels::PointerMap &map : access.maps)
        lines += kernel.arguments[map.argument].name + ": " +
                 map.map.strOneLine() + "\n";
  }
  return lines;
}

TEST(Cpp, ReadsCompiledKernels) {
  const auto lines = accessesOf(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %x) "nvvm.reqntid"="32" {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr %x, i32 %t
  store float 0.0, ptr %p
  ret void
}
)");
  ASSERT_TRUE(lines.ok()) << lines.status();
  EXPECT_EQ(*lines,
            "x: (bl_x, bl_y, bl_z, t0) -> (t0), domain: bl_x in [0, 3], "
            "bl_y in [0, 0], bl_z in [0, 0], t0 in [0, 31]\n");
  EXPECT_FALSE(accessesOf("define void @broken(").ok());
}

// The sectors that a transposed read of f32[1024,1024] moves, and the fewest.
absl::StatusOr<std::pair<int64_t, int64_t>> sectorsOfTransposed() {
  const ArrayShape operand(ElementType::F32, {1024, 1024});
  auto read = parseMap(
      "(d0, d1) -> (d1, d0), domain: d0 in [0, 1023], d1 in [0, 1023]");
  if (!read.ok()) return read.status();
  // Neighbouring lanes compute neighbouring elements of the result.
  auto threads = linearThreads(operand);
  if (!threads.ok()) return threads.status();
  Measured found = coalescing(IndexingRelation(*read), operand, *threads,
                              *findDevice("h100"));
  if (!found.ok()) return absl::UnknownError(wordsOf(found.why()));
  return std::pair(found->sectors.most, found->sectorsFewest.most);
}

TEST(Cpp, MeasuresOneRead) {
  const auto sectors = sectorsOfTransposed();
  ASSERT_TRUE(sectors.ok()) << sectors.status();
  EXPECT_EQ(*sectors, std::pair(int64_t{1048576}, int64_t{131072}));
}

// The tile of an operand of 12 x 4 that a tile of 2 rows of the result reads.
absl::StatusOr<ConcreteTile> tileOfReshape() {
  auto map = parseMap(
      "(d0, d1) -> (d0 * 3 + d1 floordiv 4, d1 mod 4), "
      "domain: d0 in [0, 3], d1 in [0, 11]");
  if (!map.ok()) return map.status();
  RootTile root;
  root.shape = {4, 12};
  root.sizes = {TileExtent::symbol("a"), TileExtent::of(12)};
  auto tile = tileThrough(*map, root, {12, 4});
  if (!tile.ok()) return tile.status();
  // Exact for every `a`: what is read is a box.
  if (!tile->isExactFor({2})) return absl::NotFoundError("not a box");
  return *tile->at(/*offsets=*/{2, 0}, /*symbols=*/{2});
}

TEST(Cpp, FindsATile) {
  const auto tile = tileOfReshape();
  ASSERT_TRUE(tile.ok()) << tile.status();
  EXPECT_EQ(llvm::ArrayRef(tile->offsets), llvm::ArrayRef<int64_t>({6, 0}));
  EXPECT_EQ(llvm::ArrayRef(tile->sizes), llvm::ArrayRef<int64_t>({6, 4}));
  EXPECT_EQ(llvm::ArrayRef(tile->strides), llvm::ArrayRef<int64_t>({1, 1}));
}

// Whether a layout of CuTe is one of Triton's, of 32 lanes with 4 elements
// each.
absl::StatusOr<bool> areTheSame() {
  auto cute = layouts::parseLayout("(4,32):(1,4)");
  auto triton = layouts::parseLayout(
      "tensor<128xf16, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = "
      "[32], warpsPerCTA = [1], order = [0]}>>");
  if (!cute.ok()) return cute.status();
  if (!triton.ok()) return triton.status();
  return layouts::equal(*cute, *triton).answer == Answer::Yes;
}

TEST(Cpp, ComparesLayouts) {
  const auto same = areTheSame();
  ASSERT_TRUE(same.ok()) << same.status();
  EXPECT_TRUE(*same);
}

}  // namespace
