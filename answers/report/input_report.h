// The report of inputs, whatever they hold: a module, kernels of Triton, a
// profile, or the modules of several files.
//
//   m.hlo                  the kernels of the module
//   m.hlo, n.hlo           those of both, each with its file
//   add.ttir               the kernel of Triton
//   host.xplane.pb         kernels with the times that were measured
//
// The device is the one that an input was compiled for, unless it is named. The
// answer holds all that its report refers to.
#ifndef INDEXICAL_ANSWERS_REPORT_INPUT_REPORT_H
#define INDEXICAL_ANSWERS_REPORT_INPUT_REPORT_H

#include <cstddef>
#include <cstdint>
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
#include "indexical/answers/report/joined_modules.h"
#include "indexical/answers/report/report.h"
#include "indexical/answers/report/triton_kernels.h"
#include "indexical/cost/communication/topology.h"

namespace indexical {

/// What an earlier report said, or an earlier profile, whose report is made as
/// that of the later one.
struct EarlierReport {
  std::string name;  ///< of the file
  std::vector<OldReport> reports;
  std::optional<Input> profile;
};
/// Returns an error, with its place, if the input is neither a profile nor a
/// report as JSON or JSON lines.
absl::StatusOr<EarlierReport> earlierReportOf(Input input);

struct InputReportQuestion : LaunchQuestion {
  /// Whether `device` is meant, whatever an input says.
  bool deviceIsNamed = false;
  ReadAs readAs;
  KernelQuestion triton;  ///< how kernels of Triton are launched

  /// Null: what wastes most; for people, what can be won.
  const SortKey *sort = nullptr;
  const RowKey *group = nullptr;
  std::vector<RowFilter> filters;
  std::optional<size_t> top;  ///< nothing: all; for people, 10
  int64_t leastWasted = 0;
  /// Whether the report is to be read by people: alike kernels are then one
  /// row, unless `each`.
  bool forPeople = false, each = false;
  bool cancels = false, live = false;  ///< as of ReportQuestion
  std::optional<size_t> partitions, replicas;
  std::optional<Topology> links;

  // Of a profile.
  std::vector<std::string> hlo;  ///< files of modules that it does not hold
  JoinChoice join;
  /// Whether what is asked besides is of a profile, too.
  bool isOfProfile = false;

  std::optional<EarlierReport> baseline;

  /// Whether something is asked that only a profile has.
  bool asksOfProfile() const {
    return isOfProfile || !hlo.empty() || !join.gpus.empty() || join.program ||
           join.first > 0 || (baseline && baseline->profile);
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

/// It is not moved: parts of it refer to others.
struct InputReport {
  Report report;
  /// Whether all of the inputs is in it. What is not is a message.
  bool isWhole = true;

  InputReport() = default;
  InputReport(const InputReport &) = delete;
  InputReport &operator=(const InputReport &) = delete;

  /// What the report refers to: the program of one module or of kernels, the
  /// profile, or the programs of several files.
  Program program;
  ProfiledProgram profile;
  JoinedModules joined;
  std::optional<TritonCalls> calls;
  OldReport then;
};

/// Returns the report of one input, or of the modules of several. Returns an
/// error if there is nothing to report on, or if the question does not fit what
/// the inputs hold.
absl::StatusOr<std::unique_ptr<InputReport>> reportOfInputs(
    llvm::ArrayRef<Input> inputs, const InputReportQuestion &question,
    InputMessages &messages, const Budget &budget = {}, size_t jobs = 1);

/// What one kernel of a program moves.
struct OneKernelQuestion : LaunchQuestion {
  /// Empty: find_instruction.h. Without an instruction, the kernel whose result
  /// the root passes on.
  std::string computation, instruction;
  std::string space;  ///< the instruction that `threads` go to; "": the root
  /// The values of runtime variables, as expressions, by name.
  std::vector<std::pair<std::string, std::string>> runtime;
};
/// Returns a report of that kernel. The program must outlive it. Errors are
/// those of costOf(), and that there is no such instruction.
absl::StatusOr<Report> reportOfKernel(const Program &program,
                                      const OneKernelQuestion &question,
                                      const Ask &ask = {});

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_INPUT_REPORT_H
