// Ops that a text writes many times, built once.
//
//   %b = f32[2,3]{1,0} reverse(%a), dimensions={1}, metadata={…}
//   %c = f32[2,3]{1,0} reverse(%b), dimensions={1}
//
// are one op: the shapes, the opcode and `dimensions`, on which it depends, are
// the same to the letter. Of the training step's ten thousand instructions one
// in twenty is the first of its kind. An op that depends on more than that is
// built each time: an op that names a computation or reads a tuple, a custom
// call, a constant, a parameter.
#ifndef INDEXICAL_IMPORT_HLO_WRITTEN_OPS_H
#define INDEXICAL_IMPORT_HLO_WRITTEN_OPS_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/import/hlo/syntax.h"
#include "indexical/ops/op.h"
#include "indexical/ops/shape.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Ops of instructions that are written alike, for one module: some ops depend
/// on the module's number of partitions.
class WrittenOps {
 public:
  /// An instruction with its attributes, in a computation with the shapes of
  /// its operands. Equal shapes must be one object (WrittenShapes).
  struct Written {
    const Computation *computation = nullptr;
    const Instruction *instruction = nullptr;
    const Shape *result = nullptr;
    llvm::ArrayRef<AttributeSyntax> attributes;
  };

  /// Returns the op of an equal instruction that was met before, or null. After
  /// null, later instructions are compared with this one if others may be equal
  /// to it; its op must be there by then. The arguments must stay where they
  /// are.
  const Op *find(const Written &written,
                 llvm::ArrayRef<const Shape *> operands);

 private:
  struct Entry {
    uint64_t hash = 0;
    Written written;
  };
  void grow();

  std::vector<Entry> entries_;  // by hash
  size_t met_ = 0;              // so many were no others' like
};

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_WRITTEN_OPS_H
