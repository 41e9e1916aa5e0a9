// The instructions of a function that touch memory, before their addresses are
// read; private to import/llvm.
//
//   %v = load <4 x float>, ptr addrspace(1) %p     16 bytes at %p
//   call i32 asm "@$2 ld.global.b32 $0, [$1 + 0];" …   4 bytes at operand 1, if
//                                                  operand 2 is true
//
// An unknown instruction that may touch memory is an obstacle with its name:
// the kernel is incomplete. No such instruction is ignored.
#ifndef INDEXICAL_IMPORT_LLVM_MEMORY_OPS_H
#define INDEXICAL_IMPORT_LLVM_MEMORY_OPS_H

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

#include "indexical/program/kernel/kernel.h"

namespace indexical::compiled {

struct MemoryOp {
  const llvm::Instruction *at = nullptr;
  kernels::AccessKind kind = kernels::AccessKind::Load;
  std::string name;          ///< `load`, `ld.global.b32`
  int64_t bytes = 0;         ///< of one lane and access
  int64_t elementBytes = 0;  ///< of one element of a vector
  std::string type;          ///< of an element: `float`
  /// The alignment that bounds the bytes of one machine instruction: the
  /// machine's, or less if the address is not aligned.
  int64_t align = 16;
  const llvm::Value *address = nullptr;
  int64_t offset = 0;  ///< bytes after the address
  const llvm::Value *predicate = nullptr;
  bool isNegated = false;             ///< of the predicate: made if it is false
  /// How many of the bytes are loaded; each element is loaded as a whole or not
  /// at all.
  const llvm::Value *size = nullptr;
  const llvm::Value *ignored = nullptr;  ///< no access is made if this is true
  /// Only lanes below this number give an address; 0: all do.
  int64_t lanes = 0;
  /// Whether the address is in shared memory, not an array, if its form does
  /// not tell.
  bool isShared = false;
  const llvm::Value *stored = nullptr;
  /// For assembly that only loads or stores: the operands that are stored, or
  /// the numbers of the outputs that are loaded, each with the bits of one
  /// element, in the order of memory.
  std::vector<const llvm::Value *> parts;
  std::vector<unsigned> outputs;
  /// Whether all outputs are 0 if the access is not made.
  bool isElseZero = false;
};

/// An unknown instruction that may touch memory.
struct UnknownMemory {
  const llvm::Instruction *at = nullptr;
  std::string name;
};

struct MemoryOps {
  std::vector<MemoryOp> ops;  ///< in an order in which a thread may make them
  std::vector<const llvm::Instruction *> barriers;
  std::vector<size_t> before;  ///< ops before each barrier
  std::vector<UnknownMemory> unknown;
};

/// Returns whether all threads of a block wait for each other at the barrier.
bool isWholeBarrier(const llvm::Instruction &barrier);

/// Returns the memory operations of a function whose calls are inlined.
MemoryOps memoryOpsOf(llvm::Function &function, const llvm::LoopInfo &loops);

/// Sets how many bytes a copy to shared memory loads. The others become zeros
/// there.
void setSize(MemoryOp &copy, const llvm::Value *size,
             const llvm::DataLayout &layout);

/// Returns the text of assembly without its comments.
std::string withoutComments(llvm::StringRef text);

/// Adds the memory operations of inline assembly.
void addAssembly(const llvm::CallInst &call, const llvm::InlineAsm &code,
                 MemoryOps &found);

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_MEMORY_OPS_H
