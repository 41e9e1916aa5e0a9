// The fields of structures that a launch gives by value, as arguments;
// private to import/llvm.
//
//   @k(ptr byval(%struct.P) %p)         @k(ptr byval(%struct.P) %p,
//   %f = getelementptr i8, ptr %p, 16      i32 %p.16)
//   %n = load i32, ptr %f               %n is %p.16
//
// clang passes each structure so. A field that the kernel loads becomes an
// argument of its own, behind the others, whose name ends with its offset in
// bytes: a pointer has an array then, and --arg gives a number.
#ifndef INDEXICAL_IMPORT_LLVM_SPLIT_ARGUMENTS_H
#define INDEXICAL_IMPORT_LLVM_SPLIT_ARGUMENTS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

namespace indexical::compiled {

/// Returns a function with the body of `function`, whose loads of fields are
/// arguments, or null if it loads none; `function` has no body then, and
/// nothing uses it. Passes each such load to `remove` when nothing uses it any
/// more. A structure that may be changed stays as it is, and so do fields that
/// are loaded in parts, or by an index.
llvm::Function *withSplitArguments(
    llvm::Function &function,
    llvm::function_ref<void(llvm::Instruction &)> remove);

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_SPLIT_ARGUMENTS_H
