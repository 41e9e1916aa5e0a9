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
#ifndef INDEXICAL_HLO_WRITTEN_OPS_H
#define INDEXICAL_HLO_WRITTEN_OPS_H

#include <cstddef>
#include <unordered_map>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/hlo/syntax.h"
#include "indexical/ops/op.h"
#include "indexical/ops/shape.h"

namespace indexical {

/// For one module, for some ops depend on its number of partitions.
class WrittenOps {
 public:
  /// Returns the place of the op of an instruction that names no computation.
  /// The op there is none for the first such instruction. The place is valid up
  /// to the next call. Returns null if the op depends on more than its opcode,
  /// shapes and attributes. Equal shapes of operands must be one object
  /// (WrittenShapes); the shapes and the text must outlive this.
  Op *find(const InstructionSyntax &instruction,
           llvm::ArrayRef<AttributeSyntax> attributes,
           llvm::ArrayRef<const Shape *> operands);

 private:
  struct Written {
    llvm::StringRef opcode;
    const Shape *result;
    llvm::SmallVector<const Shape *, 3> operands;
    llvm::SmallVector<llvm::StringRef, 6> attributes;  // keys and values

    bool operator==(const Written &other) const;
  };
  struct Hash {
    size_t operator()(const Written &written) const;
  };

  std::unordered_map<Written, Op, Hash> ops_;
};

}  // namespace indexical

#endif  // INDEXICAL_HLO_WRITTEN_OPS_H
