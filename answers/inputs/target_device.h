// The GPU that a dump was compiled for.
//
//   module_0012.jit_f.sm_8.0_gpu_after_optimizations.txt   a100, by sm_8.0
//   …backend_config={…"gfx942"…}                           mi300x, by gfx942
//   "ttg.target" = "cuda:90"                               h100, by sm_9.0
//
// A target may be that of several devices: sm_9.0 is an H100's and an H200's.
// The first of them is taken, and the answer names the others. Modules of one
// folder may be compiled for several devices: each has its own. If LLVM IR
// names a target of no known device, the device is a guess, and the answer says
// so: the nearest target by its name, or the default device.
#ifndef INDEXICAL_ANSWERS_INPUTS_TARGET_DEVICE_H
#define INDEXICAL_ANSWERS_INPUTS_TARGET_DEVICE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/inputs/input.h"
#include "indexical/answers/report/measure_kernels.h"
#include "indexical/cost/memory/device.h"

namespace indexical {

/// Returns the device that the name of a dump says, or its text.
TargetDevice targetDeviceOf(llvm::StringRef path, llvm::StringRef text);

/// The file that a module was read from, and its own part of the text.
struct ModuleText {
  llvm::StringRef path, text;
};

/// Returns what targetDeviceOf() says of each module.
ModuleDevices moduleDevicesOf(llvm::ArrayRef<ModuleText> modules);

/// Returns `named` if it is a device, else the one that the input was compiled
/// for, with what says so, else none.
TargetDevice targetDeviceOf(const Device *named, const Input &input);
/// Like targetDeviceOf, with a note of what says so, and defaultDevice() for
/// none.
const Device *deviceFor(const Device *named, const Input &input,
                        Messages &messages);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_INPUTS_TARGET_DEVICE_H
