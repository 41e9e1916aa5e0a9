// Random programs, partitioned by rules of the tests' own, and mutants of the
// partitioned programs. A module is a list of steps here. Its text is written
// for the library.
//
//   a parameter of 4 x 2 over 2 devices, cut along rows
//     global  x0 = s32[4,2] parameter(0), sharding={devices=[2,1]0,1}
//     local   x0 = s32[2,2] parameter(0)
//   then gathered
//     local   x1 = s32[4,2] all-gather(x0), dimensions={0}, …
#ifndef TESTS_SHARDING_PARTITIONED_PROGRAMS_H
#define TESTS_SHARDING_PARTITIONED_PROGRAMS_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/random.h"

namespace indexical::testing {

using Numbers = std::vector<int64_t>;

/// How a value of the whole is cut: along one axis, in an order of devices, or
/// not at all. Each tile has as many copies as devices are left, next to each
/// other in the order.
struct Cut {
  int64_t axis = -1;         // -1: every device has all
  Numbers order;             // the devices of each tile
  int64_t tiles = 0;         // 0: one for each device
  bool isUnreduced = false;  // the tiles are parts of a sum: no axis is cut

  /// Returns the text of the sharding.
  std::string text(int64_t devices) const;
  int64_t tilesOf(int64_t devices) const { return tiles ? tiles : devices; }
  /// Returns the number of the tile, or of the part, that a device has.
  int64_t tileOf(int64_t device) const;
};

/// One instruction on arrays of rows x columns, of every device.
struct Step {
  enum class Kind {
    Parameter,
    Negate,
    Add,
    Multiply,
    Transpose,
    Reverse,  // along `axis`
    Slice,    // of `axis`, from `start`, `size`
    Concat,   // of two along `axis`
    Offset,   // a row of `table` by the device, along `axis`, `size`
    Mask,     // elements whose place along `axis` is below `size`, else 0; the
              // place of the first is `table[device]`
    Gather,   // along `axis`, the members in the order of `groups`
    Sum,      // over the members of `groups`
    Permute,  // pairs of `groups`
    Dot,      // rows x inner, inner x columns
    ToParts,  // a whole value into what `cut` gives each device
    ToWhole,  // and back
  };
  Kind kind;
  std::vector<size_t> in;
  int64_t rows = 0, columns = 0;
  int64_t axis = 0, start = 0, size = 0;
  std::vector<Numbers> groups;
  Numbers table;
  std::string sharding;  // of a parameter
  Cut cut;

  int64_t along(int64_t which) const { return which ? columns : rows; }
};

struct StepProgram {
  std::vector<Step> steps;
  int64_t devices = 1;
  std::string rootSharding;

  size_t add(Step step) {
    steps.push_back(std::move(step));
    return steps.size() - 1;
  }
};

/// Returns the text of HLO, for one device or for each.
std::string textOf(const StepProgram &program);

int64_t ceilOf(int64_t a, int64_t b);

/// A value in both programs.
struct Both {
  size_t global, local;
  Cut cut;
};

/// A program and its partitioned form.
struct PartitionedPrograms {
  int64_t devices = 1;
  StepProgram global, local;
  std::vector<Both> parameters;
  Both result;
};

/// Returns a random program, partitioned over so many devices.
PartitionedPrograms randomPartitioned(Random &random, int64_t devices);

/// Changes one thing. Returns false if the program has nothing of that kind.
bool mutate(StepProgram &program, Random &random);

}  // namespace indexical::testing

#endif  // TESTS_SHARDING_PARTITIONED_PROGRAMS_H
