// The parser's errors for text that is no HLO. It must survive any text.
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/hlo/hlo_parser.h"

namespace indexical {
namespace {

/// `line:column: message [suggestion]`, or "ok".
std::string errorOf(std::string text) {
  absl::Status status = parseHlo(std::move(text)).status();
  if (status.ok()) return "ok";
  auto place = placeOf(status);
  std::string out = place ? std::to_string(place->line) + ":" +
                                std::to_string(place->column) + ": "
                          : "(no place) ";
  out += std::string(status.message());
  std::string suggestion = suggestionOf(status);
  return suggestion.empty() ? out : out + " [" + suggestion + "]";
}

/// Every error names a place inside the text.
void expectPlaced(const std::string &text) {
  absl::Status status = parseHlo(text).status();
  if (status.ok()) return;
  auto place = placeOf(status);
  ASSERT_TRUE(place && place->known()) << text << "\n" << errorOf(text);
  EXPECT_LE(place->line, llvm::StringRef(text).count('\n') + 1) << text;
  EXPECT_FALSE(status.message().empty());
}

struct Row {
  const char *text, *expected;
};

TEST(HloErrorsTest, Syntax) {
  const Row kRows[] = {
      {"",
       "1:1: there is no HLO in this text: neither a `HloModule` nor a "
       "computation"},
      {" // only a comment\n/* two */",
       "2:10: there is no HLO in this text: neither a `HloModule` nor a "
       "computation"},
      {"HloModule m\n", "2:1: this module has no computation"},
      {"HloModule m\ne {}", "2:1: computation `e` has no instruction"},
      {"{", "1:1: expected a computation, found `{`"},
      {"e [", "1:3: expected `{`, the body of computation `e`, found `[`"},
      {"e { x = f32[] parameter(0)", "1:3: this computation has no `}`"},
      {"e { x f32[] parameter(0) }", "1:7: expected `=`, found `f32`"},
      {"e { x = f32[] }", "1:15: expected an opcode, found `}`"},
      {"e { x = }", "1:9: expected a shape or an opcode, found `}`"},
      {"e { x = f32[] parameter }",
       "1:25: expected `(` after `parameter`, found `}`"},
      {"e { x = f32[] parameter(0 }",
       "1:27: `}` where `)` would close the bracket"},
      {"e { x = f32[] negate(f32[] ) }",
       "1:28: expected an operand, found `)`"},
      {"e { x = f32[] add(x x) }",
       "1:21: expected `,` or `)` in the list of operands, found `x`"},
      {"e { x = f32[] parameter(0), a }",
       "1:31: expected `=` after `a`, found `}`"},
      {"e { x = f32[] parameter(0), }",
       "1:29: expected an attribute, found `}`"},
      {"e { x = f32[] parameter(0), a={b", "1:31: `{` is never closed"},
      {"e { x = f32[] parameter(0), a=\"b }",
       "1:31: this string has no closing quote"},
      {"e { x = f32[] parameter(0) /* }", "1:28: this comment has no `*/`"},
      {"e { x = f32[] parameter(0) \xff }",
       "1:28: expected an instruction, found the byte 0xff"},
      {"HloModule m, 3\ne { x = f32[] parameter(0) }",
       "2:1: expected `=`, found `e`"},
      {"e { x = float[] parameter(0) }", "1:9: unknown element type `float`"},
      {"e { x = f32[2,-3] parameter(0) }",
       "1:15: a size is -3; sizes are 0 or more"},
      {"f32[2] negate(f32[2]",
       "1:21: expected an operand, found the end of "
       "the text"},
      {"f32[2] conditional(s32[], f32[2]), branch_computations={ {x = f32[2] "
       "parameter(0)}, f }",
       "1:85: expected a computation, `{`, found `f`"},
      {"f32[2] conditional(s32[], f32[2]), branch_computations={ {x = f32[2] "
       "negate(f32[2])} }",
       "1:83: expected an operand, found `)`"},
  };
  for (const Row &row : kRows)
    EXPECT_EQ(errorOf(row.text), row.expected) << row.text;
}

TEST(HloErrorsTest, Collectives) {
  auto errorIn = [](const std::string &instruction) {
    return errorOf(
        "HloModule m, replica_count=4\n"
        "f { a = f32[] parameter(0) b = f32[] parameter(1)\n"
        "  ROOT r = f32[] add(a, b) }\n"
        "ENTRY e {\n p = f32[8,6] parameter(0)\n"
        " ROOT r = " +
        instruction + "\n}");
  };
  const Row kRows[] = {
      {"f32[16,6] all-gather(p), dimensions={0}, replica_groups={{0,1},{1,2}}",
       "6:67: replica groups: device 1 is in them twice"},
      {"f32[16,6] all-gather(p), dimensions={0}, replica_groups={{0,-1}}",
       "6:67: replica groups: -1 is not a device; the first one is 0"},
      {"f32[16,6] all-gather(p), dimensions={0}, "
       "replica_groups={{0,9223372036854775807}}",
       "6:67: replica groups: there is no device 9223372036854775807; there "
       "are 4"},
      {"f32[16,6] all-gather(p), dimensions={0}, channel_id=1, "
       "use_global_device_ids=true, "
       "replica_groups={{0,9223372036854775807}}",
       "ok"},
      {"f32[16,6] all-gather(p), dimensions={0}, channel_id=x, "
       "replica_groups={{0,1}}",
       "6:63: expected an integer, found `x`"},
      {"f32[16,6] all-gather(p), dimensions={0}, dimensions={1}, "
       "replica_groups={{0,1}}",
       "6:52: `dimensions` is written twice; which one counts?"},
      {"f32[16,6] all-gather(p), dimensions={0}, replica_groups=[2,2]<=[3]",
       "6:67: replica groups: 2 groups of 2 are not 3 devices"},
      {"f32[16,6] all-gather(p), dimensions={0}, "
       "replica_groups=[2,2]<=[2,2]T(0,2)",
       "6:67: replica groups: the order in `T(…)` is not a permutation of the 2 "
       "sizes before it"},
      {"f32[16,6] all-gather(p), dimensions={0}, "
       "replica_groups=mesh['x'=2,'y'=2] {'z'}",
       "6:87: the mesh has no axis `z`"},
      {"f32[16,6] all-gather(p), dimensions={0}, replica_groups={{0,1,2}}",
       "6:21: f32[16,6] must have the shape of f32[8,6], times the number of "
       "members of a group, 3, along dimension 0 (C6)"},
      {"f32[8,6] all-gather(p), replica_groups={}",
       "6:20: `all-gather` needs the attribute `dimensions`, as in "
       "`dimensions=0`"},
      {"f32[3,6] reduce-scatter(p), dimensions={0}, replica_groups={{0,1}}, "
       "to_apply=f",
       "6:20: f32[8,6] must have the shape of f32[3,6], times the number of "
       "members of a group, 2, along dimension 0 (C8)"},
      {"f32[8,6] all-to-all(p), dimensions={0}, replica_groups={{0,1,2}}",
       "6:20: the size of the dimension that is cut, 8, must be a multiple of "
       "the number of members, 3 (C2)"},
      {"f32[8,6] collective-permute(p), source_target_pairs={{0,1},{2,1}}",
       "6:20: source_target_pairs must name a target once, but name 1 twice "
       "(C3)"},
      {"f32[8,6] collective-permute(p), source_target_pairs={{0,4}}",
       "6:20: source_target_pairs must be in [0, 4), the number of devices "
       "being 4, but has 4 (C4)"},
      {"f32[8,6] collective-permute(p)",
       "6:20: `collective-permute` needs the attribute `source_target_pairs`, "
       "as in `source_target_pairs={{0,1},{1,0}}`"},
      {"f32[8,5] all-reduce(p), replica_groups={}, to_apply=f",
       "6:20: operand and result must have the same shape, but are f32[8,6] "
       "and "
       "f32[8,5] (C6)"},
  };
  for (const Row &row : kRows)
    EXPECT_EQ(errorIn(row.text), row.expected) << row.text;
}

TEST(HloErrorsTest, Names) {
  const Row kRows[] = {
      {"e { alpha = f32[] parameter(0)\n ROOT y = f32[] negate(alhpa) }",
       "2:24: there is no instruction `alhpa` in `e` [alpha]"},
      {"e { alpha = f32[] parameter(0)\n ROOT y = f32[] negate(ahlap) }",
       "2:24: there is no instruction `ahlap` in `e`"},
      {"e { alpha = f32[] parameter(0)\n ROOT y = f32[] negate(%alpho) }",
       "2:25: there is no instruction `alpho` in `e` [alpha]"},
      {"HloModule m\nadder { ROOT x = f32[] parameter(0) }\n"
       "ENTRY e { x = f32[] parameter(0)\n"
       " ROOT c = f32[] call(x), to_apply=%addr }",
       "4:36: computation `addr` is not defined [adder]"},
      {"e { x = f32[] parameter(0) x = f32[] parameter(1) }",
       "1:28: instruction `x` of `e` is defined twice"},
      {"e { x = f32[] parameter(0) }\ne { x = f32[] parameter(0) }",
       "2:1: computation `e` is defined twice"},
      {"ENTRY e { x = f32[] parameter(0) }\nENTRY f { x = f32[] parameter(0) }",
       "2:7: a module has one ENTRY"},
      {"e { ROOT x = f32[] parameter(0) ROOT y = f32[] negate(x) }",
       "1:38: computation `e` has two instructions marked ROOT"},
      {"e { a = f32[] negate(b)\n b = f32[] abs(a) }",
       "1:5: instruction `a` depends on itself"},
      {"e { a = f32[] negate(a) }", "1:5: instruction `a` depends on itself"},
      {"HloModule m\nf { x = f32[] parameter(0) ROOT c = f32[] call(x), "
       "to_apply=g }\ng { x = f32[] parameter(0) ROOT c = f32[] call(x), "
       "to_apply=f }",
       "3:61: computation `f` calls itself"},
      {"e { x = f32[] parameter(1) }",
       "1:15: there is no parameter before parameter 1 with number 0"},
      {"e { x = f32[] parameter(2) y = f32[] parameter(0) z = f32[] abs(y) }",
       "1:1: computation `e` has no parameter 1, but a later one"},
      {"e { x = f32[] parameter(0) y = f32[] parameter(0) }",
       "1:38: parameter 0 of `e` is defined twice"},
      {"e { x = f32[] parameter(a) }",
       "1:15: `parameter` needs its number, as in `parameter(0)`"},
  };
  for (const Row &row : kRows)
    EXPECT_EQ(errorOf(row.text), row.expected) << row.text;
}

// A type beside an operand is that of the operand's instruction, but for its
// layout and for flags of dynamic sizes.
TEST(HloErrorsTest, OperandTypes) {
  const Row kRows[] = {
      {"negate(f32[2,3]{0,1} m)", "ok"},
      {"negate(f32[ 2, <=3 ] %m)", "ok"},
      {"negate(f32[2,?] m)", "ok"},
      {"abs(f32[2,3] negate(f32[2,3] m))", "ok"},
      {"copy((f32[2], (s32[], token[])) t)", "ok"},
      {"negate(f32[2] t#0)", "ok"},
      {"negate(f32[3,2] m)", "5:19: operand `m` is f32[2,3], not f32[3,2]"},
      {"add(m, f32[2,3,1] %m)",
       "5:19: operand `m` is f32[2,3], not f32[2,3,1]"},
      {"negate(f32[2,<=4] m)", "5:19: operand `m` is f32[2,3], not f32[2,<=4]"},
      {"negate(bf16[2,3] m)", "5:19: operand `m` is f32[2,3], not bf16[2,3]"},
      {"copy((f32[2], s32[]) t)",
       "5:17: operand `t` is (f32[2], (s32[], token[])), not (f32[2], s32[])"},
      {"copy((f32[2], (s32[], token[]), s8[]) t)",
       "5:17: operand `t` is (f32[2], (s32[], token[])), not (f32[2], "
       "(s32[], token[]), s8[])"},
      {"negate(f32[3] t#0)",
       "5:19: operand `get-tuple-element.1` is f32[2], not f32[3]"},
      // The nested instruction itself is what is wrong.
      {"abs(f32[3,2] negate(f32[2,3] m))",
       "5:25: operand 0 must have the shape of the result, f32[3,2], or rank "
       "0, "
       "but is f32[2,3]"},
      {"negate(float[2,3] m)", "5:19: unknown element type `float`"},
  };
  for (const Row &row : kRows) {
    std::string text =
        "HloModule m\n\nENTRY e { m = f32[2,3] parameter(0)\n"
        "  t = (f32[2], (s32[], token[])) parameter(1)\n"
        "  ROOT x = ";
    EXPECT_EQ(errorOf(text + row.text + "\n}"), row.expected) << row.text;
  }
}

TEST(HloErrorsTest, Instructions) {
  const Row kRows[] = {
      {"f32[] add(s)", "`add` takes 2 operands, here it has 1"},
      {"f32[] copy-done()", "`copy-done` takes 1 operand, here it has 0"},
      {"f32[] reduce(s)", "`reduce` takes 2 operands or more, here it has 1"},
      {"f32[] infeed(s, s)", "`infeed` takes 0 to 1 operand, here it has 2"},
      {"f32[2,3] add(m, t)",
       "operand 1 of `add` must be an array, not (f32[2], s32[])"},
      {"(f32[2]) add(m, m)",
       "the result of `add` must be an array, not (f32[2])"},
      {"f32[2] get-tuple-element(t)",
       "`get-tuple-element` needs the attribute `index`, as in `index=0`"},
      {"f32[2] get-tuple-element(t), index=2",
       "there is no element 2 in a tuple of 2 elements"},
      {"f32[2] get-tuple-element(t), index=-1",
       "there is no element -1 in a tuple of 2 elements"},
      {"f32[2] get-tuple-element(m), index=0",
       "the operand of `get-tuple-element` must be a tuple, not f32[2,3]"},
      {"(f32[2], s32[]) get-tuple-element(t), index=0",
       "element 0 of the tuple is f32[2], not (f32[2], s32[])"},
      {"(f32[2,3]) tuple(m, m)",
       "a tuple of 2 operands cannot have the shape (f32[2,3])"},
      {"f32[2,3] broadcast(m)",
       "`broadcast` needs the attribute `dimensions`, as in "
       "`dimensions={0,1}`"},
      {"f32[2,3] broadcast(m), dimensions={0,x}",
       "expected an integer, found `x`"},
      {"f32[2,3] broadcast(m), dimensions={9999999999999999999}",
       "`9999999999999999999` does not fit into 64 bits"},
      {"f32[2,3] iota()",
       "`iota` needs the attribute `iota_dimension`, as in "
       "`iota_dimension=0`"},
      {"f32[2,3] concatenate(m), dimensions={0,1}",
       "`dimensions` of `concatenate` must be one number"},
      {"f32[1] slice(m), slice={[0:1:]}", "expected an integer, found `]`"},
      {"f32[2,3] pad(m, s), padding=1x2",
       "expected `_`, as in `0_0`, found "
       "`x2`"},
      {"f32[2,3] reduce-window(m, s), window={sice=1x1}",
       "a window has no part `sice` [size]"},
      {"f32[2,3] reduce-window(m, s), window={size=1x1 stride=1}",
       "this part of the window has 1 dimensions, the part before it 2"},
      {"f32[2,3] fusion(m), kind=kLoop",
       "`fusion` needs the attribute `calls`, the computation that it calls"},
      {"f32[2,3] call(m, m), to_apply=f",
       "`f` has 1 parameters, `x` hands it 2"},
      {"f32[] call(t), to_apply=f",
       "parameter 0 of `f` is f32[], `x` hands it (f32[2], s32[])"},
      {"(f32[], f32[]) call(s), to_apply=f",
       "`f` returns f32[], `x` is (f32[], f32[])"},
      {"f32[] conditional(q, s), true_computation=f, false_computation=f",
       "`conditional` takes the choice and one operand a branch: 3 operands, "
       "here it has 2"},
      {"f32[2,3] copy-start(m)",
       "the result of `copy-start` must be (destination, source, context), "
       "not f32[2,3]"},
      {"reshape(m)",
       "the shape of `reshape` does not follow from its operands; write it "
       "before the opcode"},
  };
  for (const Row &row : kRows) {
    std::string error = errorOf(std::string(R"(HloModule m
f { ROOT p = f32[] parameter(0) }
ENTRY e { m = f32[2,3] parameter(0)  s = f32[] parameter(1)
  q = pred[] parameter(2)  t = (f32[2], s32[]) parameter(3)
  ROOT x = )") + row.text + "\n}");
    // All of these have their place on the instruction's line.
    EXPECT_EQ(llvm::StringRef(error).take_front(2), "5:") << error;
    EXPECT_EQ(llvm::StringRef(error).split(": ").second.str(), row.expected);
  }
}

// A called computation must fit its instruction. If it does not, the error
// stands at the opcode.
TEST(HloErrorsTest, CallsStandAtTheOpcode) {
  const Row kRows[] = {
      {"f32[5] call(x), to_apply=f", "9:19: `f` returns f32[4], `r` is f32[5]"},
      {"f32[4] call(x, x), to_apply=f",
       "9:19: `f` has 1 parameters, `r` hands it 2"},
      {"f32[4] fusion(y), kind=kLoop, calls=f",
       "9:19: parameter 0 of `f` is f32[4], `r` hands it f32[5]"},
      {"f32[5] conditional(i, x, y), branch_computations={f, g}",
       "9:19: `f` returns f32[4], `r` is f32[5]"},
      {"f32[4] conditional(i, x, x), branch_computations={f, g}",
       "9:19: parameter 0 of `g` is f32[5], `r` hands it f32[4]"},
      {"f32[4] while(x), condition=f, body=f",
       "9:19: `f` returns f32[4], a condition returns pred[]"},
      {"f32[4] while(x), condition=c, body=c",
       "9:19: `c` returns pred[], `r` is f32[4]"},
      {"(f32[4,2], f32[4]) scan(z, x), dimensions={1}, num_carries=1, "
       "to_apply=f",
       "9:31: `f` has 1 parameters, `r` hands it 2"},
      // Behind a line, and in another instruction.
      {"f32[4] negate(f32[4]\n call(f32[5] y), to_apply=f)",
       "10:2: parameter 0 of `f` is f32[4], `call.1` hands it f32[5]"},
  };
  for (const Row &row : kRows)
    EXPECT_EQ(errorOf(R"(HloModule m
f { ROOT p = f32[4] parameter(0) }
g { ROOT p = f32[5] parameter(0) }
c { p = f32[4] parameter(0)  ROOT c = pred[] constant(true) }
ENTRY e {
  i = s32[] parameter(0)
  x = f32[4] parameter(1)  y = f32[5] parameter(2)
  z = f32[4,2] parameter(3)
  ROOT r = )" + std::string(row.text) +
                      "\n}"),
              row.expected)
        << row.text;
}

constexpr char kModule[] = R"(HloModule m, is_scheduled=true, a={"b": [1, "}"]}
FileNames
1 "f.py"
%add (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0) /*index=1*/
  %y = f32[] parameter(1)  // comment
  ROOT %s = f32[] add(f32[] %x, %y), metadata={op_name="a\"b" source_line=3}
}, execution_thread="host"
ENTRY e {
  p = (f32[2,<=3]{1,0:T(8,128)S(1)}, (s32[], token[])) parameter(0)
  g = f32[2,3] get-tuple-element(p), index=0
  c = s32[2] constant({ 1, -2 })
  z = f32[] constant(0)
  w = f32[2,1] reduce-window(g, z), window={size=1x3 pad=0_0x-0_0}, to_apply=add
  b = f32[] call(z, z), to_apply={ a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = add(a, b) }
  d = f32[1,2] dynamic-slice(g, s32[] constant(0), p#1#0), dynamic_slice_sizes={1,2}
  ROOT r = f32[] reduce(g, z), dimensions={0,1}, to_apply=%add, backend_config="{\"n\":1}"
}
)";

constexpr char kInstruction[] =
    "(f32[2]{0}, s32[]) conditional(s32[], (f32[2], s32[]) %x, (f32[2], s32[])"
    "), branch_computations={\n{ ROOT p = (f32[2], s32[]) parameter(0) },\n"
    "{ p = (f32[2], s32[]) parameter(0) ROOT t = tuple(p#0, s32[] p#1) }\n}";

TEST(HloErrorsTest, SurvivesTruncation) {
  for (std::string text : {kModule, kInstruction}) {
    ASSERT_EQ(errorOf(text), "ok");
    for (size_t size = 0; size < text.size(); ++size)
      expectPlaced(text.substr(0, size));
  }
}

TEST(HloErrorsTest, SurvivesRandomMutations) {
  unsigned seed = std::random_device()();
  if (const char *given = std::getenv("INDEXICAL_SEED"))
    seed = std::strtoul(given, nullptr, 10);
  std::cout << "seed: INDEXICAL_SEED=" << seed << "\n";
  std::mt19937 random(seed);
  const std::string kTexts[] = {kModule, kInstruction};
  const llvm::StringRef kBytes = "{}[]()=,:%#\"'\\/*-_.<>? \n\r\t019xafR\0\xff";
  for (int round = 0; round < 20000; ++round) {
    const std::string &text = kTexts[round % 2];
    std::string mutated = text;
    int changes = 1 + random() % 4;
    for (int i = 0; i < changes; ++i) {
      size_t at = random() % mutated.size();
      switch (random() % 4) {
        case 0:
          mutated[at] = kBytes[random() % kBytes.size()];
          break;
        case 1:
          mutated.insert(at, 1, kBytes[random() % kBytes.size()]);
          break;
        case 2:
          mutated.erase(at, 1 + random() % 5);
          break;
        default:  // a piece of the text in another place
          mutated.insert(at, text.substr(random() % text.size(), 20));
      }
      if (mutated.empty()) mutated = "e";
    }
    expectPlaced(mutated);
    if (HasFailure()) return;
  }
}

TEST(HloErrorsTest, NestingHasALimit) {
  auto times = [](const char *text, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += text;
    return out;
  };
  const int kDepth = 10000;
  for (const std::string &text : {
           "e { x = " + times("(", kDepth),
           "e { x = f32[] parameter(" + times("(", kDepth),
           "e { x = f32[] parameter(0), a=" + times("{", kDepth),
           "e { x = f32[] " + times("negate(", kDepth),
           "e { x = f32[] add(" + times("(f32[], ", kDepth),
           "e { x = f32[] " + times("call(), to_apply={ x = f32[] ", kDepth),
           "e " + times("(", kDepth),
           "e { x = " + times("b(", kDepth),
           times("(", kDepth),
           "e { x = s32[] constant(" + times("{", kDepth),
           "HloModule m, a=" + times("[", kDepth),
       }) {
    expectPlaced(text);
    EXPECT_NE(errorOf(text), "ok") << text.substr(0, 60);
  }
  // Tuples of tuples need no brackets if shapes are left out.
  std::string deep = "e { t0 = tuple()", wide = deep;
  for (int i = 1; i < kDepth; ++i) {
    std::string last = "t" + std::to_string(i - 1);
    deep += "\nt" + std::to_string(i) + " = tuple(" + last + ")";
    wide += "\nt" + std::to_string(i) + " = tuple(" + last + ", " + last + ")";
  }
  EXPECT_NE(errorOf(deep + "}").find("too large"), std::string::npos);
  EXPECT_NE(errorOf(wide + "}").find("too large"), std::string::npos);
}

TEST(HloErrorsTest, LargeTextsTakeTheirTimeAndNoMore) {
  const size_t kSize = 10'000'000;
  EXPECT_NE(errorOf(std::string(kSize, 'a')), "ok");
  EXPECT_NE(errorOf("e { x = f32[" + std::string(kSize, '1')), "ok");
  EXPECT_NE(errorOf(std::string(kSize, '\n')), "ok");
  EXPECT_NE(
      errorOf("e { x = f32[] parameter(0), a=\"" + std::string(kSize, '\\')),
      "ok");
  std::string markers, inlined = "e { x = f32[] parameter(0)",
                       unknown = inlined;
  while (markers.size() < kSize) markers += "// -----\n";
  EXPECT_NE(errorOf(markers), "ok");
  markers.clear();
  while (markers.size() < kSize / 5)
    markers += "// -----\ne{x=f32[]parameter(0)}\n";
  EXPECT_EQ(errorOf(markers), "ok");
  for (int i = 0; i < 20000; ++i) {
    std::string number = std::to_string(i);
    inlined += "\nc" + number +
               " = f32[] call(x), to_apply={ROOT y = f32[] parameter(0)}";
    unknown += "\nc" + number + " = f32[] op" + number + "(x)";
  }
  EXPECT_EQ(errorOf(inlined + "}"), "ok");
  EXPECT_EQ(errorOf(unknown + "}"), "ok");
  // One large tuple, named many times: alone it is shared, twice it is not.
  std::string tuple = "(s8[]", many, twice;
  for (int i = 0; i < 20000; ++i) tuple += ",s8[]";
  many = twice = "e { p = " + tuple + ") parameter(0)";
  for (int i = 0; i < 20000; ++i) {
    std::string number = std::to_string(i);
    many += "\ng" + number + " = get-tuple-element(p), index=" + number;
    twice += "\nc" + number + " = s8[] custom-call(p, p)";
  }
  EXPECT_EQ(errorOf(many + "}"), "ok");
  EXPECT_NE(errorOf(twice + "}").find("too large"), std::string::npos);
  // This takes seconds. If something grows with a square, it takes more time
  // than the test has.
}

}  // namespace
}  // namespace indexical
