#include "indexical/command/call_on_inputs.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/stop_scope.h"

namespace indexical {

CallOnInputs::CallOnInputs(const Command &command, std::vector<Input> inputs,
                           std::optional<llvm::StringRef> file,
                           std::string progressPrefix, ResultSink &results,
                           MessageStream &err, size_t jobs)
    : command_(command),
      inputs_(std::move(inputs)),
      file_(file),
      progressPrefix_(std::move(progressPrefix)),
      results_(results),
      err_(err),
      jobs_(jobs) {
  for (const Input &input : inputs_)
    reporters_.push_back(std::make_unique<Reporter>(
        err, input.displayName(), input.text, command.settings->quiet));
}

int CallOnInputs::run(absl::Status &wrong) {
  // Also of what takes no budget.
  const StopScope scope(&command_.settings->stop);
  absl::StatusOr<int> status = command_.run(*this);
  if (!status.ok()) {
    // After the end of the call, a failure is not the fault of the input.
    const absl::Status end = budget().check();
    wrong = end.ok() ? status.status() : end;
    reporters_.back()->error(wrong);
    return kWrongInput;
  }
  const bool hasErrors = llvm::any_of(
      reporters_, [](const auto &of) { return of->errorCount() > 0; });
  return hasErrors ? static_cast<int>(kWrongInput) : *status;
}

}  // namespace indexical
