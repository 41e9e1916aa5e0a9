// Whether two layouts are equal.
#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/layout/operations.h"

namespace indexical::layouts {

namespace {

/// Both layouts, with the points at which they are compared.
class Comparison {
 public:
  Comparison(const Layout &a, const Layout &b)
      : a_(a), b_(b), isSameBox_(a.box() == b.box()) {}

  /// Returns whether the values differ there, and notes them if they do.
  bool differsAt(llvm::ArrayRef<int64_t> point, Equality &found) const {
    Coordinates first = a_.at(point);
    Coordinates second = isSameBox_ ? b_.at(point) : b_.at(other(point));
    if (first == second) return false;
    found.answer = Answer::No;
    found.point.emplace(point.begin(), point.end());
    found.first = std::move(first);
    found.second = std::move(second);
    return true;
  }

  /// Looks at the points where one bit, or the bits of one parity, are 1.
  bool differsAtUnits(Equality &found) const {
    Coordinates origin(a_.box().size(), 0);
    if (differsAt(origin, found)) return true;
    for (size_t k = 0; k < origin.size(); ++k)
      for (const Layout *layout : {&a_, &b_}) {
        if (layout == &b_ && !isSameBox_) continue;
        for (const Sum &sum : *layout->form())
          for (const Digit &digit : sum.digits) {
            if (digit.input != static_cast<int>(k)) continue;
            Coordinates point = origin;
            const __int128 end = static_cast<__int128>(digit.step) * digit.size;
            point[k] = digit.step;
            if (differsAt(point, found)) return true;
            if (end >= a_.box()[k]) continue;
            point[k] = static_cast<int64_t>(end);
            if (differsAt(point, found)) return true;
          }
      }
    for (const Layout *layout : {&a_, &b_}) {
      if (layout == &b_ && !isSameBox_) continue;
      for (const Sum &sum : *layout->form())
        for (const Parity &parity : sum.parities) {
          if (parity.bits.size() > 12) continue;
          for (unsigned set = 1; set < 1U << parity.bits.size(); ++set) {
            Coordinates point = origin;
            for (const auto &[i, bit] : llvm::enumerate(parity.bits))
              if (set >> i & 1) point[bit.first] |= int64_t{1} << bit.second;
            if (differsAt(point, found)) return true;
          }
        }
    }
    return false;
  }

  bool differsAnywhere(Equality &found) const {
    return !a_.visit([&](llvm::ArrayRef<int64_t> point, auto) {
      return !differsAt(point, found);
    });
  }

 private:
  Coordinates other(llvm::ArrayRef<int64_t> point) const {
    int64_t number = 0;
    for (size_t k = point.size(); k-- > 0;)
      number = number * a_.box()[k] + point[k];
    return pointOf(number, b_.box());
  }

  const Layout &a_, &b_;
  bool isSameBox_;
};

}  // namespace

Equality equal(const Layout &a, const Layout &b, const ExactOptions &options) {
  Equality found;
  found.engine = "form";
  if (a.outputs().size() != b.outputs().size()) {
    found.answer = Answer::No;
    found.reason = "the numbers of outputs differ";
    return found;
  }
  const auto points = a.points();
  if (!points || points != b.points()) {
    found.answer = Answer::No;
    found.reason = "the numbers of points differ";
    return found;
  }
  const bool isSameBox = a.box() == b.box();
  std::optional<std::vector<Sum>> first, second;
  if (isSameBox && a.form() && b.form()) {
    first = *a.form();
    second = *b.form();
  } else {
    first = linearIndexForm(a, false);
    second = linearIndexForm(b, false);
  }
  if (first && second && first == second) {
    found.answer = Answer::Yes;
    return found;
  }
  const Comparison comparison(a, b);
  if (a.form() && b.form() && comparison.differsAtUnits(found)) return found;
  found.engine = "enumeration";
  if (*points <= kMostPoints) {
    if (!comparison.differsAnywhere(found)) found.answer = Answer::Yes;
    return found;
  }
  const auto mapA = a.map(), mapB = b.map();
  if (isSameBox && mapA.ok() && mapB.ok()) {
    const auto decision =
        areEqual(IndexingRelation(*mapA), IndexingRelation(*mapB), options);
    if (decision.ok() && decision->answer != Answer::Undecided) {
      found.answer = decision->answer;
      found.engine = engineName(decision->engine).str();
      if (found.answer == Answer::No && decision->witness)
        comparison.differsAt(decision->witness->index, found);
      return found;
    }
  }
  found.reason = "the layouts have more than 2^22 points and no common form";
  return found;
}

}  // namespace indexical::layouts
