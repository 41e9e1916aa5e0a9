#ifndef INDEXICAL_OPS_ELEMENTWISE_NULLARY_H
#define INDEXICAL_OPS_ELEMENTWISE_NULLARY_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// No operand is read: parameter, rng, partition-id, after-all.
struct NullaryOp : OpDescriptor {
  /// The result is the size of that dimension of operand 0
  /// (get-dimension-size), or the list of all its sizes (shape_of). Further
  /// operands, which say so, are read.
  std::optional<int64_t> sizeOf;
  static constexpr int64_t kAllSizes = -1;
  int64_t parameter = -1;  ///< the number of a parameter

  static constexpr OpKind kKinds[] = {
      {"nullary", {}},
      {"parameter", Traits().with(KernelRole::None)},
      {"after-all", Traits().with(KernelRole::None)},
      {"partition-id", Traits().with(KernelRole::None)},
      {"replica-id", Traits().with(KernelRole::None)},
      {"create-token", Traits().with(KernelRole::None)},
      {"get-dimension-size", Traits().with(KernelRole::None)},
      {"send-done", Traits().with(KernelRole::None)},
      {"infeed", Traits().with(KernelRole::Bytes).withSideEffects()},
      {"outfeed", Traits().with(KernelRole::Bytes).withSideEffects()},
      {"recv", Traits().with(KernelRole::Bytes).withSideEffects()},
      {"send", Traits().with(KernelRole::Bytes).withSideEffects()},
      {"rng-get-and-update-state",
       Traits().with(KernelRole::Bytes).withSideEffects()},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(parameter, sizeOf);
  }
};
INDEXICAL_FAMILY(NullaryOp)

/// A literal. `values` are its elements in row major order if the type is
/// integral and the literal is known and small, else empty.
struct ConstantOp : OpDescriptor {
  std::vector<int64_t> values;
  /// The literal as bits: little-endian bytes of one element after the other in
  /// row major order, or of the one that all are; above kMostBytes their
  /// SHA-256. Equal literals have equal bits, also floats.
  std::string bits;
  static constexpr size_t kMostBytes = 4096;
  /// Returns what the field `bits` holds for a literal of these bytes,
  /// `elementBytes` for each element.
  static std::string canonicalBits(llvm::StringRef bytes, size_t elementBytes);
  /// False of a literal that its text leaves out (`{...}`): two of them are
  /// equal descriptors, and may be different values.
  bool isKnown = false;

  static constexpr OpKind kKinds[] = {
      {"constant", Traits().with(KernelRole::None)},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(values, bits, isKnown);
  }
};
INDEXICAL_FAMILY(ConstantOp)

/// Element `i` of the result is `i[dimension]`. Operand 0, if there is one,
/// holds the sizes of the result.
struct IotaOp : OpDescriptor {
  int64_t dimension = 0;

  static constexpr OpKind kKinds[] = {
      {"iota", {}},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(dimension);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(IotaOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_ELEMENTWISE_NULLARY_H
