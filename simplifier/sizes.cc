#include "indexical/simplifier/sizes.h"

#include <cctype>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/map_text.h"
#include "indexical/indexing/status_macros.h"

namespace indexical::sizes {
namespace {

constexpr int kMostChoices = 6;

using Texts = std::vector<std::string>;

bool isName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

//===-- Minima and maxima -------------------------------------------------===//

/// `min(x, y)` or `max(x, y)` in a text.
struct Choice {
  std::string whole, x, y;
  bool isMinimum;
};

/// Returns the choice that begins at a name, or nothing if the text is none.
std::optional<Choice> choiceAt(const std::string &text, size_t begin) {
  const size_t open = begin + 3;
  size_t comma = std::string::npos;
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ',' && depth == 1 && comma == std::string::npos) comma = i;
    if (text[i] != ')' || --depth > 0) continue;
    if (comma == std::string::npos) return std::nullopt;
    return Choice{text.substr(begin, i + 1 - begin),
                  text.substr(open + 1, comma - open - 1),
                  text.substr(comma + 1, i - comma - 1),
                  text[begin + 1] == 'i'};
  }
  return std::nullopt;
}

/// Returns the last choice of the texts, which has no other one inside.
absl::StatusOr<std::optional<Choice>> choiceIn(const Texts &texts) {
  for (const std::string &text : texts)
    for (size_t i = text.size(); i-- > 0;) {
      if (text.compare(i, 4, "min(") != 0 && text.compare(i, 4, "max(") != 0)
        continue;
      if (i > 0 && isName(text[i - 1])) continue;
      auto choice = choiceAt(text, i);
      if (!choice)
        return absl::InvalidArgumentError(absl::StrCat(
            "'", text, "': expected ", text.substr(i, 3), "(x, y)"));
      return choice;
    }
  return std::optional<Choice>();
}

//===-- Relations ---------------------------------------------------------===//

/// An expression in an interval.
struct Relation {
  std::string expression;
  Interval bounds;
};

std::optional<Interval> boundsOf(std::string_view sign) {
  if (sign == "<=") return Interval{Interval::kMinusInfinity, 0};
  if (sign == ">=") return Interval{0, Interval::kInfinity};
  if (sign == "==") return Interval::point(0);
  if (sign == "<") return Interval{Interval::kMinusInfinity, -1};
  if (sign == ">") return Interval{1, Interval::kInfinity};
  return std::nullopt;
}

/// Returns what is written around the sign of a relation, as `x - (y)` in an
/// interval; nothing if there is not one sign.
std::optional<Relation> relationOf(const std::string &text) {
  const size_t begin = text.find_first_of("<>=");
  if (begin == std::string::npos) return std::nullopt;
  const size_t end = text.find_first_not_of("<>=", begin);
  if (end == std::string::npos ||
      text.find_first_of("<>=", end) != std::string::npos)
    return std::nullopt;
  const auto bounds =
      boundsOf(std::string_view(text).substr(begin, end - begin));
  if (!bounds) return std::nullopt;
  return Relation{
      absl::StrCat("(", text.substr(0, begin), ") - (", text.substr(end), ")"),
      *bounds};
}

void addNames(const std::string &text, Texts &names) {
  static constexpr const char *kWords[] = {"floordiv", "ceildiv", "mod", "in",
                                           "inf"};
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && isName(text[end])) ++end;
    const std::string name = text.substr(i, end - i);
    if (end > i && !std::isdigit(static_cast<unsigned char>(name[0])) &&
        !llvm::is_contained(kWords, name) && !llvm::is_contained(names, name))
      names.push_back(name);
    i = end + (end == i);
  }
}

/// Returns the number that the text is, with blanks around it.
std::optional<int64_t> numberIn(llvm::StringRef text) {
  int64_t number;
  if (text.trim().getAsInteger(10, number)) return std::nullopt;
  return number;
}

/// A variable and an interval that it is in.
struct Named {
  std::string name;
  Interval bounds;
};

/// Returns the bound of a variable that the relation is, such as `x >= 1`; or
/// nothing if it is another one.
std::optional<Named> boundIn(const std::string &text) {
  const size_t begin = text.find_first_of("<>=");
  const size_t end = text.find_first_not_of("<>=", begin);
  if (begin == std::string::npos || end == std::string::npos)
    return std::nullopt;
  const auto sign = boundsOf(std::string_view(text).substr(begin, end - begin));
  const auto number = numberIn(llvm::StringRef(text).drop_front(end));
  const llvm::StringRef name = llvm::StringRef(text).take_front(begin).trim();
  const auto bounds =
      sign && number ? sign->moved(*number) : std::optional<Interval>();
  if (!bounds || name.empty() ||
      std::isdigit(static_cast<unsigned char>(name[0])) ||
      !llvm::all_of(name, isName))
    return std::nullopt;
  return Named{name.str(), *bounds};
}

/// Reads relations: the givens as the domain of a map, and the claims as its
/// results.
absl::StatusOr<IndexingMap> read(llvm::ArrayRef<std::string> givens,
                                 llvm::ArrayRef<std::string> claims) {
  Texts names;
  for (const std::string &text : givens) addNames(text, names);
  for (const std::string &text : claims) addNames(text, names);
  std::vector<Named> variables;
  for (const std::string &name : names)
    variables.push_back({name, Interval::all()});
  std::string dimensions, results, constraints, domain;
  for (const std::string &text : givens) {
    if (const auto bound = boundIn(text)) {
      for (Named &variable : variables)
        if (variable.name == bound->name)
          variable.bounds = variable.bounds.intersect(bound->bounds);
      continue;
    }
    const auto relation = relationOf(text);
    absl::StrAppend(&constraints, ", ", relation->expression, " in ",
                    relation->bounds.str());
  }
  for (const std::string &text : claims)
    absl::StrAppend(&results, results.empty() ? "" : ", ",
                    relationOf(text)->expression);
  for (const Named &variable : variables) {
    if (variable.bounds.isEmpty()) return IndexingMap::knownEmpty();
    const char *comma = domain.empty() ? "" : ", ";
    absl::StrAppend(&dimensions, comma, variable.name);
    absl::StrAppend(&domain, comma, variable.name, " in ",
                    variable.bounds.str());
  }
  domain += constraints;
  if (names.empty() && !constraints.empty()) domain = constraints.substr(2);
  return parseMap(absl::StrCat("(", dimensions, ") -> (", results, ")",
                               domain.empty() ? "" : ", domain: ", domain));
}

/// Returns an error that names the relation that cannot be read.
absl::Status checkRelations(const Texts &texts, size_t givens) {
  Texts bounds;
  for (size_t i = 0; i < givens; ++i)
    if (boundIn(texts[i])) bounds.push_back(texts[i]);
  for (size_t i = 0; i < texts.size(); ++i) {
    if (!relationOf(texts[i]))
      return absl::InvalidArgumentError(absl::StrCat(
          "'", texts[i],
          "': expected one of <, <=, ==, >=, > between two expressions"));
    Texts some = bounds;
    if (i < givens && !boundIn(texts[i])) some.push_back(texts[i]);
    const auto one =
        i < givens ? read(some, {}) : read(some, llvm::ArrayRef(texts[i]));
    if (!one.ok())
      return absl::InvalidArgumentError(
          absl::StrCat("'", texts[i], "': ", one.status().message()));
  }
  return absl::OkStatus();
}

/// Rewrites `x in [1, 5]` to `x >= 1` and `x <= 5`.
void splitInterval(const std::string &text, Texts &relations) {
  const size_t in = text.find(" in [");
  const size_t comma = text.find(',', in), end = text.find(']', in);
  if (in == std::string::npos || comma == std::string::npos ||
      end == std::string::npos || comma > end) {
    relations.push_back(text);
    return;
  }
  const std::string x = text.substr(0, in);
  const std::string least = text.substr(in + 5, comma - in - 5);
  const std::string most = text.substr(comma + 1, end - comma - 1);
  if (least.find("inf") == std::string::npos)
    relations.push_back(absl::StrCat(x, " >= ", least));
  if (most.find("inf") == std::string::npos)
    relations.push_back(absl::StrCat(x, " <= ", most));
}

/// Answers a question without minima: the claims come after so many givens.
absl::StatusOr<Answer> followsPlain(const Texts &texts, size_t givens,
                                    const SizeBudget &budget) {
  INDEXICAL_RETURN_IF_ERROR(checkRelations(texts, givens));
  const auto all = llvm::ArrayRef<std::string>(texts);
  const auto claims = all.drop_front(givens);
  INDEXICAL_ASSIGN_OR_RETURN(const IndexingMap map,
                             read(all.take_front(givens), claims));
  if (map.isKnownEmpty()) return Answer{true, {"a variable has no value"}};
  auto boundsOfVariable = [&](VariableId id) {
    return map.variable(id).bounds;
  };
  const SizeQuestion question{map.expressions(), boundsOfVariable,
                              map.constraints()};
  auto nameOf = [&](VariableId id) { return map.nameOf(id); };
  Answer answer;
  for (auto [i, form] : llvm::enumerate(map.results())) {
    const Constraint claim{form, relationOf(claims[i])->bounds};
    std::vector<SizeCertificate> proofs;
    if (!sizesImply(question, claim, budget, &proofs)) return Answer();
    for (const SizeCertificate &proof : proofs)
      for (std::string &line : proof.text(nameOf))
        answer.certificate.push_back(std::move(line));
  }
  answer.follows = true;
  return answer;
}

absl::StatusOr<Answer> followsWithChoices(const Texts &texts, size_t givens,
                                          int choices,
                                          const SizeBudget &budget) {
  INDEXICAL_ASSIGN_OR_RETURN(const auto choice, choiceIn(texts));
  if (!choice) return followsPlain(texts, givens, budget);
  if (choices == kMostChoices)
    return absl::InvalidArgumentError("more than six minima and maxima");
  Answer all;
  for (const bool isFirst : {true, false}) {
    const std::string &taken = isFirst ? choice->x : choice->y;
    Texts chosen;
    for (const std::string &text : texts)
      chosen.push_back(absl::StrReplaceAll(
          text, {{choice->whole, absl::StrCat("(", taken, ")")}}));
    const std::string because = absl::StrCat(
        "(", choice->x, ")",
        isFirst == choice->isMinimum ? " <= " : " >= ", "(", choice->y, ")");
    chosen.insert(chosen.begin() + givens, because);
    INDEXICAL_ASSIGN_OR_RETURN(
        Answer answer,
        followsWithChoices(chosen, givens + 1, choices + 1, budget));
    if (!answer.follows) return Answer();
    all.certificate.push_back(absl::StrCat("if ", because));
    llvm::append_range(all.certificate, answer.certificate);
  }
  all.follows = true;
  return all;
}

}  // namespace

absl::StatusOr<Answer> follows(const std::vector<std::string> &givens,
                               const std::string &claim,
                               const SizeBudget &budget) {
  Texts texts;
  for (const std::string &given : givens) splitInterval(given, texts);
  const size_t count = texts.size();
  splitInterval(claim, texts);
  return followsWithChoices(texts, count, 0, budget);
}

}  // namespace indexical::sizes
