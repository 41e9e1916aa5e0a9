// The kernels of an input: a file of TTIR or TTGIR holds one, a record of
// tritonparse one for each launch, a module one in each custom call of Triton,
// and a file of Python one for each function under `triton.jit` and each of its
// configurations.
#ifndef INDEXICAL_ANSWERS_INPUTS_KERNEL_INPUT_H
#define INDEXICAL_ANSWERS_INPUTS_KERNEL_INPUT_H

#include <vector>

#include "absl/status/statusor.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/inputs/input.h"
#include "indexical/import/python/read.h"
#include "indexical/import/triton/sources/kernel_source.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Whether the input is a text of Triton or a record of such texts, and no
/// module of HLO.
bool holdsKernels(const Input &input);

/// Returns the kernels, or an error if there are none. A kernel that is left
/// out is a warning. `python` is how a text in Python is read; its path is that
/// of the input.
absl::StatusOr<std::vector<kernels::KernelSource>> kernelsIn(
    const Input &input, Messages &messages,
    const python::PythonOptions &python = {});

/// Returns the kernels of a module's instruction, or none if it is no custom
/// call of Triton. Returns an error if its bytes are damaged.
absl::StatusOr<std::vector<kernels::KernelSource>> kernelsOf(
    const Computation &computation, InstructionId instruction);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_INPUTS_KERNEL_INPUT_H
