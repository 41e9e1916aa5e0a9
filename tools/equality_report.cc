#include "indexical/tools/equality_report.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include "indexical/tools/format.h"
#include "indexical/tools/wording.h"

namespace indexical {
namespace {

namespace json = llvm::json;

constexpr const char *kSides[] = {"first", "second"};

llvm::StringRef wordOf(Answer answer) {
  switch (answer) {
    case Answer::Yes:
      return "equal";
    case Answer::No:
      return "different";
    case Answer::Undecided:
      return "undecided";
  }
  return "";
}

std::string tuple(llvm::ArrayRef<int64_t> values) {
  return "(" +
         llvm::join(llvm::map_range(
                        values, [](int64_t v) { return std::to_string(v); }),
                    ", ") +
         ")";
}

std::string reasonOf(const LeafEquality &leaf) {
  return leaf.doubt == Doubt::None ? leaf.decision.reason : wordsOf(leaf.doubt);
}

void line(const LeafEquality &leaf, llvm::raw_ostream &os) {
  const Decision &decision = leaf.decision;
  os << wordOf(decision.answer);
  if (decision.answer == Answer::Undecided)
    os << ": " << reasonOf(leaf) << '\n';
  else
    os << " (" << engineName(decision.engine) << ")\n";
}

const char *sideOf(const Witness &witness) {
  return kSides[witness.onlyIn == Witness::Side::Second];
}

void writeWitness(const Witness &witness, llvm::raw_ostream &os) {
  os << "  at index " << tuple(witness.index);
  for (const auto &[name, value] : witness.runtime)
    os << ", " << name << " = " << value;
  os << (witness.runtime.empty() ? " " : ", ") << "only the " << sideOf(witness)
     << " reads " << tuple(witness.element) << '\n';
}

json::Array numbers(llvm::ArrayRef<int64_t> values) {
  return json::Array(llvm::ArrayRef(values));
}

void writeLeaf(const LeafEquality &leaf, Compared what, json::OStream &json) {
  json.attribute("result", leaf.result);
  json.attribute("parameter", leaf.parameter);
  json.attribute("answer", wordOf(leaf.decision.answer));
  json.attribute("engine", engineName(leaf.decision.engine));
  if (const std::string reason = reasonOf(leaf); !reason.empty())
    json.attribute("reason", jsonString(reason));
  if (!leaf.decision.witness) return;
  const Witness &witness = *leaf.decision.witness;
  json.attributeObject("witness", [&] {
    json.attribute("index", numbers(witness.index));
    json::Array runtime;
    for (const auto &entry : witness.runtime) runtime.push_back(entry.second);
    json.attribute("runtime", std::move(runtime));
    json.attribute("element", numbers(witness.element));
    json.attribute("only_in", sideOf(witness));
  });
  if (what == Compared::Maps) return;
  json.attributeObject("paths", [&] {
    for (int side = 0; side < 2; ++side)
      json.attributeArray(kSides[side], [&] {
        for (const std::string &name : leaf.paths[side])
          json.value(jsonString(name));
      });
  });
}

}  // namespace

void EqualityResult::text(llvm::raw_ostream &os, TextStyle) {
  if (what_ == Compared::Modules) {
    os << wordOf(equality_.answer);
    if (equality_.answer != Answer::Undecided)
      os << " (" << engineName(equality_.engine) << ")";
    os << '\n';
  }
  for (const LeafEquality &leaf : equality_.leaves) {
    if (what_ == Compared::Modules) {
      if (leaf.decision.answer == Answer::Yes) continue;
      os << "result " << leaf.result << ", parameter " << leaf.parameter
         << ": ";
    }
    line(leaf, os);
    if (leaf.decision.witness) writeWitness(*leaf.decision.witness, os);
    for (int side = 0; side < 2; ++side)
      if (!leaf.paths[side].empty())
        os << "  " << kSides[side] << ": " << llvm::join(leaf.paths[side], ", ")
           << '\n';
  }
}

void EqualityResult::structure(Structure &to) {
  to.head([&](json::OStream &json) {
    json.attribute("answer", wordOf(equality_.answer));
    json.attribute("engine", engineName(equality_.engine));
    json.attributeArray("pairs", [&] {
      for (const LeafEquality &leaf : equality_.leaves)
        json.object([&] { writeLeaf(leaf, what_, json); });
    });
  });
}

}  // namespace indexical
