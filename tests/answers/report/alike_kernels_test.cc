// A report measures kernels that do the same once: what it says of each is what
// `coalescing` says, which measures one kernel alone.

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include "indexical/command/exit_status.h"
#include "indexical/command/run.h"

namespace indexical {
namespace {

namespace json = llvm::json;

/// The kernels of a call, by instruction; figures of the whole module are left
/// out.
std::vector<json::Object> kernelsOf(const std::string &text,
                                    std::vector<llvm::StringRef> words,
                                    llvm::StringRef launch) {
  std::string output, errors;
  llvm::raw_string_ostream out(output), err(errors);
  words.insert(words.end(), {"--format=jsonl", launch});
  EXPECT_EQ(runOnInput(words, Input{"m.hlo", text}, out, err), kDone) << errors;
  std::vector<json::Object> kernels;
  llvm::SmallVector<llvm::StringRef, 16> lines;
  llvm::SplitString(output, lines, "\n");
  for (llvm::StringRef line : lines) {
    json::Object object = *llvm::cantFail(json::parse(line)).getAsObject();
    if (object.getString("kind") != "kernel") continue;
    for (llvm::StringRef key :
         {"share", "share_of_all", "predicted_us", "limited_by", "trips",
          "moved_bytes", "why", "used_bytes", "wasted_bytes",
          "moved_least_bytes", "wasted_least_bytes", "lost_us", "alike",
          "avoidable_us", "avoid_by", "avoid_with", "advice"})
      object.erase(key);
    kernels.push_back(std::move(object));
  }
  return kernels;
}

constexpr llvm::StringLiteral kText = R"(HloModule m, is_scheduled=true

body {
  s = (s32[], f32[64,128]) parameter(0)
  n = s32[] get-tuple-element(s), index=0
  v = f32[64,128] get-tuple-element(s), index=1
  inside = f32[64,128] negate(v), metadata={op_name="inside"}
  ROOT next = (s32[], f32[64,128]) tuple(n, inside)
}

condition {
  s = (s32[], f32[64,128]) parameter(0)
  ROOT more = pred[] constant(true)
}

ENTRY e {
  x = f32[64,128]{1,0} parameter(0)
  z = s32[] parameter(1)
  a = f32[64,128]{1,0} negate(x), metadata={op_name="first"}
  b = f32[64,128]{1,0} negate(a), metadata={op_name="second" source_file="b.py" source_line=7}
  k = f32[64,128]{0,1} negate(b)
  c0 = s32[] constant(0)
  c4 = s32[] constant(4)
  s0 = f32[8,128]{1,0} dynamic-slice(b, c0, c0), dynamic_slice_sizes={8,128}
  s4 = f32[8,128]{1,0} dynamic-slice(b, c4, c0), dynamic_slice_sizes={8,128}
  sz = f32[8,128]{1,0} dynamic-slice(b, z, c0), dynamic_slice_sizes={8,128}
  sy = f32[8,128]{1,0} dynamic-slice(a, c0, z), dynamic_slice_sizes={8,128}
  y = s32[] parameter(2)
  sv = f32[8,128]{1,0} dynamic-slice(a, y, c0), dynamic_slice_sizes={8,128}
  szy = f32[8,128]{1,0} dynamic-slice(b, z, y), dynamic_slice_sizes={8,128}
  syz = f32[8,128]{1,0} dynamic-slice(a, y, z), dynamic_slice_sizes={8,128}
  szz = f32[8,128]{1,0} dynamic-slice(a, z, z), dynamic_slice_sizes={8,128}
  u0 = f32[64,128]{1,0} dynamic-update-slice(b, s0, c0, c0)
  u4 = f32[64,128]{1,0} dynamic-update-slice(a, s4, c4, c0)
  t = f32[128,64]{1,0} transpose(b), dimensions={1,0}
  u = f32[128,64]{1,0} transpose(x), dimensions={1,0}
  q = f32[64,128]{1,0} multiply(x, x)
  r = f32[64,128]{1,0} multiply(x, b)
  g = f32[64,64]{1,0} dot(x, t), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  h = f32[64,64]{1,0} dot(b, u), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  w0 = (s32[], f32[64,128]) tuple(z, r)
  w = (s32[], f32[64,128]) while(w0), condition=condition, body=body, backend_config={"known_trip_count":{"n":"5"}}
  ROOT o = f32[64,128] get-tuple-element(w), index=1
}
)";

class AlikeKernels : public ::testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(Launches, AlikeKernels,
                         ::testing::Values("--launch=linear", "--launch=xla"));

TEST_P(AlikeKernels, AreSaidAsIfMeasuredAlone) {
  const std::string text = kText.str();
  const auto all =
      kernelsOf(text, {"report", "--jobs=1", "--maps"}, GetParam());
  EXPECT_EQ(all.size(), 20u);
  for (const json::Object &kernel : all) {
    const std::string instruction =
        "--instruction=" + kernel.getString("instruction")->str();
    const std::string computation =
        "--computation=" + kernel.getString("computation")->str();
    const auto alone =
        kernelsOf(text, {"coalescing", instruction, computation}, GetParam());
    ASSERT_EQ(alone.size(), 1u);
    EXPECT_EQ(json::Value(json::Object(kernel)),
              json::Value(json::Object(alone[0])))
        << instruction;
  }
}

}  // namespace
}  // namespace indexical
