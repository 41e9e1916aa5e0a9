#include "indexical/import/triton/kernel_function.h"

#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

#include "indexical/indexing/diagnostic.h"

namespace indexical::triton {

using llvm::StringRef;
using mlir::Operation;

std::string nameOf(Operation *function) {
  const auto name = function->getAttrOfType<mlir::StringAttr>("sym_name");
  return name ? name.getValue().str() : "";
}

absl::StatusOr<Operation *> findFunction(const MlirModule &parsed,
                                         StringRef wanted) {
  std::vector<Operation *> all;
  std::set<std::string> called;
  mlir::ModuleOp module = *parsed.module;
  module.walk([&](Operation *op) {
    const StringRef name = op->getName().getStringRef();
    if (name == "tt.func" && op->getNumRegions() == 1 &&
        !op->getRegion(0).empty())
      all.push_back(op);
    if (name == "tt.call")
      if (auto callee = op->getAttrOfType<mlir::SymbolRefAttr>("callee"))
        called.insert(callee.getRootReference().getValue().str());
  });
  std::vector<std::string> names;
  std::vector<Operation *> entries;
  for (Operation *function : all) {
    names.push_back(nameOf(function));
    if (!wanted.empty() && names.back() == wanted) return function;
    if (!called.count(names.back())) entries.push_back(function);
  }
  if (all.empty())
    return errorAt({}, "the file has no function `tt.func` with a body");
  std::vector<StringRef> candidates(names.begin(), names.end());
  if (!wanted.empty())
    return errorAt({},
                   absl::StrCat("there is no function `", wanted.str(), "`"),
                   nearest(wanted, candidates));
  if (entries.size() != 1)
    return errorAt({},
                   absl::StrCat("the file has ", entries.size(),
                                " kernels; --function=NAME says which, such "
                                "as ",
                                names.front()));
  return entries.front();
}

}  // namespace indexical::triton
