// The headings under which help lists the options of a command.
//
//   indexical help report    OPTIONS, A PROFILE, SEVERAL DEVICES, TRITON'S
//                            KERNELS, THE GPU, READING, WRITING, LIMITS
//
// An option has one name and one meaning in all commands, so that its name says
// where it stands. Options that are in no group are the command's own and come
// first.
#ifndef INDEXICAL_COMMAND_OPTION_GROUPS_H
#define INDEXICAL_COMMAND_OPTION_GROUPS_H

#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/command/option.h"

namespace indexical {

struct OptionGroup {
  llvm::StringRef heading;
  std::vector<llvm::StringRef> names;
};

/// Returns the groups, in the order of the help.
llvm::ArrayRef<OptionGroup> optionGroups();

/// Returns the options by heading, without headings that have none.
std::vector<std::pair<llvm::StringRef, std::vector<const Option *>>> grouped(
    llvm::ArrayRef<Option> options);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_OPTION_GROUPS_H
