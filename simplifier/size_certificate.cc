#include "indexical/simplifier/size_certificate.h"

#include <cassert>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/polynomial.h"

namespace indexical {
namespace {

/// Whether `form` is at least 0 wherever the product is: it is the product with
/// a common factor divided out, and the constant rounded down.
bool isProduct(ExpressionPool &pool, FormId form, FormId x, FormId y) {
  const auto a = expanded(pool, x), b = expanded(pool, y);
  const auto said = expanded(pool, form);
  if (!a || !b || !said) return false;
  const auto product = a->times(*b);
  if (!product || product->terms().size() < said->terms().size()) return false;
  // The factor is the ratio of the last terms, which are no constants.
  if (product->isZero() || said->isZero()) return false;
  const auto &[monomial, coefficient] = *product->terms().rbegin();
  const int64_t own = said->coefficient(monomial);
  if (own == 0 || coefficient % own != 0 || coefficient / own <= 0)
    return false;
  const int64_t factor = coefficient / own;
  for (const auto &[other, value] : product->terms())
    if (other.empty()
            ? said->coefficient(other) != floorDiv(value, factor)
            : value % factor != 0 || said->coefficient(other) != value / factor)
      return false;
  return true;
}

}  // namespace

llvm::StringRef reasonText(SizeReason reason) {
  switch (reason) {
    case SizeReason::Given:
      return "given";
    case SizeReason::Refuted:
      return "the claim is false";
    case SizeReason::Assumed:
      return "the case";
    case SizeReason::Bound:
      return "a bound";
    case SizeReason::Quotient:
      return "a remainder is less than its divisor";
    case SizeReason::Sign:
      return "the sign of a quotient";
    case SizeReason::Floors:
      return "two quotients of one dividend";
    case SizeReason::Factors:
      return "a product is at least its part";
    case SizeReason::Product:
      return "a product";
  }
  return "";
}

std::optional<std::string> SizeCertificate::check() {
  if (cases.empty() || cases.size() > 2) return "it has no cases";
  if ((cases.size() == 2) != cases.front().assumed.has_value())
    return "a case assumes nothing";
  if (cases.size() == 2) {
    const auto first = expanded(pool, *cases[0].assumed);
    const auto second = expanded(pool, *cases[1].assumed);
    AtomPolynomial sum;
    if (!first || !second || !sum.add(*first) || !sum.add(*second) ||
        !sum.add(1) || !sum.isZero())
      return "neither case may be true";
  }
  for (const Case &one : cases) {
    AtomPolynomial sum;
    for (const Line &line : one.lines) {
      const auto said = expanded(pool, line.form);
      if (line.multiplier <= 0) return "a multiplier is not above 0";
      if (!said || !sum.add(*said, line.multiplier))
        return "the sum leaves 64 bits";
      if (line.reason == SizeReason::Product &&
          (line.factors.size() != 2 ||
           !isProduct(pool, line.form, line.factors[0], line.factors[1])))
        return "a line is not its product";
    }
    if (sum.terms().size() != 1 || sum.coefficient(Monomial()) >= 0)
      return "the sum is not a negative number";
  }
  return std::nullopt;
}

std::vector<std::string> SizeCertificate::text(
    const std::function<std::string(VariableId)> &nameOf) const {
  auto written = [&](FormId form) {
    return printExpression(pool, form, nameOf);
  };
  std::vector<std::string> lines;
  for (const Solved &equation : solved)
    lines.push_back(nameOf(equation.variable) + " is " +
                    written(equation.value));
  for (const Case &one : cases) {
    if (one.assumed) lines.push_back("if " + written(*one.assumed) + " >= 0");
    for (const Line &line : one.lines) {
      std::string text =
          line.multiplier == 1 ? "" : std::to_string(line.multiplier) + " * ";
      const std::string form = written(line.form);
      text += line.multiplier == 1 ? form : "(" + form + ")";
      text += " >= 0: " + reasonText(line.reason).str();
      for (size_t i = 0; i < line.factors.size(); ++i)
        text += (i == 0 ? " of " : " and ") + written(line.factors[i]);
      lines.push_back(std::move(text));
    }
    lines.push_back("the sum is a negative number");
  }
  return lines;
}

}  // namespace indexical
