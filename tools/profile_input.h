// A profile as an input of `report`: its modules as a program, and its times.
//
//   profile   16 modules, kernels of 11
//   program   16 modules, 5 of them empty: modules that did not run are not
//             read
//
// Modules are those that the profile embeds, then those of --hlo. Each is a
// module of the program, in the order of `modules`: the module number of a
// kernel is an index of that list.
#ifndef INDEXICAL_TOOLS_PROFILE_INPUT_H
#define INDEXICAL_TOOLS_PROFILE_INPUT_H

#include <deque>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/analysis/memory/device.h"
#include "indexical/analysis/profile/joined_profile.h"
#include "indexical/module/program.h"
#include "indexical/profile/profile.h"
#include "indexical/tools/front_end.h"
#include "indexical/tools/input.h"

namespace indexical {

/// The options of a call that reads profiles.
struct ProfileOptions {
  std::vector<std::string> hlo;  ///< files of further modules
  JoinChoice join;
  bool isAsked() const {
    return !hlo.empty() || !join.gpus.empty() || join.program || join.first > 0;
  }
};

/// Whether the input is a profile, by its bytes or by a name that ends with
/// `.xplane.pb`.
bool isProfile(const Input &input);

struct ProfiledProgram {
  Profile profile;
  Program program;
  std::vector<ProfiledModule> modules;
  /// The reasons why modules were not read, a sentence each.
  std::vector<std::string> warnings;
  /// The texts and programs that names of the joined program refer to.
  std::deque<Program> sources;
  std::deque<Input> files;
};

/// Reads the profile and the modules that it has launches of. Returns an error
/// that lists the contents if there is no kernel of XLA's. Of a damaged
/// profile, the part before the damage is read.
absl::StatusOr<ProfiledProgram> readProfiled(const Input &input,
                                             const ProfileOptions &options,
                                             const ReadAs &readAs);

/// Returns the device of the chosen GPUs that ran kernels. Returns an error if
/// none did, if one is not in the table of devices, if they are different
/// devices, or if the profile lacks a chosen GPU.
absl::StatusOr<const Device *> deviceOf(const Profile &profile,
                                        const JoinChoice &choice);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_PROFILE_INPUT_H
