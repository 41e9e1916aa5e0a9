#include "indexical/answers/kernel/missing.h"

#include <array>
#include <string>
#include <vector>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/kernel/read_kernel.h"

namespace indexical {
namespace {

/// Whether the text has the name as a word.
bool namesIn(llvm::StringRef text, llvm::StringRef name) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (size_t at = text.find(name);
       at != llvm::StringRef::npos && !name.empty();
       at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || !isPart(text[at - 1])) &&
        (end == text.size() || !isPart(text[end])))
      return true;
  }
  return false;
}

/// Whether an access of the kernel, of memory or of shared memory, depends on
/// the argument's value.
bool decides(const kernels::TritonKernel &kernel, const std::string &name) {
  return llvm::any_of(kernel.accesses,
                      [&](const auto &access) {
                        return access.values.count(name) > 0;
                      }) ||
         llvm::any_of(kernel.shared, [&](const auto &access) {
           return llvm::any_of(access.maps, [&](const auto &map) {
             return llvm::any_of(map.map.runtime(), [&](const auto &value) {
               return value.name == name;
             });
           });
         });
}

bool isAccessed(const kernels::TritonKernel &kernel, int64_t argument) {
  return llvm::any_of(kernel.accesses, [&](const auto &access) {
    return llvm::any_of(
        access.maps, [&](const auto &map) { return map.argument == argument; });
  });
}

/// The options, in the order of the arguments. `hasShape` says of which the
/// shape is known.
std::vector<std::string> missingOptions(const kernels::TritonKernel &kernel,
                                        const std::vector<bool> &hasShape,
                                        llvm::StringRef openGrid) {
  std::vector<std::string> options;
  for (auto [k, argument] : llvm::enumerate(kernel.arguments)) {
    if (argument.isPointer) {
      if (!hasShape[k] && isAccessed(kernel, static_cast<int64_t>(k)))
        options.push_back(absl::StrCat("--shape=", argument.name, "=SHAPE"));
    } else if (!argument.isFloat && !argument.value &&
               (decides(kernel, argument.name) ||
                namesIn(openGrid, argument.name))) {
      options.push_back(absl::StrCat("--arg=", argument.name, "=NUMBER"));
    }
  }
  return options;
}

absl::Status withMore(const absl::Status &status, const std::string &more) {
  absl::Status longer(status.code(),
                      absl::StrCat(std::string(status.message()), more));
  status.ForEachPayload([&](absl::string_view key, const absl::Cord &value) {
    longer.SetPayload(key, value);
  });
  return longer;
}

}  // namespace

void addMissing(KernelFindings &found) {
  std::vector<bool> hasShape(found.kernel.arguments.size());
  for (size_t k = 0; k < hasShape.size(); ++k)
    hasShape[k] = found.kernel.arguments[k].bytes ||
                  (k < found.arrays.size() && found.arrays[k]);
  found.missing = missingOptions(found.kernel, hasShape, found.openGrid);
}

absl::Status withWhatIsOpen(const kernels::KernelSource &source,
                            const kernels::ReadOptions &options,
                            const NamedShapes &shapes,
                            const absl::Status &status) {
  kernels::ReadOptions one = options;
  one.grid = std::array<int64_t, 3>{1, 1, 1};
  one.values = false;
  const auto kernel = kernels::readKernel(source.text, one);
  if (!kernel.ok()) return status;
  std::vector<bool> hasShape(kernel->arguments.size());
  for (auto [k, argument] : llvm::enumerate(kernel->arguments)) {
    const std::string number = std::to_string(k);
    hasShape[k] =
        argument.bytes ||
        llvm::any_of(source.shapes,
                     [k = static_cast<int64_t>(k)](const auto &of) {
                       return of.first == k;
                     }) ||
        llvm::any_of(shapes, [&, &name = argument.name](const auto &of) {
          return of.first == name || of.first == number;
        });
  }
  const auto missing = missingOptions(*kernel, hasShape, "");
  if (missing.empty()) return status;
  return withMore(status,
                  absl::StrCat("; also open: ", absl::StrJoin(missing, ", ")));
}

absl::Status refusalOf(const kernels::KernelSource &source,
                       const KernelQuestion &question, bool hasFusion) {
  const absl::Status &refusal = source.written->refusal;
  const bool isGridSaid = hasFusion || !question.grid.empty() ||
                          !question.gridSizes.empty() ||
                          !source.written->grid.empty() || source.read.grid;
  const bool isOfConstant =
      std::string(refusal.message()).find("--const=") != std::string::npos;
  if (refusal.ok() || isGridSaid || !isOfConstant) return refusal;
  return withMore(refusal, "; also open: --grid=X[,Y[,Z]]");
}

}  // namespace indexical
