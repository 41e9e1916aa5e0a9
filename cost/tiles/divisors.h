// The divisors of a number, however large its prime factors are; private to
// analysis/.
//
//   divisorsOf(36)                     1, 2, 3, 4, 6, 9, 12, 18, 36
//   divisorsOf(4611686018427387847)    1, 4611686018427387847
//
// Small factors are found by division; the rest by Pollard's rho, whose primes
// a test of Miller and Rabin tells. A number of 64 bits takes some 100,000
// steps. All of it is deterministic.
//
// Law (tests/cost/tiles/divisors_test.cc, by enumeration, and of products
// of known primes): the divisors are all of them, rising.
#ifndef INDEXICAL_COST_TILES_DIVISORS_H
#define INDEXICAL_COST_TILES_DIVISORS_H

#include <cstdint>
#include <vector>

namespace indexical {

/// Returns the numbers that divide `number`, rising. Requires that it is at
/// least 1. There are at most 103,680 of them.
std::vector<int64_t> divisorsOf(int64_t number);

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_DIVISORS_H
