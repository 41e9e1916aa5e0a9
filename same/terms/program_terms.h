// The terms of a module's entry (program/values/term_table.h).
//
//   TermTable table;
//   ProgramTerms before(a, table), after(b, table);
//   // Whether the first results are known to read the same.
//   bool same = before.of({rootOfA}).reads == after.of({rootOfB}).reads;
//
// Calls, fusions and branches are looked into, so it does not matter which of
// them are inlined. A loop, a comparator or a reducer is a function, compared
// by its results. Tuples, copies, names, metadata and the order of instructions
// do not matter.
//
// A literal that the text leaves out is known by its name, if the module has
// others of its shape: those of two modules are one if their names are.
//
// Ops that give something new in every execution are numbered in the order of
// first use, depth first from the root, among those of the same op and
// operands, so that the numbers of two modules correspond. The effects before
// such an op are part of its term (program/values/effects.h).
//
// Law (tests/same/terms/program_terms_test.cc): in every run, leaves of one
// value hold the same numbers at the indices that they share, and leaves of the
// same reads and shape depend on the same elements of the parameters.
#ifndef INDEXICAL_SAME_TERMS_PROGRAM_TERMS_H
#define INDEXICAL_SAME_TERMS_PROGRAM_TERMS_H

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/budget.h"
#include "indexical/ops/families.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/module/program.h"
#include "indexical/program/module/value.h"
#include "indexical/program/values/effects.h"
#include "indexical/program/values/term_table.h"

namespace indexical {

class ProgramTerms {
 public:
  struct Terms {
    TermId value = 0, reads = 0;
    bool operator<(const Terms &o) const {
      return std::tie(value, reads) < std::tie(o.value, o.reads);
    }
  };

  /// Finds the terms of a module's entry and adds them to the table.
  /// `numbers[p]` is the number by which parameter p is known; by default its
  /// own. The module and the table must outlive the object. Once the budget's
  /// stop is reached, the object is not complete, and of no use.
  /// With `inFileOrder` ops with effects take place in that order.
  ProgramTerms(const Module &module, TermTable &table,
               llvm::ArrayRef<int32_t> numbers = {}, const Budget &budget = {},
               bool inFileOrder = false,
               std::optional<ComputationId> entry = std::nullopt);
  ProgramTerms(const ProgramTerms &) = delete;

  /// Returns the terms of a leaf of an instruction of the entry.
  Terms of(InstructionLeaf leaf) const {
    return instances_[entry_].leaves[leaf.instruction][leaf.leaf];
  }
  /// Returns the value of a leaf in the computation that the calls of `value`,
  /// from the entry on, lead to. Returns nothing if they lead into a function,
  /// such as a reducer.
  std::optional<TermId> valueOf(const Value &value) const;
  /// Returns what the computations that an instruction names compute, each as a
  /// function of its arguments: equal terms are equal functions. The
  /// instruction is of any computation of the module.
  llvm::SmallVector<TermId, 2> functionsOf(const Instruction &instruction);
  /// Returns the effects that one execution of the entry has, sorted; not those
  /// of drawing a random number. Equal lists are the same effects.
  std::vector<TermId> effects() { return effectsOf(entry_); }

 private:
  class Elements;
  using Leaves = llvm::SmallVector<Terms, 1>;

  /// A computation with arguments.
  struct Instance {
    ComputationId computation;
    int64_t path = 0;
    std::vector<Terms> arguments;
    std::vector<Leaves> leaves;  // by instruction
    std::vector<TermId> orders;  // by instruction: what comes before, or 0
    std::vector<TermId> before;  // effects that take place before all of it
    std::map<InstructionId, TermId> executions;  // of what gives something new
    std::map<std::pair<InstructionId, int32_t>, size_t> callees;
  };
  struct Site {
    size_t instance;
    InstructionId instruction;
  };
  /// The instances of computations, by the arguments' leaves.
  using Memo = std::map<std::pair<ComputationId, std::vector<Terms>>, size_t>;

  size_t solve(ComputationId computation, std::vector<Terms> arguments,
               int64_t path);
  size_t instantiate(ComputationId computation, std::vector<Terms> arguments,
                     int64_t path, llvm::ArrayRef<TermId> before = {});
  size_t calleeAt(Site site, const Callee &callee,
                  llvm::ArrayRef<Terms> operands);
  size_t calleeAt(Site site, const Callee &callee,
                  llvm::ArrayRef<Terms> operands,
                  llvm::ArrayRef<OperandLeaf> leaves);
  void evaluate(Site site);
  Leaves resultsOf(Site site, const Op &op, llvm::ArrayRef<Terms> operands);
  Leaves resultsOfBranches(Site site, const Op &op,
                           llvm::ArrayRef<Terms> operands);
  Leaves resultsOfOp(Site site, const Op &op, llvm::ArrayRef<Terms> operands,
                     const llvm::SmallBitVector &kept = {});
  llvm::SmallBitVector keptByLoop(Site site, size_t count) const;
  /// The reads of an op's operands, found once for all of its results.
  struct OperandReads {
    llvm::ArrayRef<Terms> operands;
    bool areNothing = false;
    llvm::SmallVector<TermId, 4> shared;  ///< TermTable::shared
  };
  OperandReads operandReads(llvm::ArrayRef<Terms> operands, size_t results);
  TermId readsOf(const ValueTerm &value, const Op &op,
                 const OperandReads &read);
  TermId splat(const ArrayShape &shape, TermId scalar);
  std::optional<TermId> readsByMaps(const Op &op, int64_t result,
                                    llvm::ArrayRef<Terms> operands);
  /// Returns the value of leaf 0 of the op, or nothing if the op's own term
  /// says it best. `operands` are values.
  std::optional<TermId> valueByElements(const Op &op,
                                        llvm::ArrayRef<TermId> operands);
  std::optional<TermId> sumValue(const ConstantOp &literal);
  std::optional<TermId> sumValue(const ElementwiseOp &op,
                                 llvm::ArrayRef<TermId> operands);
  const std::optional<IndexingRelation> &relationOf(const Op &op,
                                                    int64_t result,
                                                    int64_t operand);
  ValueTerm opTerm(Site site, const Op &op, llvm::ArrayRef<TermId> operands);
  ValueTerm symbolTerm(Site site, const Op &op,
                       llvm::ArrayRef<TermId> operands);
  bool isExecution(Site site);
  TermId executionOf(Site site);
  TermId orderOf(Site site);
  std::vector<TermId> effectsAt(Site site);
  void addBefore(Site site, llvm::SmallVectorImpl<TermId> &to);
  std::vector<TermId> effectsOf(size_t instance);
  const Effects &effectsIn(ComputationId computation);
  TermId functionOf(ComputationId computation);
  bool isSymbol(const Instruction &instruction, const Op &op);
  bool isLookedInto(Site site) const;
  std::optional<std::pair<int64_t, InstructionId>> symbolKey(
      Site site, const Op &op) const;
  std::vector<Site> purposesOf(size_t instance);
  void nameLiterals();
  void numberSymbols(size_t instance);
  int64_t inlinedSize(ComputationId computation);
  /// `at` is an instruction; of a computation that no instruction calls, the
  /// computation itself.
  int64_t pathOf(int64_t parent, int32_t at, int32_t called);
  const Instruction &at(Site site) const;

  /// Calls that are nested deeper are values of their own.
  static constexpr size_t kMostDeep = 300;

  const Module &module_;
  TermTable &table_;
  const Budget budget_;
  const bool inFileOrder_;
  const ComputationsWith givesNew_;  // what differs from execution to execution
  bool inlines_ = true;
  std::deque<Instance> instances_;
  size_t entry_ = 0;
  Memo memo_;
  bool sawSymbols_ = false;
  std::map<std::pair<int64_t, InstructionId>, int64_t> numbers_;
  /// The names of literals that the text leaves out.
  std::map<std::pair<ComputationId, InstructionId>, std::string> literals_;
  std::map<std::tuple<int64_t, int32_t, int32_t>, int64_t> paths_;
  std::map<ComputationId, TermId> functions_;
  std::map<ComputationId, Effects> effects_;
  std::map<ComputationId, int64_t> sizes_;
  std::set<ComputationId> open_;
  struct OpHash {
    size_t operator()(const Op &op) const { return op.hash(); }
  };
  using Relations =
      std::map<std::pair<int64_t, int64_t>, std::optional<IndexingRelation>>;
  std::unordered_map<Op, Relations, OpHash> relations_;
};

}  // namespace indexical

#endif  // INDEXICAL_SAME_TERMS_PROGRAM_TERMS_H
