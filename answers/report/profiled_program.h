// A profile, its modules as a program, and which of them ran.
//
//   profile   16 modules, kernels of 11
//   program   16 modules, 5 of them empty: modules that did not run are not
//             read
//
// Each module of the profile is a module of the program, in the order of
// `modules`: the module number of a kernel is an index of that list.
// answers/inputs/profile_input.h reads one.
#ifndef INDEXICAL_ANSWERS_REPORT_PROFILED_PROGRAM_H
#define INDEXICAL_ANSWERS_REPORT_PROFILED_PROGRAM_H

#include <deque>
#include <string>
#include <vector>

#include "indexical/cost/profile/joined_profile.h"
#include "indexical/import/profile/profile.h"
#include "indexical/program/module/program.h"

namespace indexical {

struct ProfiledProgram {
  Profile profile;
  Program program;
  /// Their modules are those of `program`; null: not read.
  std::vector<ProfiledModule> modules;
  /// The reasons why modules were not read, a sentence each.
  std::vector<std::string> warnings;
  /// The texts and programs that names of the joined program refer to.
  std::deque<Program> sources;
};

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_PROFILED_PROGRAM_H
