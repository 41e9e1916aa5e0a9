// The options of reading a kernel, beside its text.
//
//   grid 97, 4 warps, arg3 = 98432
//
// Readers of every form take these options (import/triton/read.h,
// import/llvm/read.h).
#ifndef INDEXICAL_PROGRAM_KERNEL_READ_OPTIONS_H
#define INDEXICAL_PROGRAM_KERNEL_READ_OPTIONS_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "indexical/indexing/budget.h"
#include "indexical/program/kernel/open_sizes.h"
#include "indexical/program/kernel/size_terms.h"

namespace indexical::kernels {

struct ReadOptions {
  std::string path;      ///< for places of `loc`s in this file
  std::string function;  ///< empty: the only one that no other calls
  std::optional<std::array<int64_t, 3>> grid;
  std::optional<int64_t> warps;  ///< if the module does not say
  /// Threads of a block along x, y and z; of a kernel that was compiled.
  std::optional<std::array<int64_t, 3>> block;
  /// The values of integer arguments, by name (`arg3`, or as the file has it)
  /// or by number.
  std::vector<std::pair<std::string, int64_t>> arguments;
  /// The values of arguments that are floats, by name.
  std::vector<std::pair<std::string, double>> numbers;
  /// The array of an argument that is a descriptor: its sides, and how many
  /// elements apart neighbours along each are.
  struct ArgumentArray {
    /// Its name or number, as above; or `#` and how many arguments before it
    /// are pointers or descriptors. Of these one whose box has another number
    /// of sides is left out.
    std::string argument;
    std::vector<int64_t> sizes, strides;
  };
  std::vector<ArgumentArray> arrays;  ///< those of pointers change nothing
  /// The grid as sizes, and the values of names, for the wraps of integers of
  /// 32 bits (wraps.h). Nothing: these are not looked for.
  struct Sizes {
    std::array<SizeTerm, 3> grid;
    SizeValues values;
  };
  std::optional<Sizes> sizes;
  /// Sizes that have no values: the kernel is read for all of them at once
  /// (open_sizes.h), and `grid` says nothing. Nothing: each number of the grid
  /// is known. Of TTIR and TTGIR alone.
  std::optional<OpenSizes> open;
  /// The assumptions about integer arguments without a value, by their names.
  SizeRanges ranges;
  /// Other assumptions about names without a value, for wraps; other names are
  /// numbers.
  std::vector<SizeCondition> conditions;
  /// Names of the call that need not be arguments: those of sizes, and of
  /// constants of a kernel in Python.
  std::set<std::string> otherNames;
  /// The file that locations of ops name, if the text was made of it: places
  /// are then those of that file. Empty: places are those of the text.
  std::string madeOf;
  /// Pointers that name one array, by name or number, as above: one list an
  /// array.
  std::vector<std::vector<std::string>> aliases;
  /// The element type of an argument, as HLO names it (`bf16`), by its number:
  /// for a compiled kernel, whose pointers do not say it.
  std::map<int64_t, std::string> elementTypes;
  bool values = false;       ///< whether to read what stores store, too
  int64_t vectorBytes = 16;  ///< the most that a lane takes at once

  static constexpr int64_t kMostSteps = 1'000'000;
  static constexpr int64_t kMostAccesses = 4096;
  /// How many ops are followed, each counted again in every call and loop
  /// around it, and how many accesses. A kernel with more is incomplete.
  int64_t steps = kMostSteps, accesses = kMostAccesses;
  /// Must outlive the call. Null: nothing ends the call.
  const Stop *stop = nullptr;
};

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_READ_OPTIONS_H
