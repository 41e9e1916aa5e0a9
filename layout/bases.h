// Bases of a layout of powers of two, while they are given out.
//
//   two inputs, two dimensions
//   along(0, 1, 4)                     input 0: (0, 1), (0, 2)
//   along(1, 1, 2), along(1, 0, 8)     input 1: (0, 4), (1, 0), (2, 0), (4, 0)
//
// Each bit along a dimension counts on from where the bits before it end.
#ifndef INDEXICAL_LAYOUT_BASES_H
#define INDEXICAL_LAYOUT_BASES_H

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/layout/layout.h"

namespace indexical::layouts {

class Bases {
 public:
  Bases(size_t inputs, size_t dimensions)
      : bits_(inputs), sizes_(dimensions, 1) {}

  llvm::ArrayRef<int64_t> sizes() const { return sizes_; }
  llvm::ArrayRef<Coordinates> bits(size_t input) const { return bits_[input]; }

  /// Adds bits to the input that count `count` steps along the dimension.
  /// Requires a power of two.
  void along(size_t input, int64_t dimension, int64_t count);
  /// Adds bits that change nothing: `count` holders of each element.
  void copies(size_t input, int64_t count);
  /// Adds bits along several dimensions, in this order.
  void along(size_t input, llvm::ArrayRef<int64_t> counts,
             llvm::ArrayRef<int64_t> order);
  /// Adds bits with any bases, which count in steps of `unit`. The sizes stay.
  void add(size_t input, llvm::ArrayRef<Coordinates> bases,
           llvm::ArrayRef<int64_t> unit);
  /// Says how far bits that add() added reach.
  void setSizes(llvm::ArrayRef<int64_t> sizes) {
    sizes_.assign(sizes.begin(), sizes.end());
  }

  /// Makes the layout as large as the shape: input 0 gets the bits that are
  /// missing, by dimensions in this order, and bits past the shape change
  /// nothing there.
  void fit(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> order);
  /// Takes out bits of an input that change nothing.
  void dropCopies(size_t input);
  /// Takes out a dimension.
  void dropDimension(int64_t dimension);

  /// Returns an error if a base or a size would have left 64 bits. The bits
  /// behind it were then not added.
  absl::Status check() const;

  /// Returns the layout of the bits. Returns an error as check() does.
  absl::StatusOr<Layout> layout(llvm::ArrayRef<llvm::StringRef> inputs) const;

 private:
  std::vector<std::vector<Coordinates>> bits_;
  Coordinates sizes_;
  bool isPast64Bits_ = false;
};

}  // namespace indexical::layouts

#endif  // INDEXICAL_LAYOUT_BASES_H
