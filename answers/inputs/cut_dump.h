// A dump that ends too early: a disk that was full, a copy that was ended.
//
//   HloModule m, is_scheduled=true          HloModule m, is_scheduled=true
//   ENTRY e {                               ENTRY e {
//     a = f32[8] parameter(0)                 a = f32[8] parameter(0)
//     b = f32[8] negate(a)             ->     b = f32[8] negate(a)
//     ROOT c = f32[8] ad                    }
//
// The part before the line in which it ends can be answered. The last
// instruction is then the root.
#ifndef INDEXICAL_ANSWERS_INPUTS_CUT_DUMP_H
#define INDEXICAL_ANSWERS_INPUTS_CUT_DUMP_H

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/diagnostic.h"

namespace indexical {

/// The part of a dump before the line in which it ends.
struct CutDump {
  std::shared_ptr<const std::string> text;
  Place end;  ///< of that line
  std::string warning;
};

/// Returns the part of a module's text before its end, with its lines where
/// they were, if `error` says that the text is wrong where it ends. Returns
/// nothing if it is wrong elsewhere, if the text is not a dump of a whole
/// module, or if it ends before an instruction of the entry.
std::optional<CutDump> beforeCut(llvm::StringRef text,
                                 const absl::Status &error);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_INPUTS_CUT_DUMP_H
