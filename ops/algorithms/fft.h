#ifndef INDEXICAL_OPS_ALGORITHMS_FFT_H
#define INDEXICAL_OPS_ALGORITHMS_FFT_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// The last `lengths.size()` dimensions are transformed.
struct FftOp : OpDescriptor {
  enum class Kind : uint8_t { Fft, Ifft, Rfft, Irfft };
  Kind kind = Kind::Fft;
  Int64s lengths;

  static constexpr OpKind kKinds[] = {
      {"fft", Traits().with(KernelRole::Bytes)},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(kind, lengths);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(FftOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_ALGORITHMS_FFT_H
