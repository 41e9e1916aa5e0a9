// What `--values` found, for people and for tools.
//
//   result 0: first: multiply(x[i, j], y[i, j]), second: add(x[i, j], y[i, j])
//
//   "values": [{"result": 0, "first": "multiply(…)", "second": "add(…)"}]
#ifndef INDEXICAL_TOOLS_VALUES_REPORT_H
#define INDEXICAL_TOOLS_VALUES_REPORT_H

#include <optional>
#include <vector>

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/analysis/values/module_values.h"
#include "indexical/tools/option.h"

namespace indexical {

/// Whether values are compared, and by which laws.
struct ValuesAsked {
  bool values = false;
  FloatLaws floats = FloatLaws::None;

  std::optional<ValueOptions> options() const;
  /// The sentence that is wrong with them.
  std::optional<std::string> mistake() const;
};

/// `--values` and `--float-laws`, which write into `asked`.
std::vector<Option> valuesOptions(ValuesAsked &asked);

/// Writes a line for each result whose values are not known to be equal.
void writeValues(const ValueEquality &values, llvm::raw_ostream &os);
/// Writes them as the member `values` of an object that is open; nothing if all
/// are equal.
void writeValues(const ValueEquality &values, llvm::json::OStream &json);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_VALUES_REPORT_H
