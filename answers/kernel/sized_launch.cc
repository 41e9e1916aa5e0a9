#include "indexical/answers/kernel/sized_launch.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/kernel/size_conditions.h"

namespace indexical {
namespace {

using kernels::SizeTerm;

std::string listOf(const std::set<std::string> &names) {
  return absl::StrCat("`", absl::StrJoin(names, "`, `"), "`",
                      names.size() == 1 ? " has no value" : " have no values");
}

/// `--arg=n=N`.
std::string adviceOf(const std::set<std::string> &names) {
  return absl::StrCat("--arg=", *names.begin(), "=NUMBER gives one");
}

/// Returns whether the sides of a shape are names or expressions.
bool hasNames(llvm::StringRef sides) {
  return llvm::any_of(sides, [](char c) {
    return llvm::isAlpha(c) || c == '_' || c == '*' || c == '+' || c == '/';
  });
}

/// Puts numbers into a shape: f32[R,C] becomes f32[8,1000].
absl::Status addShape(const std::string &name, llvm::StringRef text,
                      SizedLaunch &launch) {
  const size_t open = text.find('['), close = text.find(']');
  const llvm::StringRef sides = open < close && close != llvm::StringRef::npos
                                    ? text.slice(open + 1, close)
                                    : llvm::StringRef();
  if (!hasNames(sides)) {
    launch.shapes.push_back({name, text.str()});
    return absl::OkStatus();
  }
  const auto terms = python::readSizes(sides);
  if (!terms.ok())
    return errorAt({}, absl::StrCat("--shape=", name, ": ",
                                    std::string(terms.status().message())));
  std::vector<int64_t> numbers;
  std::set<std::string> unknown;
  for (const SizeTerm &term : *terms) {
    addUnknown(term, {}, launch.otherNames);
    addUnknown(term, launch.values, unknown);
    const auto number = valueOf(term, launch.values);
    if (!number && unknown.empty())
      return errorAt({}, absl::StrCat("--shape=", name, ": `", textOf(term),
                                      "` has no value"));
    numbers.push_back(number.value_or(0));
  }
  if (!unknown.empty()) {
    if (launch.isOpen()) return absl::OkStatus();
    return errorAt({}, absl::StrCat("--shape=", name, ": ", listOf(unknown),
                                    "; ", adviceOf(unknown)));
  }
  launch.shapes.push_back({name, absl::StrCat(text.take_front(open + 1).str(),
                                              absl::StrJoin(numbers, ","),
                                              text.drop_front(close).str())});
  return absl::OkStatus();
}

/// Adds a condition: the range that it leaves a name, or what it says of
/// several. Returns an error if it is false, or if it is no condition.
absl::Status addAssumed(const kernels::SizeCondition &condition,
                        const kernels::KernelSource &source,
                        SizedLaunch &launch) {
  const kernels::SizeFact fact = factOf(condition, launch.values);
  if (fact.holds) {
    if (*fact.holds) return absl::OkStatus();
    return errorAt({}, absl::StrCat("--assume: `", textOf(condition),
                                    "` does not hold for these values"));
  }
  std::set<std::string> unknown;
  addUnknown(condition.left, launch.values, unknown);
  addUnknown(condition.right, launch.values, unknown);
  if (source.written)
    for (const std::string &name : unknown)
      if (!llvm::is_contained(source.written->parameters, name) &&
          !launch.otherNames.count(name))
        return errorAt(
            {},
            absl::StrCat("--assume: the kernel has no argument `", name, "`"));
  if (fact.name.empty()) {
    kernels::SizeDefinitions numbers;
    for (const auto &[name, value] : launch.values)
      numbers[name] = SizeTerm::of(value);
    launch.conditions.push_back({replaced(condition.left, numbers),
                                 replaced(condition.right, numbers),
                                 condition.sign});
    launch.taken.push_back({"condition", "", textOf(condition), "assume"});
    return absl::OkStatus();
  }
  auto [range, isNew] = launch.ranges.try_emplace(fact.name, fact.range);
  auto &[least, most] = range->second;
  least = std::max(least, fact.range.first);
  most = std::min(most, fact.range.second);
  // Sizes are from 1 on.
  if (least <= most && most >= 1) return absl::OkStatus();
  return errorAt({}, absl::StrCat("--assume: no `", fact.name, "` is from ",
                                  least, " to ", most));
}

/// Adds the conditions of the call, and drops sizes that meet none of them.
absl::Status addConditions(const KernelQuestion &question,
                           const kernels::KernelSource &source,
                           SizedLaunch &launch) {
  for (const std::string &text : question.assumed) {
    INDEXICAL_ASSIGN_OR_RETURN(const auto conditions, conditionsIn(text));
    for (const kernels::SizeCondition &condition : conditions)
      INDEXICAL_RETURN_IF_ERROR(addAssumed(condition, source, launch));
  }
  // Sizes are from 1 on.
  for (auto &[name, range] : launch.ranges)
    range.first = std::max<int64_t>(1, range.first);
  kernels::SizeBox box{launch.ranges, INT32_MAX};
  if (!kernels::narrow(launch.conditions, {}, box)) {
    const std::string all = absl::StrJoin(question.assumed, "` and `");
    return errorAt({}, absl::StrCat("--assume: no sizes meet `", all, "`"));
  }
  launch.ranges = std::move(box.ranges);
  return absl::OkStatus();
}

}  // namespace

kernels::ReadOptions::Sizes SizedLaunch::sizesOf(
    const std::optional<std::array<int64_t, 3>> &numbers) const {
  kernels::ReadOptions::Sizes sizes;
  sizes.values = values;
  for (size_t k = 0; k < sizes.grid.size(); ++k) {
    sizes.grid[k] = SizeTerm::of(1);
    if (k < terms.size())
      sizes.grid[k] = terms[k];
    else if (terms.empty() && numbers)
      sizes.grid[k] = SizeTerm::of((*numbers)[k]);
  }
  return sizes;
}

absl::StatusOr<std::vector<kernels::SizeCondition>> conditionsIn(
    llvm::StringRef text) {
  std::vector<kernels::SizeCondition> conditions;
  llvm::SmallVector<llvm::StringRef, 2> parts;
  text.split(parts, " and ");
  for (llvm::StringRef part : parts) {
    auto condition = python::readCondition(part.trim());
    if (!condition.ok())
      return errorAt({},
                     absl::StrCat("--assume: ",
                                  std::string(condition.status().message())));
    conditions.push_back(*std::move(condition));
  }
  return conditions;
}

absl::StatusOr<SizedLaunch> launchOfSizes(const kernels::KernelSource &source,
                                          const KernelQuestion &question) {
  SizedLaunch launch;
  for (const auto &[name, value] : source.read.arguments)
    launch.values[name] = value;
  if (source.written) {
    for (const auto &[name, value] : source.written->sizes)
      launch.values[name] = value;
    for (const auto &[name, value] : source.written->constants)
      launch.otherNames.insert(name);
  }
  for (const auto &[name, value] : question.arguments)
    launch.values[name] = value;
  if (!question.gridSizes.empty()) {
    auto terms = python::readSizes(question.gridSizes);
    if (!terms.ok())
      return errorAt(
          {}, absl::StrCat("--grid: ", std::string(terms.status().message())));
    launch.terms = *std::move(terms);
    if (launch.terms.size() > 3)
      return errorAt({}, "--grid has up to three sizes");
  } else if (question.grid.empty() && source.written) {
    launch.terms = source.written->grid;
    launch.isOfFile = !launch.terms.empty();
  }
  if (launch.isSaid()) {
    std::set<std::string> unknown;
    std::array<int64_t, 3> grid = {1, 1, 1};
    std::string wrong;
    launch.text = absl::StrJoin(launch.terms, ", ",
                                [](std::string *out, const SizeTerm &term) {
                                  absl::StrAppend(out, textOf(term));
                                });
    for (auto [k, term] : llvm::enumerate(launch.terms)) {
      addUnknown(term, {}, launch.otherNames);
      addUnknown(term, launch.values, unknown);
      const auto number = valueOf(term, launch.values);
      if (number && *number < 1)
        wrong = absl::StrCat("the grid `", launch.text, "` has a side of ",
                             *number);
      grid[k] = number.value_or(1);
      if (!number && unknown.empty())
        wrong = absl::StrCat("the grid `", launch.text, "` has no value");
    }
    if (!wrong.empty()) return errorAt({}, wrong);
    if (unknown.empty())
      launch.grid = grid;
    else
      launch.reason = absl::StrCat("the grid `", launch.text,
                                   "` is not a number: ", listOf(unknown), "; ",
                                   adviceOf(unknown));
  }
  for (const auto &[name, text] : question.shapes)
    INDEXICAL_RETURN_IF_ERROR(addShape(name, text, launch));
  INDEXICAL_RETURN_IF_ERROR(addConditions(question, source, launch));
  return launch;
}

}  // namespace indexical
