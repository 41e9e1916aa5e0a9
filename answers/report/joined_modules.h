// The modules of several files as one program, so that their kernels are one
// ranking.
//
//   m1.hlo, scheduled         program: two modules, and the file of each
//   m1.before.hlo, not        unscheduled: 1, as the others are what ran
//   m2.hlo, scheduled
#ifndef INDEXICAL_ANSWERS_REPORT_JOINED_MODULES_H
#define INDEXICAL_ANSWERS_REPORT_JOINED_MODULES_H

#include <cstddef>
#include <string>
#include <vector>

#include "indexical/program/module/program.h"

namespace indexical {

struct JoinedModules {
  Program program;
  std::vector<Program> sources;    ///< whose texts the program views
  std::vector<std::string> files;  ///< of each module
  size_t unscheduled = 0;          ///< modules that are left out
};

/// Joins programs; files[k] is the path of sources[k]. Beside modules that are
/// scheduled, those that are not are left out, unless `takesAll`.
JoinedModules joinModules(std::vector<Program> sources,
                          const std::vector<std::string> &files, bool takesAll);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_JOINED_MODULES_H
