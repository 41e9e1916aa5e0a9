#include "indexical/answers/kernel/compiled_step.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

#include "indexical/answers/kernel/find_kernel.h"
#include "indexical/answers/kernel/kernel_fusion.h"
#include "indexical/import/llvm/read.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {

absl::StatusOr<DumpComparison> compareCompiled(const std::string &hlo,
                                               llvm::StringRef compiled,
                                               FloatLaws floats,
                                               const Budget &budget) {
  const auto names = kernels::llvmKernelsIn(compiled);
  if (!names.ok())
    return notCompared("the compiled kernels cannot be read: " +
                       std::string(names.status().message()));
  DumpComparison step;
  step.verdict.level = Level::Values;
  FusionSource fusions(hlo);
  KernelQuestion question;
  question.floats = floats;
  size_t open = 0;
  std::string reason;
  for (const std::string &name : *names) {
    INDEXICAL_RETURN_IF_ERROR(budget.check());
    CompiledKernel kernel;
    kernel.kernel = name;
    kernels::KernelSource source;
    source.read.function = name;
    source.text = kernels::llvmTextOf(compiled, name, *names);
    auto fusion = fusions.fusionOf(hlo, name);
    if (fusion.ok() && fusion->caller) {
      kernel.instruction = fusion->caller->name.str();
      auto found = findKernel(source, question, *fusion, budget);
      INDEXICAL_RETURN_IF_ERROR(budget.check());
      if (found.ok())
        kernel.verdict = std::move(found->comparison->verdict);
      else
        kernel.verdict.doubt(std::string(found.status().message()));
    } else {
      kernel.verdict.doubt(fusion.ok()
                               ? "it is of no instruction"
                               : std::string(fusion.status().message()));
    }
    const Verdict &verdict = kernel.verdict;
    if (verdict.answer == Verdict::Different &&
        step.verdict.answer != Verdict::Different)
      step.verdict.differ(*verdict.witness);
    if (!verdict.isSameAt(Level::Values) &&
        verdict.answer != Verdict::Different) {
      ++open;
      if (reason.empty())
        reason = absl::StrCat("`", name, "`: ",
                              verdict.reason.empty()
                                  ? "not all of its values are known to be the "
                                    "same"
                                  : verdict.reason);
    }
    for (const std::string &law : verdict.laws)
      if (std::find(step.verdict.laws.begin(), step.verdict.laws.end(), law) ==
          step.verdict.laws.end())
        step.verdict.laws.push_back(law);
    step.kernels.push_back(std::move(kernel));
  }
  if (step.verdict.answer == Verdict::Different) return step;
  if (open > 0)
    step.verdict.doubt(absl::StrCat(open, " of ", names->size(),
                                    names->size() == 1 ? " kernel" : " kernels",
                                    " may store other values: ", reason));
  else
    step.verdict.settle(Level::Values, Verdict::Same);
  return step;
}

}  // namespace indexical
