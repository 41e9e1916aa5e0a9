// A profile joined to the modules whose kernels it measured.
//
//   launch  program 15, hlo_op input_transpose_fusion.1,
//           input_transpose_fusion_1.kd, 25 times
//   module  jit_forward_3d_conv(15), as the profile has it
//             %input_transpose_fusion.1 = … fusion(…)   a kernel of its entry
//   joined  that instruction: 25 launches, median 6.96 us
//
// A launch belongs to the instruction that `hlo_op` names, in the module that
// `program_id` names, or, without one, in the only module of that name.
// Kernels' own names say little: equal fusions share one, and one op may run
// several. If an instruction runs as several kernels, each has its times, and
// the op's is their sum (MeasuredOp).
//
// A launch without `hlo_op` is *unattributed*, with the reason, and its time
// counts. Only in a command buffer, of which the launch names no more than the
// buffer, the kernel's name and grid decide, if they leave one instruction.
// Nothing is guessed: the times of ops and of what is unattributed sum to those
// of all launches, to the picosecond.
//
// docs/report.md says more of what profiles hold.
#ifndef INDEXICAL_COST_PROFILE_JOINED_PROFILE_H
#define INDEXICAL_COST_PROFILE_JOINED_PROFILE_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/cost/launch/kernels.h"
#include "indexical/cost/profile/kernel_times.h"
#include "indexical/import/profile/launch_details.h"
#include "indexical/import/profile/profile.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// A module that kernels may belong to.
struct ProfiledModule {
  /// The profile's number of the module. A module of a file has none, and is
  /// found by its name.
  std::optional<int64_t> program;
  llvm::StringRef name;
  bool embedded = false;
  const Module *module = nullptr;  ///< null: not there, or not read
};

/// Kernels of one name and launch, of one op.
struct DeviceKernel {
  llvm::StringRef name;
  LaunchDetails details;
  KernelTimes times;
};

/// An instruction that ran. A launch of it is one of each of its kernels, and
/// as many more of those that run several times a launch (a sort's stages).
struct MeasuredOp {
  size_t module = 0;  ///< of JoinedProfile::modules
  ComputationId computation;
  InstructionId instruction;
  int64_t launches = 0;  ///< the least count of its kernels
  int64_t total = 0;     ///< picoseconds, of all its kernels
  /// Picoseconds of one launch: the sum over its kernels of median, least and
  /// most times the rounded number of runs a launch. Nothing if the profiler
  /// added launches up.
  std::optional<double> median, least, most;
  int64_t launchesOfAll = 0;          ///< with those that are left out
  std::vector<DeviceKernel> kernels;  ///< by total, then by name and launch
};

enum class Unattributed : uint8_t {
  NoOp,           ///< no hlo_op
  NoModule,       ///< nothing has its module, or several have the name
  NoInstruction,  ///< the module has no kernel of that name
  CommandBuffer,  ///< several kernels of the buffer may be it
};
/// Returns the reason in words: `no hlo_op`, `no module`,
/// `no such instruction`, `command buffer`.
llvm::StringRef wordsOf(Unattributed reason);

struct UnattributedKernel {
  llvm::StringRef name;
  Unattributed reason = Unattributed::NoOp;
  KernelTimes times;
};

struct GpuTimes {
  size_t gpu = 0;  ///< of the profile's list
  int64_t kernels = 0, kernelTime = 0, busy = 0, unattributed = 0;
};

struct ModuleTimes {
  ProfiledModule of;
  int64_t kernelTime = 0;
  /// The executions on the GPUs that are looked at; nothing if the number is
  /// not known.
  std::optional<int64_t> executions;
};

struct JoinChoice {
  std::vector<int64_t> gpus;       ///< numbers; empty: all
  std::optional<int64_t> program;  ///< kernels of others are left out
  int64_t first =
      0;  ///< so many launches of each op, on each GPU, are left out
};

struct JoinedProfile {
  std::vector<GpuTimes> gpus;        ///< those that are looked at
  std::vector<ModuleTimes> modules;  ///< by program, then by name
  std::vector<MeasuredOp> ops;       ///< by module, computation, instruction
  std::vector<UnattributedKernel> unattributed;  ///< by total, then by name
  int64_t total = 0;    ///< of ops and of what is unattributed
  int64_t leftOut = 0;  ///< of first launches
};

/// The grid and block of a kernel, if they are known.
using LaunchOf = llvm::function_ref<std::optional<Grid>(
    const Module &module, const KernelSite &site)>;

/// Joins the profile to `modules`: those that it embeds and those of files.
/// Sorts the launches of the profile, which must outlive the result.
JoinedProfile join(Profile &profile, std::vector<ProfiledModule> modules,
                   const JoinChoice &choice, LaunchOf launchOf);

/// Returns which of the modules have launches, by the programs and names in
/// these. The others need not be read.
std::vector<bool> ranOf(const Profile &profile,
                        llvm::ArrayRef<ProfiledModule> modules);

/// Returns the name that XLA gives to the kernel of an instruction: a character
/// that is not a letter, digit, `_` or `$` becomes `_`, and a first digit gets
/// a `_` before it.
std::string kernelNameOf(llvm::StringRef instruction);
/// Returns the name without the suffix of AMD's tracers (`.kd`).
llvm::StringRef plainKernelName(llvm::StringRef name);

}  // namespace indexical

#endif  // INDEXICAL_COST_PROFILE_JOINED_PROFILE_H
