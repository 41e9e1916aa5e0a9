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

/// Returns the files of a log without what the log puts before each line; lines
/// keep their numbers. Another text is returned as it is, alone.
std::vector<std::string> outputCodesOf(llvm::StringRef text);

/// What a comment says about the lines below it.
struct NodeComment {
  uint32_t first = 0, last = 0;  ///< its lines
  std::string nodes, ops;        ///< with commas; may be empty
};

/// Returns the comments of the text that name nodes or ops, in order. Where the
/// list of nodes is empty, they are those of the mapping or of the fragment of
/// the graph below it, and ops likewise.
std::vector<NodeComment> nodeCommentsOf(llvm::StringRef text);

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_OUTPUT_TEXT_H
