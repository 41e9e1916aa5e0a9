#include "indexical/command/values_options.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace indexical {

Option floatLawsOption(FloatLaws &floats, llvm::StringRef with) {
  Option option;
  option.name = "float-laws";
  option.value = "LAWS";
  option.sentence =
      with.str() +
      ": the assumed laws of floats, beside those that always hold: none, "
      "or some of reassociate (sums and products in any order), no-nan, "
      "zero-sign, excess-precision and real (those of real numbers, which "
      "rounding breaks)";
  option.take = [&floats](llvm::StringRef word) -> std::optional<std::string> {
    floats = FloatLaws::None;
    for (llvm::StringRef each : llvm::split(word, ',')) {
      const auto *found = llvm::find_if(
          floatLawNames(),
          [&](const FloatLawName &row) { return row.name == each.trim(); });
      if (found == floatLawNames().end())
        return "none, or with `,` between: reassociate, no-nan, zero-sign, "
               "excess-precision, real";
      floats = floats | found->laws;
    }
    return std::nullopt;
  };
  return option;
}

std::optional<ValueOptions> ValuesAsked::options() const {
  if (!values) return std::nullopt;
  return ValueOptions{floats};
}

std::optional<std::string> ValuesAsked::mistake() const {
  if (!values && floats != FloatLaws::None)
    return "--float-laws goes with --values";
  return std::nullopt;
}

std::vector<Option> valuesOptions(ValuesAsked &asked) {
  return {flagOption("values", asked.values,
                     "Compare values, too: modules with equal reads are "
                     "equal only if their values are"),
          floatLawsOption(asked.floats, "With --values")};
}

}  // namespace indexical
