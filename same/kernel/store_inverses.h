// The point of a program at which a kernel stores an element: the inverse of a
// store's address.
//
//   store   (p, t) -> (p * 128 + t), p in [0, 7], t in [0, 127]
//   inverse (e) -> (e floordiv 128, e mod 128), e in [0, 1023]
//
// An element that a store writes at several points has no such place: one that
// a loop stores again, or that several programs store.
//
// Law (tests/same/kernel/store_inverses_test.cc, by enumeration): each point of
// the store is the place of its element, and nothing else has a place.
#ifndef INDEXICAL_SAME_KERNEL_STORE_INVERSES_H
#define INDEXICAL_SAME_KERNEL_STORE_INVERSES_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "indexical/indexing/indexing_map.h"
#include "indexical/program/kernel/kernel.h"

namespace indexical::kernels {

/// The places of the elements of an array that an access stores: disjoint maps
/// from the number of the element to a point of the access's space. If `reason`
/// is set, they are unknown.
struct StorePlaces {
  std::vector<IndexingMap> maps;
  std::string reason;
};

class StoreInverses {
 public:
  explicit StoreInverses(const TritonKernel &kernel) : kernel_(kernel) {}

  /// Returns the places of the elements that access number `access` stores to
  /// the array of argument `array`.
  const StorePlaces &placesOf(size_t access, int64_t array);

 private:
  const TritonKernel &kernel_;
  std::map<std::pair<size_t, int64_t>, StorePlaces> known_;
};

/// Returns the inverse of the address of a store, or why there is none.
StorePlaces placesOfStore(const TritonKernel &kernel,
                          const KernelAccess &access, int64_t array);

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_STORE_INVERSES_H
