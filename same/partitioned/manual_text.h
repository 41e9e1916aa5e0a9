// Reads the texts of a `sdy.manual_computation`.
#ifndef INDEXICAL_SAME_PARTITIONED_MANUAL_TEXT_H
#define INDEXICAL_SAME_PARTITIONED_MANUAL_TEXT_H

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace indexical {

/// Returns the sharding's text without the axes that are not manual: along
/// those, values are whole.
std::string manualAxesOf(llvm::StringRef sharding,
                         const std::vector<std::string> &manual);
/// Returns the text of an attribute of an op of MLIR, up to its end.
llvm::StringRef attributeOf(llvm::StringRef configuration,
                            llvm::StringRef name);
/// Returns the shardings in `#sdy.sharding_per_value<[<…>, <…>]>`.
std::vector<std::string> shardingsIn(llvm::StringRef text);
/// Returns the quoted names.
std::vector<std::string> namesIn(llvm::StringRef text);

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_MANUAL_TEXT_H
