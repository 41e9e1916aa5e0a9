// Two modules in one input, a line `// =====` between them: `equal` answers of
// both, the same both ways round, and never that a module differs from itself.
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/equality/module_equality.h"
#include "tests/fuzz/check.h"

using namespace indexical;

namespace {

constexpr llvm::StringLiteral kBetween = "// =====\n";

EqualityOptions fewOperations() {
  EqualityOptions options;
  options.operations = 2000;
  return options;
}

bool isModule(const absl::StatusOr<Program> &program) {
  return program.ok() && program->modules.size() == 1 &&
         program->modules[0].entry >= 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > indexical::testing::kMostFuzzBytes) return 0;
  const std::string text = indexical::testing::textOf(data, size);
  const auto [one, other] = llvm::StringRef(text).split(kBetween);
  const auto first = parseHlo(one.str()), second = parseHlo(other.str());
  const EqualityOptions options = fewOperations();
  for (const auto *program : {&first, &second}) {
    if (!isModule(*program)) continue;
    const Module &module = (*program)->modules[0];
    const auto same = compareReads(module, module, options);
    FUZZ_CHECK(!same.ok() || same->answer != Answer::No, text);
  }
  if (!isModule(first) || !isModule(second)) return 0;
  const Module &a = first->modules[0], &b = second->modules[0];
  const auto there = compareReads(a, b, options);
  const auto back = compareReads(b, a, options);
  FUZZ_CHECK(there.ok() == back.ok(), text);
  if (!there.ok()) return 0;
  FUZZ_CHECK(there->answer == Answer::Undecided ||
                 back->answer == Answer::Undecided ||
                 there->answer == back->answer,
             text);
  return 0;
}
