#include "indexical/cost/hazards/node_answer.h"

#include <map>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {
namespace {

/// More conditions than this are no answer that a person reads.
constexpr size_t kMostConditions = 64;

using Names = std::map<std::string, std::string>;

/// Returns an expression with other names for its variables, `rt0`, `rt1`, …
std::string renamed(llvm::StringRef expression, const Names &names) {
  std::string made;
  while (!expression.empty()) {
    const llvm::StringRef word = expression.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_'; });
    const auto name = names.find(word.str());
    made += name == names.end() ? word.str() : name->second;
    expression = expression.drop_front(word.size());
    if (word.empty()) {
      made += expression.front();
      expression = expression.drop_front();
    }
  }
  return made;
}

bool isSame(const HazardVariable &a, const HazardVariable &b) {
  return isSameValue(a.source, b.source) && a.bounds == b.bounds &&
         a.isClamped == b.isClamped;
}

/// Adds the variables of another answer. Returns the names they have now.
Names addVariables(const std::vector<HazardVariable> &from,
                   std::vector<HazardVariable> &to) {
  Names names;
  for (const HazardVariable &variable : from) {
    const auto known = llvm::find_if(
        to, [&](const HazardVariable &each) { return isSame(each, variable); });
    if (known != to.end()) {
      names[variable.name] = known->name;
      continue;
    }
    HazardVariable added = variable;
    added.name = "rt" + std::to_string(to.size());
    names[variable.name] = added.name;
    to.push_back(std::move(added));
  }
  return names;
}

bool isIn(const HazardCondition &all, const HazardConstraint &constraint) {
  return llvm::any_of(all, [&](const HazardConstraint &each) {
    return each.expression == constraint.expression &&
           each.bounds == constraint.bounds;
  });
}

}  // namespace

void NodeAnswer::add(const NodeAnswer &other) {
  if (kind != other.kind || kind != Kind::SafeIf) {
    if (other.isWorse(*this)) *this = other;
    return;
  }
  for (const NeededOrder &order : other.orders)
    if (!llvm::is_contained(orders, order)) orders.push_back(order);
  if (other.conditions.empty()) return;
  const Names names = addVariables(other.runtime, runtime);
  std::vector<HazardCondition> both;
  if (conditions.empty()) conditions.emplace_back();
  if (conditions.size() * other.conditions.size() > kMostConditions) {
    kind = Kind::Undecided;
    reason = "the conditions are too many";
    return;
  }
  for (const HazardCondition &first : conditions)
    for (const HazardCondition &second : other.conditions) {
      HazardCondition all = first;
      for (HazardConstraint constraint : second) {
        constraint.expression = renamed(constraint.expression, names);
        if (!isIn(all, constraint)) all.push_back(std::move(constraint));
      }
      both.push_back(std::move(all));
    }
  conditions = std::move(both);
}

}  // namespace indexical
