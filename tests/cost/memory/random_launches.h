// Random launches: a thread map, a read, an operand with its layout, a machine.
#ifndef INDEXICAL_TESTS_COST_MEMORY_RANDOM_LAUNCHES_H
#define INDEXICAL_TESTS_COST_MEMORY_RANDOM_LAUNCHES_H

#include <cstdint>
#include <string>

#include "indexical/indexing/relation.h"
#include "indexical/ops/shape.h"
#include "tests/cost/memory/simulator.h"
#include "tests/support/random.h"

namespace indexical::testing {

/// The runtime variables of a random read: none, one for all threads, one that
/// differs from thread to thread, or one of these that leaves out the threads
/// whose value is out of bounds, and is perhaps no part of the index.
enum class RandomRuntime : uint8_t { None, Common, Gathered, Scattered };

struct RandomLaunch {
  IndexingMap threads;
  IndexingRelation read;
  ArrayShape operand;
  Machine machine;
  std::string str() const;
};

RandomLaunch randomLaunch(Random &random,
                          RandomRuntime runtime = RandomRuntime::None);

/// A launch whose read has products, quotients or remainders of variables.
RandomLaunch randomProducts(Random &random);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_COST_MEMORY_RANDOM_LAUNCHES_H
