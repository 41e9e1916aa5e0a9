// The reference of a kernel, named by `--of`: a fusion of HLO, or any
// computation of HLO or function of StableHLO.
//
//   FILE#fusion.9        that fusion, computation or function of the file
//   FILE                 the fusion whose name ends the kernel's file name, as
//                          in module_0012.NAME.fusion.9.ttir; else the function
//                          that has the name of the kernel's file; else the
//                          entry of a file without fusions, if no other
//                          function is called by none, or it is `main`
//                          Of a kernel that was compiled, the fusion of which
//                          XLA gives the kernel its name comes first
//   FOLDER               the same of the file in it that has the kernel's name
//                          (softmax.ttir: softmax.mlir, softmax.hlo), else of
//                          the last dump of module_0012
#ifndef INDEXICAL_ANSWERS_KERNEL_KERNEL_FUSION_H
#define INDEXICAL_ANSWERS_KERNEL_KERNEL_FUSION_H

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/inputs/input.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// A fusion: its module, its computation, and the instruction that calls it.
struct Fusion {
  const Module *module = nullptr;
  ComputationId computation;
  const Instruction *caller = nullptr;  ///< null for a computation
  /// How it was chosen if the call did not name it: "the instruction `r` of
  /// f.hlo, for the kernel's file name, `k.r`, ends in its name".
  std::string chosenAs = {};
};

/// Returns the message of a kernel that does not fit the fusion, with what it
/// was compared with, and the option that names another.
std::string aboutFusion(llvm::StringRef message, const Fusion &fusion);

/// The launch of a fusion's kernel by XLA, from its backend_config.
struct FusionLaunch {
  std::optional<int64_t> warps;
  /// The tile of each result. Empty for a product of matrices, or if no tile is
  /// given.
  std::vector<llvm::SmallVector<int64_t, 4>> tiles;
  int64_t tilesOfProgram = 1;
};

/// Returns the launch in the backend_config of the fusion's caller.
FusionLaunch launchOf(const Fusion &fusion);

/// Returns the name that XLA gives the kernel of an instruction: `.` and `-`
/// become `_`.
std::string kernelName(llvm::StringRef instruction);

/// The fusions that `--of` names. Files are read when first needed, and kept.
class FusionSource {
 public:
  explicit FusionSource(std::string of) : of_(std::move(of)) {}
  /// The entry of the only module of a text that is not a file.
  explicit FusionSource(Input text) : text_(std::move(text)) {}
  bool isGiven() const { return !of_.empty() || text_; }
  /// Returns the path that was given, or "".
  const std::string &path() const { return of_; }
  /// Returns the file in which the kernel of that file finds its fusion: the
  /// one that was given, or that of a folder; the path that was given if the
  /// folder has none.
  std::string fileFor(llvm::StringRef kernelPath) const;

  /// A file that holds kernels, one of which is the specification.
  struct OfKernels {
    Input input;
    std::string name;  ///< behind `#`; "": nothing is
  };
  /// Returns the file, if it holds kernels, and nothing if it is HLO or
  /// StableHLO, a folder, or cannot be read.
  std::optional<OfKernels> kernels() const;

  /// Returns the fusion of the kernel in that file, or an error without a place
  /// if a file cannot be read or there is no such fusion. Several threads may
  /// call it at once. `function` is the name of a kernel that was compiled,
  /// else empty.
  absl::StatusOr<Fusion> fusionOf(llvm::StringRef kernelPath,
                                  llvm::StringRef function = "");

  /// Returns what no kernel was compared with so far, by name, if `--of` names
  /// no fusion: the files of a folder in which kernels found theirs by name,
  /// and the fusions of a file that Triton compiles, or its functions if it is
  /// StableHLO.
  std::vector<std::string> unpaired();

 private:
  absl::StatusOr<const Program *> programOf(const std::string &path);
  absl::StatusOr<Fusion> entryOfText();
  std::pair<std::string, llvm::StringRef> pathAndName() const;

  const std::string of_;
  const std::optional<Input> text_;
  std::mutex mutex_;
  std::map<std::string, absl::StatusOr<Program>> programs_;
  std::set<std::string> pairedFiles_;
  std::set<std::pair<std::string, std::string>> pairedNames_;
};

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_KERNEL_KERNEL_FUSION_H
