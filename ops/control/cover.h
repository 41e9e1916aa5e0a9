#ifndef INDEXICAL_OPS_CONTROL_COVER_H
#define INDEXICAL_OPS_CONTROL_COVER_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// Every result reads every element of every operand, as far as is known.
struct CoverOp : OpDescriptor {
  Precision precision = Precision::Cover;  ///< Cover, or Opaque.
  std::string reason;                      ///< why it is not exact

  static constexpr OpKind kKinds[] = {
      {"cover", {}},
      {"collective-reduce",
       Traits()
           .with(KernelRole::Bytes)
           .with(Precision::Cover,
                 "which device has the result is not published")},
      {"rng-bit-generator",
       Traits()
           .with(KernelRole::Bytes)
           .with(Precision::Cover,
                 "how the algorithm uses its state is not followed")},
      {"shuffle",
       Traits()
           .with(KernelRole::Bytes)
           .withSideEffects()
           .with(Precision::Cover, "how it orders elements is not published")},
      {"custom-call",
       Traits()
           .with(KernelRole::Bytes)
           .with(Precision::Opaque,
                 "what a custom call means is not known; one whose target is "
                 "registered has the maps of its registered op")},
      {"unknown", Traits().with(Precision::Opaque, "the op is not known")},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(precision, reason);
  }
};
INDEXICAL_FAMILY(CoverOp)

/// Every result reads every element of every operand.
struct ReadAllOp : OpDescriptor {
  static constexpr OpKind kKinds[] = {
      {"read-all", {}},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take();
  }
};
INDEXICAL_FAMILY(ReadAllOp)

/// fusion, call: the answer is that of the called computation, found by
/// program/; ops/ itself answers as CoverOp.
struct CallOp : OpDescriptor {
  static constexpr OpKind kKinds[] = {
      {"call", Traits().with(KernelRole::Runs)},
      {"fusion", {}},
      {"composite",
       Traits().with(KernelRole::Bytes).withNote("as its decomposition")},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take();
  }
};
INDEXICAL_FAMILY(CallOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_CONTROL_COVER_H
