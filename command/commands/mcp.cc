#include <memory>

#include "indexical/answers/confined.h"
#include "indexical/command/command.h"
#include "indexical/command/mcp/server.h"
#include "indexical/indexing/status_macros.h"
#include <unistd.h>

namespace indexical {
namespace {

struct McpOptions {
  std::optional<int64_t> answerBytes;
  std::optional<size_t> seconds;
};

/// The answers, which are written as their questions come.
class Served : public Result {
 public:
  Served(const ServerLimits &limits, const Stop &stop)
      : limits_(limits), stop_(stop) {}
  void text(llvm::raw_ostream &os, TextStyle) override {
    serve(STDIN_FILENO, os, limits_, stop_);
  }

 private:
  const ServerLimits limits_;
  const Stop &stop_;
};

}  // namespace

Command makeMcp() {
  auto asked = std::make_shared<McpOptions>();
  Command mcp;
  mcp.name = "mcp";
  mcp.sentence =
      "the commands as tools for a program, over standard input and output, by "
      "the Model Context Protocol; files outside of the folder in which it is "
      "started are refused";
  mcp.example =
      "echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}' | indexical "
      "mcp";
  mcp.reads = Reads::Words;
  mcp.arguments = "";
  mcp.options = {
      bytesOption("answer-bytes", asked->answerBytes,
                  "The most bytes of an answer; more are an error (default: "
                  "100kB)"),
      countOption("call-seconds", asked->seconds, "a number of seconds",
                  "The most seconds of a call that names no deadline (default: "
                  "60)"),
  };
  mcp.runOnWords = [asked, settings = mcp.settings](
                       llvm::ArrayRef<std::string>,
                       Call &call) -> absl::StatusOr<int> {
    INDEXICAL_RETURN_IF_ERROR(confineInputs("."));
    ServerLimits limits;
    if (asked->answerBytes) limits.answerBytes = *asked->answerBytes;
    if (asked->seconds) limits.seconds = *asked->seconds;
    Served result(limits, settings->stop);
    INDEXICAL_RETURN_IF_ERROR(call.write(result));
    return kDone;
  };
  return mcp;
}

}  // namespace indexical
