// ModuleBuilder: a program from a compiler's own IR, without any text.
//
//   ModuleBuilder module("m");
//   ComputationBuilder f = module.computation("f");
//   const auto p = f.parameter(row, "p");
//   f.root(f.add(negate, {p}, "r"));
//   ComputationBuilder main = module.entry("main");
//   const auto x = main.parameter(row, "x");
//   main.root(main.fusion(f, {x}, "kLoop", "y"));
//   absl::StatusOr<Program> program = module.build();
//
// With `row` for f32[4], and `negate` for an ElementwiseOp of that kind, this
// is the module
//
//   HloModule m
//   f { p = f32[4] parameter(0)
//       ROOT r = f32[4] negate(p) }
//   ENTRY main { x = f32[4] parameter(0)
//                ROOT y = f32[4] fusion(x), kind=kLoop, calls=f }
//
// An op is a descriptor (ops/op.h) whose attributes and results are set. The
// builder fills in the shapes of the operands and verifies it. A computation is
// complete once it has a root: only then can it be called, so that no
// computation calls itself.
//
// Errors: the first one is kept, and build() returns it. Whatever is added
// behind it is ignored, so that there is one place to look.
//
// Law (tests/program/module/module_builder_test.cc): the program is the one
// that parseHlo() makes of the same module's text, but for places in the text.
#ifndef INDEXICAL_PROGRAM_MODULE_MODULE_BUILDER_H
#define INDEXICAL_PROGRAM_MODULE_MODULE_BUILDER_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include "indexical/ops/op.h"
#include "indexical/ops/shape.h"
#include "indexical/program/module/ids.h"
#include "indexical/program/module/program.h"

namespace indexical {

class ModuleBuilder;

/// An instruction that was added: an operand of later ones, and of questions
/// about the program.
struct BuiltInstruction {
  ComputationId computation;
  InstructionId instruction;
  operator Leaf() const { return {computation, instruction}; }
};

/// Adds instructions to one computation. A handle: copies add to the same one,
/// and the ModuleBuilder must outlive them. Every function that takes a name
/// makes one of the opcode and a number if it is empty.
class ComputationBuilder {
 public:
  using Operands = llvm::ArrayRef<BuiltInstruction>;

  ComputationId id() const { return id_; }

  /// Adds the next parameter.
  BuiltInstruction parameter(const Shape &shape, llvm::StringRef name = "");
  BuiltInstruction parameter(const ArrayShape &shape,
                             llvm::StringRef name = "");
  /// Adds an op, whose field `results` is set: the instruction is an array, or
  /// a tuple of arrays if there are several. The result of an elementwise op
  /// without `results` has the shape of operand 0. `applied` is what a
  /// reduction, a scatter, a sort or the like does to elements. An error if the
  /// op is not valid (verify(), ops/op.h).
  BuiltInstruction add(OpDraft op, Operands operands,
                       llvm::StringRef name = "");
  BuiltInstruction add(OpDraft op, Operands operands,
                       const ComputationBuilder &applied,
                       llvm::StringRef name = "");
  /// Adds a tuple of the operands.
  BuiltInstruction tuple(Operands operands, llvm::StringRef name = "");
  /// Adds element `index` of a tuple. An error if there is none.
  BuiltInstruction element(BuiltInstruction tuple, int64_t index,
                           llvm::StringRef name = "");
  /// Adds a fusion of the kind (`kLoop`, `kInput`…, or empty). Its operands are
  /// the parameters of `fused`, an error if their shapes differ.
  BuiltInstruction fusion(const ComputationBuilder &fused, Operands operands,
                          llvm::StringRef kind, llvm::StringRef name = "");
  /// Adds a call; operands as of a fusion.
  BuiltInstruction call(const ComputationBuilder &called, Operands operands,
                        llvm::StringRef name = "");
  /// Adds a while loop. The operands are its state: both computations take it,
  /// `body` returns it (a tuple, if there are several operands), and
  /// `condition` returns a pred[]. `trips` is how often the body runs, if that
  /// is known. An error if shapes differ or `trips` is negative.
  BuiltInstruction loop(const ComputationBuilder &condition,
                        const ComputationBuilder &body, Operands operands,
                        std::optional<int64_t> trips = std::nullopt,
                        llvm::StringRef name = "");
  /// Makes the instruction the root. Nothing can be added after that.
  void root(BuiltInstruction instruction);

 private:
  friend class ModuleBuilder;
  ComputationBuilder(ModuleBuilder &builder, ComputationId id)
      : builder_(&builder), id_(id) {}

  ModuleBuilder *builder_;
  ComputationId id_;
};

class ModuleBuilder {
 public:
  explicit ModuleBuilder(llvm::StringRef name);
  // Computations refer to it.
  ModuleBuilder(const ModuleBuilder &) = delete;
  ModuleBuilder &operator=(const ModuleBuilder &) = delete;

  /// Begins a computation. An error if there is one of that name.
  ComputationBuilder computation(llvm::StringRef name);
  /// Begins the computation in which the module begins; there is one.
  ComputationBuilder entry(llvm::StringRef name);

  /// Returns the program, of which this module is the only one, or the first
  /// error: an op that is not valid, an operand of another computation, a name
  /// that is given twice, a computation without a root, no entry. Can be called
  /// once.
  absl::StatusOr<Program> build();

 private:
  friend class ComputationBuilder;
  using Operands = ComputationBuilder::Operands;

  /// Adds the instruction, which has its opcode, shape and operands' numbers.
  BuiltInstruction append(ComputationId into, Instruction instruction,
                          llvm::StringRef name);
  /// Fills in the op's operands and verifies it, then adds an instruction of
  /// the shape.
  BuiltInstruction addOp(ComputationId into, OpDraft op, Shape shape,
                         Operands operands, Instruction with,
                         llvm::StringRef name);
  BuiltInstruction addOfResults(ComputationId into, OpDraft op,
                                Operands operands, Instruction with,
                                llvm::StringRef name);
  BuiltInstruction addCall(ComputationId into, const char *opcode,
                           CallRole role, const ComputationBuilder &called,
                           Operands operands, Instruction with,
                           llvm::StringRef name);
  /// Adds the called computation to the instruction, if its parameters fit and
  /// it returns `result`. Returns false, after fail(), if not.
  bool addCalled(CallRole role, const ComputationBuilder &called,
                 Operands operands, const Shape &result, Instruction &to);
  /// Returns whether there is no error yet, and these are instructions of the
  /// computation, to which more can be added.
  bool canTake(ComputationId into, Operands operands);
  /// Returns whether the computation is one of this module and complete.
  bool canCall(const ComputationBuilder &called);
  const Shape &shapeOf(BuiltInstruction instruction) const;
  llvm::StringRef keep(std::string text);
  /// Keeps the first error; returns false.
  bool fail(std::string message);

  Program program_;
  absl::Status status_;
  std::vector<llvm::StringSet<>> names_;  // of each computation
  llvm::StringSet<> computationNames_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MODULE_MODULE_BUILDER_H
