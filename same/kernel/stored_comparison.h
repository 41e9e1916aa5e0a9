// Does a kernel leave the memory that a specification describes?
//
//   kernel   y[p * 32 + t] = sub(a[p * 32 + t], b[p * 32 + t])
//   spec     y[i] = multiply(a[i], b[i])
//     store of line 9: not the same. Element 1 of y is subtract(a, b), 4, and
//     the specification's multiply(a, b) is -3, where a[1] = 1, b[1] = -3
//
// Each element that a program stores is a term over elements of the arguments,
// and so is the specification's element in the same place: it is requested at
// the map of the store (spec_terms.h). The two are compared like terms of two
// modules (same/values), in the parts of the region in which each has one term.
//
// If all stores to an array are right and cover it, the array is right in any
// order of the stores.
#ifndef INDEXICAL_SAME_KERNEL_STORED_COMPARISON_H
#define INDEXICAL_SAME_KERNEL_STORED_COMPARISON_H

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/exact/exact.h"
#include "indexical/program/check/witness.h"
#include "indexical/program/kernel/kernel.h"
#include "indexical/program/module/program.h"
#include "indexical/same/kernel/comparison.h"
#include "indexical/same/kernel/kernel_terms.h"
#include "indexical/same/kernel/spec_terms.h"
#include "indexical/same/values/element_table.h"
#include "indexical/same/values/same_elements.h"
#include "indexical/same/values/special_numbers.h"

namespace indexical::kernels {

class StoredComparison {
 public:
  using Arrays = llvm::ArrayRef<std::optional<ArgumentArray>>;

  /// The tables with which both sides are written. All have to outlive the
  /// object.
  struct Tables {
    ElementTable &table;
    SameElements &same;
    Meter &meter;
    const Module &names;  ///< the parameters of its entry name what is read
  };

  /// `arrays` has an entry for each argument of the kernel, as KernelTerms has.
  StoredComparison(const TritonKernel &kernel, Arrays arrays, Tables tables,
                   const ExactOptions &options);

  /// Adds a way to write both sides, in which they may be the same. The first
  /// one is used for witnesses and printed terms. `law` is the law under which
  /// this way is valid; "": none.
  void addSpelling(SpecTerms &spec, KernelTerms &terms, std::string law = "");

  /// Allows infinities and NaN as numbers of a witness.
  void takeSpecials(Specials specials) { specials_ = specials; }

  /// Turns off the search for numbers that show a difference: only a proof is
  /// needed.
  void seekNoNumbers() { seeksNumbers_ = false; }

  /// Returns whether all stored values are proved to be the specification's, or
  /// an error if the budget's stop is reached. Adds the first terms of each
  /// array that differ to `values`. Requires a spelling. Conservative: false
  /// when unknown.
  absl::StatusOr<bool> compareStores(std::vector<ValueDifference> &values);

  /// Returns whether the stored values depend on the same elements as the
  /// specification's. Conservative: false when unknown.
  bool haveSameReads() const { return haveSameReads_; }
  void loseReads() { haveSameReads_ = false; }
  /// Returns numbers with which a final element is not the specification's: of
  /// kind StoredOther. Its array is the `result` of the argument's array. The
  /// second access is the specification's.
  std::optional<Witness> &witness() { return otherValue_; }

  /// Notes why an array is not proved right, if it is the first reason.
  static void note(std::vector<ValueDifference> &values,
                   ValueDifference difference, std::string reason);

 private:
  struct Spelling {
    SpecTerms *spec;
    KernelTerms *terms;
    std::string law;
  };
  struct Store {
    const KernelAccess &access;
    const ArgumentArray &array;
    int64_t argument;  ///< of the kernel
    const PointerMap &map;
    const IndexingMap &toElement;  ///< from the space of the store
  };
  using Reads = std::map<std::pair<int64_t, int64_t>, IndexingRelation>;

  bool compareStore(const KernelAccess &access);
  bool compareIn(const Store &store, const IndexingMap &region,
                 ValueDifference &difference);
  bool isSameBy(const Spelling &spelling, const Store &store,
                const IndexingMap &region);
  /// Returns the element that the kernel leaves at the points of its store: the
  /// stored one, or the sum of those that it adds.
  static std::optional<ElementId> leftBy(const Spelling &spelling,
                                         const Store &store,
                                         const IndexingMap &region,
                                         const IndexingMap &place);
  /// Returns why our last element may be undefined where theirs is not; "" if
  /// it is not.
  std::string undefinedIn(const Spelling &spelling) const;
  bool compareTerms(const Store &store, const IndexingMap &region,
                    ElementId theirs, ElementId stored,
                    ValueDifference &difference);
  bool fail(const ValueDifference &difference, std::string reason);
  std::string missingLaw() const;
  bool addReads(ElementId id, size_t outer, std::set<ElementId> &seen,
                Reads &reads);
  bool haveSameReads(ElementId first, ElementId second,
                     const IndexingMap &region);
  bool isLastStore(const Store &store);
  void addWitness(const Store &store, Witness witness, ElementId theirs,
                  ElementId ours, const ValueDifference &difference);

  const TritonKernel &kernel_;
  const Arrays arrays_;
  ElementTable &table_;
  SameElements &same_;
  Meter &meter_;
  const Module &names_;
  const ExactOptions &options_;
  std::vector<Spelling> spellings_;
  std::vector<ValueDifference> *values_ = nullptr;
  std::optional<bool> isOnce_;
  std::optional<Witness> otherValue_;  ///< the first one
  Specials specials_ = Specials::None;
  int regions_ = 0;
  bool haveSameReads_ = true, seeksNumbers_ = true;
};

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_STORED_COMPARISON_H
