// Which kernels are alike, which only move data, and why a copy is there.

#include "indexical/cost/launch/kernel_classes.h"

#include <map>
#include <set>
#include <string>

#include "gtest/gtest.h"

#include "indexical/cost/launch/moved_elements.h"
#include "indexical/cost/launch/movement.h"
#include "indexical/import/hlo/donated.h"
#include "indexical/import/hlo/hlo_parser.h"

namespace indexical {
namespace {

class Parsed {
 public:
  explicit Parsed(const std::string &text) {
    auto program = parseHlo(text, "m.hlo");
    EXPECT_TRUE(program.ok()) << program.status().message() << text;
    if (program.ok()) program_ = *std::move(program);
  }
  const Module &module() const { return program_.modules[0]; }
  ComputationId entry() const { return module().entry; }
  InstructionId find(llvm::StringRef name) const {
    const InstructionId found = module().computations[entry()].find(name);
    EXPECT_GE(found, 0) << name.str();
    return found;
  }
  size_t classOf(llvm::StringRef name) {
    return classes_.classOf(module(), entry(), find(name));
  }
  bool moves(llvm::StringRef name) const { return moved(name).onlyMoves; }
  MovedElements moved(llvm::StringRef name) const {
    return movedElements(
        module(), module().computations[entry()].instructions[find(name)]);
  }
  CopyReason whyOf(llvm::StringRef name) const {
    const DonatedLeaves donated = donatedLeaves(module());
    return CopyReasons(module()).of(
        entry(), find(name), [&](int64_t parameter, int64_t leaf) {
          return donated.count({parameter, leaf}) > 0;
        });
  }
  DonatedLeaves donated() const { return donatedLeaves(module()); }

 private:
  Program program_;
  KernelClasses classes_;
};

constexpr char kBodies[] = R"(HloModule m, is_scheduled=true
f { p = f32[8,16]{1,0} parameter(0)  q = f32[8,16]{1,0} parameter(1)
    ROOT r = f32[8,16]{1,0} add(p, q) }
g { t = f32[8,16]{1,0} parameter(0)  u = f32[8,16]{1,0} parameter(1)
    ROOT s = f32[8,16]{1,0} add(t, u) }
swapped { t = f32[8,16]{1,0} parameter(0)  u = f32[8,16]{1,0} parameter(1)
    ROOT s = f32[8,16]{1,0} add(u, t) }
other { t = f32[8,16]{1,0} parameter(0)  u = f32[8,16]{1,0} parameter(1)
    ROOT s = f32[8,16]{1,0} multiply(t, u) }
column { t = f32[8,16]{0,1} parameter(0)  u = f32[8,16]{0,1} parameter(1)
    ROOT s = f32[8,16]{0,1} add(t, u) }
ENTRY e {
  x = f32[8,16]{1,0} parameter(0)
  y = f32[8,16]{1,0} parameter(1)
  v = f32[8,16]{0,1} parameter(2)
  a = f32[8,16]{1,0} fusion(x, y), kind=kLoop, calls=f
  b = f32[8,16]{1,0} fusion(a, y), kind=kLoop, calls=g, metadata={op_name="n"}
  twice = f32[8,16]{1,0} fusion(b, b), kind=kLoop, calls=f
  c = f32[8,16]{1,0} fusion(b, x), kind=kLoop, calls=swapped
  d = f32[8,16]{1,0} fusion(b, x), kind=kLoop, calls=other
  h = f32[8,16]{0,1} fusion(v, v), kind=kLoop, calls=column
  i = f32[8,16]{1,0} fusion(b, x), kind=kInput, calls=f
  j = f32[8,16]{1,0} fusion(b, x), kind=kLoop, calls=f, backend_config={"n":"1"}
  k = f32[8,16]{1,0} custom-call(b), custom_call_target="one"
  l = f32[8,16]{1,0} custom-call(k), custom_call_target="one"
  m = f32[8,16]{1,0} custom-call(k), custom_call_target="two"
  n = f32[8,16]{1,0} add(x, y)
  o = f32[8,16]{1,0} add(a, b)
  ROOT z = f32[8,16]{1,0} add(o, o)
}
)";

TEST(KernelClassesTest, NamesDoNotCount) {
  Parsed of(kBodies);
  EXPECT_EQ(of.classOf("a"), of.classOf("b"));
  EXPECT_EQ(of.classOf("k"), of.classOf("l"));
  EXPECT_EQ(of.classOf("n"), of.classOf("o"));
}

TEST(KernelClassesTest, EachDifferenceCounts) {
  Parsed of(kBodies);
  std::set<size_t> classes;
  for (const char *name :
       {"a", "twice", "c", "d", "h", "i", "j", "k", "m", "n", "z"})
    classes.insert(of.classOf(name));
  EXPECT_EQ(classes.size(), 11u);
}

TEST(KernelClassesTest, RepeatedQuestionsHaveOneAnswer) {
  Parsed of(kBodies);
  const size_t first = of.classOf("d");
  of.classOf("a");
  EXPECT_EQ(of.classOf("d"), first);
}

constexpr char kCopies[] =
    R"(HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias), {1}: (2, {1}, must-alias) }, buffer_donor={ (4, {}) }
body {
  s = (s32[], f32[8,4]{1,0}) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  v = f32[8,4]{1,0} get-tuple-element(s), index=1
  ROOT n = (s32[], f32[8,4]{1,0}) tuple(i, v)
}
condition {
  s = (s32[], f32[8,4]{1,0}) parameter(0)
  ROOT m = pred[] constant(true)
}
moved { p = f32[8,4]{1,0} parameter(0)
        i = s32[] parameter(1)
        one = s32[] constant(1)
        j = s32[] add(i, one)
        d = f32[4,4]{1,0} dynamic-slice(p, j, i), dynamic_slice_sizes={4,4}
        ROOT c = bf16[4,4]{1,0} convert(d) }
scaled { p = f32[8,4]{1,0} parameter(0)
         t = f32[4,8]{1,0} transpose(p), dimensions={1,0}
         ROOT c = f32[4,8]{1,0} negate(t) }
copied { p = f32[8,4]{1,0} parameter(0)
         ROOT c = f32[8,4]{1,0} copy(p) }
ENTRY e {
  kept = f32[8,4]{1,0} parameter(1)
  donated = f32[8,4]{1,0} parameter(0)
  pair = (f32[8,4]{1,0}, f32[8,4]{1,0}) parameter(2)
  i = s32[] parameter(3)
  donor = f32[8,4]{1,0} parameter(4)
  first = f32[8,4]{1,0} get-tuple-element(pair), index=0
  second = f32[8,4]{1,0} get-tuple-element(pair), index=1
  ofKept = f32[8,4]{1,0} copy(kept)
  ofFused = f32[8,4]{1,0} fusion(kept), kind=kLoop, calls=copied
  cast = f32[32]{0} bitcast(kept)
  ofCast = f32[32]{0} copy(cast)
  ofDonated = f32[8,4]{1,0} copy(donated)
  ofDonor = f32[8,4]{1,0} copy(donor)
  ofFirst = f32[8,4]{1,0} copy(first)
  ofSecond = f32[8,4]{1,0} copy(second)
  turned = f32[8,4]{0,1} copy(kept)
  read = f32[8,4]{0,1} negate(turned)
  forLoop = f32[8,4]{1,0} copy(donated)
  state = (s32[], f32[8,4]{1,0}) tuple(i, forLoop)
  loop = (s32[], f32[8,4]{1,0}) while(state), condition=condition, body=body
  slid = bf16[4,4]{1,0} fusion(kept, i), kind=kLoop, calls=moved
  negated = f32[4,8]{1,0} fusion(kept), kind=kLoop, calls=scaled
  ROOT out = (f32[8,4]{1,0}, f32[8,4]{1,0}) tuple(ofDonated, ofSecond)
}
)";

TEST(MovementTest, KernelsThatComputeDoNotOnlyMove) {
  const Parsed of(kCopies);
  for (const char *name : {"ofKept", "turned", "slid", "ofFused"})
    EXPECT_TRUE(of.moves(name)) << name;
  for (const char *name : {"read", "negated"}) EXPECT_FALSE(of.moves(name));
  Parsed others(kBodies);
  for (const char *name : {"a", "k", "n"}) EXPECT_FALSE(others.moves(name));
}

TEST(MovementTest, CopiesAreThereForReasons) {
  const Parsed of(kCopies);
  const std::map<std::string, CopyCause> wanted = {
      {"ofKept", CopyCause::NotDonated},   {"ofFused", CopyCause::NotDonated},
      {"ofCast", CopyCause::NotDonated},   {"ofFirst", CopyCause::NotDonated},
      {"ofDonated", CopyCause::None},      {"ofDonor", CopyCause::None},
      {"ofSecond", CopyCause::None},       {"turned", CopyCause::LayoutChange},
      {"forLoop", CopyCause::LoopOperand}, {"slid", CopyCause::None},
      {"read", CopyCause::None},
  };
  for (const auto &[name, cause] : wanted)
    EXPECT_EQ(of.whyOf(name).cause, cause) << name;
  EXPECT_EQ(of.whyOf("turned").reader, "read");
}

TEST(DonatedTest, TheHeaderSaysWhatIsDonated) {
  EXPECT_EQ(Parsed(kCopies).donated(), (DonatedLeaves{{0, 0}, {2, 1}, {4, 0}}));
  EXPECT_TRUE(Parsed(kBodies).donated().empty());
}

TEST(DonatedTest, WhatIsNotUnderstoodDonatesNothing) {
  const std::string entry = " ENTRY e { ROOT p = f32[4] parameter(0) }";
  for (const char *alias :
       {"input_output_alias={ {}: (7, {}, may-alias) }",
        "input_output_alias={ {}: (0, {3}, may-alias) }",
        "input_output_alias={ {}: (99999999999999999999, {}) }",
        "input_output_alias={ {}: (0", "input_output_alias={ {}: () }"}) {
    auto program =
        parseHlo(std::string("HloModule m, ") + alias + "\n" + entry, "m.hlo");
    if (!program.ok()) continue;
    EXPECT_TRUE(donatedLeaves(program->modules[0]).empty()) << alias;
  }
}

}  // namespace
}  // namespace indexical
