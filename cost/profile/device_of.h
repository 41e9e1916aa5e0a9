// The device of the table that a profile's plane describes.
//
//   AMD, capability 9.4, 304 cores            mi300x
//   Nvidia, NVIDIA H100 80GB HBM3             h100
//   Nvidia, NVIDIA GeForce GTX 1080 Ti        none: the table has no such row
//
// AMD's planes have no name, or that of an architecture. The bandwidth that
// they state is half of the true one, and is not used.
#ifndef INDEXICAL_COST_PROFILE_DEVICE_OF_H
#define INDEXICAL_COST_PROFILE_DEVICE_OF_H

#include <string>

#include "indexical/cost/memory/device.h"
#include "indexical/import/profile/profile.h"

namespace indexical {

/// Returns the device, or null if the plane does not say enough, or if the
/// table has no such device.
const Device *deviceOf(const ProfiledGpu &gpu);

/// Returns the vendor, capability and cores of a GPU in words, as its plane
/// gives them: `AMD 9.4, 304 cores`.
std::string describedDevice(const ProfiledGpu &gpu);

}  // namespace indexical

#endif  // INDEXICAL_COST_PROFILE_DEVICE_OF_H
