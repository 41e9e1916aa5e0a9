// The order of a computation's instructions.
//
//   for (auto i : llvm::reverse(computation.postOrder()))   refused
//   for (auto i : llvm::reverse(order))                     a named order
//
// A view of a list, as llvm::reverse() returns it, holds two iterators and not
// the list. If the list is a temporary, the body of a loop over the view reads
// memory that is gone: C++17 keeps the view alive there, and not what it views.
// So the views of LLVM refuse an order that has no name. Only this type is
// refused: LLVM and MLIR themselves make views of temporaries in one
// expression, which is correct.
//
// A loop over postOrder() itself, llvm::enumerate() and llvm::zip() keep the
// temporary, and are allowed.
//
// Law (tests/program/module/instruction_order_test.cc): a view of a named order
// compiles, and a view of a temporary one does not.
#ifndef INDEXICAL_PROGRAM_MODULE_INSTRUCTION_ORDER_H
#define INDEXICAL_PROGRAM_MODULE_INSTRUCTION_ORDER_H

#include <cstddef>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/program/module/ids.h"

namespace indexical {

/// Numbers of instructions. Name it before you make a view of it.
struct InstructionOrder : std::vector<InstructionId> {
  using std::vector<InstructionId>::vector;
};

}  // namespace indexical

namespace llvm {

void reverse(indexical::InstructionOrder &&) = delete;
void drop_begin(indexical::InstructionOrder &&, size_t = 1) = delete;
void drop_end(indexical::InstructionOrder &&, size_t = 1) = delete;
void make_early_inc_range(indexical::InstructionOrder &&) = delete;
template <typename Predicate>
void make_filter_range(indexical::InstructionOrder &&, Predicate) = delete;
template <typename Function>
void map_range(indexical::InstructionOrder &&, Function) = delete;

}  // namespace llvm

#endif  // INDEXICAL_PROGRAM_MODULE_INSTRUCTION_ORDER_H
