// The work of a call on one kernel: it is read, measured, checked, and compared
// with its fusion.
#ifndef INDEXICAL_ANSWERS_KERNEL_FIND_KERNEL_H
#define INDEXICAL_ANSWERS_KERNEL_FIND_KERNEL_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/inputs/input.h"
#include "indexical/answers/kernel/findings.h"
#include "indexical/answers/kernel/kernel_fusion.h"
#include "indexical/cost/kernel/thread_listing.h"
#include "indexical/cost/memory/device.h"
#include "indexical/import/python/read.h"
#include "indexical/import/triton/sources/kernel_source.h"
#include "indexical/indexing/budget.h"
#include "indexical/same/kernel/kernel_pair.h"
#include "indexical/same/values/float_laws.h"

namespace indexical {

/// The launch of a kernel, from the call's options. An option takes precedence
/// over what the source says.
struct KernelQuestion {
  std::string function;
  std::vector<int64_t> grid;
  /// The grid with names of arguments, of constants and of other sizes:
  /// `cdiv(n, B), H`. Empty: `grid` has numbers, or nothing.
  std::string gridSizes;
  /// For a kernel in Python: types of arguments (`x`, `*fp16`) and values of
  /// constants (`B`, `128`), as its signature and its text would have them.
  std::vector<std::pair<std::string, std::string>> types, constants;
  bool printsText = false;       ///< the TTIR that was read is asked for
  std::vector<int64_t> block;    ///< threads; empty: by warps
  std::vector<int64_t> program;  ///< only this one; empty: all
  std::vector<std::vector<int64_t>> tiles;  ///< of each result
  std::optional<size_t> warps;
  std::vector<std::pair<std::string, int64_t>> arguments;
  std::vector<std::pair<std::string, double>> numbers;  ///< of floats
  std::vector<std::pair<std::string, std::string>> shapes;
  /// Conditions of sizes that are taken for granted: `C <= B`.
  std::vector<std::string> assumed;
  /// Pointers that name one array: one list an array.
  std::vector<std::vector<std::string>> aliases;
  /// The values of runtime variables, as expressions in programs, loops and
  /// tile.
  std::vector<std::pair<std::string, std::string>> runtime;
  /// The thread whose accesses are listed.
  std::optional<kernels::ThreadPlace> at;
  /// Whether arrays hold a pattern (cost/kernel/thread_listing.h).
  bool loadsHashes = false;
  /// Null: the one that the input was compiled for, else defaultDevice().
  const Device *device = nullptr;
  /// The level at which the kernel must equal its fusion for status 0.
  Level level = Level::Values;
  /// Laws that floats are taken to have.
  FloatLaws floats = FloatLaws::None;
  /// Whether values are read, too, for a comparison with another kernel.
  bool readsValues = false;
  /// Whether measureKernel() checks each access against the sizes of arrays.
  bool checksBounds = false;
  /// The element types of pointers of LLVM's IR, by argument: `f32`.
  std::map<int64_t, std::string> elementTypes;
  /// Which arguments of a kernel stand for which of the kernel of `--of`, and
  /// which arrays count.
  kernels::PairNames pairing;
  /// The launch of the kernel of `--of` differs from the new kernel's in these.
  struct OldLaunch {
    std::vector<int64_t> grid;
    std::string gridSizes;
    std::vector<std::pair<std::string, std::string>> constants;
    std::vector<std::pair<std::string, int64_t>> arguments;
    std::vector<std::pair<std::string, double>> numbers;
  };
  OldLaunch old;

  /// Returns the device if there is one, else defaultDevice().
  const Device &on() const { return device ? *device : defaultDevice(); }
};

/// Returns how a text in Python is read for the question.
python::PythonOptions pythonOptionsOf(const KernelQuestion &question);

/// Returns the kernel and its traffic, without checks but those of bounds, if
/// the question asks for them. An error has its place in the source's text.
absl::StatusOr<KernelFindings> measureKernel(
    const kernels::KernelSource &source, const KernelQuestion &question,
    const Budget &budget);

/// Returns the findings about a kernel, which is compared with `fusion` if that
/// is given. An error has its place in the source's text.
absl::StatusOr<KernelFindings> findKernel(const kernels::KernelSource &source,
                                          const KernelQuestion &question,
                                          const std::optional<Fusion> &fusion,
                                          const Budget &budget);

using FindKernel = llvm::function_ref<absl::StatusOr<KernelFindings>(
    const kernels::KernelSource &source)>;
using TakeKernel = llvm::function_ref<absl::Status(
    const kernels::KernelSource &source, KernelFindings found)>;
/// Finds each of the kernels, on several threads, and passes them to `take` in
/// their order. Returns the number of kernels of several that could not be
/// read, each of which is a message. Returns an error, with its place in the
/// input, if the only kernel cannot be read, or if `take` returns one.
absl::StatusOr<size_t> findEach(llvm::ArrayRef<kernels::KernelSource> sources,
                                const Ask &ask, FindKernel find,
                                TakeKernel take);

/// Returns the kernels of an input, or the one that the question names. Returns
/// an error with its place in the input if there are none.
absl::StatusOr<std::vector<kernels::KernelSource>> kernelsAsked(
    const Input &input, const KernelQuestion &question, Messages &messages);

using TakeFindings = llvm::function_ref<absl::Status(const Device &device,
                                                     KernelFindings found)>;
/// Finds all kernels of an input, and compares each with its fusion if there
/// are some. The device is the one that the input was compiled for, else the
/// fusions. Returns what findEach() does.
absl::StatusOr<size_t> findKernels(const Input &input,
                                   const KernelQuestion &question,
                                   FusionSource &fusions, const Ask &ask,
                                   TakeFindings take);

/// Returns a message if the launch of the question contradicts itself.
std::optional<std::string> mistakeOfLaunch(const KernelQuestion &question);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_KERNEL_FIND_KERNEL_H
