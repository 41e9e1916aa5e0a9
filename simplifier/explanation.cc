#include "indexical/simplifier/explanation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/map_text.h"

namespace indexical {
namespace {

/// Returns the number of terms of the form's text, shared parts counted
/// wherever they stand, or at least `most` if there are more.
size_t termsOf(const ExpressionTable &table, FormId form, size_t most) {
  size_t count = 1;
  for (const Term &term : table.terms(form)) {
    if (count >= most) break;
    const Atom &atom = table.atom(term.atom);
    ++count;
    for (const FormId operand : atom.operands())
      count += termsOf(table, operand, most - std::min(most, count));
  }
  return count;
}

}  // namespace

std::string Recorder::text(FormId form) const {
  // Parts that are shared many times have texts without end.
  constexpr size_t kMostTerms = 1000;
  if (termsOf(table_, form, kMostTerms) >= kMostTerms) return "(too long)";
  return printExpression(table_, form, nameOf_);
}

std::string Recorder::text(llvm::ArrayRef<Constraint> constraints) const {
  std::string all;
  for (const Constraint &c : constraints)
    all += (all.empty() ? "" : ", ") + text(c.form) + " in " + c.bounds.str();
  return all;
}

void Recorder::add(Rewrite rewrite) {
  if (pauses_ || rewrite.before == rewrite.after ||
      llvm::is_contained(rewrites_, rewrite))
    return;
  rewrites_.push_back(std::move(rewrite));
}

void Recorder::addConstraints(llvm::ArrayRef<Constraint> before,
                              llvm::ArrayRef<Constraint> after) {
  auto without = [](llvm::ArrayRef<Constraint> all,
                    llvm::ArrayRef<Constraint> others) {
    llvm::SmallVector<Constraint, 4> left;
    for (const Constraint &c : all)
      if (!llvm::is_contained(others, c)) left.push_back(c);
    return left;
  };
  const auto gone = without(before, after), fresh = without(after, before);
  if (gone.empty()) return;
  add({fresh.empty() ? "constraints that the bounds imply"
                     : "constraints, in one form",
       text(gone), text(fresh), ""});
}

void explainProof(const IndexingMap &before, const IndexingMap &after,
                  std::vector<Rewrite> &rewrites) {
  const char *because = "proven on the domain";
  if (after.isKnownEmpty()) {
    rewrites.push_back({"proof", printMap(before, MapTextStyle::OneLine),
                        "KNOWN EMPTY", "no point is in the domain"});
    return;
  }
  for (auto [was, is] : llvm::zip(before.results(), after.results())) {
    Rewrite rewrite{"proof", printExpression(before, was),
                    printExpression(after, is), because};
    if (rewrite.before != rewrite.after) rewrites.push_back(rewrite);
  }
  llvm::SmallVector<std::string, 4> left;
  for (const Constraint &c : after.constraints())
    left.push_back(printExpression(after, c.form) + " in " + c.bounds.str());
  for (const Constraint &c : before.constraints()) {
    std::string text =
        printExpression(before, c.form) + " in " + c.bounds.str();
    if (!llvm::is_contained(left, text))
      rewrites.push_back({"proof", text, "", "the other constraints imply it"});
  }
}

}  // namespace indexical
