// `--values` and `--float-laws`, of commands that compare modules.
#ifndef INDEXICAL_COMMAND_VALUES_OPTIONS_H
#define INDEXICAL_COMMAND_VALUES_OPTIONS_H

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "indexical/command/option.h"
#include "indexical/same/values/module_values.h"

namespace indexical {

/// Whether values are compared, and by which laws of floats.
struct ValuesAsked {
  bool values = false;
  FloatLaws floats = FloatLaws::None;

  std::optional<ValueOptions> options() const;
  /// Returns a message if the options contradict each other.
  std::optional<std::string> mistake() const;
};

/// Returns `--float-laws=reassociate,no-nan`, which goes with what `with` says.
Option floatLawsOption(FloatLaws &floats, llvm::StringRef with);

/// Returns `--values` and `--float-laws`, which write into `asked`.
std::vector<Option> valuesOptions(ValuesAsked &asked);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_VALUES_OPTIONS_H
