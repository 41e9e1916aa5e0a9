#include "indexical/program/kernel/size_terms.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical::kernels {

std::optional<int64_t> valueOf(const SizeTerm &term, const SizeValues &values) {
  if (term.kind == SizeKind::Number) return term.number;
  if (term.kind == SizeKind::Name) {
    const auto found = values.find(term.name);
    if (found == values.end()) return std::nullopt;
    return found->second;
  }
  const auto a = valueOf(term.operands[0], values);
  const auto b = valueOf(term.operands[1], values);
  if (!a || !b) return std::nullopt;
  const bool divides = term.kind == SizeKind::FloorDiv ||
                       term.kind == SizeKind::CeilDiv ||
                       term.kind == SizeKind::Mod;
  if (divides && *b <= 0) return std::nullopt;
  switch (term.kind) {
    case SizeKind::Add:
      return checkedAdd(*a, *b);
    case SizeKind::Sub:
      return *b == INT64_MIN ? std::nullopt : checkedAdd(*a, -*b);
    case SizeKind::Mul:
      return checkedMul(*a, *b);
    case SizeKind::FloorDiv:
      return floorDiv(*a, *b);
    case SizeKind::CeilDiv:
      return ceilDiv(*a, *b);
    case SizeKind::Mod:
      return *a - floorDiv(*a, *b) * *b;
    case SizeKind::Min:
      return std::min(*a, *b);
    case SizeKind::Max:
      return std::max(*a, *b);
    default:
      return std::nullopt;
  }
}

void addUnknown(const SizeTerm &term, const SizeValues &values,
                std::set<std::string> &into) {
  if (term.kind == SizeKind::Name && !values.count(term.name))
    into.insert(term.name);
  for (const SizeTerm &operand : term.operands)
    addUnknown(operand, values, into);
}

std::string textOf(const SizeTerm &term) {
  if (term.kind == SizeKind::Number) return absl::StrCat(term.number);
  if (term.kind == SizeKind::Name) return term.name;
  const std::string a = textOf(term.operands[0]), b = textOf(term.operands[1]);
  auto isSum = [](const SizeTerm &of) {
    return of.kind == SizeKind::Add || of.kind == SizeKind::Sub;
  };
  auto inner = [&](const SizeTerm &of, const std::string &text) {
    const bool isProduct = of.kind == SizeKind::Mul ||
                           of.kind == SizeKind::FloorDiv ||
                           of.kind == SizeKind::Mod;
    return isSum(of) || isProduct ? absl::StrCat("(", text, ")") : text;
  };
  switch (term.kind) {
    case SizeKind::Add:
      return absl::StrCat(a, " + ", b);
    case SizeKind::Sub:
      return absl::StrCat(
          a, " - ", isSum(term.operands[1]) ? absl::StrCat("(", b, ")") : b);
    case SizeKind::Mul:
      return absl::StrCat(
          isSum(term.operands[0]) ? absl::StrCat("(", a, ")") : a, " * ",
          inner(term.operands[1], b));
    case SizeKind::FloorDiv:
      return absl::StrCat(inner(term.operands[0], a), " // ",
                          inner(term.operands[1], b));
    case SizeKind::Mod:
      return absl::StrCat(inner(term.operands[0], a), " % ",
                          inner(term.operands[1], b));
    case SizeKind::CeilDiv:
      return absl::StrCat("cdiv(", a, ", ", b, ")");
    case SizeKind::Min:
      return absl::StrCat("min(", a, ", ", b, ")");
    default:
      return absl::StrCat("max(", a, ", ", b, ")");
  }
}

std::string textOf(const SizeCondition &condition) {
  static constexpr const char *kSigns[] = {" < ", " <= ", " > ",
                                           " >= ", " == "};
  return absl::StrCat(textOf(condition.left), kSigns[int(condition.sign)],
                      textOf(condition.right));
}

SizeFact factOf(const SizeCondition &condition, const SizeValues &values) {
  SizeFact fact;
  SizeSign sign = condition.sign;
  auto left = valueOf(condition.left, values);
  auto right = valueOf(condition.right, values);
  if (left && right) {
    fact.holds = sign == SizeSign::Less      ? *left < *right
                 : sign == SizeSign::AtMost  ? *left <= *right
                 : sign == SizeSign::Greater ? *left > *right
                 : sign == SizeSign::AtLeast ? *left >= *right
                                             : *left == *right;
    return fact;
  }
  const SizeTerm *name = right ? &condition.left : &condition.right;
  // `4 < n` is `n > 4`.
  if (left) {
    sign = sign == SizeSign::Less      ? SizeSign::Greater
           : sign == SizeSign::AtMost  ? SizeSign::AtLeast
           : sign == SizeSign::Greater ? SizeSign::Less
           : sign == SizeSign::AtLeast ? SizeSign::AtMost
                                       : sign;
    right = left;
  }
  if (!right || name->kind != SizeKind::Name) return fact;
  fact.name = name->name;
  fact.range = {INT64_MIN, INT64_MAX};
  const int64_t number = *right;
  const bool isAbove = sign == SizeSign::Greater && number < INT64_MAX;
  const bool isBelow = sign == SizeSign::Less && number > INT64_MIN;
  if (sign == SizeSign::AtLeast || sign == SizeSign::Equal || isAbove)
    fact.range.first = number + isAbove;
  if (sign == SizeSign::AtMost || sign == SizeSign::Equal || isBelow)
    fact.range.second = number - isBelow;
  return fact;
}

}  // namespace indexical::kernels
