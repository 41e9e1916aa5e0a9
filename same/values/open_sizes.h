// Open sizes of an entry, as sums of what its parameters say.
//
//   func @main(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index)
//     %0 = arith.addf %x, %y            size 0 of x, which is size 0 of y
//     %1 = tensor.pad %0 low[1] high[%n]            size 0 of x + n + 1
//
// Two modules are compared where both can run: what the ops of either one force
// to be equal, or to be a number, is so (KnownSums). ModuleEquality::where
// names it.
//
// Law (tests/same/values/open_values_test.cc): of random programs on tensors of
// open sizes, none are equal that differ at numbers for these sizes, with which
// both run.
#ifndef INDEXICAL_SAME_VALUES_OPEN_SIZES_H
#define INDEXICAL_SAME_VALUES_OPEN_SIZES_H

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/program/module/program.h"
#include "indexical/program/values/shapes.h"

namespace indexical {

/// A number that a parameter says: the size of a dimension of a leaf, or the
/// element of a leaf at an index.
struct SaidNumber {
  int32_t parameter = 0;
  LeafId leaf;
  int64_t dimension = -1;  ///< -1: an element
  std::vector<int64_t> index;
  bool operator<(const SaidNumber &o) const {
    return std::tie(parameter, leaf, dimension, index) <
           std::tie(o.parameter, o.leaf, o.dimension, o.index);
  }
};

/// A number, and multiples of what parameters say. No multiple is 0.
struct SizeSum {
  int64_t constant = 0;
  std::map<SaidNumber, int64_t> terms;
  bool operator==(const SizeSum &o) const;
};

/// The sizes of the entry of one module, which must outlive the object.
class OpenSizes {
 public:
  /// Parameter p of the entry is known by `numbers[p]`; if empty, by its own.
  OpenSizes(const Module &module, ComputationId entry,
            llvm::ArrayRef<int32_t> numbers);
  OpenSizes(const OpenSizes &) = delete;

  /// Returns a size of a leaf; nothing if it is no such sum.
  std::optional<SizeSum> of(InstructionLeaf leaf, int64_t dimension);
  /// Returns the sizes of parameters that are equal to others, or to numbers.
  std::vector<std::pair<SaidNumber, SizeSum>> forced();

 private:
  std::optional<SizeSum> sumOf(FormId form) const;

  const Computation &entry_;
  const std::vector<int32_t> numbers_;
  ProgramShapes shapes_;
};

/// Sizes of parameters that two modules know to be equal, or numbers.
class KnownSums {
 public:
  void add(llvm::ArrayRef<std::pair<SaidNumber, SizeSum>> forced);
  /// Returns the sum with one name for sizes that are equal.
  SizeSum known(const SizeSum &sum) const;

 private:
  SizeSum replaced(const SaidNumber &said) const;
  std::map<SaidNumber, SizeSum> instead_;
};

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_OPEN_SIZES_H
