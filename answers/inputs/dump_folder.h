// The files of a folder that a compiler filled (`--xla_dump_to`).
//
//   module_0012.jit_f.before_optimizations.txt               passed over
//   module_0012.jit_f.sm_8.0_gpu_after_optimizations.txt     the module
//   module_0012.jit_f.sm_8.0_gpu_after_optimizations-buffer-assignment.txt
//   module_0012.jit_f.sm_8.0_gpu_after_optimizations.hlo.pb  the same again
//   module_0012.jit_f.thunk_sequence.txt, ….ptx, ….debug_options
//
// A module has a number, a name, and stages: before optimizations, between
// passes, after optimizations. Side files say something about it, and are not
// modules. Files with names of other kinds are not looked at here.
#ifndef INDEXICAL_ANSWERS_INPUTS_DUMP_FOLDER_H
#define INDEXICAL_ANSWERS_INPUTS_DUMP_FOLDER_H

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace indexical {

/// Which dumps of a module are taken.
enum class TakenDumps : uint8_t {
  All,        ///< every stage
  Scheduled,  ///< of each module the last stage, as it is launched
};

/// Returns whether the file is one that XLA's dumper writes beside modules, by
/// its name.
bool isSideFile(llvm::StringRef path);

/// Removes side files from the paths, which are sorted, and the stages that are
/// not taken. Returns a sentence that counts what was removed, or "" if nothing
/// was. If all files are side files, they stay.
std::string takeDumps(TakenDumps taken, std::vector<std::string> &paths);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_INPUTS_DUMP_FOLDER_H
