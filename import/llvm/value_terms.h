// The integers and pointers of a function as terms; private to import/llvm.
//
//   %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()    truncate (coordinate 0)
//   %i = phi [0, %entry], [%next, %loop]              loop 0
//   %p = getelementptr float, ptr %x, i64 %i          pointer-add (pointer 0)
//                                                       (mul (loop 0) 4)
//
// A term is the value of a thread: its coordinates are the thread's numbers in
// the block. Pointers count bytes. Loops are those of LoopInfo. The values that
// they carry are read by ScalarEvolution, or have one of three more forms: a
// counter that restarts, a value that is passed on to the next turn, and a bit
// that is flipped. Any other value is an unknown function of the thread and the
// turn: it may differ wherever these do.
//
// Terms need the conditions under which a thread reaches a block
// (block_conditions.cc), and these need terms, so both are in one class.
#ifndef INDEXICAL_IMPORT_LLVM_VALUE_TERMS_H
#define INDEXICAL_IMPORT_LLVM_VALUE_TERMS_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/PassManager.h"

#include "indexical/program/kernel/terms.h"

namespace indexical::compiled {

using kernels::TermId;
using kernels::TermKind;

/// The known facts of a launch while values are read.
struct ThreadSpace {
  /// Threads of a block along x, y and z.
  std::array<int64_t, 3> block = {1, 1, 1};
  int64_t lanes = 32;  ///< of a warp
  /// The tile's coordinates with the thread's numbers along x, y and z. If one
  /// coordinate has all threads, x fastest, it is `linear`.
  std::array<int64_t, 3> coordinates = {-1, -1, -1};
  int64_t linear = -1;
  int64_t count = 0;  ///< number of the threads' coordinates
};

/// The deepest nesting of values that is followed. A deeper one is unknown.
constexpr int kMostDeep = 2000;

/// Returns the number of bits of an integer type of at most 64 bits, else 0.
inline int32_t bitsOf(const llvm::Type *type) {
  if (!type->isIntegerTy()) return 0;
  const unsigned bits = type->getIntegerBitWidth();
  return bits <= 64 ? static_cast<int32_t>(bits) : 0;
}

/// Return the kinds of minima and maxima of numbers with a sign. Truth values
/// are 0 and 1 in terms, and 0 and -1 as such numbers.
inline TermKind signedMinimum(int32_t bits) {
  return bits == 1 ? TermKind::MaxU : TermKind::MinS;
}
inline TermKind signedMaximum(int32_t bits) {
  return bits == 1 ? TermKind::MinU : TermKind::MaxS;
}

class ValueTerms {
 public:
  /// `bytesOf` has, by the number of an array, the bytes of its elements: an
  /// loaded integer is one of them. Arrays are the function's arguments, then
  /// other memory, in the order in which it is first accessed.
  ValueTerms(llvm::Function &function, llvm::FunctionAnalysisManager &analyses,
             const ThreadSpace &space, std::map<int64_t, int64_t> bytesOf);

  kernels::Terms &terms() { return terms_; }

  /// Returns the term of an integer of at most 64 bits.
  TermId integer(const llvm::Value *value);
  /// Returns the term of a pointer, in bytes, or of an integer that is one;
  /// std::nullopt if its array is unknown.
  std::optional<TermId> pointer(const llvm::Value *value);
  /// Returns a pointer's offset from the beginning of its array, in bytes.
  TermId offsetOf(TermId pointer);
  /// Returns the condition under which a thread reaches a block, in each turn
  /// of the loops around it.
  TermId reaches(const llvm::BasicBlock *block);
  /// An incoming value of a phi, and the condition under which it is taken once
  /// a thread is in the block that dominates the phi's. For the first of
  /// several values: that no other one is taken.
  struct Incoming {
    const llvm::Value *value = nullptr;
    const llvm::BasicBlock *from = nullptr;
    TermId when = 0;
  };
  /// Returns the incoming values of a phi that is not in a loop's header;
  /// std::nullopt if an exit of a loop decides.
  std::optional<std::vector<Incoming>> meeting(const llvm::PHINode &phi);
  const llvm::DominatorTree &dominators() const { return dominators_; }
  /// Returns how often the loop's header runs, in 64 bits; std::nullopt if
  /// unknown.
  std::optional<TermId> trips(const llvm::Loop *loop);
  /// Returns a number that trips() is at most, also of a loop with several
  /// exits; std::nullopt if unknown.
  std::optional<TermId> mostTrips(const llvm::Loop *loop);
  int64_t numberOf(const llvm::Loop *loop);
  const llvm::Loop *loopOf(const llvm::BasicBlock *block) const {
    return loops_.getLoopFor(block);
  }
  /// Returns the memory that is not an argument, variables and allocations, by
  /// the number of its array minus the number of arguments.
  const std::vector<const llvm::Value *> &otherMemory() const {
    return memory_;
  }
  /// Returns the argument or the variable that is an array of that number.
  const llvm::Value *memoryOf(int64_t array) const {
    const auto arguments = static_cast<int64_t>(function_.arg_size());
    if (array < arguments) return function_.getArg(array);
    return memory_[array - arguments];
  }
  /// Returns whether the block may run several times outside of LoopInfo's
  /// loops, or is reached through such a block: conditions are those of a block
  /// that runs once.
  bool isInStrangeCycle(const llvm::BasicBlock *block);
  /// Returns the array number of a variable or an allocation.
  int64_t arrayOf(const llvm::Value *memory);
  /// Returns an unknown integer of the thread in place of the value.
  TermId unknown(const llvm::Value *value, int32_t bits);
  TermId number(int64_t value, int32_t bits = 64) {
    return terms_.constant(value, bits);
  }
  TermId both(TermId a, TermId b);
  TermId either(TermId a, TermId b);
  TermId negated(TermId a);
  TermId make(TermKind kind, int32_t bits, llvm::ArrayRef<TermId> operands) {
    return terms_.make(kind, bits, operands);
  }
  /// Returns the pointer, moved by a number of bytes.
  TermId moved(TermId pointer, TermId bytes);
  /// Returns the thread's number along an axis, in 64 bits.
  TermId thread(int64_t axis);
  /// Returns the thread's number in the block, x fastest, in 64 bits.
  TermId threadInBlock();
  TermId resized(TermId id, int32_t bits, bool isSigned);

 private:
  TermId compute(const llvm::Value *value, int32_t bits);
  TermId binary(const llvm::BinaryOperator &op, int32_t bits);
  std::optional<TermId> shifted(const llvm::BinaryOperator &op, int32_t bits);
  TermId compared(const llvm::ICmpInst &op);
  /// Returns the value of a call without effects: numbers of threads, minima.
  std::optional<TermId> called(const llvm::CallInst &call, int32_t bits);
  std::optional<TermId> special(llvm::StringRef name, int32_t bits);
  TermId loaded(const llvm::LoadInst &load, int32_t bits);
  std::optional<TermId> computePointer(const llvm::Value *value);
  /// Returns the integer that is the address of an array.
  TermId addressOf(int64_t array);
  TermId integerOf(TermId pointer);
  /// Returns the number if it is the same wherever the array lies whose address
  /// it names: the difference of two addresses, or the larger of two minus a
  /// third. Assumes that addresses in and near an array do not wrap.
  std::optional<TermId> withoutAddress(TermId term);
  /// A number as `times` the address of an array and a rest, with an address in
  /// place of the array's.
  struct OfAddress {
    TermId term = 0;
    int64_t times = 0;
  };
  std::optional<OfAddress> ofAddress(
      TermId term, std::optional<int64_t> &array,
      std::map<TermId, std::optional<OfAddress>> &known);
  std::optional<OfAddress> computeOfAddress(
      TermId term, std::optional<int64_t> &array,
      std::map<TermId, std::optional<OfAddress>> &known);
  std::optional<TermId> pointerOf(TermId address);
  std::optional<TermId> computePointerOf(TermId address);
  bool isOfShared(TermId pointer) const;
  /// Returns the pointer with the bytes of all its sums in one sum.
  TermId normalPointer(TermId pointer);
  /// Returns the number of pointers that a choice, and the choices in it,
  /// select from.
  int64_t choicesOf(TermId pointer);
  /// Returns the difference of two addresses, if they are in one array.
  std::optional<TermId> distance(TermId a, TermId b);

  // constant_tables.cc
  std::optional<TermId> inTable(const llvm::LoadInst &load,
                                const llvm::Value *memory, TermId offset,
                                int32_t bits);

  // bit_terms.cc: operations on bits as sums.

  TermId bitwise(TermKind kind, const llvm::Value *a, const llvm::Value *b,
                 int32_t bits);
  TermId maskedBy(TermId x, uint64_t mask, int32_t bits);
  TermId bitOf(TermId x, int32_t bit, int32_t bits);
  /// Returns the value of an intrinsic that counts or moves bits, or that
  /// stays at the ends of its type; std::nullopt for another one.
  std::optional<TermId> bitIntrinsic(const llvm::CallInst &call, int32_t bits);
  TermId shiftedLeft(TermId x, int32_t by, int32_t bits);
  TermId countOfZeros(const llvm::Value *of, int32_t bits, bool fromTop);
  std::optional<TermId> rotated(const llvm::CallInst &call, int32_t bits,
                                bool isLeft);
  std::optional<TermId> saturated(llvm::Intrinsic::ID id, TermId x, TermId y,
                                  int32_t bits);
  TermId shiftedRight(TermId x, int32_t by, int32_t bits);
  /// Returns the choice between two numbers by a single bit: a + (b - a) * bit.
  /// Returns std::nullopt if the condition is not of a single bit.
  std::optional<TermId> chosenByBit(const llvm::Value *condition, int64_t yes,
                                    int64_t no, int32_t bits);

  // loop_terms.cc: values that loops carry, and values after loops.

  std::optional<TermId> ofScev(const llvm::SCEV *scev);
  /// Returns how often a header runs, by how often its loop is taken again.
  std::optional<TermId> tripsOf(const llvm::SCEV *taken);
  std::optional<TermId> computeScev(const llvm::SCEV *scev);
  std::optional<TermId> pointerOfScev(const llvm::SCEV *scev);
  TermId counter(const llvm::Loop *loop);
  std::optional<TermId> carried(const llvm::PHINode &phi,
                                const llvm::Loop *loop);
  std::optional<TermId> startingAgain(const llvm::PHINode &phi,
                                      const llvm::Loop *loop);
  std::optional<TermId> passedOn(const llvm::PHINode &phi,
                                 const llvm::Loop *loop);
  std::optional<TermId> leaving(const llvm::PHINode &phi);
  /// Returns the choice among the incoming values of a phi.
  std::optional<TermId> merged(const llvm::PHINode &phi);

  // turn_terms.cc: values that a loop of a few turns carries, turn by turn.

  std::optional<TermId> turnByTurn(const llvm::PHINode &phi,
                                   const llvm::Loop *loop);
  /// A value of a loop, which has a placeholder while its next one is read.
  struct Held {
    const llvm::Value *value = nullptr;
    int64_t placeholder = -1;
  };
  Held hold(const llvm::Value *value);
  /// Returns the placeholder's term.
  TermId heldTerm(const Held &held);
  /// Removes the placeholders, and all terms that were read with them.
  void release(llvm::ArrayRef<Held> held);
  /// Returns the phi's incoming value from a block, as a term.
  std::optional<TermId> incoming(const llvm::PHINode &phi,
                                 const llvm::BasicBlock *from);

  // block_conditions.cc.

  TermId edge(const llvm::BasicBlock *from, const llvm::BasicBlock *to);
  bool isAlwaysPassed(const llvm::BasicBlock *from,
                      const llvm::BasicBlock *to) const;
  TermId reachFrom(const llvm::BasicBlock *from, const llvm::BasicBlock *to);
  TermId leaves(const llvm::Loop *loop, const llvm::BasicBlock *from,
                const llvm::BasicBlock *to);
  const llvm::Loop *outermostLeft(const llvm::Loop *loop,
                                  const llvm::BasicBlock *to) const;

  llvm::Function &function_;
  const llvm::DataLayout &layout_;
  llvm::DominatorTree &dominators_;
  llvm::PostDominatorTree &postDominators_;
  llvm::LoopInfo &loops_;
  llvm::ScalarEvolution &evolution_;
  const ThreadSpace space_;
  const std::map<int64_t, int64_t> bytesOf_;
  kernels::Terms terms_;
  llvm::DenseMap<const llvm::Value *, TermId> integers_;
  llvm::DenseMap<const llvm::Value *, std::optional<TermId>> pointers_;
  llvm::DenseMap<const llvm::BasicBlock *, TermId> reached_;
  std::map<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>,
           TermId>
      reachedFrom_;
  std::set<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>>
      asked_;  ///< of reachFrom()
  std::map<const llvm::Loop *, int64_t> loopNumbers_;
  std::map<const llvm::Loop *, std::optional<TermId>> trips_, mostTrips_;
  std::map<const llvm::Value *, int64_t> unknowns_;
  std::vector<const llvm::Value *> memory_;
  std::map<const llvm::Value *, int64_t> memoryNumbers_;
  std::optional<std::set<const llvm::BasicBlock *>> strange_;
  std::set<const llvm::Value *> open_;  ///< the values being read
  /// The keys that were read while a value of a loop was a placeholder.
  struct Trail {
    std::vector<const llvm::Value *> values;
    std::vector<const llvm::BasicBlock *> blocks;
    std::vector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>>
        ways;
    std::vector<const llvm::Loop *> loops;
  };
  std::vector<Trail> trails_;
  int64_t placeholders_ = 0;
  std::set<const llvm::Loop *> byTurns_;  ///< loops whose turns are being read
  std::map<const llvm::PHINode *, TermId> turns_;
  // Cached properties of terms, by their numbers.
  std::map<TermId, std::optional<TermId>> pointersOf_;
  std::map<TermId, TermId> integersOf_, offsetsOf_;
  std::map<TermId, int64_t> choices_;
  int scevDepth_ = 0;
  std::map<const llvm::SCEV *, std::optional<TermId>> scevs_;
  int depth_ = 0;
};

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_VALUE_TERMS_H
