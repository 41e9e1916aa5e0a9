// The memory that a specification leaves, as terms: the side with which a
// kernel is compared.
//
//   old   y[p * 128 + t] = a[p * 128 + t] + 1, p in [0, 7]
//   new   stores y at b * 32 + t, b in [0, 31]
//     at(y, (b, t) -> (b * 32 + t))    add(a[b * 32 + t], 1)
//
// Every specification answers one question: the final element of an array at
// these places. There are two:
//
//   FusionSpec   a computation of HLO (fusion_values.cc): the root's element of
//                that index
//   KernelSpec   another kernel (kernel_pair.cc): for each of its stores the
//                inverse of the store's address, composed behind the map, and
//                the value stored there; elsewhere what the array held before
//
// Terms are functions of the map's dimensions. stored_comparison.h compares
// them with what a kernel stores at the same points.
#ifndef INDEXICAL_SAME_KERNEL_SPEC_TERMS_H
#define INDEXICAL_SAME_KERNEL_SPEC_TERMS_H

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/same/values/element_table.h"

namespace indexical::kernels {

class SpecTerms {
 public:
  virtual ~SpecTerms() = default;

  /// Returns the final element of the array of an argument of the new kernel.
  /// The one result of `elements` is its number in memory. Returns std::nullopt
  /// if the region of the map is split into `parts()`. An unknown element
  /// equals no other (ElementTable::unknown).
  virtual std::optional<ElementId> at(int64_t argument,
                                      const IndexingMap &elements) = 0;
  /// Returns the parts of the last region, as maps of it to itself.
  llvm::ArrayRef<IndexingMap> parts() const { return parts_; }
  /// Returns the first reason why an element is unknown; "" if there was none.
  virtual const std::string &reason() const = 0;
  /// Returns the elements that the last answer computes, and that have no
  /// defined value for some numbers: there the answer says nothing.
  virtual std::set<ElementId> undefined() const { return {}; }

 protected:
  std::vector<IndexingMap> parts_;
};

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_SPEC_TERMS_H
