#include "indexical/tools/words.h"

#include <utility>

#include "llvm/ADT/StringSwitch.h"

namespace indexical {
namespace {

constexpr char kExample[] =
    "\nEXAMPLE:\n"
    "  echo 'f { p = f32[4,8] parameter(0) ROOT t = f32[8,4] transpose(p), "
    "dimensions={1,0} }' | indexical dump\n";

constexpr char kDumpExample[] =
    "\nEXAMPLE:\n"
    "  echo 'f { p = f32[4,8] parameter(0) ROOT s = f32[2,3] slice(p), "
    "slice={[1:3], [0:6:2]} }' | indexical dump --direction=both --format=json "
    "-\n";

constexpr char kSimplifyExample[] =
    "\nEXAMPLE:\n"
    "  echo '(d0, d1) -> ((d0 * 8 + d1) floordiv 8, d1 mod 8), domain: d0 in "
    "[0, 3], d1 in [0, 7]' | indexical simplify\n";

constexpr char kComposeExample[] =
    "\nEXAMPLE:\n"
    "  printf '%s\\n' '(d0, d1) -> (d1, d0), domain: d0 in [0, 7], d1 in [0, "
    "3]' '// -----' '(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in "
    "[0, 7]' | indexical compose\n";

constexpr char kEqualExample[] =
    "\nEXAMPLE:\n"
    "  printf '%s\\n' '(d0) -> (d0 mod 8), domain: d0 in [0, 31]' '// -----' "
    "'(d0) -> (d0 - d0 floordiv 8 * 8), domain: d0 in [0, 31]' | indexical "
    "equal\n";

constexpr char kInverseExample[] =
    "\nEXAMPLE:\n"
    "  echo '(d0) -> (d0 mod 8), domain: d0 in [0, 31]' | indexical inverse\n";

constexpr char kCountExample[] =
    "\nEXAMPLE:\n"
    "  echo '(d0){rt0} -> (d0 floordiv 4 + rt0), domain: d0 in [0, 31], rt0 in "
    "[0, 7]' | indexical count --runtime=rt0=4\n";

constexpr char kUtilizationExample[] =
    "\nEXAMPLE:\n"
    "  echo 'f { p = f32[64,64] parameter(0) ROOT s = f32[32,64] slice(p), "
    "slice={[0:64:2], [0:64]} }' | indexical utilization --tile=8,16\n";

constexpr char kTileExample[] =
    "\nEXAMPLE:\n"
    "  echo 'f { p = f32[12,4] parameter(0) ROOT r = f32[4,12] reshape(p) }' | "
    "indexical tile --tile=2,b --try=4 --try=6 --try=12\n";

constexpr char kCoalescingExample[] =
    "\nEXAMPLE:\n"
    "  echo 'f { p = f32[64,128] parameter(0) ROOT t = f32[128,64] "
    "transpose(p), dimensions={1,0} }' | indexical coalescing "
    "--instruction=t\n";

constexpr char kReportExample[] =
    "\nEXAMPLE:\n"
    "  echo 'f { p = f32[64,128] parameter(0) ROOT t = f32[128,64] "
    "transpose(p), dimensions={1,0} }' | indexical report --device=a100\n";

}  // namespace

cl::OptionCategory &category() {
  static cl::OptionCategory category("Options of indexical");
  return category;
}

Words &words() {
  static Words words;
  return words;
}

void registerExample(llvm::StringRef command) {
  static bool once = false;
  if (std::exchange(once, true)) return;
  llvm::StringRef example = llvm::StringSwitch<llvm::StringRef>(command)
                                .Case("dump", kDumpExample)
                                .Case("simplify", kSimplifyExample)
                                .Case("compose", kComposeExample)
                                .Case("equal", kEqualExample)
                                .Case("inverse", kInverseExample)
                                .Case("count", kCountExample)
                                .Case("utilization", kUtilizationExample)
                                .Case("tile", kTileExample)
                                .Case("coalescing", kCoalescingExample)
                                .Case("report", kReportExample)
                                .Default(kExample);
  static cl::extrahelp help(example);
}

}  // namespace indexical
