#include "indexical/writers/verdict.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/verdict/keys.h"
#include "indexical/program/kernel/checks.h"
#include "indexical/writers/equality_words.h"

namespace indexical {
namespace {

using Kind = Witness::Kind;

/// Returns `[0, 3]`, or nothing for a scalar.
std::string indexOf(llvm::ArrayRef<int64_t> index) {
  return index.empty() ? ""
                       : absl::StrCat("[", absl::StrJoin(index, ", "), "]");
}

std::string readText(const Witness &of) {
  std::string text = absl::StrCat("at index ", tupleText(of.first.index));
  for (const auto &[name, value] : of.runtime)
    absl::StrAppend(&text, ", ", name, " = ", value);
  return absl::StrCat(text, of.runtime.empty() ? " " : ", ", "only the ",
                      sideOf(of), " reads ", tupleText(of.element));
}

/// Returns `, x[0] = 2, all others 1: 3 and -3`, or "" without numbers.
std::string numbersText(const Witness &of) {
  if (of.first.value.empty()) return "";
  std::string text;
  for (const Witness::Input &input : of.inputs)
    absl::StrAppend(
        &text, ", ", input.name, indexOf(input.element),
        input.device ? absl::StrCat(" of device ", *input.device) : "", " = ",
        input.value);
  if (of.others) absl::StrAppend(&text, ", all others ", *of.others);
  return absl::StrCat(text, ": ", of.first.value, " and ", of.second.value);
}

std::string deviceText(const Witness &of) {
  std::string text = absl::StrCat("at ", tupleText(of.second.index),
                                  " of device ", of.second.device);
  if (!of.isLocal)
    absl::StrAppend(&text, ", which is ", tupleText(of.first.index),
                    " of the whole");
  absl::StrAppend(&text, numbersText(of));
  if (of.array)
    absl::StrAppend(
        &text, "; only the ", sideOf(of), " reads ", tupleText(of.element),
        " of array ", *of.array, " of the parameters",
        of.elementDevice ? absl::StrCat(" of device ", *of.elementDevice) : "");
  else if (of.counted)
    absl::StrAppend(&text, "; a sum over devices counts the same summand ",
                    *of.counted, " times");
  if (of.isPadding)
    text += "; the second reads padding, which may be any number";
  return text;
}

std::string touchedText(const Witness &of) {
  return absl::StrCat("program ", tupleText(of.first.program), ", element ",
                      of.element[0], " only in the ",
                      of.isOnlyInFirst() ? "kernel" : "fusion");
}

std::string storedOutsideText(const Witness &of) {
  return absl::StrCat("program ", tupleText(of.first.program), ", line ",
                      of.first.line, " stores element ", of.element[0],
                      " of result ", *of.array, ", which is outside");
}

/// Returns `program (0, 0, 0), line 17 stores …, in element 31 of result 0, …`.
std::string storedOtherText(const Witness &of) {
  std::string text = absl::StrCat(
      "program ", tupleText(of.first.program), ", line ", of.first.line,
      " stores ", of.first.term, ", ", of.first.value, ", in element ",
      of.element[0], " of result ", *of.array, ", and the fusion's ",
      of.second.term, " is ", of.second.value);
  constexpr size_t kShown = 4;
  for (auto [k, input] : llvm::enumerate(of.inputs)) {
    absl::StrAppend(&text, k == 0 ? ", where " : ", ");
    if (k == kShown) return text + "…";
    absl::StrAppend(&text, input.name, "[", absl::StrJoin(input.element, ", "),
                    "] = ", input.value);
  }
  return text;
}

std::string outOfBoundsText(const Witness &of) {
  const Witness::Access &at = of.first;
  return absl::StrCat(
      "program ", tupleText(at.program),
      at.loops.empty() ? "" : ", loops " + tupleText(at.loops) + ",", " at ",
      tupleText(at.tile), " takes element ", outsideText(of));
}

/// Returns the line of a store, and the coordinates in its tile if it has one.
std::string placeText(const Witness::Access &writer) {
  const std::string line = absl::StrCat("line ", writer.line);
  return writer.tile.empty() ? line : tupleText(writer.tile) + " of " + line;
}

/// Returns what writes one element twice, as a sentence.
std::string raceText(const Witness &of, llvm::StringRef array) {
  const std::string element =
      absl::StrCat("element ", of.element[0], " of ", array.str());
  const std::string first = tupleText(of.first.program);
  const std::string second = tupleText(of.second.program);
  const llvm::StringRef race = kernels::raceOf(of);
  if (race == "atomic")
    return absl::StrCat(
        "program ", first, " stores ", element, ", which program ", second,
        " changes by the atomic operation of line ", of.second.line);
  if (race == "program")
    return absl::StrCat("program ", first, " writes ", element,
                        " twice in no order, at ", placeText(of.first),
                        " and at ", placeText(of.second));
  return absl::StrCat("programs ", first, " and ", second, " write ", element);
}

/// Returns what a load finds overwritten, as a sentence.
std::string overwrittenText(const Witness &of, llvm::StringRef array) {
  const auto turn = [](const Witness::Access &at) {
    return at.loops.empty() ? std::string()
                            : absl::StrCat(" in turn ", tupleText(at.loops));
  };
  return absl::StrCat("program ", tupleText(of.second.program),
                      " loads element ", of.element[0], " of ", array.str(),
                      " at ", placeText(of.second), turn(of.second),
                      ", in no order with program ",
                      tupleText(of.first.program), ", which stores it at ",
                      placeText(of.first), turn(of.first));
}

/// Returns what a thread loads of shared memory while another one stores it, as
/// a sentence.
std::string sharedText(const Witness &of) {
  const auto turn = [](const Witness::Access &at) {
    return at.loops.empty() ? std::string()
                            : absl::StrCat(" in turn ", tupleText(at.loops));
  };
  return absl::StrCat("in program ", tupleText(of.second.program), ", thread ",
                      placeText(of.second), turn(of.second), " loads element ",
                      of.element[0], " of ", of.variable, ", byte ",
                      of.offsetBytes, ", in no order with thread ",
                      placeText(of.first), turn(of.first), ", which stores it");
}

}  // namespace

std::string outsideText(const Witness &witness) {
  std::string text = absl::StrCat(
      witness.element[0], witness.size ? absl::StrCat(" of ", *witness.size)
                                       : ", before the buffer");
  for (auto [k, each] : llvm::enumerate(witness.runtime))
    absl::StrAppend(&text, k == 0 ? ", if " : " and ", each.first, " is ",
                    each.second);
  return text;
}

std::string witnessText(const Witness &witness, llvm::StringRef array) {
  switch (witness.kind) {
    case Kind::Read:
      return readText(witness);
    case Kind::Numbers:
      return absl::StrCat("at index ", tupleText(witness.first.index),
                          numbersText(witness));
    case Kind::DeviceNumbers:
      return deviceText(witness);
    case Kind::Touched:
      return touchedText(witness);
    case Kind::StoredOutside:
      return storedOutsideText(witness);
    case Kind::StoredOther:
      return storedOtherText(witness);
    case Kind::NotStored:
      return absl::StrCat("no program stores element ", witness.element[0],
                          " of result ", *witness.array);
    case Kind::OutOfBounds:
      return outOfBoundsText(witness);
    case Kind::WrittenTwice:
      return raceText(witness, array);
    case Kind::Overwritten:
      return overwrittenText(witness, array);
    case Kind::SharedOverwritten:
      return sharedText(witness);
  }
  return "";
}

std::string checkText(const Check &check, llvm::StringRef array) {
  const std::string shown =
      check.witness ? witnessText(*check.witness, array) : check.reason;
  return absl::StrCat(wordOf(check.answer).str(), shown.empty() ? "" : ": ",
                      shown);
}

std::string assumedText(llvm::ArrayRef<std::string> assumed) {
  return assumed.empty() ? "" : ", if " + llvm::join(assumed, " and ");
}

std::string verdictText(llvm::StringRef words, const Verdict &verdict,
                        VerdictLine line) {
  std::string text = words.str();
  const bool isWhole = line == VerdictLine::Whole;
  if (isWhole && verdict.witness)
    absl::StrAppend(&text, ": ", witnessText(*verdict.witness));
  else if (!verdict.reason.empty())
    absl::StrAppend(&text, ": ", verdict.reason);
  if (isWhole && !verdict.laws.empty())
    absl::StrAppend(&text, ", by ", absl::StrJoin(verdict.laws, ", "));
  return text + assumedText(verdict.assumed);
}

}  // namespace indexical
