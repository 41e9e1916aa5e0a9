// Converts pointers that count bytes to pointers that count elements; private
// to import/llvm.
//
//   arg0 + t0 * 16, elements of 4 bytes     arg0 + t0 * 4
//   arg0 + x, elements of 4 bytes           arg0 + x floordiv 4, and x is unsure
#ifndef INDEXICAL_IMPORT_LLVM_ELEMENT_TERMS_H
#define INDEXICAL_IMPORT_LLVM_ELEMENT_TERMS_H

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "indexical/program/kernel/terms.h"

namespace indexical::compiled {

using kernels::TermId;
using kernels::TermKind;

class ElementTerms {
 public:
  explicit ElementTerms(kernels::Terms &terms) : terms_(terms) {}

  /// Returns the pointer with numbers of elements of `width` bytes in place of
  /// bytes, and `within` added to each.
  TermId inElements(TermId pointer, int64_t width, TermId within);
  /// Returns the terms that were divided by a number, with it, where their form
  /// does not prove that it divides them.
  const std::vector<std::pair<TermId, int64_t>> &unsure() const {
    return unsure_;
  }

 private:
  TermId divided(TermId id, int64_t by);
  /// Returns the quotient of a term whose form proves that `by` divides it;
  /// else std::nullopt.
  std::optional<TermId> quotient(TermId id, int64_t by);
  std::optional<TermId> computeQuotient(TermId id, int64_t by);
  /// Returns whether the form of an integer of any width proves that a power of
  /// two divides it, also where it wraps: `zext(%i * 4)` is a multiple of 4.
  /// Conservative: false when unknown.
  bool isMultiple(TermId id, int64_t by);
  bool computeMultiple(TermId id, int64_t by);

  kernels::Terms &terms_;
  std::map<std::pair<TermId, int64_t>, std::optional<TermId>> quotients_;
  std::map<std::pair<TermId, int64_t>, bool> multiples_;
  std::vector<std::pair<TermId, int64_t>> unsure_;
};

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_ELEMENT_TERMS_H
