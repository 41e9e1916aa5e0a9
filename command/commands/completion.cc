#include "indexical/command/completion.h"

#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/command/command.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

class CompletionResult : public Result {
 public:
  explicit CompletionResult(std::string text) : text_(std::move(text)) {}
  void text(llvm::raw_ostream &os, TextStyle) override { os << text_; }

 private:
  const std::string text_;
};

std::vector<std::string> shells() { return {"bash", "zsh", "fish"}; }

absl::StatusOr<int> completion(llvm::ArrayRef<std::string> words, Call &call) {
  const std::string &what = words.front();
  std::string text;
  if (what == "words") {
    for (const std::string &word : completionsOf(words.drop_front()))
      text += word + '\n';
  } else if (words.size() > 1 || !llvm::is_contained(shells(), what)) {
    call.err().wrongWords("completion does not take `" + what +
                          "`, but one of bash, zsh, fish");
    return kWrongWords;
  } else {
    text = completionScript(what).str();
  }
  CompletionResult result(std::move(text));
  INDEXICAL_RETURN_IF_ERROR(call.write(result));
  return kDone;
}

}  // namespace

Command makeCompletion() {
  Command completion;
  completion.name = "completion";
  completion.sentence =
      "a script for a shell, which then completes commands, options, and the "
      "names of instructions and computations in the file of a call";
  completion.example = "source <(indexical completion bash)";
  completion.reads = Reads::Words;
  completion.arguments = "bash|zsh|fish";
  completion.knownWords = shells;
  completion.leastWords = 1;
  completion.mostWords = 1000;
  completion.runOnWords = indexical::completion;
  return completion;
}

}  // namespace indexical
