#include "indexical/answers/kernel/sized_launch.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"

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

/// Adds the range that a condition leaves a name. Returns an error if it is
/// false, or if it is no bound of one name by a number.
absl::Status addAssumed(const std::string &text,
                        const kernels::KernelSource &source,
                        SizedLaunch &launch) {
  const auto condition = python::readCondition(text);
  if (!condition.ok())
    return errorAt({}, absl::StrCat("--assume: ",
                                    std::string(condition.status().message())));
  const kernels::SizeFact fact = factOf(*condition, launch.values);
  if (fact.holds) {
    if (*fact.holds) return absl::OkStatus();
    return errorAt({}, absl::StrCat("--assume: `", textOf(*condition),
                                    "` does not hold for these values"));
  }
  std::set<std::string> unknown;
  addUnknown(condition->left, launch.values, unknown);
  addUnknown(condition->right, launch.values, unknown);
  if (source.written)
    for (const std::string &name : unknown)
      if (!llvm::is_contained(source.written->parameters, name) &&
          !launch.otherNames.count(name))
        return errorAt(
            {},
            absl::StrCat("--assume: the kernel has no argument `", name, "`"));
  if (fact.name.empty())
    return errorAt({}, absl::StrCat("--assume: `", textOf(*condition),
                                    "` bounds no single name by a number: ",
                                    listOf(unknown), "; ", adviceOf(unknown)));
  auto [range, isNew] = launch.ranges.try_emplace(fact.name, fact.range);
  auto &[least, most] = range->second;
  least = std::max(least, fact.range.first);
  most = std::min(most, fact.range.second);
  // Sizes are from 1 on.
  if (least <= most && most >= 1) return absl::OkStatus();
  return errorAt({}, absl::StrCat("--assume: no `", fact.name, "` is from ",
                                  least, " to ", most));
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
  for (const std::string &text : question.assumed)
    INDEXICAL_RETURN_IF_ERROR(addAssumed(text, source, launch));
  return launch;
}

}  // namespace indexical
