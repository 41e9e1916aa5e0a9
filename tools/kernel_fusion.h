// The fusion of HLO that a kernel is compared with, as `--of` names it.
//
//   FILE#fusion.9        that fusion, or that computation, of the file
//   FILE                 the fusion whose name ends the kernel's file name:
//   FOLDER                 module_0012.NAME.fusion.9.ttir and, of a folder,
//                          the last dump of module_0012 in it
#ifndef INDEXICAL_TOOLS_KERNEL_FUSION_H
#define INDEXICAL_TOOLS_KERNEL_FUSION_H

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/program/program.h"

namespace indexical {

/// A fusion: its module and its computation.
struct Fusion {
  const Module *module = nullptr;
  int32_t computation = 0;
};

/// What `--of` names. Files are read when the first kernel asks, and kept.
class FusionSource {
 public:
  explicit FusionSource(std::string of) : of_(std::move(of)) {}
  bool isGiven() const { return !of_.empty(); }

  /// Returns the fusion of the kernel in that file. An error without a place if
  /// a file cannot be read, or there is no such fusion. Threads may ask at
  /// once.
  absl::StatusOr<Fusion> fusionOf(llvm::StringRef kernelPath);

 private:
  absl::StatusOr<const Program *> programOf(const std::string &path);

  const std::string of_;
  std::mutex mutex_;
  std::map<std::string, absl::StatusOr<Program>> programs_;
};

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_KERNEL_FUSION_H
