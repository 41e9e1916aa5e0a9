// Modules that are built against those that are parsed from text: the same
// instructions, ops and maps. Mistakes are errors.
//
//   INDEXICAL_MODULES=20000   more random modules
#include "indexical/program/module/module_builder.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/ops/families.h"
#include "indexical/program/maps/program_indexing.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

void expectSame(const Instruction &built, const Instruction &parsed) {
  EXPECT_EQ(built.name, parsed.name);
  EXPECT_EQ(built.opcode, parsed.opcode);
  EXPECT_EQ(built.shape->str(), parsed.shape->str());
  EXPECT_EQ(built.operands, parsed.operands);
  EXPECT_TRUE(built.op == parsed.op) << parsed.name.str();
  EXPECT_EQ(built.parameterNumber, parsed.parameterNumber);
  EXPECT_EQ(built.fusionKind, parsed.fusionKind);
  EXPECT_EQ(built.tripCount, parsed.tripCount);
  ASSERT_EQ(built.called.size(), parsed.called.size());
  for (size_t i = 0; i < built.called.size(); ++i) {
    const CalledComputation &a = built.called[i], &b = parsed.called[i];
    EXPECT_EQ(a.role, b.role);
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.computation, b.computation);
    EXPECT_EQ(a.arguments, b.arguments);
  }
}

void expectSame(const Program &built, const Program &parsed) {
  ASSERT_EQ(built.modules.size(), parsed.modules.size());
  const Module &a = built.modules[0], &b = parsed.modules[0];
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.hasHeader, b.hasHeader);
  EXPECT_EQ(a.entry, b.entry);
  ASSERT_EQ(a.computations.size(), b.computations.size());
  for (size_t c = 0; c < a.computations.size(); ++c) {
    const Computation &x = a.computations[c], &y = b.computations[c];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.entry, y.entry);
    EXPECT_EQ(x.root, y.root);
    EXPECT_EQ(x.parameters, y.parameters);
    ASSERT_EQ(x.instructions.size(), y.instructions.size());
    for (size_t i = 0; i < x.instructions.size(); ++i)
      expectSame(x.instructions[i], y.instructions[i]);
  }
}

/// What leaf 0 of the entry's root reads of each parameter, as text.
std::string readsOf(const Program &program) {
  const Module &module = program.modules[0];
  ProgramIndexing maps(module);
  std::string text;
  for (size_t p = 0; p < module.computations[module.entry].parameters.size();
       ++p) {
    auto read = maps.computation(module.entry, LeafId(0), ParameterLeaf{p},
                                 Direction::OutputToInput);
    if (!read.ok()) return std::string(read.status().message());
    absl::StrAppend(&text, p, " ", precisionName(read->precision()).str(),
                    "\n");
    for (const IndexingMap &piece : read->pieces())
      absl::StrAppend(&text, piece.strOneLine(), "\n");
  }
  return text;
}

ArrayShape f32(llvm::ArrayRef<int64_t> sizes) {
  return ArrayShape(ElementType::F32, sizes);
}

ElementwiseOp elementwise(const OpKind *kind) {
  ElementwiseOp op;
  op.opKind = kind;
  return op;
}

//===-- By hand -----------------------------------------------------------===//

TEST(ModuleBuilder, IsTheParsedModule) {
  ModuleBuilder module("m");
  ComputationBuilder sum = module.computation("sum");
  const auto a = sum.parameter(f32({}), "a"), b = sum.parameter(f32({}), "b");
  sum.root(sum.add(elementwise(kindOf<ElementwiseOp>("add")), {a, b}, "s"));

  ComputationBuilder rows = module.computation("rows");
  const auto x = rows.parameter(f32({4, 8}), "x");
  const auto zero = rows.parameter(f32({}), "zero");
  ReduceOp reduce;
  reduce.results = {f32({4})};
  reduce.dimensions = {1};
  rows.root(rows.add(reduce, {x, zero}, sum, "r"));

  const Shape counter = Shape::ofArray(ArrayShape(ElementType::S32, {}));
  const Shape state = Shape::ofTuple({counter, Shape::ofArray(f32({4}))});
  ComputationBuilder more = module.computation("more");
  const auto c = more.parameter(state, "c");
  const auto n = more.element(c, 0, "n");
  ElementwiseOp less = elementwise(kindOf<ElementwiseOp>("compare"));
  less.results = {ArrayShape(ElementType::Pred, {})};
  less.configuration = "direction=EQ";
  more.root(more.add(less, {n, n}, "l"));

  ComputationBuilder step = module.computation("step");
  const auto t = step.parameter(state, "t");
  const auto v = step.element(t, 1, "v");
  const auto w =
      step.add(elementwise(kindOf<ElementwiseOp>("negate")), {v}, "w");
  step.root(step.tuple({step.element(t, 0, "i"), w}, "next"));

  ComputationBuilder main = module.entry("main");
  const auto p = main.parameter(f32({4, 8}), "p");
  const auto q = main.parameter(f32({}), "q");
  const auto i = main.parameter(counter, "i");
  const auto f = main.fusion(rows, {p, q}, "kInput", "f");
  const auto begin = main.tuple({i, f}, "begin");
  const auto loop = main.loop(more, step, {begin}, 3, "loop");
  main.root(main.call(step, {loop}, "last"));
  auto built = module.build();
  ASSERT_TRUE(built.ok()) << built.status();

  auto parsed = parseHlo(R"(HloModule m
    sum { a = f32[] parameter(0)
          b = f32[] parameter(1)
          ROOT s = f32[] add(a, b) }
    rows { x = f32[4,8] parameter(0)
           zero = f32[] parameter(1)
           ROOT r = f32[4] reduce(x, zero), dimensions={1}, to_apply=sum }
    more { c = (s32[], f32[4]) parameter(0)
           n = s32[] get-tuple-element(c), index=0
           ROOT l = pred[] compare(n, n), direction=EQ }
    step { t = (s32[], f32[4]) parameter(0)
           v = f32[4] get-tuple-element(t), index=1
           w = f32[4] negate(v)
           i = s32[] get-tuple-element(t), index=0
           ROOT next = (s32[], f32[4]) tuple(i, w) }
    ENTRY main {
      p = f32[4,8] parameter(0)
      q = f32[] parameter(1)
      i = s32[] parameter(2)
      f = f32[4] fusion(p, q), kind=kInput, calls=rows
      begin = (s32[], f32[4]) tuple(i, f)
      loop = (s32[], f32[4]) while(begin), condition=more, body=step,
        backend_config={"known_trip_count":{"n":"3"}}
      ROOT last = (s32[], f32[4]) call(loop), to_apply=step
    })");
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  expectSame(*built, *parsed);
  EXPECT_EQ(readsOf(*built), readsOf(*parsed));
}

TEST(ModuleBuilder, NamesAreMade) {
  ModuleBuilder module("m");
  ComputationBuilder main = module.entry("main");
  const auto p = main.parameter(f32({4}), "negate.2");
  const auto q = main.add(elementwise(kindOf<ElementwiseOp>("negate")), {p});
  main.root(main.add(elementwise(kindOf<ElementwiseOp>("negate")), {q}));
  auto built = module.build();
  ASSERT_TRUE(built.ok()) << built.status();
  std::vector<std::string> names;
  for (const Instruction &i : built->modules[0].computations[0].instructions)
    names.push_back(i.name.str());
  EXPECT_EQ(absl::StrJoin(names, " "), "negate.2 negate.3 negate.4");
  EXPECT_EQ(module.build().status().message(), "the module was built already");
}

TEST(ModuleBuilder, MistakesAreErrors) {
  using Build = std::function<void(ModuleBuilder &)>;
  const auto negate = [] {
    return elementwise(kindOf<ElementwiseOp>("negate"));
  };
  const std::pair<Build, const char *> kMistakes[] = {
      {[](ModuleBuilder &) {}, "the module has no entry"},
      {[](ModuleBuilder &m) { m.entry("e"); }, "`e` has no root"},
      {[](ModuleBuilder &m) {
         m.entry("e");
         m.computation("e");
       },
       "two computations of the name `e`"},
      {[](ModuleBuilder &m) {
         m.entry("e");
         m.entry("f");
       },
       "a module has one entry, here `e` and `f`"},
      {[](ModuleBuilder &m) {
         auto e = m.entry("e");
         e.parameter(f32({2}), "p");
         e.parameter(f32({2}), "p");
       },
       "`e` has two instructions of the name `p`"},
      {[&](ModuleBuilder &m) {
         auto f = m.computation("f"), e = m.entry("e");
         e.add(negate(), {f.parameter(f32({2}))});
       },
       "an operand is not an instruction of `e`"},
      {[&](ModuleBuilder &m) {
         auto e = m.entry("e");
         e.root(e.parameter(f32({2})));
         e.parameter(f32({2}));
       },
       "`e` has its root, and nothing is added behind it"},
      {[](ModuleBuilder &m) {
         auto f = m.computation("f"), e = m.entry("e");
         e.call(f, {});
       },
       "`f` has no root yet, and cannot be called"},
      {[](ModuleBuilder &m) {
         auto f = m.computation("f"), e = m.entry("e");
         f.root(f.parameter(f32({2})));
         e.fusion(f, {e.parameter(f32({3}))}, "kLoop");
       },
       "parameter 0 of `f` is f32[2], and is handed f32[3]"},
      {[](ModuleBuilder &m) {
         auto f = m.computation("f"), e = m.entry("e");
         f.root(f.parameter(f32({2})));
         e.loop(f, f, {e.parameter(f32({2}))});
       },
       "`f` returns f32[2], it would return pred[]"},
      {[](ModuleBuilder &m) {
         auto e = m.entry("e");
         e.element(e.parameter(f32({2})), 0);
       },
       "f32[2] has no element 0"},
      {[](ModuleBuilder &m) {
         auto e = m.entry("e");
         TransposeOp op;
         op.results = {f32({3, 2})};
         op.permutation = {0, 1};
         e.add(op, {e.parameter(f32({2, 3}))});
       },
       "`transpose`: "},
      {[](ModuleBuilder &m) {
         auto e = m.entry("e");
         e.add(OpDraft(), {});
       },
       "an op of no family cannot be added"},
      {[](ModuleBuilder &m) {
         ModuleBuilder other("other");
         auto f = other.entry("f");
         f.root(f.parameter(f32({2})));
         auto e = m.entry("e");
         e.call(f, {e.parameter(f32({2}))});
       },
       "a computation of another module cannot be called"},
  };
  for (const auto &[build, message] : kMistakes) {
    ModuleBuilder module("m");
    build(module);
    const auto built = module.build();
    ASSERT_FALSE(built.ok()) << message;
    EXPECT_NE(built.status().message().find(message), absl::string_view::npos)
        << built.status().message() << "\n"
        << message;
  }
}

//===-- Random modules ----------------------------------------------------===//

/// Builds a module and writes it, line by line.
class Writer {
 public:
  explicit Writer(Random &random) : random_(random) {}

  void write() {
    const int64_t computations = random_.in(1, 4);
    for (int64_t c = 0; c < computations; ++c) {
      const bool last = c == computations - 1;
      const std::string name = absl::StrCat("c", c);
      absl::StrAppend(&text, last ? "ENTRY " : "", name, " {\n");
      made_.push_back(
          {last ? module.entry(name) : module.computation(name), {}});
      values_.clear();
      const int64_t count = random_.in(1, 3), ops = random_.in(1, 6);
      for (int64_t p = 0; p < count; ++p) addParameter(p);
      for (int64_t i = 0; i < ops; ++i) addOp();
      made_.back().builder.root(values_.back().built);
      made_.back().result = values_.back().shape;
      absl::StrAppend(&text, "ROOT ", last_, "\n}\n");
      last_.clear();
    }
  }

  ModuleBuilder module{"m"};
  std::string text = "HloModule m\n";

 private:
  struct Written {
    BuiltInstruction built;
    std::string name;
    ArrayShape shape;
  };
  struct Made {
    ComputationBuilder builder;
    std::vector<ArrayShape> parameters;
    ArrayShape result = {};
  };

  ComputationBuilder &here() { return made_.back().builder; }

  void add(BuiltInstruction built, std::string name, ArrayShape shape,
           llvm::StringRef right) {
    if (!last_.empty()) absl::StrAppend(&text, last_, "\n");
    last_ = absl::StrCat(name, " = ", shape.str(), " ", right.str());
    values_.push_back({built, std::move(name), std::move(shape)});
  }

  std::string nextName() { return absl::StrCat("v", values_.size()); }

  void addParameter(int64_t number) {
    ArrayShape shape = f32({random_.in(1, 3), random_.in(1, 3)});
    made_.back().parameters.push_back(shape);
    const std::string name = nextName();
    add(here().parameter(shape, name), name, shape,
        absl::StrCat("parameter(", number, ")"));
  }

  void addOp() {
    const Written of = values_[random_.in(0, values_.size() - 1)];
    const std::string name = nextName();
    const int64_t rows = of.shape.dimensions[0];
    const int64_t columns = of.shape.dimensions[1];
    switch (random_.in(0, 5)) {
      case 0: {
        TransposeOp op;
        op.results = {f32({columns, rows})};
        op.permutation = {1, 0};
        add(here().add(op, {of.built}, name), name, op.results[0],
            absl::StrCat("transpose(", of.name, "), dimensions={1,0}"));
        return;
      }
      case 1: {
        ReshapeOp op;
        op.results = {f32({1, rows * columns})};
        add(here().add(op, {of.built}, name), name, op.results[0],
            absl::StrCat("reshape(", of.name, ")"));
        return;
      }
      case 2: {
        ReverseOp op;
        op.results = {of.shape};
        op.dimensions = {0};
        add(here().add(op, {of.built}, name), name, of.shape,
            absl::StrCat("reverse(", of.name, "), dimensions={0}"));
        return;
      }
      case 3:
        add(here().add(elementwise(kindOf<ElementwiseOp>("add")),
                       {of.built, of.built}, name),
            name, of.shape, absl::StrCat("add(", of.name, ", ", of.name, ")"));
        return;
      case 4:
        if (addCall(/*fused=*/random_.oneIn(2), name)) return;
        [[fallthrough]];
      default:
        add(here().add(elementwise(kindOf<ElementwiseOp>("exponential")),
                       {of.built}, name),
            name, of.shape, absl::StrCat("exponential(", of.name, ")"));
    }
  }

  /// Returns false if no earlier computation takes values that are there.
  bool addCall(bool fused, const std::string &name) {
    if (made_.size() < 2) return false;
    const int64_t number = random_.in(0, made_.size() - 2);
    const Made &called = made_[number];
    std::vector<BuiltInstruction> operands;
    std::vector<std::string> names;
    for (const ArrayShape &wanted : called.parameters) {
      const auto found = llvm::find_if(values_, [&](const Written &value) {
        return value.shape.dimensions == wanted.dimensions;
      });
      if (found == values_.end()) return false;
      operands.push_back(found->built);
      names.push_back(found->name);
    }
    const ComputationBuilder callee = called.builder;
    const std::string passed = absl::StrJoin(names, ", ");
    if (fused)
      add(here().fusion(callee, operands, "kLoop", name), name, called.result,
          absl::StrCat("fusion(", passed, "), kind=kLoop, calls=c", number));
    else
      add(here().call(callee, operands, name), name, called.result,
          absl::StrCat("call(", passed, "), to_apply=c", number));
    return true;
  }

  Random &random_;
  std::vector<Made> made_;
  std::vector<Written> values_;
  std::string last_;  // not yet written: it may be the root
};

TEST(ModuleBuilder, RandomModulesAreTheParsedOnes) {
  const uint64_t count = fromEnvironment("INDEXICAL_MODULES", 500);
  for (uint64_t seed = 0; seed < count; ++seed) {
    Random random(seed);
    Writer writer(random);
    writer.write();
    SCOPED_TRACE(absl::StrCat("seed ", seed, "\n", writer.text));
    auto built = writer.module.build();
    ASSERT_TRUE(built.ok()) << built.status();
    auto parsed = parseHlo(std::string_view(writer.text));
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    expectSame(*built, *parsed);
    EXPECT_EQ(readsOf(*built), readsOf(*parsed));
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace indexical::testing
