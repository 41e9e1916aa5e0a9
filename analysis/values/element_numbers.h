// Elements as numbers: what a term is at one index, if the parameters have
// given numbers.
//
//   element   add over s in [0, 3] of p[i, s], begun with 0
//   at (2)    p[2, 0] + p[2, 1] + p[2, 2] + p[2, 3]
//
// A term is computed at one index alone, so that sizes do not count. What is
// not known of a term (a library call, a float that leaves its type) has no
// number. Two terms that have different numbers are different functions of the
// parameters; equal numbers mean nothing.
#ifndef INDEXICAL_ANALYSIS_VALUES_ELEMENT_NUMBERS_H
#define INDEXICAL_ANALYSIS_VALUES_ELEMENT_NUMBERS_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/analysis/values/element_table.h"
#include "indexical/analysis/values/typed_numbers.h"

namespace indexical {

/// A parameter's element, and its number.
struct NamedNumber {
  int64_t parameter = 0, leaf = 0;
  std::string name;  ///< of the parameter, where one is at hand
  std::vector<int64_t> index;
  TypedNumber number;
};

/// An index at which two terms have different numbers.
struct NumberWitness {
  std::vector<int64_t> index;
  std::vector<NamedNumber> inputs;  ///< those that are read, at most 16
  TypedNumber first, second;
};

/// Looks for numbers of the parameters, and an index of the region, with which
/// two elements are different. Returns nothing if none is found, which means
/// nothing.
std::optional<NumberWitness> differentNumbers(const ElementTable &table,
                                              ElementId first, ElementId second,
                                              const IndexingMap &region);

/// Whether numbers of the parameters show that an element depends on one of a
/// parameter's elements, or on any of them if `onAll`: two that differ in
/// nothing else give different numbers. Library calls are taken for any
/// functions of what they read. False means nothing.
bool dependsOn(const ElementTable &table, ElementId element,
               llvm::ArrayRef<int64_t> point, const NamedNumber &on,
               bool onAll);

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_VALUES_ELEMENT_NUMBERS_H
