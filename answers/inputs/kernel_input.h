// The kernels of an input: a file of TTIR or TTGIR holds one, a record of
// tritonparse one for each launch, a module one in each custom call of Triton,
// a file of Python one for each function under `triton.jit` and each of its
// configurations, and a file of Inductor one for each launch.
#ifndef INDEXICAL_ANSWERS_INPUTS_KERNEL_INPUT_H
#define INDEXICAL_ANSWERS_INPUTS_KERNEL_INPUT_H

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/inputs/input.h"
#include "indexical/import/python/output_code.h"
#include "indexical/import/python/read.h"
#include "indexical/import/triton/sources/kernel_source.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Returns whether the input is a text of Triton or a record of such texts, and
/// no module of HLO.
bool holdsKernels(const Input &input);

/// Returns the input with the text of a module in LLVM's bitcode; other inputs
/// unchanged. Errors are those of textOfBytecode().
absl::StatusOr<Input> withTextOfBitcode(const Input &input);

/// Returns the kernels, or an error if there are none. A kernel that is left
/// out is a warning. `python` is how a text in Python is read; its path is that
/// of the input.
absl::StatusOr<std::vector<kernels::KernelSource>> kernelsIn(
    const Input &input, Messages &messages,
    const python::PythonOptions &python = {});

/// Returns a kernel that was read in Python. `text` is that of the file.
kernels::KernelSource sourceOfPython(python::PythonKernel kernel,
                                     llvm::StringRef path,
                                     std::shared_ptr<const std::string> text);

/// Returns the kernel of a launch that Inductor's file has, with its grid and
/// its arrays. `code` is that file; `text` as above.
kernels::KernelSource sourceOfLaunch(const python::HostStep &launch,
                                     const python::OutputCode &code,
                                     llvm::StringRef path,
                                     std::shared_ptr<const std::string> text);

/// Returns the bytes of a memory from where the array begins, in elements of
/// that array; nothing if it is not known.
std::optional<int64_t> elementsOf(const python::OutputCode &code,
                                  const python::HostTensor &array);

/// Returns the kernels of a module's instruction, or none if it is not a custom
/// call of Triton. Returns an error if its bytes are damaged.
absl::StatusOr<std::vector<kernels::KernelSource>> kernelsOf(
    const Computation &computation, InstructionId instruction);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_INPUTS_KERNEL_INPUT_H
