// Inductor's files among the inputs of a report: their launches and their calls
// of libraries are the kernels.
//
//   triton_poi_fused_relu_0.run(arg0_1, buf0, 640, stream=stream0)
//     the kernel of the text, measured for 640 elements; reads `arg0_1`
//   extern_kernels.mm(buf0, arg1_1, out=buf1)
//     a product of a library, as a `dot` of HLO
//
// The file is a module of HLO (inductor_module.h), in which the launches are
// calls whose cost is known.
#ifndef INDEXICAL_ANSWERS_REPORT_INDUCTOR_KERNELS_H
#define INDEXICAL_ANSWERS_REPORT_INDUCTOR_KERNELS_H

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/inputs/input.h"
#include "indexical/answers/kernel/find_kernel.h"
#include "indexical/answers/report/kernel_cost.h"
#include "indexical/answers/report/measure_kernels.h"
#include "indexical/cost/live/live_arrays.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// The measured launches of modules.
class InductorCosts : public KnownCosts {
 public:
  std::shared_ptr<const Measurement> at(size_t module,
                                        const KernelSite &site) const override;
  void add(size_t module, InstructionId instruction, Measurement measurement) {
    found_.emplace(std::pair(module, instruction), std::move(measurement));
  }
  /// Adds those of other modules, which come behind the first `modules`.
  void add(size_t modules, const InductorCosts &others);

 private:
  std::map<std::pair<size_t, InstructionId>, Measurement> found_;
};

struct InductorProgram {
  std::vector<Program> programs;  ///< one a file of Inductor in the input
  InductorCosts costs;            ///< by the number of the program
  size_t failed = 0;              ///< launches that could not be read
  /// By program: what is live where it needs most memory, if that is known.
  std::vector<std::optional<LivePeak>> peaks;
  /// Names of which the call may say something: sizes, parameters of kernels.
  std::set<std::string> names;
};

/// Reads and measures the launches of an input for which
/// python::looksLikeOutputCode() is true. A launch that cannot be read is a
/// message with its name. Returns an error if there is no step at all.
absl::StatusOr<InductorProgram> readInductorProgram(
    const Input &input, const KernelQuestion &question, const Ask &ask);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_INDUCTOR_KERNELS_H
