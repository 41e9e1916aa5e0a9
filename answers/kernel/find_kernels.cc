#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/inputs/kernel_input.h"
#include "indexical/answers/inputs/target_device.h"
#include "indexical/answers/kernel/find_kernel.h"
#include "indexical/answers/kernel/judge.h"
#include "indexical/import/llvm/read.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {

namespace {

/// Returns the name of a kernel that was compiled, "" of another one.
std::string compiledName(const kernels::KernelSource &source,
                         const KernelQuestion &question) {
  if (!kernels::looksLikeLlvm(source.text)) return "";
  if (!source.read.function.empty()) return source.read.function;
  if (!question.function.empty())
    return llvm::StringRef(question.function).ltrim('@').str();
  const auto names = kernels::llvmKernelsIn(source.text);
  return names.ok() && names->size() == 1 ? names->front() : "";
}

}  // namespace

absl::StatusOr<std::vector<kernels::KernelSource>> kernelsAsked(
    const Input &input, const KernelQuestion &question, Messages &messages) {
  INDEXICAL_ASSIGN_OR_RETURN(
      auto sources, kernelsIn(input, messages, pythonOptionsOf(question)));
  if (!question.function.empty()) {
    // A module of several kernels says the name of each.
    const std::string wanted =
        llvm::StringRef(question.function).ltrim('@').str();
    auto isOther = [&](const kernels::KernelSource &source) {
      return !source.read.function.empty() && source.read.function != wanted;
    };
    if (llvm::all_of(sources, isOther)) {
      std::vector<llvm::StringRef> names;
      for (const kernels::KernelSource &source : sources)
        names.push_back(source.read.function);
      return errorAt({}, absl::StrCat("there is no kernel `", wanted, "`"),
                     nearest(wanted, names));
    }
    llvm::erase_if(sources, isOther);
  }
  return sources;
}

absl::StatusOr<size_t> findKernels(const Input &file,
                                   const KernelQuestion &question,
                                   FusionSource &fusions, const Ask &ask,
                                   TakeFindings take) {
  INDEXICAL_ASSIGN_OR_RETURN(const Input input, withTextOfBitcode(file));
  INDEXICAL_ASSIGN_OR_RETURN(auto sources,
                             kernelsAsked(input, question, ask.messages));
  KernelQuestion own = question;
  // Launches have their arguments, which symbols of the file gave.
  if (python::looksLikeOutputCode(input.text)) own.arguments.clear();
  // The kernel says its device before the fusions do.
  const Input of{fusions.fileFor(input.path), std::string()};
  const bool isSaid = targetDeviceOf(input.path, input.text).device != nullptr;
  own.device = deviceFor(question.device, isSaid ? input : of, ask.messages);
  std::optional<OldKernels> old;
  if (auto file = fusions.kernels()) {
    INDEXICAL_ASSIGN_OR_RETURN(
        old, readOldKernels(*std::move(file), question, ask.messages));
    own.readsValues = true;
  }
  std::set<int64_t> noted;
  return findEach(
      sources, ask,
      [&](const kernels::KernelSource &source)
          -> absl::StatusOr<KernelFindings> {
        std::optional<Fusion> fusion;
        if (old) {
          INDEXICAL_ASSIGN_OR_RETURN(
              auto found, findKernel(source, own, fusion, ask.budget));
          if (found.ttir.empty())
            INDEXICAL_RETURN_IF_ERROR(
                judgeKernel(*old, source, own, ask.budget, found));
          return found;
        }
        if (fusions.isGiven()) {
          auto found =
              fusions.fusionOf(input.path, compiledName(source, question));
          if (!found.ok())
            return errorAt({}, std::string(found.status().message()));
          fusion = *found;
        }
        return findKernel(source, own, fusion, ask.budget);
      },
      [&](const kernels::KernelSource &, KernelFindings found) {
        const int64_t lanes = found.kernel.lanes;
        if (found.kernel.form == "llvm" && lanes != own.device->warp &&
            noted.insert(lanes).second)
          ask.messages.note(
              {}, absl::StrCat("the code is compiled for warps of ", lanes,
                               " lanes, and ", own.device->name.str(), " has ",
                               own.device->warp,
                               ": requests are those of the device, conflicts "
                               "of banks those of the code"));
        return take(*own.device, std::move(found));
      });
}

std::optional<std::string> mistakeOfLaunch(const KernelQuestion &question) {
  if (question.grid.size() > 3) return "--grid has up to three numbers";
  if (question.warps && (*question.warps < 1 || *question.warps > 64 ||
                         (*question.warps & (*question.warps - 1)) != 0))
    return "--num-warps is a power of two, from 1 to 64";
  if (question.block.size() > 3) return "--block has up to three numbers";
  if (!question.block.empty() && question.warps)
    return "--block and --num-warps say the same; one of them is enough";
  return std::nullopt;
}

}  // namespace indexical
