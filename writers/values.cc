#include "indexical/writers/values.h"

#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/writers/equality_words.h"
#include "indexical/writers/format.h"

namespace indexical {

namespace json = llvm::json;

namespace {

/// Returns `[0, 3]`, or nothing for a scalar.
std::string tupleIndex(llvm::ArrayRef<int64_t> index) {
  if (index.empty()) return "";
  std::string text = tupleText(index);
  text.front() = '[';
  text.back() = ']';
  return text;
}

/// Returns `at index (0), x[0] = 2: 3 and -3`.
std::string textOf(const NumberWitness &witness) {
  std::string text = "at index " + tupleText(witness.index);
  for (const NamedNumber &input : witness.inputs)
    text += ", " + input.name + tupleIndex(input.index) + " = " +
            input.number.str();
  return text + ": " + witness.first.str() + " and " + witness.second.str();
}

/// Returns `` `m` (multiply) at line 4 of the first: multiply(x[i], y[i])``.
std::string textOf(const DivergentValue &value, int side) {
  return "`" + value.instruction + "` (" + value.opcode + ") at line " +
         std::to_string(value.line) + " of the " + kSides[side] + ": " +
         value.term;
}

void write(const DivergentValue &value, json::OStream &json) {
  json.attribute("computation", jsonString(value.computation));
  json.attribute("instruction", jsonString(value.instruction));
  json.attribute("line", value.line);
  json.attribute("term", jsonString(value.term));
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
    if (!leaf.divergence) continue;
    os << "  they part at\n";
    if (const auto &first = leaf.divergence->first)
      os << "    " << textOf(*first, 0) << '\n';
    os << "    " << textOf(leaf.divergence->second, 1) << '\n';
  }
}

void writeDeciders(llvm::ArrayRef<std::string> deciders,
                   llvm::raw_ostream &os) {
  for (const std::string &each : deciders)
    os << "may be decided by " << each << '\n';
}

void writeDeciders(llvm::ArrayRef<std::string> deciders, json::OStream &json) {
  if (deciders.empty()) return;
  json.attributeArray("decided_by", [&] {
    for (const std::string &each : deciders) json.value(jsonString(each));
  });
}

void writeLost(const ValueEquality &values, llvm::raw_ostream &os) {
  for (const LostRead &lost : values.lost)
    os << "by a law: " << lost.law << ", `" << lost.instruction << "` ("
       << lost.opcode << ") at line " << lost.line << " of the first"
       << (lost.parameters.empty() ? "" : " no longer reads ")
       << llvm::join(lost.parameters, ", ") << '\n';
}

void writeLost(const ValueEquality &values, json::OStream &json) {
  for (const LostRead &lost : values.lost)
    json.object([&] {
      json.attribute("law", lost.law);
      json.attribute("computation", jsonString(lost.computation));
      json.attribute("instruction", jsonString(lost.instruction));
      json.attribute("line", lost.line);
      json.attribute("opcode", jsonString(lost.opcode));
      if (lost.parameters.empty()) return;
      json.attributeArray("parameters", [&] {
        for (const std::string &name : lost.parameters)
          json.value(jsonString(name));
      });
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
    for (const LeafValue &each : values.leaves) {
      if (!each.divergence) continue;
      json.attributeObject("first", [&] {
        json.attribute("result", int64_t{each.result});
        if (const auto &first = each.divergence->first)
          json.attributeObject("first", [&] { write(*first, json); });
        json.attributeObject("second",
                             [&] { write(each.divergence->second, json); });
      });
    }
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
