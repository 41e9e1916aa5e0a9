// The report of inputs, whatever they hold: a module, kernels of Triton, a
// profile, or the modules of several files.
//
//   m.hlo                  the kernels of the module
//   m.hlo, n.hlo           those of both, each with its file
//   add.ttir               the kernel of Triton
//   host.xplane.pb         kernels with the times that were measured
//
// Each is read as a MeasuredProgram, of which reportOf() makes the report. The
// device is the one that an input was compiled for, unless it is named.
#ifndef INDEXICAL_ANSWERS_REPORT_INPUT_REPORT_H
#define INDEXICAL_ANSWERS_REPORT_INPUT_REPORT_H

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/inputs/input.h"
#include "indexical/answers/inputs/read_program.h"
#include "indexical/answers/kernel/find_kernel.h"
#include "indexical/answers/report/report.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// An earlier report, or an earlier profile, whose report is made as that of
/// the later one.
struct EarlierReport {
  std::string name;  ///< of the file
  std::vector<OldReport> reports;
  std::optional<Input> profile;
};
/// Returns an error, with its place, if the input is neither a profile nor a
/// report as JSON or JSON lines.
absl::StatusOr<EarlierReport> earlierReportOf(Input input);

/// A question about inputs: what it asks, and how they are read.
struct InputReportQuestion : ReportQuestion {
  ReadAs readAs;
  KernelQuestion triton;         ///< how kernels of Triton are launched
  std::vector<std::string> hlo;  ///< files of modules that no profile holds
  std::optional<EarlierReport> earlier;
  /// Whether the caller also set an option that only a profile has:
  /// `--fail-slower`.
  bool isOfProfile = false;

  /// Returns whether something is asked that only a profile has.
  bool asksOfProfile() const {
    return isOfProfile || !hlo.empty() || !join.gpus.empty() || join.program ||
           join.first > 0 || (earlier && earlier->profile);
  }
};

/// Where messages about several inputs go.
class InputMessages {
 public:
  virtual ~InputMessages() = default;
  virtual Messages &of(size_t input) = 0;
  /// About all inputs together.
  virtual Messages &ofAll() = 0;
};

struct InputReport {
  Report report;
  /// Whether it covers all of the inputs. Inputs that are left out are
  /// messages.
  bool isWhole = true;
};

/// Returns the report of one input, or of the modules of several. Of the
/// question, `earlier` is the baseline of one input. Returns an error if there
/// is nothing to report on, or if the question does not fit what the inputs
/// hold.
absl::StatusOr<InputReport> reportOfInputs(llvm::ArrayRef<Input> inputs,
                                           const InputReportQuestion &question,
                                           InputMessages &messages,
                                           const Budget &budget = {},
                                           size_t jobs = 1);

/// The bytes that one kernel of a program moves.
struct OneKernelQuestion : LaunchQuestion {
  /// Empty: find_instruction.h. Without an instruction, the kernel whose result
  /// the root passes on.
  std::string computation, instruction;
  std::string space;  ///< the instruction that `threads` go to; "": the root
  /// The values of runtime variables, as expressions, by name.
  std::vector<std::pair<std::string, std::string>> runtime;
};
/// Returns the report of that kernel. `input` is the input of the program, and
/// may name the device. Errors are those of measureOne(), and that there is no
/// such instruction.
absl::StatusOr<Report> reportOfKernel(std::shared_ptr<const Program> program,
                                      const Input &input,
                                      const OneKernelQuestion &question,
                                      const Ask &ask = {});

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_INPUT_REPORT_H
