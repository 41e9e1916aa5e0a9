#include "indexical/tools/values_report.h"

#include "indexical/tools/equality_words.h"
#include "indexical/tools/format.h"

namespace indexical {

namespace json = llvm::json;

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

void writeValues(const ValueEquality &values, llvm::raw_ostream &os) {
  for (const LeafValue &leaf : values.leaves) {
    if (leaf.isEqual) continue;
    os << "result " << leaf.result << ": ";
    if (!leaf.reason.empty())
      os << leaf.reason << '\n';
    else
      os << "first: " << leaf.terms[0] << ", second: " << leaf.terms[1] << '\n';
  }
}

void writeValues(const ValueEquality &values, json::OStream &json) {
  if (values.isEqual) return;
  json.attributeArray("values", [&] {
    for (const LeafValue &leaf : values.leaves) {
      if (leaf.isEqual) continue;
      json.object([&] {
        json.attribute("result", int64_t{leaf.result});
        if (!leaf.reason.empty())
          json.attribute("reason", jsonString(leaf.reason));
        for (int side : {0, 1})
          if (!leaf.terms[side].empty())
            json.attribute(kSides[side], jsonString(leaf.terms[side]));
      });
    }
  });
}

}  // namespace indexical
