// Profiles: the output of a profiler while a program ran on GPUs
// (`*.xplane.pb`, the message XSpace), as plain data.
//
//   plane /device:GPU:0
//     line Stream #16(Kernel), 901291 ns
//       loop_convert_fusion.kd, at 247.6 us, 121.84 us
//         kernel_details  grid:65536,1,1 block:256,1,1 …
//         hlo_op loop_convert_fusion, hlo_module jit_add, program_id 11
//   plane /host:metadata
//     jit_add(11)  Hlo Proto, 1430 bytes
//
// becomes GPU 0 with a launch at 1148.891 us (since the profile began) that
// took 121840000 ps, of the kind {jit_add, 11, loop_convert_fusion,
// loop_convert_fusion.kd, "grid:…"}; and the module jit_add, 11, whose bytes
// are those of the file. Times are picoseconds.
//
// A kernel is an event of a GPU's plane that says how it was launched
// (`kernel_details`). Lines that a viewer derives from others repeat their
// time, and are skipped. Names and bytes are views: the file must outlive the
// profile, which needs some 24 bytes a launch beside it.
//
// Nothing here fails. If bytes are damaged, `damage` says where, in a sentence,
// and the data before them is kept. The folder knows no HLO and compares
// nothing: cost/profile joins a profile to its modules.
//
// The format is that of XLA's profiler, tsl/profiler/protobuf/xplane.proto.
#ifndef INDEXICAL_IMPORT_PROFILE_PROFILE_H
#define INDEXICAL_IMPORT_PROFILE_PROFILE_H

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

/// Launches that have these in common; empty: the profile does not say.
struct KernelKind {
  llvm::StringRef module;          ///< `hlo_module`
  std::optional<int64_t> program;  ///< `program_id`
  llvm::StringRef op;              ///< `hlo_op`
  llvm::StringRef name;            ///< of the kernel
  llvm::StringRef details;         ///< launchDetailsOf() reads them
  bool inGraph = false;            ///< it is a node of a CUDA graph
  /// If not 0, an event stands for so many launches: its duration is their sum,
  /// and it has no start.
  int64_t occurrences = 0;

  bool operator==(const KernelKind &o) const;
};

struct KernelLaunch {
  int64_t start = 0;     ///< picoseconds since the profile began
  int64_t duration = 0;  ///< picoseconds, not negative
  uint32_t kind = 0;     ///< of its GPU's kinds
};

struct ProfiledGpu {
  int64_t number = 0;  ///< N of /device:GPU:N
  // The device as its plane describes it; empty or 0 if it does not.
  llvm::StringRef vendor;  ///< `Nvidia`, `AMD`
  llvm::StringRef model;   ///< `NVIDIA GeForce GTX 1080 Ti`, `gfx942`
  int64_t cores = 0;
  int64_t clockKilohertz = 0;
  int64_t memoryBytes = 0;
  int64_t capabilityMajor = 0, capabilityMinor = 0;

  std::vector<KernelKind> kinds;
  std::vector<KernelLaunch> launches;  ///< in no order
  int64_t copyTime = 0;  ///< of copies and fills that are not kernels
  int64_t copies = 0;
};

/// A module that the profiler put in.
struct EmbeddedModule {
  llvm::StringRef name;  ///< without `(ID)`
  int64_t program = 0;
  llvm::StringRef proto;  ///< the bytes of a HloProto
};

/// The number of times that the host began to run a module, on all devices
/// together.
struct HostRuns {
  llvm::StringRef module;
  int64_t count = 0;
};

struct Profile {
  std::vector<llvm::StringRef> hosts;
  std::vector<ProfiledGpu> gpus;        ///< by their numbers
  std::vector<EmbeddedModule> modules;  ///< by program and name; none twice
  std::vector<HostRuns> runs;           ///< by name
  std::vector<std::string> warnings;    ///< the profiler's, then the reader's
  std::vector<llvm::StringRef> planes;  ///< names of all, sorted, none twice
  /// OK, or where and how the bytes are damaged.
  absl::Status damage;

  bool hasKernels() const;

  /// Texts that the file does not hold as such.
  std::deque<std::string> kept;
};

/// Returns whether the bytes begin as a profile does. Only the beginning
/// decides, so that a damaged profile is reported as damaged, and not as a
/// text.
bool looksLikeProfile(llvm::StringRef bytes);

/// Returns the profile in these bytes. It takes at most 24 bytes a launch, and
/// the memory of the distinct kinds of launches.
Profile readProfile(llvm::StringRef bytes);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_PROFILE_PROFILE_H
