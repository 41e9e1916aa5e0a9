// The kernels of a module by name, and its text without the others.
#include <set>

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"

#include "indexical/import/llvm/module.h"
#include "indexical/import/llvm/read.h"
#include "indexical/indexing/status_macros.h"

namespace indexical::kernels {

using compiled::CompiledModule;
using llvm::StringRef;

bool looksLikeLlvm(StringRef text) { return compiled::looksLikeModule(text); }

absl::StatusOr<std::vector<std::string>> llvmKernelsIn(StringRef text) {
  INDEXICAL_ASSIGN_OR_RETURN(const auto module, CompiledModule::parse(text));
  std::vector<std::string> names;
  for (const llvm::Function *function : module->kernels())
    names.push_back(function->getName().str());
  return names;
}

std::string llvmTextOf(StringRef text, const std::string &kernel,
                       llvm::ArrayRef<std::string> kernels) {
  // Old files name their kernels in metadata, which would have none to name.
  if (kernels.size() < 2 || compiled::isBitcode(text) ||
      text.contains("!nvvm.annotations"))
    return text.str();
  const std::set<std::string> all(kernels.begin(), kernels.end());
  std::string made;
  made.reserve(text.size());
  bool isLeftOut = false;
  for (StringRef rest = text; !rest.empty();) {
    const auto [line, after] = rest.split('\n');
    const bool hasEnd = line.size() < rest.size();
    if (line.starts_with("define ")) {
      StringRef name = line.substr(line.find('@') + 1);
      name = name.consume_front("\"")
                 ? name.take_until([](char c) { return c == '"'; })
                 : name.take_until([](char c) { return c == '('; });
      isLeftOut = name != kernel && all.count(name.str());
    }
    if (!isLeftOut) made += line;
    if (hasEnd) made += '\n';
    if (line.starts_with("}")) isLeftOut = false;
    rest = after;
  }
  // What is left may name a kernel that is left out, as an alias does.
  for (StringRef rest = made; rest.contains('@');) {
    rest = rest.drop_front(rest.find('@') + 1);
    const StringRef name =
        rest.consume_front("\"")
            ? rest.take_until([](char c) { return c == '"'; })
            : rest.take_while([](char c) {
                return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' ||
                       c == '-';
              });
    if (name != kernel && all.count(name.str())) return text.str();
    rest = rest.drop_front(name.size());
  }
  return made;
}

bool isLlvmBitcode(StringRef bytes) { return compiled::isBitcode(bytes); }

absl::StatusOr<std::string> textOfBitcode(StringRef bytes) {
  return compiled::textOf(bytes);
}

}  // namespace indexical::kernels
