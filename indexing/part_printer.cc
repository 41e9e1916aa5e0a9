#include "indexical/indexing/part_printer.h"

#include <algorithm>
#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"

namespace indexical {
namespace {

// Sums for which all texts are tried, and of how many parts.
constexpr int kMostTried = 500;
constexpr size_t kMostParts = 3;

/// The last argument of a function that a text is, or nothing.
std::optional<llvm::StringRef> argumentsOf(llvm::StringRef text,
                                           llvm::StringRef function) {
  if (!isOneCall(text.str()) || !text.consume_front(function) ||
      !text.consume_front("("))
    return std::nullopt;
  return text.drop_back();
}

size_t argumentCount(llvm::StringRef arguments) {
  size_t count = 1, depth = 0;
  for (char c : arguments) {
    depth += c == '(';
    depth -= c == ')';
    count += c == ',' && depth == 0;
  }
  return count;
}

class PartPrinter {
 public:
  PartPrinter(size_t mostArguments, TextOfPlain plain)
      : mostArguments_(mostArguments), plain_(plain) {}

  ExpressionPool &pool() { return pool_; }
  std::string text(FormId form);

 private:
  using Terms = llvm::SmallVector<Term, 8>;

  bool isPart(AtomId id) const {
    return pool_.atom(id).kind == AtomKind::PositivePart;
  }
  FormId plus(FormId a, FormId b, int64_t factor = 1) {
    return pool_.linear({{a, 1}, {b, factor}}, 0);
  }
  FormId number(int64_t value) { return pool_.constantForm(value); }

  std::string call(const char *function, FormId a, FormId b);
  std::string joined(FormId others, int64_t factor, const std::string &call);
  llvm::SmallVector<FormId, 8> addends(FormId parent, FormId others,
                                       int64_t factor);
  FormId likelyAddend(FormId parent, FormId others, int64_t factor);
  using Forms = llvm::SmallVector<FormId, 3>;
  using Arguments = llvm::function_ref<Forms(FormId)>;
  using Write = llvm::function_ref<std::string(const Forms &)>;
  void consider(std::optional<std::string> &best, FormId parent, FormId others,
                int64_t factor, Arguments arguments, Write write);
  void tryPart(std::optional<std::string> &best, FormId form,
               llvm::ArrayRef<Term> parts, const Term &part);

  const size_t mostArguments_;
  TextOfPlain plain_;
  ExpressionPool pool_;
  llvm::DenseMap<FormId, std::string> texts_;
  int tried_ = 0;
};

/// Writes function(a, b). A first argument that is the same function gives its
/// arguments: both are read from the left.
std::string PartPrinter::call(const char *function, FormId a, FormId b) {
  std::string first = text(a);
  const std::string second = text(b);
  if (const auto arguments = argumentsOf(first, function);
      arguments && argumentCount(*arguments) < mostArguments_)
    first = arguments->str();
  return std::string(function) + "(" + first + ", " + second + ")";
}

/// Writes others + factor * call, the constant last.
std::string PartPrinter::joined(FormId others, int64_t factor,
                                const std::string &call) {
  const int64_t constant = pool_.constant(others);
  const int64_t size = std::abs(factor);
  const std::string times = size == 1 ? "" : " * " + std::to_string(size);
  std::string end;
  if (constant != 0)
    end = (constant < 0 ? " - " : " + ") + std::to_string(std::abs(constant));
  const std::string alone =
      factor < 0 ? size == 1 ? "-" + call : call + " * -" + times.substr(3)
                 : call + times;
  if (pool_.isConstant(others)) return alone + end;
  Terms terms(pool_.terms(others));
  const FormId sum = pool_.form(terms, 0);
  const std::string before = text(sum);
  const std::string behind =
      before + (factor < 0 ? " - " : " + ") + call + times + end;
  // A sum that begins with a minus has one behind another term.
  if (before[0] != '-' || factor < 0) return behind;
  return alone + " - " + before.substr(1) + end;
}

/// Returns the X of which one may make the text short: 0; all that stands
/// beside the part; what turns terms of the parent over, or its constant.
llvm::SmallVector<FormId, 8> PartPrinter::addends(FormId parent, FormId others,
                                                  int64_t factor) {
  llvm::SmallVector<FormId, 8> all = {number(0)};
  auto add = [&](FormId form) {
    if (!llvm::is_contained(all, form)) all.push_back(form);
  };
  bool divides = pool_.constant(others) % factor == 0;
  Terms whole(pool_.terms(others));
  for (Term &term : whole) {
    divides &= term.coefficient % factor == 0;
    term.coefficient /= factor;
  }
  if (divides) {
    Terms terms = whole;
    add(pool_.form(terms, 0));
    add(pool_.form(whole, pool_.constant(others) / factor));
  }
  Terms turned, met;
  for (const Term &term : pool_.terms(parent)) {
    if (term.coefficient < 0) turned.push_back({term.atom, -term.coefficient});
    for (const Term &other : pool_.terms(others))
      if (other.atom == term.atom &&
          checkedMul(-term.coefficient, factor) == other.coefficient)
        met.push_back({term.atom, -term.coefficient});
  }
  const int64_t constant = -pool_.constant(parent);
  add(number(constant));
  for (const Terms *terms : {&turned, &met})
    for (int64_t with : {int64_t{0}, constant}) {
      Terms copy = *terms;
      add(pool_.form(copy, with));
    }
  return all;
}

/// Returns the one X that is taken where there is no time to try several: all
/// that stands beside the part if its parts are inside of the parent, as in a
/// minimum of many, else 0.
FormId PartPrinter::likelyAddend(FormId parent, FormId others, int64_t factor) {
  Terms whole(pool_.terms(others));
  bool isInside = hasPart(pool_, whole) && pool_.constant(others) % factor == 0;
  for (Term &term : whole) {
    isInside = isInside && term.coefficient % factor == 0 &&
               (!isPart(term.atom) ||
                llvm::any_of(pool_.terms(parent), [&](const Term &inner) {
                  return inner.atom == term.atom;
                }));
    term.coefficient /= factor;
  }
  if (!isInside) return number(0);
  return pool_.form(whole, pool_.constant(others) / factor);
}

/// Keeps others - factor * X + factor * write(arguments(X)) for the X that
/// makes it the shortest text, if it is shorter than `best`.
void PartPrinter::consider(std::optional<std::string> &best, FormId parent,
                           FormId others, int64_t factor, Arguments arguments,
                           Write write) {
  llvm::SmallVector<FormId, 8> all;
  if (tried_ < kMostTried)
    all = addends(parent, others, factor);
  else
    all = {likelyAddend(parent, others, factor)};
  for (FormId x : all) {
    ++tried_;
    // All sums are made before texts are, which make others.
    const FormId left = plus(others, x, -factor);
    const auto forms = arguments(x);
    const bool fits = !pool_.overflowed();
    pool_.setOverflowed(false);
    if (!fits) continue;
    const std::string made = joined(left, factor, write(forms));
    if (!best || made.size() < best->size()) best = made;
  }
}

std::string PartPrinter::text(FormId form) {
  if (!hasPart(pool_, pool_.terms(form)))
    return plain_(pool_, form, [this](FormId inside) { return text(inside); });
  if (const auto known = texts_.find(form); known != texts_.end())
    return known->second;
  Terms parts;
  for (const Term &term : pool_.terms(form))
    if (isPart(term.atom)) parts.push_back(term);
  std::optional<std::string> best;
  // Of many, the outermost: its number is the greatest.
  size_t tried = parts.size();
  if (tried > kMostParts || tried_ >= kMostTried) {
    llvm::sort(parts,
               [](const Term &x, const Term &y) { return x.atom > y.atom; });
    tried = 1;
  }
  for (size_t i = 0; i < tried; ++i) tryPart(best, form, parts, parts[i]);
  return texts_[form] = *best;
}

void PartPrinter::tryPart(std::optional<std::string> &best, FormId form,
                          llvm::ArrayRef<Term> parts, const Term &part) {
  const int64_t c = part.coefficient;
  const FormId others = plus(form, pool_.atomForm(part.atom), -c);
  const FormId parent = pool_.atom(part.atom).a;
  const FormId turned = pool_.scale(parent, -1);
  if (c > 0)
    consider(
        best, parent, others, c,
        [&](FormId x) { return Forms{plus(parent, x), x}; },
        [&](const Forms &of) { return call("max", of[0], of[1]); });
  else
    consider(
        best, turned, others, -c,
        [&](FormId x) { return Forms{x, plus(turned, x)}; },
        [&](const Forms &of) { return call("min", of[0], of[1]); });
  // max(P, 0) - max(P - w, 0) is min(max(P, 0), w).
  for (const Term &low : parts) {
    const FormId inner = pool_.atom(low.atom).a;
    const auto width =
        checkedSub(pool_.constant(parent), pool_.constant(inner));
    if (low.coefficient != -c || !width || *width <= 0 ||
        pool_.terms(inner) != pool_.terms(parent))
      continue;
    const FormId rest = plus(others, pool_.atomForm(low.atom), c);
    consider(
        best, parent, rest, c,
        [&](FormId x) {
          return Forms{plus(parent, x), x, plus(x, number(*width))};
        },
        [&](const Forms &of) {
          return "min(" + call("max", of[0], of[1]) + ", " + text(of[2]) + ")";
        });
  }
}

}  // namespace

bool isOneCall(const std::string &text) {
  const llvm::StringRef all = text;
  if (!all.starts_with("min(") && !all.starts_with("max(")) return false;
  size_t depth = 0;
  for (size_t i = 3; i < all.size(); ++i) {
    depth += all[i] == '(';
    depth -= all[i] == ')';
    if (depth == 0) return i + 1 == all.size();
  }
  return false;
}

std::string textOfParts(const ExpressionTable &table, FormId form,
                        size_t mostArguments, TextOfPlain plain) {
  PartPrinter printer(mostArguments, plain);
  auto same = [&](VariableId id) { return printer.pool().variable(id); };
  return printer.text(ExpressionImport(table, printer.pool(), same)(form));
}

}  // namespace indexical
