// How an intermediate value may be cut between devices, and which values of two
// modules are the same op of the same operands: private to same/partitioned/.
//
//   x = f32[8,4] parameter(0), sharding={devices=[2,1]<=[2]}
//
//   a whole f32[8,6] and f32[4,6] of each device: cut as x is in dimension 0
#ifndef INDEXICAL_SAME_PARTITIONED_CUTS_H
#define INDEXICAL_SAME_PARTITIONED_CUTS_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/budget.h"
#include "indexical/program/module/program.h"
#include "indexical/program/sharding/sharding.h"
#include "indexical/same/partitioned/entry_arrays.h"

namespace indexical {

/// Returns the opcode of the op that computes the array, upstream of ops that
/// only move elements, also between devices.
llvm::StringRef computedBy(const Computation &in, InstructionId at);

/// Returns the number of devices that shardings of the entries name: the
/// partitions, of which each replica has all, or the replicas too.
int64_t devicesNamed(const EntryArrays &entry);

/// Returns the relations with which devices may have parts of these sizes: each
/// dimension is cut like a dimension of a parameter or result.
std::vector<ShardedRelation> relationsOf(const EntryArrays &entry,
                                         llvm::ArrayRef<int64_t> whole,
                                         llvm::ArrayRef<int64_t> local);

/// The limits of all cuts of a comparison.
struct CutLimits {
  int64_t operations = 0;  ///< of one question, at the most
  const Stop *stop = nullptr;
  /// Whether sums of arrays that are cut become cuts.
  bool cutsSums = true;
};

/// The elementwise ops of a computation, by their operands. The operands of an
/// op that commutes have no order.
///
///   y = f32[8] add(x, r)
///
///   ops.find(an add, {r, x})    y
class ElementwiseOps {
 public:
  explicit ElementwiseOps(const Computation &in);

  /// Returns the instruction that computes the array, upstream of those that
  /// pass it on unchanged.
  InstructionId origin(InstructionId at) const;
  /// Returns the instruction that computes from these arrays what `like`
  /// computes from its operands, or nothing.
  std::optional<InstructionId> find(const Instruction &like,
                                    llvm::ArrayRef<InstructionId> of) const;

  /// Returns whether the op is elementwise, and all operands have the sizes of
  /// its result.
  static bool isOne(const Instruction &of);
  /// Returns whether it is a sum, a difference or a product of two arrays: the
  /// terms of a chain of these multiply.
  static bool isOfChain(const Instruction &of);

 private:
  static std::string keyOf(const Instruction &like,
                           std::vector<InstructionId> of);

  const Computation &in_;
  std::map<std::string, InstructionId> ops_;
};

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_CUTS_H
