// The places of instructions in the text; private to import/llvm.
//
//   store i32 %n, ptr %p      line 9, in a function that the kernel calls
//   call void @f(ptr %q)      inlined: a store of line 9
//
// The parser knows instructions by their addresses, and neither copies of them
// nor what LLVM makes of old intrinsics. So each instruction carries its place.
#ifndef INDEXICAL_IMPORT_LLVM_TEXT_PLACES_H
#define INDEXICAL_IMPORT_LLVM_TEXT_PLACES_H

#include <optional>

#include "llvm/ADT/StringRef.h"
#include "llvm/AsmParser/AsmParserContext.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Module.h"

#include "indexical/indexing/diagnostic.h"

namespace indexical::compiled {

/// Gives all instructions their places. One that may touch memory, and replaces
/// another one of the text, has the place of that.
void keepPlaces(llvm::Module &module, const llvm::AsmParserContext &places,
                llvm::StringRef text);

/// Returns the place that an instruction, or the one that it is a copy of, was
/// given. One that a pass made has the place of the one before it in its block,
/// else of one behind it. Returns std::nullopt if there is none.
std::optional<Place> keptPlaceOf(const llvm::Instruction &instruction);

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_TEXT_PLACES_H
