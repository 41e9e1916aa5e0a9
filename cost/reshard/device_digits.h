// Digits of devices and of a tensor, private to cost/reshard/.
//
//   f32[8,6], 4 devices, from {devices=[4,1]<=[4]} to {devices=[2,2]<=[4]}
//
//   tensor   dimension 0: digits of 2, 2 and a rest of 2; dimension 1: a digit
//            of 2 and a rest of 3
//   devices  a = 0 0 1 1, b = 0 1 0 1
//   source   a b | -       target   a - | b
//
// The tiles of a dimension are numbered in digits, the major one first, which
// both shardings cut. A digit of the tensor is local, or a digit of the devices
// cuts it: a function from devices to numbers. A state says for each digit of
// the tensor which one cuts it, and which digits of the devices hold parts of a
// sum. In a state every cell is held by equally many devices.
#ifndef INDEXICAL_COST_RESHARD_DEVICE_DIGITS_H
#define INDEXICAL_COST_RESHARD_DEVICE_DIGITS_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/program/sharding/sharding.h"

namespace indexical {

/// A number below `size` for each device.
struct DeviceDigit {
  int64_t size = 1;
  std::vector<int32_t> of;
  bool operator==(const DeviceDigit &o) const {
    return size == o.size && of == o.of;
  }
};

/// For each digit of the tensor the number of a device's digit, or -1; then for
/// each digit of the parts whether it is one still (1), or is summed (0).
using DigitState = llvm::SmallVector<int16_t, 24>;

class DigitSpace {
 public:
  struct TensorDigit {
    size_t dimension;
    int64_t size;
  };

  /// Returns the digits of both shardings, in the order of primes that makes
  /// the fewest digits of devices. The sizes are padded where tiles are uneven:
  /// the padding moves, too. Returns nothing if tiles of a dimension are not
  /// cut into one another, or if a side has not equally many devices for each
  /// tile. `spares` adds digits of the tensor that neither side cuts.
  static std::optional<DigitSpace> make(const ShardedRelation &from,
                                        const ShardedRelation &to,
                                        int64_t devices, bool spares);

  int64_t devices() const { return devices_; }
  llvm::ArrayRef<TensorDigit> tensor() const { return tensor_; }
  llvm::ArrayRef<DeviceDigit> digits() const { return digits_; }
  /// Returns the numbers of the devices' digits that hold parts.
  llvm::ArrayRef<int16_t> parts() const { return parts_; }
  /// Returns the padded sizes of the tensor.
  llvm::ArrayRef<int64_t> sizes() const { return sizes_; }
  const DigitState &source() const { return source_; }
  const DigitState &target() const { return target_; }

  bool isCut(const DigitState &state, size_t digit) const {
    return state[digit] >= 0;
  }
  /// Returns the product of the parts' digits that are not summed.
  int64_t partsOf(const DigitState &state) const;
  /// Returns the number of elements that a device holds.
  int64_t localElements(const DigitState &state) const;
  /// Returns the local sizes of each dimension.
  llvm::SmallVector<int64_t, 4> localSizes(const DigitState &state) const;
  /// Returns whether every cell, and every part, is held by equally many
  /// devices.
  bool isUniform(const DigitState &state);
  /// Returns the elements that devices need in the second state and do not hold
  /// in the first one, over all devices. Requires states without parts.
  int64_t needed(const DigitState &from, const DigitState &to);
  /// Returns the number of devices that hold in the second state, which cuts
  /// the same digits, what they hold in the first.
  int64_t agreeing(const DigitState &from, const DigitState &to);

  /// Returns the number of the device among the values of these digits, the
  /// major one first.
  int64_t valueOf(llvm::ArrayRef<int16_t> digits, int64_t device) const;
  /// Returns which digits of devices a state uses, but those left out.
  llvm::SmallVector<int16_t, 16> used(const DigitState &state) const;

 private:
  DigitSpace() = default;
  int16_t numberOf(DeviceDigit digit);
  /// Joins digits that stand next to each other in both states.
  void joinNeighbours();
  void dropUnused();
  bool joinsWith(int16_t major, int16_t minor,
                 std::vector<std::pair<int16_t, int16_t>> &pairs,
                 std::vector<size_t> &places) const;
  const std::vector<uint64_t> &equality(int16_t a, int16_t b);

  int64_t devices_ = 0, elements_ = 0;
  std::vector<TensorDigit> tensor_;
  std::vector<DeviceDigit> digits_;
  llvm::SmallVector<int16_t, 4> parts_;
  llvm::SmallVector<int64_t, 4> sizes_;
  DigitState source_, target_;
  std::map<std::pair<int16_t, int16_t>, std::vector<uint64_t>> equalities_;
  std::map<std::vector<int16_t>, bool> uniform_;

  friend struct DigitSpaceMaker;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_RESHARD_DEVICE_DIGITS_H
