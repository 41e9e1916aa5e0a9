// A program: modules of computations of instructions, front end forgotten.
//
// Both front ends end here. An instruction carries the descriptor of its op
// (ops/op.h), its operands as instructions of the same computation, and its
// place in the text. Names and attribute texts are views of the program's own
// copy of the text (or of strings it keeps), so a parser copies no name.
//
//   HloModule m                              Module "m"
//   f { p = f32[4] parameter(0)                Computation "f", root 1
//       ROOT r = f32[4] exponential(p) }         Instruction 1 "r": line 3,
//   ENTRY e { ... }                              ElementwiseOp, operands {0}
//
// Operand and result *leaves*: an operand that is a tuple counts as its array
// leaves, depth first; tokens have none. `operandLeaves` lists them in order;
// entry k is operand leaf k of the instruction's descriptor.
#ifndef INDEXICAL_PROGRAM_MODULE_PROGRAM_H
#define INDEXICAL_PROGRAM_MODULE_PROGRAM_H

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/ops/op.h"
#include "indexical/ops/shape.h"
#include "indexical/program/module/ids.h"
#include "indexical/program/module/instruction_order.h"
#include "indexical/program/module/shared_shape.h"
#include "indexical/program/module/stack_frames.h"

namespace indexical {

/// How an instruction uses a computation that it names.
enum class CallRole : uint8_t {
  Calls,      ///< fusion's and async's `calls=`: composed through
  ToApply,    ///< `to_apply=`: call's is composed through, a reducer's is not
  Condition,  ///< while
  Body,       ///< while
  Branch,     ///< conditional, in branch order
  Other,      ///< select=, scatter=, called_computations={…}
};

struct CalledComputation {
  CallRole role = CallRole::Other;
  llvm::StringRef name;
  /// The computation's number in its module; -1 if a snippet names one that is
  /// not in the file.
  ComputationId computation;
  /// The operands that the op passes unchanged to the computation: parameter p
  /// is the operand of number `arguments[p]`. Empty for a reducer, a
  /// comparator…
  std::vector<int32_t> arguments;
};

/// One array leaf of an instruction's operands.
struct OperandLeaf {
  InstructionId instruction;  ///< producer, in the same computation
  LeafId result;              ///< which leaf of the producer
  int32_t operand = 0;        ///< which operand of the instruction
  LeafId leaf;                ///< which leaf of that operand
};

/// Facts of an instruction that later questions need beside its op.
struct Metadata {
  llvm::StringRef opName;
  int32_t frame = -1;  ///< the innermost, of the module's; -1: not known
};

struct Instruction {
  llvm::StringRef name;    ///< without `%`
  llvm::StringRef opcode;  ///< as spelled: `dynamic-slice`
  SharedShape shape;
  llvm::SmallVector<InstructionId, 3>
      operands;  ///< instructions of the computation
  /// For each operand, which of its producer's results it is, or -1 for all.
  /// Empty if all operands are whole. Only producers of MLIR have several
  /// results; their shapes are then tuples of them.
  llvm::SmallVector<int32_t, 0> elements;
  /// The number of trailing operands that are values captured by its regions.
  int32_t captured = 0;
  /// Whether it only returns the computation's results, as MLIR's `return`
  /// does. Such an instruction is never shown.
  bool terminator = false;
  Op op;
  llvm::SmallVector<CalledComputation, 0> called;
  Place place;  ///< of the name
  int32_t parameterNumber = -1;
  llvm::StringRef fusionKind;  ///< `kLoop`…, or empty
  llvm::StringRef sharding;    ///< the text between the outer braces, or empty
  llvm::StringRef backendConfig;  ///< raw text, or empty
  llvm::StringRef customCallTarget;
  std::optional<int64_t> tripCount;  ///< while: known_trip_count
  /// A scatter's promises about the rows of its indices. They may change a
  /// launch, but never a value, so they are not part of the op.
  bool indicesAreSorted = false, uniqueIndices = false;
  Metadata metadata;
};

struct Computation {
  llvm::StringRef name;  ///< without `%`
  bool entry = false;
  std::vector<Instruction> instructions;  ///< in file order
  InstructionId root;
  /// parameters[n] is the instruction with parameter number n.
  llvm::SmallVector<InstructionId, 4> parameters;
  /// An instruction, and one that runs after it: HLO's `control-predecessors`.
  std::vector<std::pair<InstructionId, InstructionId>> controls;
  /// The number of trailing parameters that are captured values.
  int32_t captured = 0;
  /// The branches of a region whose blocks branch to each other; else empty.
  /// Which instructions run, and how often, is then unknown at compile time.
  llvm::StringRef blocks;
  Place place;

  /// Returns the array leaves of the operands of instruction `i`, in order.
  llvm::SmallVector<OperandLeaf, 4> operandLeaves(InstructionId i) const;
  /// Returns the operand leaf of that number; instruction -1 if there is none.
  OperandLeaf operandLeaf(InstructionId i, LeafId number) const;
  /// Returns instruction numbers, every operand before its users.
  InstructionOrder postOrder() const;
  /// Returns the number of the instruction of that name (without `%`), or -1.
  InstructionId find(llvm::StringRef instruction) const;
};

struct Module {
  llvm::StringRef name;
  /// The part of the program's text from which the module was read (HLO: up to
  /// the next header; MLIR: all of it); empty if it was built.
  llvm::StringRef text;
  bool hasHeader = false;  ///< false: a snippet
  /// Copies of the program that run, and the partitions of each; -1: not known.
  int64_t replicaCount = -1, partitionCount = -1;
  /// Whether a compiler has put its instructions into the order in which they
  /// run, as HLO's `is_scheduled=true` says: these instructions are then
  /// launched.
  bool isScheduled = false;
  /// Whether ops with effects take place in the order of the file, as those of
  /// MLIR do, and those of a module that is scheduled.
  bool keepsOrder = false;
  std::vector<Computation> computations;  ///< in file order
  ComputationId entry;
  StackFrames frames;  ///< where its instructions come from

  const Computation &entryComputation() const { return computations[entry]; }

  /// Returns the number of the computation of that name (without `%`), or -1.
  ComputationId find(llvm::StringRef computation) const;
};

/// Returns whether both modules execute effects in file order. If only one
/// does, the other may take any order, including this one.
inline bool keepOrder(const Module &first, const Module &second) {
  return first.keepsOrder && second.keepsOrder;
}

/// A warning or note of the front end.
struct Note {
  enum class Kind : uint8_t { Warning, Note };
  Kind kind = Kind::Note;
  Place place;
  std::string text;
};

/// A program with its text. It can be moved but not copied: names are views of
/// the strings that it keeps.
struct Program {
  Program() = default;
  Program(Program &&) = default;
  Program &operator=(Program &&) = default;

  std::string path;
  std::shared_ptr<const std::string> text;  ///< what the names view
  std::deque<std::string> keptStrings;  ///< names that the text does not hold
  std::vector<Module> modules;
  std::vector<Note> notes;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MODULE_PROGRAM_H
