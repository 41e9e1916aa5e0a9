// A server of the Model Context Protocol, revision 2025-06-18: the commands as
// tools, for programs that call tools.
//
//   -> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{…}}
//   <- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18",…}}
//   -> {"jsonrpc":"2.0","method":"notifications/initialized"}
//   -> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"count",
//       "arguments":{"files":["a.maps"]}}}
//   <- {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text",…}],
//       "structuredContent":{"schema":"indexical/1",…},"isError":false}}
//
// A message is a line of JSON. One thread reads them and answers what needs no
// work; another one works on the calls of tools, one after another, so that a
// call can be cancelled while it works. An answer that would have more bytes
// than allowed is an error, `too_large`, that names the arguments which ask for
// less: a document is never cut.
#ifndef INDEXICAL_COMMAND_MCP_SERVER_H
#define INDEXICAL_COMMAND_MCP_SERVER_H

#include <cstddef>

#include "llvm/Support/raw_ostream.h"

#include "indexical/indexing/budget.h"

namespace indexical {

struct ServerLimits {
  size_t answerBytes = 100'000;  ///< of a document
  size_t seconds = 60;           ///< of a call that gives no deadline
  size_t megabytes = 8192;       ///< of the process, in a call that gives none
};

/// Answers the messages of a file descriptor until it ends, or until `stop` is
/// reached. Calls that came before the end are answered.
void serve(int in, llvm::raw_ostream &out, const ServerLimits &limits,
           const Stop &stop);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_MCP_SERVER_H
