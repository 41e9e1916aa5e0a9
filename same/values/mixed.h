// Numbers that look random and depend on nothing but their seed.
#ifndef INDEXICAL_SAME_VALUES_MIXED_H
#define INDEXICAL_SAME_VALUES_MIXED_H

#include <cstdint>

namespace indexical {

/// Returns a number of the seed, by the function of splitmix64 (Steele, Lea,
/// Flood: Fast Splittable Pseudorandom Number Generators).
inline uint64_t mixed(uint64_t seed) {
  seed += 0x9e3779b97f4a7c15;
  seed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9;
  seed = (seed ^ (seed >> 27)) * 0x94d049bb133111eb;
  return seed ^ (seed >> 31);
}

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_MIXED_H
