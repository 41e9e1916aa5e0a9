// The values that a compiled kernel stores, as a tree
// (program/kernel/values.h); private to import/llvm.
//
//   %v = load <2 x bfloat>, ptr %p          value 0  load of argument 0
//   %x = extractelement <2 x bfloat> %v, 1  value 1  value 0 at (t0) -> (t0, 1)
//   %y = fpext bfloat %x to float           value 2  convert of value 1
//   store float %y, ptr %q                  the store has value 2
//
// A value is that of a thread: its tile is the block. Registers hold bits. They
// are followed from a store through bitcasts, vectors and packed integers to
// the op that computes them. So a value has the type that its reader takes it
// for; the same bits with another type are another value.
//
// A value of another thread of the warp or the block is the value at that
// thread: a shuffle changes the lane, and shared memory moves a value from the
// thread that stores it to the one that loads it. A sum of all lanes by
// shuffles is a reduction.
//
// Laws (tests/import/llvm/compiled_values_test.py): a run of the kernel stores
// the values of the tree.
#ifndef INDEXICAL_IMPORT_LLVM_STORED_VALUES_H
#define INDEXICAL_IMPORT_LLVM_STORED_VALUES_H

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include "indexical/import/llvm/memory_ops.h"
#include "indexical/import/llvm/thread_tile.h"
#include "indexical/import/llvm/value_ops.h"
#include "indexical/import/llvm/value_terms.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/program/kernel/kernel.h"

namespace indexical::compiled {

/// An access of shared memory, with elements of its own width: each map goes
/// from (bl_x, bl_y, bl_z, tile…) to the number of an element.
struct SharedPlace {
  int64_t array = -1;  ///< of ValueTerms
  int64_t width = 0;   ///< bytes of an element
  llvm::SmallVector<int64_t, 4> tile;
  std::vector<kernels::PointerMap> maps;
  std::string reason;  ///< why there are no maps; "" if there are
  int32_t phase = -1;  ///< as of a KernelAccess
  int64_t number = 0;  ///< in the order of the file
};

/// A memory operation of the kernel, and its number there.
struct PlacedOp {
  const MemoryOp *op = nullptr;
  int64_t access = -1;                ///< among the kernel's accesses, or -1
  std::optional<SharedPlace> shared;  ///< std::nullopt: other
};

class StoredValues {
 public:
  using KernelValue = kernels::KernelValue;

  /// `kernel` has all its accesses; `programs` is the space of its programs,
  /// without loops and tile. `types` has the element types of arguments, as HLO
  /// names them. All but `programs` have to outlive the object.
  StoredValues(ValueTerms &terms, const ThreadTile &tile,
               llvm::Function &function, const kernels::TritonKernel &kernel,
               kernels::PieceSpace programs,
               const std::map<int64_t, std::string> &types,
               const std::vector<PlacedOp> &ops,
               std::function<int64_t(const llvm::Instruction &)> lineOf,
               const Stop *stop);

  /// Returns the number of the value that a store to global memory stores, on
  /// the tile of its access, or -1.
  int64_t storedBy(const PlacedOp &store);
  /// Returns an op that may fail, or have no result, though no value says so: a
  /// division that nothing takes, what a branch or a place depends on, an
  /// access outside of a variable or one that is not aligned. Null if there is
  /// none.
  const llvm::Instruction *mayFail();
  std::vector<KernelValue> take() { return std::move(values_); }

 private:
  using Loops = std::vector<kernels::PieceSpace::LoopCount>;
  using Kind = KernelValue::Kind;

  /// Returns the number of the value, of that type, in the bits of a register
  /// from `bit` on.
  int64_t part(const llvm::Value *value, int64_t bit, const std::string &type);
  KernelValue make(const llvm::Value *value, int64_t bit,
                   const std::string &type);
  KernelValue computed(KernelValue made, const llvm::Instruction &at,
                       int64_t bit);
  KernelValue constant(KernelValue made, const llvm::Constant &constant,
                       int64_t bit);
  /// Returns the value, of type `own`, as one of the type of `made`.
  KernelValue taken(const KernelValue &made, const std::string &own,
                    KernelValue value);
  KernelValue applied(KernelValue made, const llvm::Instruction &at,
                      const ValueOp &op);
  KernelValue merged(KernelValue made, const llvm::PHINode &phi, int64_t bit);
  int64_t add(KernelValue value);
  KernelValue unknown(KernelValue value, std::string reason) const;
  KernelValue failed(const KernelValue &value, llvm::StringRef why) const;
  KernelValue spaceAt(const llvm::Value *value, const std::string &type) const;
  /// Returns the loops around a block, or std::nullopt if a trip count is
  /// unknown or varies.
  std::optional<Loops> loopsAround(const llvm::BasicBlock *block);
  std::optional<int64_t> countOf(const llvm::Loop *loop);
  /// Returns the value as an integer of its space, if it is one.
  std::optional<KernelValue> index(KernelValue value, TermId term);
  /// Returns the value `from` at the points that the map gives.
  KernelValue moved(KernelValue value, int64_t from, IndexingMap map) const;
  /// Returns a map from the space of the value to one of the same programs and
  /// loops. `to` gives the coordinates there for those of its tile.
  std::optional<IndexingMap> mapFrom(
      const KernelValue &value,
      llvm::function_ref<void(IndexingMapBuilder &, llvm::ArrayRef<Expr>,
                              llvm::SmallVectorImpl<Expr> &)>
          to) const;
  /// Returns the map to the same coordinates, followed by `element`.
  std::optional<IndexingMap> toElement(const KernelValue &value,
                                       int64_t element) const;
  /// Returns the number of the value that a store stores, on a tile of the
  /// threads followed by the vector, in elements of `bits` bits.
  int64_t vectorOf(const MemoryOp &op, llvm::ArrayRef<int64_t> tile,
                   int64_t bits, const std::string &type);
  const PlacedOp *loadOf(const llvm::Value *value) const;

  // left_out.cc: ops without a result for some numbers, which no value has.

  /// Returns whether it is known that the op has a result wherever it is
  /// computed.
  bool isDefined(const llvm::Instruction &at);
  kernels::PieceSpace spaceOf(const llvm::BasicBlock &block);
  /// Returns the address of a load, or null.
  const llvm::Value *loadedAddress(const llvm::Instruction &at) const;
  /// Returns whether the memory at the address is known to hold no poison: it
  /// is an array, into which the kernel stores none.
  bool holdsNumbers(const llvm::Value &address);
  bool storesPoison();
  /// Returns the number of the value of that number, a part of the register
  /// that is stored. If an op of the register that the value lacks may have no
  /// result, it is the number of an unknown value.
  int64_t whole(const MemoryOp &store, const llvm::Value *stored,
                int64_t number);
  /// Returns whether threads compute the op that do not make the store.
  bool hasMoreThreads(const llvm::Instruction &at, const MemoryOp &store);
  /// How the tree of a value has a register: not at all, as an op, or as an
  /// index, all ops of which are known to have a result.
  enum class Followed : uint8_t { No, AsOp, AsIndex };
  /// Returns an op of the register, or of its operands, that may have no result
  /// and is not followed; null if there is none.
  const llvm::Instruction *leftOut(
      const llvm::Value *stored,
      llvm::function_ref<Followed(const llvm::Instruction &)> followed);

  // failing_ops.cc

  /// A pointer that is accessed, or between others.
  enum class Step : uint8_t { Accessed, Between };
  /// Returns whether the flags of a step of a pointer are known to hold for
  /// threads that come to the block.
  bool staysInArray(const llvm::GetElementPtrInst &step,
                    const llvm::BasicBlock &user, Step kind);
  /// Returns whether no thread that comes to the block has an offset outside of
  /// the interval, in bytes.
  bool isWithin(TermId offset, Interval all, const llvm::BasicBlock &user);
  /// Returns the bytes of an array or a variable, if they are known.
  std::optional<int64_t> sizeOfMemory(int64_t array) const;
  /// Returns whether the kernel may store to the array of the address.
  bool isChanged(const llvm::Value &address);
  const llvm::Instruction *failureAt(const llvm::Instruction &at);
  const llvm::Instruction *failureOfPlace(const llvm::Instruction &at,
                                          const llvm::Value &address,
                                          int64_t bytes, int64_t align);

  // loaded_values.cc
  KernelValue loaded(KernelValue made, const PlacedOp &load, int64_t bit);
  KernelValue loadedFromShared(KernelValue made, const PlacedOp &load,
                               int64_t element);
  /// Returns the map from the place where an element is loaded to the place
  /// where it was stored; std::nullopt if there is not exactly one such place,
  /// and `reason` says why.
  std::optional<IndexingMap> toStore(const SharedPlace &load,
                                     const SharedPlace &store,
                                     std::string &reason) const;
  /// Returns whether another thread may store to the loaded element in the
  /// phase of the load. Conservative: true when unknown.
  bool mayRace(const SharedPlace &load, const SharedPlace &store) const;
  bool mayMeet(const SharedPlace &a, const SharedPlace &b) const;

  // exchanged_values.cc
  std::optional<KernelValue> exchanged(const KernelValue &made,
                                       const llvm::CallInst &call, int64_t bit);
  /// Returns the value as a reduction over lanes, if the op is the last step of
  /// a reduction by shuffles.
  std::optional<KernelValue> reducedByLanes(const KernelValue &made,
                                            const llvm::Instruction &at,
                                            const ValueOp &op);
  std::string obstacleOfShuffle(const llvm::CallInst &call);

  // looped_values.cc
  KernelValue carried(KernelValue made, const llvm::PHINode &phi, int64_t bit,
                      const std::string &type);
  KernelValue left(KernelValue made, const llvm::PHINode &phi, int64_t bit);
  std::optional<KernelValue> summed(const KernelValue &made,
                                    const llvm::Instruction &last,
                                    const llvm::Loop *loop, int64_t count,
                                    int64_t byTurns);

  ValueTerms &terms_;
  const ThreadTile &tile_;
  llvm::Function &function_;
  const kernels::TritonKernel &kernel_;
  const kernels::PieceSpace programs_;
  const std::map<int64_t, std::string> &types_;
  const std::vector<PlacedOp> &ops_;
  const std::function<int64_t(const llvm::Instruction &)> lineOf_;
  const Stop *stop_;
  bool flushes_ = false;  ///< whether f32 denormals become 0
  std::vector<KernelValue> values_;
  std::map<std::tuple<const llvm::Value *, int64_t, std::string>, int64_t>
      known_;
  /// By the number of a value: the register whose part it is.
  std::map<int64_t, const llvm::Value *> origins_;
  std::map<const llvm::Instruction *, bool> areDefined_;
  std::optional<bool> storesPoison_;  ///< while it is found out, false
  /// Conditions that the tree has, and the branches by them.
  std::map<const llvm::Value *, const llvm::Instruction *> branches_;
  /// Registers of which all ops have a result.
  std::set<const llvm::Value *> withResult_;
  std::map<const llvm::Loop *, std::optional<int64_t>> counts_;
  int depth_ = 0;
};

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_STORED_VALUES_H
