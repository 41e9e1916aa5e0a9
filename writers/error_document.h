// An error as a document, for programs that asked for JSON.
//
//   {"schema": "indexical/1", "version": "0.9.0",
//    "error": {"code": "invalid_input", "path": "step.hlo", "line": 3,
//              "column": 12, "message": "unknown opcode `brodcast`",
//              "suggestion": "broadcast"}}
//
// The code is a word of a short list, which programs compare; the message is
// for people, and its words may change.
#ifndef INDEXICAL_WRITERS_ERROR_DOCUMENT_H
#define INDEXICAL_WRITERS_ERROR_DOCUMENT_H

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/indexing/diagnostic.h"

namespace indexical {

struct ErrorOfCall {
  std::string code;  ///< `usage`, or codeOf() of a status
  std::string path;  ///< the file that it is about; empty: none, or the head's
  Place place = {};
  std::string message;
  std::string suggestion;  ///< empty: none
};

/// Returns `invalid_input`, `not_found`, `not_supported`, `deadline`,
/// `cancelled`, `limit` or `failed`; "" for a status that is OK.
llvm::StringRef codeOf(const absl::Status &status);
/// Returns the error with the place and the suggestion of the status.
ErrorOfCall errorOf(const absl::Status &status, llvm::StringRef path = "");

/// Writes the document and a line break. `file` is the name of one of several
/// inputs, under `inputKey`.
void writeErrorDocument(llvm::raw_ostream &os,
                        std::optional<llvm::StringRef> file,
                        const ErrorOfCall &error,
                        llvm::StringRef inputKey = "file");

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_ERROR_DOCUMENT_H
