#include "indexical/writers/equality.h"

#include <set>
#include <string>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include "indexical/answers/words.h"
#include "indexical/writers/equality_words.h"
#include "indexical/writers/format.h"
#include "indexical/writers/values.h"

namespace indexical {
namespace {

namespace json = llvm::json;

std::string reasonOf(const LeafEquality &leaf) {
  return leaf.doubt == Doubt::None ? leaf.decision.reason : wordsOf(leaf.doubt);
}

/// Returns the method that decided: terms come before all engines.
llvm::StringRef engineOf(bool byTerms, Engine engine) {
  return byTerms ? "terms" : engineName(engine);
}

void line(const LeafEquality &leaf, llvm::raw_ostream &os) {
  const Decision &decision = leaf.decision;
  os << equalityWord(decision.answer);
  if (decision.answer == Answer::Undecided)
    os << ": " << reasonOf(leaf) << '\n';
  else
    os << " (" << engineOf(leaf.byTerms, decision.engine) << ")\n";
}

void writeBecause(const EqualityObstacle &because, llvm::raw_ostream &os) {
  os << "  " << becauseText(because);
  if (!because.reason.empty()) os << ": " << because.reason;
  os << '\n';
}

/// Writes the ops of unknown meaning for which the answer holds.
void writeMeanings(const char *which, llvm::ArrayRef<std::string> names,
                   llvm::raw_ostream &os) {
  if (names.empty()) return;
  os << "  for " << which << " meaning of " << llvm::join(names, ", ") << '\n';
}

/// Returns the names at any of the equal pairs.
std::vector<std::string> meaningsOfEqual(const ModuleEquality &equality) {
  std::set<std::string> names;
  for (const LeafEquality &leaf : equality.leaves)
    if (leaf.decision.answer == Answer::Yes)
      names.insert(leaf.forAny.begin(), leaf.forAny.end());
  return {names.begin(), names.end()};
}

/// Returns the number of pairs that neither module reads, if they are left out.
int64_t unlistedPairs(const ModuleEquality &equality) {
  return equality.results * equality.parameters -
         static_cast<int64_t>(equality.leaves.size());
}

const char *sideOf(const Witness &witness) {
  return kSides[witness.onlyIn == Witness::Side::Second];
}

void writeWitness(const Witness &witness, llvm::raw_ostream &os) {
  os << "  at index " << tupleText(witness.index);
  for (const auto &[name, value] : witness.runtime)
    os << ", " << name << " = " << value;
  os << (witness.runtime.empty() ? " " : ", ") << "only the " << sideOf(witness)
     << " reads " << tupleText(witness.element) << '\n';
}

json::Array numbers(llvm::ArrayRef<int64_t> values) {
  return json::Array(llvm::ArrayRef(values));
}

void writeLeaf(const LeafEquality &leaf, Compared what, json::OStream &json) {
  json.attribute("result", int64_t{leaf.result});
  json.attribute("parameter", leaf.parameter);
  json.attribute("answer", equalityWord(leaf.decision.answer));
  json.attribute("engine", engineOf(leaf.byTerms, leaf.decision.engine));
  auto names = [&](const char *key, llvm::ArrayRef<std::string> meanings) {
    if (meanings.empty()) return;
    json.attributeArray(key, [&] {
      for (const std::string &name : meanings) json.value(jsonString(name));
    });
  };
  names("for_any", leaf.forAny);
  names("for_some", leaf.forSome);
  if (const auto &because = leaf.because)
    json.attributeObject("because", [&] { writeBecause(*because, json); });
  if (const std::string reason = reasonOf(leaf); !reason.empty())
    json.attribute("reason", jsonString(reason));
  if (!leaf.decision.witness) return;
  const Witness &witness = *leaf.decision.witness;
  json.attributeObject("witness", [&] {
    json.attribute("index", numbers(witness.index));
    json::Array runtime;
    for (const auto &entry : witness.runtime) runtime.push_back(entry.second);
    json.attribute("runtime", std::move(runtime));
    if (!witness.runtime.empty())
      json.attributeArray("runtime_names", [&] {
        for (const auto &entry : witness.runtime)
          json.value(jsonString(entry.first));
      });
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

/// If there are more pairs, those that neither module reads are only counted.
constexpr int64_t kMostPairs = 1'000'000;

bool writesUnread(const ModuleEquality &equality) {
  return equality.parameters == 0 ||
         equality.results <= kMostPairs / equality.parameters;
}

void writePairs(const ModuleEquality &equality, Compared what,
                json::OStream &json) {
  auto next = equality.leaves.begin();
  if (unlistedPairs(equality) > 0 && writesUnread(equality)) {
    LeafEquality unread;
    unread.byTerms = true;
    unread.decision.answer = Answer::Yes;
    for (unread.result = LeafId(0); unread.result < equality.results;
         ++unread.result)
      for (unread.parameter = 0; unread.parameter < equality.parameters;
           ++unread.parameter) {
        const bool isListed = next != equality.leaves.end() &&
                              next->result == unread.result &&
                              next->parameter == unread.parameter;
        const LeafEquality &leaf = isListed ? *next++ : unread;
        json.object([&] { writeLeaf(leaf, what, json); });
      }
  }
  for (; next != equality.leaves.end(); ++next)
    json.object([&] { writeLeaf(*next, what, json); });
}

}  // namespace

void writeLeaf(const LeafEquality &leaf, llvm::raw_ostream &os) {
  line(leaf, os);
  if (leaf.decision.witness) writeWitness(*leaf.decision.witness, os);
  if (leaf.because) writeBecause(*leaf.because, os);
  writeMeanings("some", leaf.forSome, os);
  for (int side = 0; side < 2; ++side)
    if (!leaf.paths[side].empty())
      os << "  " << kSides[side] << ": " << llvm::join(leaf.paths[side], ", ")
         << '\n';
}

void writeLeaf(const LeafEquality &leaf, json::OStream &json) {
  writeLeaf(leaf, Compared::Modules, json);
}

SameVerdict EqualityResult::verdict() const {
  if (same_) return same_->verdict;
  return equality_.answer == Answer::Yes  ? SameVerdict::Equal
         : equality_.answer == Answer::No ? SameVerdict::Different
                                          : SameVerdict::Undecided;
}

/// Returns `equal in values`, `fewer reads, equal in values`.
static std::string valuesLine(SameVerdict verdict) {
  switch (verdict) {
    case SameVerdict::FewerReads:
      return "fewer reads, equal in values (terms)";
    case SameVerdict::OtherReads:
      return "equal in values, other reads (terms)";
    case SameVerdict::Equal:
      return "equal in values (terms)";
    default:
      return wordOf(verdict).str() + " in values";
  }
}

void EqualityResult::text(llvm::raw_ostream &os, TextStyle) {
  if (same_ && same_->level == SameLevel::Values) {
    os << valuesLine(verdict()) << '\n';
    writeValues(*same_->values, os);
    if (verdict() == SameVerdict::Equal) return;
    if (same_->values->isEqual) writeLost(*same_->values, os);
  }
  if (same_) writeDeciders(same_->decidedBy, os);
  if (what_ == Compared::Modules) {
    // A law may have dropped what the reads differ in.
    const bool isOpen = same_->level == SameLevel::Reads &&
                        verdict() == SameVerdict::Undecided &&
                        equality_.answer == Answer::No;
    if (isOpen) os << "undecided: a law that drops a read may explain that\n";
    os << equalityWord(equality_.answer) << " in reads";
    if (equality_.answer != Answer::Undecided)
      os << " (" << engineOf(equality_.byTerms, equality_.engine) << ")";
    os << '\n';
    if (equality_.answer != Answer::Yes)
      if (const int64_t equal =
              unlistedPairs(equality_) +
              llvm::count_if(equality_.leaves, [](const LeafEquality &leaf) {
                return leaf.decision.answer == Answer::Yes;
              }))
        os << equal << " of " << equality_.results * equality_.parameters
           << " pairs are equal\n";
    writeMeanings("any", meaningsOfEqual(equality_), os);
    if (!equality_.where.empty())
      os << "  where " << llvm::join(equality_.where, ", ") << '\n';
  }
  for (const LeafEquality &leaf : equality_.leaves) {
    if (what_ == Compared::Modules) {
      if (leaf.decision.answer == Answer::Yes) continue;
      os << "result " << leaf.result << ", parameter " << leaf.parameter
         << ": ";
    }
    writeLeaf(leaf, os);
  }
}

void EqualityResult::structure(Structure &to) {
  to.head([&](json::OStream &json) {
    json.attribute("answer", answerWord(verdict()));
    const bool isOfValues = same_ && same_->level == SameLevel::Values;
    if (what_ == Compared::Modules)
      json.attribute("level", isOfValues ? "values" : "reads");
    json.attribute("engine", engineOf(equality_.byTerms, equality_.engine));
    if (same_ && same_->values) {
      writeValues(*same_->values, json);
      writeTerms(verdict(), *same_->values, json);
    }
    if (same_) writeDeciders(same_->decidedBy, json);
    if (!equality_.where.empty())
      json.attributeArray("where", [&] {
        for (const std::string &each : equality_.where)
          json.value(jsonString(each));
      });
    json.attributeArray("pairs", [&] { writePairs(equality_, what_, json); });
    const int64_t left = unlistedPairs(equality_);
    if (left > 0 && !writesUnread(equality_))
      json.attribute("not_listed", left);
  });
}

}  // namespace indexical
