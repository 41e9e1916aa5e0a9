// A profile as an input of `report`: its modules as a program, and its times.
//
//   profile   16 modules, kernels of 11
//   program   16 modules, 5 of them empty: what did not run is not read
//
// Modules are those that the profile embeds, then those of --hlo. Each is a
// module of the program, in the order of `modules`, so that a kernel's number
// of its module is one of that list.
#ifndef INDEXICAL_TOOLS_PROFILE_INPUT_H
#define INDEXICAL_TOOLS_PROFILE_INPUT_H

#include <deque>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/analysis/memory/device.h"
#include "indexical/analysis/profile/joined_profile.h"
#include "indexical/profile/profile.h"
#include "indexical/program/program.h"
#include "indexical/tools/front_end.h"
#include "indexical/tools/input.h"

namespace indexical {

/// The options of a call that reads profiles.
struct ProfileOptions {
  std::vector<std::string> hlo;  ///< files of modules that are not inside
  JoinChoice join;
  bool isAsked() const {
    return !hlo.empty() || !join.gpus.empty() || join.program || join.first > 0;
  }
};

/// Whether the input is one, by its bytes, or by its name where they begin as
/// nothing else does.
bool isProfile(const Input &input);

struct ProfiledProgram {
  Profile profile;
  Program program;
  std::vector<ProfiledModule> modules;
  /// Why modules were not read, a sentence each.
  std::vector<std::string> warnings;
  /// Texts and programs, which the names of the joined program view.
  std::deque<Program> sources;
  std::deque<Input> files;
};

/// Reads the profile and the modules of which it has launches. An error where
/// there is no kernel of XLA's: it says what was found. The profile may be
/// damaged: then it has what stood before the damage.
absl::StatusOr<ProfiledProgram> readProfiled(const Input &input,
                                             const ProfileOptions &options,
                                             const ReadAs &readAs);

/// The device of the GPUs that are looked at. An error where the table has no
/// such device, where they differ, or where a GPU is not in the profile.
absl::StatusOr<const Device *> deviceOf(const Profile &profile,
                                        const JoinChoice &choice);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_PROFILE_INPUT_H
