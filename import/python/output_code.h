// Inductor's output code: a file of kernels and the function `call` that
// launches them.
//
//   buf0 = empty_strided_cuda((64, 100), (100, 1), torch.float32)
//   # Topologically Sorted Source Nodes: [y], Original ATen: [aten.relu]
//   triton_poi_fused_relu_0.run(arg0_1, buf0, 6400, stream=stream0)
//   extern_kernels.mm(buf0, arg1_1, out=buf1)
//   return (buf1, )
//
//   arrays   arg0_1: 6400 elements, given; buf0: 6400; arg1_1, given; buf1
//   step 0   launch of triton_poi_fused_relu_0 with arg0_1, buf0 and
//            xnumel = 6400, grid cdiv(6400, XBLOCK), for the node `y`
//   step 1   extern_kernels.mm reads buf0 and arg1_1, writes buf1
//   results  buf1
//
// The function is read line by line, and is not run: allocations, views,
// aliases, reuse, launches and library calls are read, in the forms of PyTorch
// 2.0 to 2.10 (2023 to 2026). Functions of the file that it calls (partitions,
// subgraphs) are read too. A log of `TORCH_LOGS=output_code` has one such file
// for each graph.
//
// Symbolic sizes have the values of the file's own benchmark, unless the caller
// gives others.
//
// Law (tests/answers/report/inductor_report_test.py): sizes, strides, launches
// and bytes are those of a table that is generated with the text.
#ifndef INDEXICAL_IMPORT_PYTHON_OUTPUT_CODE_H
#define INDEXICAL_IMPORT_PYTHON_OUTPUT_CODE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/python/read.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/program/kernel/taken.h"

namespace indexical::python {

/// An array as the host sees it: a part of a memory. Sizes and strides count
/// elements; if the sizes are unknown, both are empty, and `isKnown` is false.
struct HostTensor {
  size_t memory = 0;    ///< a number of OutputCode::memories
  std::string element;  ///< HLO's name, `bf16`; empty: unknown
  std::vector<int64_t> sizes, strides;
  int64_t offset = 0;  ///< bytes from the memory's start
  bool isKnown = false;
  bool isView = false;  ///< its sizes, strides or type are not its memory's

  /// Returns the number of elements from the first to the last one, including
  /// those between that are not part of it; 0 if a size is 0. Requires
  /// `isKnown`.
  int64_t extent() const;
};

/// An array that the host allocates, receives as an input, or gets from a
/// library.
struct HostMemory {
  HostTensor first;       ///< as allocated
  std::string name;       ///< its first name: `buf3`
  bool isInput = false;   ///< given to `call`
  bool isResult = false;  ///< returned by it
};

/// A launch of a kernel of the file, or a call of a library.
struct HostStep {
  /// The name of the kernel (`triton_poi_fused_relu_0`), or the function of the
  /// library (`extern_kernels.mm`).
  std::string name;
  Place place;
  /// The names of the model's nodes and ops, from the comment above the step or
  /// above the kernel: `y, z` and `aten.relu, aten.add`.
  std::string nodes, ops;
  bool isLaunch = false;

  /// The kernel of a launch, read for its arguments; null for a library call.
  /// It has a refusal if the launch cannot be read, or if its language is not
  /// Triton.
  std::shared_ptr<const PythonKernel> kernel;
  /// For a launch: the arrays of its pointers, by the names of parameters.
  std::vector<std::pair<std::string, HostTensor>> arrays;
  std::vector<std::pair<std::string, int64_t>> arguments;
  std::vector<std::pair<std::string, double>> numbers;
  std::optional<std::array<int64_t, 3>> grid;

  /// For a library call: its inputs, and the arrays that it writes. Numbers and
  /// lists of numbers are listed by keyword (`groups`), or by their position
  /// among the arguments (`3`).
  std::vector<HostTensor> operands, results;
  std::vector<std::pair<std::string, std::vector<int64_t>>> constants;
};

/// One file of Inductor, or one of those in a log.
struct OutputCode {
  std::vector<HostMemory> memories;
  std::vector<HostStep> steps;
  /// The values of symbols, from the file's benchmark.
  std::vector<kernels::Taken> taken;
  /// The names that the caller's options may refer to: parameters of launched
  /// kernels, and those of PythonOptions::arguments that `call` assigns.
  std::set<std::string> names;
  size_t ofHost = 0;  ///< calls of C++ kernels, which are left out
  /// The number of branches and loops of `call`: both sides of a branch and one
  /// turn of a loop are read.
  size_t branches = 0;
};

/// Returns whether the text is Inductor's output code, or a log with it.
bool looksLikeOutputCode(llvm::StringRef text);

/// Returns the files of the text. Uses only `path`, `types`, `constants`,
/// `arguments` and `numbers` of the options; arguments may name symbols (`s0`).
/// Returns an InvalidArgument status if the text is too long or has no function
/// `call`.
absl::StatusOr<std::vector<OutputCode>> readOutputCode(
    llvm::StringRef text, const PythonOptions &options = {});

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_OUTPUT_CODE_H
