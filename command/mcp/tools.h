// Commands as tools of the Model Context Protocol.
//
//   count    {"type": "object", "properties": {"files": …, "runtime": …}}
//            {"files": ["a.maps"], "runtime": ["rt0=4"]}
//              -> count --format=json --runtime=rt0=4 -- a.maps
//
// A tool is a command whose answer has a schema (command/schema.h). Its
// arguments are the command's options, but for those that say where and how the
// result is written, and its files.
#ifndef INDEXICAL_COMMAND_MCP_TOOLS_H
#define INDEXICAL_COMMAND_MCP_TOOLS_H

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include "indexical/command/command.h"

namespace indexical {

/// Returns the list of all tools, as the text of a list of JSON on one line.
const std::string &toolList();

/// Returns the command that the tool is, or nothing if there is no such tool.
std::optional<Command> toolNamed(llvm::StringRef name);

/// A call of a command.
struct ToolCall {
  std::vector<std::string> words;   ///< without the program's name
  std::optional<std::string> text;  ///< of the input, in place of files
};

/// Returns the call of a tool with these arguments. The message of an error
/// says which argument is wrong, and what would be right. Files that are
/// outside of the process' folder (answers/confined.h) are errors.
absl::StatusOr<ToolCall> toolCall(const Command &tool,
                                  const llvm::json::Object &arguments);

/// Returns the arguments by which the tool gives a smaller answer: `top`.
std::vector<std::string> narrowingArguments(const Command &tool);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_MCP_TOOLS_H
