// The text of Inductor's files: those of a log, and the comments that name the
// model's nodes; private to import/python.
//
//   V0612 [0/0] [__output_code] def call(args):        one line of a log
//   # Topologically Sorted Source Nodes: [y], Original ATen: [aten.relu]
//       the line below is of the node `y`, an `aten.relu`
#ifndef INDEXICAL_IMPORT_PYTHON_OUTPUT_TEXT_H
#define INDEXICAL_IMPORT_PYTHON_OUTPUT_TEXT_H

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace indexical::python {

/// Returns the files of a log, without the log's prefix of each line; lines
/// keep their numbers. Returns any other text unchanged, as the only file.
std::vector<std::string> outputCodesOf(llvm::StringRef text);

/// The names that a comment gives to the lines below it.
struct NodeComment {
  uint32_t first = 0, last = 0;  ///< its lines
  std::string nodes, ops;        ///< with commas; may be empty
};

/// Returns the comments of the text that name nodes or ops, in order. An empty
/// list of nodes, or of ops, is replaced by those of the mapping or of the
/// graph fragment below it.
std::vector<NodeComment> nodeCommentsOf(llvm::StringRef text);

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_OUTPUT_TEXT_H
