// Ideal time: the time that a launch takes on a device that only does what has
// to be done.
//
//   transpose of f32[4096,4096] on an h100: 67.1 MB are read, as much is
//   written, no operations of products
//     needed   134.2 MB
//     ideal    134.2 MB / 3350 GB a second = 40.1 us
//
// Each array moves once, whole or as far as it is touched, at the device's peak
// bandwidth; or the products are computed at its peak rate, whichever takes
// longer. No launch is faster, so the time above that is the most that a change
// of the kernel can save.
//
// Laws (tests/cost/launch/ideal_time_test.cc): needed bytes are no more than
// the arrays have, and no more than is moved; the ideal time never falls with
// more bytes or operations, and never rises with a faster device.
#ifndef INDEXICAL_COST_LAUNCH_IDEAL_TIME_H
#define INDEXICAL_COST_LAUNCH_IDEAL_TIME_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/cost/launch/operations.h"
#include "indexical/cost/memory/access.h"
#include "indexical/cost/memory/device.h"
#include "indexical/cost/memory/traffic.h"

namespace indexical {

/// Returns the bytes of one launch that have to move: for each array that is
/// read or written, those of the distinct sectors that its accesses touch, but
/// at most those of the array. An array counts whole if an access of it has no
/// figures. The sum is at most the largest number. `firstBuffers` has for each
/// buffer the first one that is the same array; it may be empty if no array is
/// given twice.
int64_t neededBytes(const KernelAccesses &kernel, const KernelTraffic &traffic,
                    const Device &device,
                    llvm::ArrayRef<size_t> firstBuffers = {});

/// Returns for each operand leaf of the instruction the first leaf that is the
/// same leaf of the same instruction: 0, 1, 0 for `f(p, q, p)`.
std::vector<size_t> firstOperandLeaves(const Computation &computation,
                                       const Instruction &instruction);

/// Returns the most operations of matrix products that the device does in a
/// second, on elements of `bits` bits.
double peakOperations(const Device &device, int64_t bits);

/// Returns the microseconds of one launch at the device's peaks, or 0 if there
/// is nothing to move and nothing to compute.
double idealTime(int64_t neededBytes, const Operations &operations,
                 const Device &device);

}  // namespace indexical

#endif  // INDEXICAL_COST_LAUNCH_IDEAL_TIME_H
