// The tables of stack frames at the head of a module, as XLA writes them.
//
//   FileNames            1 "model.py"
//   FunctionNames        1 "step"
//   FileLocations        1 {file_name_id=1 function_name_id=1 line=12}
//   StackFrames          1 {file_location_id=1 parent_frame_id=1}
//                        2 {file_location_id=1 parent_frame_id=2}
//
// Rows are numbered from 1, and 0 means none; but a parent's number is written
// with 1 added, so that 1 means none: the caller of frame 2 is frame 1.
//
// A mistake in a table is a warning at the row, never an error. A frame that
// has no place is left out of all stacks. A caller that is not there, or that
// leads back to its callee, ends the stack.
#ifndef INDEXICAL_IMPORT_HLO_STACK_TABLES_H
#define INDEXICAL_IMPORT_HLO_STACK_TABLES_H

#include <cstdint>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/hlo/attributes.h"
#include "indexical/import/hlo/source.h"
#include "indexical/import/hlo/syntax.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// The frames of a module by the numbers that its text gives them.
class FrameNumbers {
 public:
  FrameNumbers() = default;
  /// Adds the frames of the tables to the module.
  FrameNumbers(Source &source, const StackTablesSyntax &tables,
               Program &program, Module &module);

  /// Returns the number of the frame that `stack_frame_id` names, or -1.
  int32_t frameOf(Source &source, const MetadataSyntax &metadata) const;

 private:
  llvm::DenseMap<int64_t, int32_t> numbers_;  // -1: left out, as all around it
};

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_STACK_TABLES_H
