// The GPU that a dump was compiled for.
//
//   module_0012.jit_f.sm_8.0_gpu_after_optimizations.txt   a100, by sm_8.0
//   …backend_config={…"gfx942"…}                           mi300x, by gfx942
//   "ttg.target" = "cuda:90"                               h100, by sm_9.0
//
// A target may be that of several devices: sm_9.0 is an H100's and an H200's.
// The first of them is taken, and the answer names the others. Modules of one
// folder may be compiled for several devices: each has its own.
#ifndef INDEXICAL_ANSWERS_INPUTS_TARGET_DEVICE_H
#define INDEXICAL_ANSWERS_INPUTS_TARGET_DEVICE_H

#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/inputs/input.h"
#include "indexical/cost/memory/device.h"

namespace indexical {

struct TargetDevice {
  const Device *device = nullptr;  ///< null: nothing says one
  std::string target;              ///< `sm_8.0`, `gfx942`
  /// Where it stands, and what else it may be: `sm_9.0 in the file's name, as
  /// h200`.
  std::string why;
};

/// Returns the device that the name of a dump says, or its text.
TargetDevice targetDeviceOf(llvm::StringRef path, llvm::StringRef text);

/// The file that a module was read from, and its own part of the text.
struct ModuleText {
  llvm::StringRef path, text;
};

/// The devices of modules that are one answer.
struct ModuleDevices {
  /// The one that all modules have, or the first that one of them says; null:
  /// none says one.
  TargetDevice first;
  /// That of each module, where two say different ones. A module that says none
  /// has the first one's device, and no reason.
  std::vector<TargetDevice> each;
};

/// Returns what targetDeviceOf() says of each module.
ModuleDevices moduleDevicesOf(llvm::ArrayRef<ModuleText> modules);

/// Sets the device to the one that the input was compiled for, if its name or
/// text says that, unless it is named. Returns what says it, or "".
std::string setDevice(bool isNamed, const Input &input, const Device *&device);

/// Returns `device` if it is named, else the one that the input was compiled
/// for, with a note, else `device`.
const Device *deviceFor(const Device *device, bool isNamed, const Input &input,
                        Messages &messages);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_INPUTS_TARGET_DEVICE_H
