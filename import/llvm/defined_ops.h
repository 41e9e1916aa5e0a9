// Whether an op has a result for all numbers that it gets; private to
// import/llvm.
//
//   %q = shl i32 %a, 40            never: poison
//   %r = add nuw i32 %t, 1         for thread numbers it has: they do not wrap
//   %s = add nsw i32 %v, 1         not for every loaded number
//   %u = load i8, ptr %p, !range   not for every byte
//
// The numbers without a result are LLVM's (LangRef, "Poison Values"): those
// that a flag excludes (`nuw`, `exact`, `nneg`, `nnan`, …), shifts by all bits,
// elements outside of a vector, and division by 0, which is undefined
// behaviour.
#ifndef INDEXICAL_IMPORT_LLVM_DEFINED_OPS_H
#define INDEXICAL_IMPORT_LLVM_DEFINED_OPS_H

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/IR/Instruction.h"

#include "indexical/import/llvm/value_terms.h"
#include "indexical/indexing/budget.h"
#include "indexical/program/kernel/pieces.h"

namespace indexical::compiled {

/// Whether the numbers count that only flags and attributes exclude.
enum class Flags : uint8_t { Counted, Ignored };

/// Returns whether the op has no result for some numbers of its type.
bool mayLackResult(const llvm::Instruction &at, Flags flags = Flags::Counted);

/// Returns whether it is known that the op has a result at all points of the
/// space if its operands have one.
bool hasResult(ValueTerms &terms, const llvm::Instruction &at,
               const kernels::PieceSpace &space, const Stop *stop);

/// Returns whether an access is known to be made by no thread.
bool isNever(const kernels::PointerMap &map);

/// Returns whether the number is in the interval for all threads that come to
/// the block, at the points of the space. False when unknown.
bool isAlwaysIn(ValueTerms &terms, TermId number, Interval all,
                const llvm::BasicBlock &block, const kernels::PieceSpace &space,
                const Stop *stop);

/// Returns whether the behaviour of the kernel is undefined where the op has no
/// result, whatever takes it: it divides.
bool fails(const llvm::Instruction &at);

/// Returns the flags that exclude numbers of an op on integers, or results of a
/// load or a call: `nsw`, `exact`, `range 0 2`. Without them the op is another
/// op, which has a result for more numbers.
std::vector<std::string> excludingFlags(const llvm::Instruction &at);

/// Returns whether one of the operands has no value, `poison`, or any value,
/// `undef`. An element of a vector or a structure may have none, and so may a
/// phi, of which another operand is taken.
bool hasPoisonOperand(const llvm::Instruction &at);

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_DEFINED_OPS_H
