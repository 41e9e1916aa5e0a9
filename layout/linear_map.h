// Linear maps over GF(2): words of bits to words of bits.
//
//   bases 1, 2, 5: the word 0b110 goes to 2 xor 5 = 7
//
// Each bit of the input has a word, its basis; the words of the bits that are 1
// are combined by xor. A basis of 0 replicates: the bit changes nothing, so
// that several words go to one.
//
// Laws (tests/layout/linear_map_test.cc, by enumeration):
//   apply(x ^ y) == apply(x) ^ apply(y), apply(0) == 0
//   compose(a, b)(x) == b(a(x)); compose(a, identity) == a
//   preimage(apply(x)) holds x, and every x that maps there is it plus a sum of
//     kernel(); the kernel has 2^(inputs - rank) sums
//   inverse() is there if and only if the map is one to one and onto, and
//     compose(a, inverse(a)) is the identity
#ifndef INDEXICAL_LAYOUT_LINEAR_MAP_H
#define INDEXICAL_LAYOUT_LINEAR_MAP_H

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

namespace indexical::layouts {

/// A linear map from words of inputBits() bits to words of outputBits() bits,
/// at most 63 each.
class LinearMap {
 public:
  LinearMap() = default;
  /// Makes the map that takes bit i of the input to basis i. Requires bases
  /// below 2^outputBits.
  LinearMap(std::vector<uint64_t> bases, int outputBits)
      : bases_(std::move(bases)), outputBits_(outputBits) {}
  static LinearMap identity(int bits);

  int inputBits() const { return static_cast<int>(bases_.size()); }
  int outputBits() const { return outputBits_; }
  llvm::ArrayRef<uint64_t> bases() const { return bases_; }

  uint64_t apply(uint64_t input) const;
  int rank() const;
  /// Returns an input that maps to `output`, and nothing if there is none.
  std::optional<uint64_t> preimage(uint64_t output) const;
  /// Returns independent inputs that map to 0. Every input that does is a sum
  /// of these.
  std::vector<uint64_t> kernel() const;
  /// Returns the inverse, and nothing if the map is not one to one and onto.
  std::optional<LinearMap> inverse() const;

  bool operator==(const LinearMap &o) const {
    return bases_ == o.bases_ && outputBits_ == o.outputBits_;
  }

 private:
  std::vector<uint64_t> bases_;
  int outputBits_ = 0;
};

/// Returns the map that applies `first`, then `second`. Requires that `first`
/// has as many output bits as `second` has input bits.
LinearMap compose(const LinearMap &first, const LinearMap &second);

}  // namespace indexical::layouts

#endif  // INDEXICAL_LAYOUT_LINEAR_MAP_H
