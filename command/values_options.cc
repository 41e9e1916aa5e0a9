#include "indexical/command/values_options.h"

namespace indexical {

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
                     "Compare what is computed, too: modules that read the "
                     "same are equal only if their values are"),
          choiceOption<FloatLaws>(
              "float-laws", "LAWS", asked.floats,
              {{"none", FloatLaws::None}, {"real", FloatLaws::Real}},
              "With --values: the laws that floats are taken to have, beside "
              "that add and multiply commute; real: those of real numbers, "
              "which rounding breaks")};
}

}  // namespace indexical
