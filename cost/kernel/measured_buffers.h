// The buffers in which the elements of a kernel's accesses lie while they are
// measured: private to cost/kernel.
//
//   a load of elements -4 to 1019 of an argument of f32 whose size is not known
//     a buffer of 2044 elements, each number moved by 1024: whole lines
//
// An array that is read twice is one buffer, and counts once.
#ifndef INDEXICAL_COST_KERNEL_MEASURED_BUFFERS_H
#define INDEXICAL_COST_KERNEL_MEASURED_BUFFERS_H

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/cost/kernel/thread_accesses.h"
#include "indexical/cost/memory/device.h"
#include "indexical/program/kernel/kernel.h"

namespace indexical::kernels {

/// Returns the type of an element of so many bits, or Unknown.
ElementType typeOfBits(int64_t bits);

/// The buffer in which the elements of an access lie while it is measured.
struct MeasuredBuffer {
  ArrayShape shape;
  int64_t shift = 0;  ///< what is added to the number of each element
};

/// Returns the buffer of the access: of the known size, and large enough for
/// the elements that the maps name. Threads take elements outside, too; those
/// below 0 are shifted by whole lines, which changes no figure. Elements that
/// depend on values that are not known stay within the known size. An error
/// says why there is none.
absl::StatusOr<MeasuredBuffer> bufferOf(const KernelAccess &access,
                                        const BufferSizes &sizes,
                                        const Device &device);

/// The buffers of a kernel's accesses: one for all accesses of an argument that
/// see elements of one width, so that an array that is read twice counts once.
class SharedBuffers {
 public:
  /// The sizes must outlive the object.
  SharedBuffers(const TritonKernel &kernel, const BufferSizes &sizes,
                const Device &device);

  /// Returns the buffer of that access, or the reason why it has none.
  absl::StatusOr<MeasuredBuffer> of(size_t number,
                                    const KernelAccess &access) const;

 private:
  using Key = std::pair<int64_t, int64_t>;  // argument, bits of an element

  bool keepsItsSize(const KernelAccess &access) const;

  const BufferSizes &sizes_;
  std::vector<absl::StatusOr<MeasuredBuffer>> own_;
  std::map<Key, MeasuredBuffer> widest_;
};

}  // namespace indexical::kernels

#endif  // INDEXICAL_COST_KERNEL_MEASURED_BUFFERS_H
