// Writes a module in which the device is a dimension: private to
// same/partitioned/.
//
//   x = f32[2] parameter(0) on 4 devices     f32[4,2], one row for each device
//   the value of device source[d]            a gather of rows at source
//
// A value of all devices has the dimension of devices in front. A value that is
// the same on all of them is without it.
#ifndef INDEXICAL_SAME_PARTITIONED_STACK_WRITER_H
#define INDEXICAL_SAME_PARTITIONED_STACK_WRITER_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/op.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// An array of the module under construction.
struct Stacked {
  InstructionId instruction;
  int32_t element = -1;  ///< which result of the instruction; -1: its only one
  ArrayShape shape;      ///< with the devices in front, if it has them
  bool isOfDevice = false;

  bool isKnown() const { return instruction >= 0; }
};
using StackedLeaves = llvm::SmallVector<Stacked, 1>;

class StackWriter {
 public:
  /// Adds computations after those of the module. Unknown arrays of modules
  /// with different names are different.
  StackWriter(Module &module, int64_t devices, std::string name)
      : module_(module), devices_(devices), name_(std::move(name)) {}

  int64_t devices() const { return devices_; }
  /// From now on, a sum of floats over devices begins with -0, which is exactly
  /// neutral: a sum of only -0 stays -0.
  void keepZeroSigns() { keepsZeroSigns_ = true; }
  /// Returns whether an invalid op was written.
  bool isBroken() const { return isBroken_; }

  /// Begins a computation, and returns it. It is the current one until `end`,
  /// which makes these leaves its root.
  ComputationId begin();
  void end(llvm::ArrayRef<Stacked> root);
  /// Returns the computation that is written; the function below, whether it is
  /// the only one that was begun.
  ComputationId current() const { return open_.back(); }
  bool isOutermost() const { return open_.size() == 1; }
  /// Makes these leaves the root of the current computation, which stays open.
  void setRoot(llvm::ArrayRef<Stacked> root);
  /// Replaces an array of the computation by another one of its shape.
  void replace(Stacked of, Stacked by);
  /// Adds a parameter, and returns its leaves.
  StackedLeaves parameter(int32_t number, ShapeList shapes, bool isOfDevice);

  /// Adds an instruction of the op with these operands, and returns its
  /// results. `of` is the instruction that it replaces, or null.
  StackedLeaves add(Op op, llvm::ArrayRef<Stacked> operands, bool isOfDevice,
                    llvm::ArrayRef<CalledComputation> called = {},
                    const Instruction *of = nullptr);
  /// Overload for a descriptor without shapes, with one result.
  template <typename T>
  Stacked make(T op, llvm::ArrayRef<Stacked> operands, ElementType type,
               llvm::ArrayRef<int64_t> sizes, bool isOfDevice) {
    for (const Stacked &operand : operands)
      op.operands.push_back(operand.shape);
    op.results = {ArrayShape(type, sizes)};
    return add(Op(op), operands, isOfDevice)[0];
  }
  Stacked elementwise(const OpKind *kind, llvm::ArrayRef<Stacked> operands,
                      ElementType type);
  Stacked compare(llvm::StringRef direction, Stacked a, Stacked b);

  Stacked integers(ElementType type, llvm::ArrayRef<int64_t> sizes,
                   llvm::ArrayRef<int64_t> values);
  Stacked zero(ElementType type);
  /// Returns the neutral element of a reduction by the op of that name; an
  /// unknown one if there is none.
  Stacked neutral(llvm::StringRef op, ElementType type);
  Stacked iota(ElementType type, llvm::ArrayRef<int64_t> sizes,
               int64_t dimension, bool isOfDevice);
  Stacked reshape(Stacked of, llvm::ArrayRef<int64_t> sizes);
  Stacked transpose(Stacked of, llvm::ArrayRef<int64_t> permutation);
  Stacked broadcast(Stacked of, llvm::ArrayRef<int64_t> sizes,
                    llvm::ArrayRef<int64_t> dimensions);
  Stacked slice(Stacked of, llvm::ArrayRef<int64_t> starts,
                llvm::ArrayRef<int64_t> limits);
  Stacked pad(Stacked of, llvm::ArrayRef<int64_t> low,
              llvm::ArrayRef<int64_t> high);
  Stacked concatenate(llvm::ArrayRef<Stacked> all, int64_t dimension);
  /// Returns row table[k] of the first dimension for each k.
  Stacked rows(Stacked of, llvm::ArrayRef<int64_t> table);
  /// Returns the value with the devices in front.
  Stacked onDevices(Stacked of);
  /// Returns each device's slice of these sizes at its starts, which are
  /// scalars. All of them have devices in front.
  Stacked slicesAt(Stacked of, llvm::ArrayRef<Stacked> starts,
                   llvm::ArrayRef<int64_t> sizes);
  /// Returns an array that is an unknown function, with this name, of its
  /// operands.
  Stacked named(const std::string &name, ArrayShape shape,
                llvm::ArrayRef<Stacked> operands = {});
  /// Returns an unknown array, different from all others.
  Stacked unknown(const ArrayShape &shape, bool isOfDevice);
  /// Returns a new value that may hold any numbers.
  Stacked anyNumbers(const ArrayShape &shape, bool isOfDevice);

 private:
  Stacked fresh(const std::string &name, const ArrayShape &shape,
                bool isOfDevice);
  Module &module_;
  const int64_t devices_;
  const std::string name_;
  llvm::SmallVector<ComputationId, 4> open_;
  int64_t unknowns_ = 0;
  bool isBroken_ = false, keepsZeroSigns_ = false;
};

/// Returns the sizes with another one in front.
Int64s behind(int64_t first, llvm::ArrayRef<int64_t> sizes);

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_STACK_WRITER_H
