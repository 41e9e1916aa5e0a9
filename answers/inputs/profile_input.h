// A profile as an input of `report`: its modules as a program, and its times.
//
// Modules are those that the profile embeds, then those of other files.
#ifndef INDEXICAL_ANSWERS_INPUTS_PROFILE_INPUT_H
#define INDEXICAL_ANSWERS_INPUTS_PROFILE_INPUT_H

#include <string>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/answers/inputs/input.h"
#include "indexical/answers/inputs/read_program.h"
#include "indexical/answers/report/profiled_program.h"

namespace indexical {

/// Returns whether the input is a profile, by its bytes or by a name that ends
/// with `.xplane.pb`.
bool isProfile(const Input &input);

/// Reads the profile and the modules that it has launches of, and those in
/// `files` that it does not embed, by their names. Returns an error that lists
/// the contents if there is no kernel of XLA's. If the profile is damaged, the
/// part before the damage is read.
absl::StatusOr<ProfiledProgram> readProfiled(const Input &input,
                                             llvm::ArrayRef<std::string> files,
                                             const ReadAs &readAs);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_INPUTS_PROFILE_INPUT_H
