// Broken input, in process: whatever a file holds, a command ends soon, with
// the status of a wrong input, one error with a short message, and no result,
// or else it answers.

#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include "tests/support/broken_input.h"

namespace indexical {
namespace {

using llvm::StringRef;
using testing::expectAnsweredOrRefused;
using testing::expectRefused;
using testing::Outcome;
using testing::outcomeOf;

Outcome call(StringRef command, std::string text) {
  return outcomeOf({command, "--format=jsonl"}, std::move(text));
}

constexpr char kModule[] =
    R"(HloModule m, entry_computation_layout={(f32[4,8]{1,0})->f32[8]{0}}
%sum (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %c = f32[] add(%a, %b), metadata={op_name="s" source_line=1}
}
%f (p: f32[4,8], s: s32[]) -> f32[8] {
  %p = f32[4,8]{1,0:T(8,128)} parameter(0)
  %s = s32[] parameter(1) /* start */
  %d = f32[2,8]{1,0} dynamic-slice(%p, %s, %s), dynamic_slice_sizes={2,8}
  %z = f32[] constant(-inf)
  ROOT %r = f32[8]{0} reduce(%d, %z), dimensions={0}, to_apply=%sum
}
ENTRY %main (x: f32[4,8], i: s32[]) -> (f32[8], s32[]) {
  %x = f32[4,8]{1,0} parameter(0), sharding={replicated}
  %i = s32[] parameter(1)
  %g = f32[8]{0} fusion(%x, %i), kind=kInput, calls=%f
  ROOT %t = (f32[8]{0}, s32[]) tuple(%g, %i), backend_config="{\"a\":[1]}"
}
)";

constexpr char kMaps[] = R"(# maps
(d0, d1)[s0]{rt0} -> (d0 + rt0, d1 floordiv 2, s0 mod 3),
domain:
d0 in [0, 9],
d1 in [-inf, 19],
s0 in [0, 3],
rt0 in [0, 26],
d0 + s0 in [0, 10]
// -----
#xla.indexing_map<"(d0, d1, d2) -> (d0), domain: d0 in [0, 3], d1 in [0, 3], d2 in [0, 3]">
)";

TEST(CliRobustness, TheWholeInputsAreRight) {
  EXPECT_EQ(call("dump", kModule).err, "");
  EXPECT_EQ(call("dump", kModule).status, kDone);
  EXPECT_EQ(call("simplify", kMaps).err, "");
  EXPECT_EQ(call("compose", kMaps).err, "");
}

TEST(CliRobustness, EveryTruncation) {
  StringRef module(kModule), maps(kMaps);
  for (size_t size = 0; size < module.size(); ++size)
    expectAnsweredOrRefused(call("dump", module.take_front(size).str()),
                            "dump, " + std::to_string(size) + " bytes");
  for (size_t size = 0; size < maps.size(); ++size)
    for (StringRef command : {"simplify", "compose"})
      expectAnsweredOrRefused(call(command, maps.take_front(size).str()),
                              "maps, " + std::to_string(size) + " bytes");
}

TEST(CliRobustness, EveryByteReplaced) {
  for (char byte : StringRef("(}{,=\"%-9\xff\n")) {
    for (size_t at = 0; at + 1 < sizeof(kModule); ++at) {
      std::string text = kModule;
      text[at] = byte;
      expectAnsweredOrRefused(
          call("dump", text),
          "dump, `" + std::string(1, byte) + "` at " + std::to_string(at));
    }
    for (size_t at = 0; at + 1 < sizeof(kMaps); ++at) {
      std::string text = kMaps;
      text[at] = byte;
      expectAnsweredOrRefused(
          call("simplify", text),
          "maps, `" + std::string(1, byte) + "` at " + std::to_string(at));
    }
  }
}

std::string repeated(StringRef part, size_t count) {
  std::string text;
  text.reserve(part.size() * count);
  for (size_t i = 0; i < count; ++i) text += part;
  return text;
}

TEST(CliRobustness, DeepNesting) {
  for (size_t depth : {10000u, 1000000u}) {
    std::string open = repeated("(", depth), close = repeated(")", depth);
    for (const std::string &text :
         {"f { p = " + open + "f32[]" + close + " parameter(0) }",
          "f { p = " + open, open, "f " + open,
          "f { p = f32[] parameter(0) ROOT r = f32[] negate(" +
              repeated("negate(", depth) + "p" + close + ") }",
          "f { p = f32[] parameter(0) ROOT r = f32[] negate(" + open + "p" +
              close + ") }",
          "f { ROOT c = f32[] constant(" + repeated("{", depth) + " }"})
      expectRefused(call("dump", text),
                    text.substr(0, 40) + " x " + std::to_string(depth));
    expectRefused(call("simplify", "(d0) -> (" + open + "d0" + close +
                                       "), domain: d0 in [0, 1]"),
                  "a map, nested");
    expectRefused(call("simplify", "(d0) -> (" + open), "a map, open");
    expectAnsweredOrRefused(
        call("simplify",
             "(d0) -> (" + repeated("-", depth) + "d0), domain: d0 in [0, 1]"),
        "signs");
  }
}

TEST(CliRobustness, LongLines) {
  constexpr size_t kLong = 10'000'000;
  std::string name(kLong, 'x');
  expectRefused(call("dump", name), "one word");
  expectRefused(call("dump",
                     "f { p = f32[] parameter(0) ROOT r = f32[] "
                     "negate(" +
                         name + ") }"),
                "an operand's name");
  expectRefused(call("dump", "f { p = f32[] " + name + "(0"), "an opcode");
  expectRefused(
      call("dump", "f { p = f32[] parameter(0) /*" + name + "*/ ROOT r = }"),
      "a comment");
  expectRefused(call("dump", "f { p = f32[" + repeated("1,", kLong / 2)),
                "a shape");
  expectRefused(call("dump", "f { p = f32[" + std::string(kLong, '9') +
                                 "] parameter(0) }"),
                "a number");
  expectRefused(call("dump", "f { p = f32[] constant(\"" + name), "a string");
  expectRefused(call("dump", "/*" + name), "an open comment");
  expectRefused(call("simplify", name), "one word, as a map");
  expectRefused(call("simplify", "(" + name + ") -> (d0)"),
                "a variable's name");
  expectRefused(call("simplify", "(d0) -> (" + std::string(kLong, '9') +
                                     "), domain: d0 in [0, 1]"),
                "a number, in a map");
}

TEST(CliRobustness, Cycles) {
  for (StringRef text :
       {"f { a = f32[] negate(b) ROOT b = f32[] negate(a) }",
        "f { ROOT a = f32[] negate(a) }",
        "f { p = f32[] parameter(0) ROOT r = f32[] fusion(p), calls=f }",
        "f { p = f32[] parameter(0) ROOT r = f32[] call(p), to_apply=g } "
        "g { p = f32[] parameter(0) ROOT r = f32[] call(p), to_apply=f }"})
    expectRefused(call("dump", text.str()), text.str());
}

TEST(CliRobustness, NumbersAtTheEnd) {
  for (StringRef text :
       {"f { p = f32[9223372036854775807,9223372036854775807] parameter(0) "
        "ROOT r = f32[9223372036854775807] reshape(p) }",
        "f { p = f32[4] parameter(18446744073709551616) }",
        "f { p = f32[4] parameter(-1) ROOT r = f32[4] negate(p) }",
        "f { p = f32[4] parameter(2147483647) ROOT r = f32[4] negate(p) }",
        "f { p = f32[-4] parameter(0) ROOT r = f32[-4] negate(p) }",
        "f { p = (f32[4]) parameter(0) ROOT r = f32[4] get-tuple-element(p), "
        "index=9223372036854775807 }",
        "f { p = f32[4] parameter(0) ROOT r = f32[4] transpose(p), "
        "dimensions={-9223372036854775808} }"})
    expectAnsweredOrRefused(call("dump", text.str()), text.str());
}

TEST(CliRobustness, AWideTupleOfWideTuples) {
  // 1,000 leaves on either side: a million pairs, of which 1,000 are read.
  std::string shape = "(f32[]" + repeated(",f32[]", 999) + ")";
  Outcome outcome =
      call("dump", "f { p = " + shape + " parameter(0) ROOT r = " + shape +
                       " opt-barrier(p) }");
  EXPECT_EQ(outcome.status, kDone);
  EXPECT_EQ(outcome.err, "");
  EXPECT_LT(outcome.seconds, 60);
}

}  // namespace
}  // namespace indexical
