#include "indexical/tools/values_report.h"

#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/tools/equality_words.h"
#include "indexical/tools/format.h"

namespace indexical {

namespace json = llvm::json;

namespace {

/// `reassociate,no-nan`
Option floatLawsOption(FloatLaws &floats) {
  Option option;
  option.name = "float-laws";
  option.value = "LAWS";
  option.sentence =
      "With --values: laws that floats are taken to have, beside those that "
      "always hold: none, or some of reassociate (sums and products in any "
      "order), no-nan, zero-sign, excess-precision and real (those of real "
      "numbers, which rounding breaks)";
  option.take = [&floats](llvm::StringRef word) -> std::optional<std::string> {
    const std::pair<llvm::StringRef, FloatLaws> names[] = {
        {"none", FloatLaws::None},
        {"reassociate", FloatLaws::Reassociate},
        {"no-nan", FloatLaws::NoNan},
        {"zero-sign", FloatLaws::ZeroSign},
        {"excess-precision", FloatLaws::ExcessPrecision},
        {"real", FloatLaws::Real}};
    floats = FloatLaws::None;
    for (llvm::StringRef each : llvm::split(word, ',')) {
      const auto *found = llvm::find_if(
          names, [&](const auto &name) { return name.first == each.trim(); });
      if (found == std::end(names))
        return "none, or with `,` between: reassociate, no-nan, zero-sign, "
               "excess-precision, real";
      floats = floats | found->second;
    }
    return std::nullopt;
  };
  return option;
}

/// Returns `[0, 3]`, or nothing for a scalar.
std::string tupleIndex(llvm::ArrayRef<int64_t> index) {
  if (index.empty()) return "";
  std::string text = tupleText(index);
  text.front() = '[';
  text.back() = ']';
  return text;
}

}  // namespace

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
          floatLawsOption(asked.floats)};
}

namespace {

/// Returns `at index (0), x[0] = 2: 3 and -3`.
std::string textOf(const NumberWitness &witness) {
  std::string text = "at index " + tupleText(witness.index);
  for (const NamedNumber &input : witness.inputs)
    text += ", " + input.name + tupleIndex(input.index) + " = " +
            input.number.str();
  return text + ": " + witness.first.str() + " and " + witness.second.str();
}

}  // namespace

void writeValues(const ValueEquality &values, llvm::raw_ostream &os) {
  for (const LeafValue &leaf : values.leaves) {
    if (leaf.isEqual) continue;
    os << "result " << leaf.result << ": ";
    if (!leaf.reason.empty())
      os << leaf.reason << '\n';
    else
      os << "first: " << leaf.terms[0] << ", second: " << leaf.terms[1] << '\n';
    if (leaf.witness) os << "  " << textOf(*leaf.witness) << '\n';
  }
}

void writeLost(const ValueEquality &values, llvm::raw_ostream &os) {
  for (const LostRead &lost : values.lost)
    os << "by a law: " << lost.law << ", `" << lost.instruction << "` at line "
       << lost.line << " of the first\n";
}

void writeLost(const ValueEquality &values, json::OStream &json) {
  for (const LostRead &lost : values.lost)
    json.object([&] {
      json.attribute("law", lost.law);
      json.attribute("computation", jsonString(lost.computation));
      json.attribute("instruction", jsonString(lost.instruction));
      json.attribute("line", lost.line);
    });
}

llvm::StringRef answerWord(SameVerdict verdict) {
  return wordOf(verdict == SameVerdict::OtherReads ? SameVerdict::Equal
                                                   : verdict);
}

void writeTerms(SameVerdict verdict, const ValueEquality &values,
                json::OStream &json) {
  json.attributeObject("terms", [&] {
    json.attribute("verdict", wordOf(verdict));
    if (!values.laws.empty())
      json.attributeArray("laws", [&] {
        for (const std::string &law : values.laws) json.value(law);
      });
    if (!values.lost.empty())
      json.attributeArray("lost", [&] { writeLost(values, json); });
    const auto leaf = llvm::find_if(values.leaves, [](const LeafValue &each) {
      return each.witness.has_value();
    });
    if (leaf == values.leaves.end()) return;
    const NumberWitness &witness = *leaf->witness;
    json.attributeObject("witness", [&] {
      json.attribute("result", int64_t{leaf->result});
      json.attribute("index", json::Array(llvm::ArrayRef(witness.index)));
      json.attributeArray("inputs", [&] {
        for (const NamedNumber &input : witness.inputs)
          json.object([&] {
            json.attribute("parameter", jsonString(input.name));
            json.attribute("element", json::Array(llvm::ArrayRef(input.index)));
            json.attribute("value", input.number.str());
          });
      });
      json.attribute("first", witness.first.str());
      json.attribute("second", witness.second.str());
    });
  });
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
