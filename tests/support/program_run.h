// The dependences of every element of a program, found by running it.
//
// The oracle (tests/oracle) runs each instruction. Fusions and calls run the
// called computation on their operands, a conditional runs all of its branches,
// a while any small number of trips (none if its condition is false at first,
// and no parameter decides that). Values are computed too, for integers steer
// dynamic slices and gathers. An element depends on everything that its reads
// depend on:
//
//   Random random(17);
//   ProgramRun run(module, module.entry, random);  // random parameters
//   run.pairs({r, 0}, {p, 0});  // {(i, j) : r[i] depends on p[j]}
#ifndef INDEXICAL_TESTS_SUPPORT_PROGRAM_RUN_H
#define INDEXICAL_TESTS_SUPPORT_PROGRAM_RUN_H

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "indexical/ops/families.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/module/program.h"
#include "tests/oracle/oracle.h"
#include "tests/support/random.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {

class ProgramRun {
 public:
  using Values = std::vector<int64_t>;

  /// Decides whether a result of an op depends on what it reads of an operand
  /// leaf.
  using Counts = bool (*)(const Op &op, int64_t result, int64_t operand);
  /// As long as it lives, runs leave out what does not count.
  class Only {
   public:
    explicit Only(Counts counts) { counts_ = counts; }
    ~Only() { counts_ = nullptr; }
  };

  struct Leaf {
    int32_t instruction = 0;
    int64_t leaf = 0;
  };
  /// Each element's reads, of operand leaves.
  using LeafReads = std::vector<Reads>;

  /// With random values of the parameters. `module` must outlive it.
  ProgramRun(const Module &module, int32_t computation, Random &random);
  /// With these values of each parameter's leaves.
  ProgramRun(const Module &module, int32_t computation,
             std::vector<std::vector<Values>> arguments);

  /// The indices of `from`'s elements with those of `to`'s that they depend on,
  /// on whatever way, sorted.
  std::vector<Pair> pairs(Leaf from, Leaf to) const;

  /// The indices of `from`'s elements with those of the elements that they read
  /// of the instruction's operand leaf, sorted.
  std::vector<Pair> pairs(Leaf from, int64_t operandLeaf) const;

  /// The values of a leaf that was computed on the way `value.calls`.
  const Values &valuesOf(const Value &value) const;
  const ArrayShape &shapeOf(const Value &value) const;

 private:
  void run(std::vector<std::vector<Values>> arguments);
  void runInstruction(InstructionId i,
                      const std::vector<std::vector<Values>> &arguments);
  void runOp(InstructionId i, const Op &op, int64_t firstResult);
  void runStart(InstructionId i, const StartOp &op, int64_t firstResult);
  void runConditional(InstructionId i, int64_t firstResult);
  void runWhile(InstructionId i, int64_t firstResult);
  void runScan(InstructionId i, const ScanOp &op, int64_t firstResult);
  /// Whether no parameter decides the elements that the instruction reads.
  bool isKnown(InstructionId i, const Reads &all) const;
  struct CallArguments {
    int32_t first = 0, count = 0;  ///< operands of the instruction
  };
  void runCallee(InstructionId i, int32_t called, CallArguments passed,
                 int64_t firstResult);
  const Computation &computation() const { return module.computations[number]; }
  llvm::ArrayRef<int64_t> sizesOf(Leaf leaf) const;
  /// Returns the reads of leaf `rootLeaf` of the root, given those of the
  /// parameters' leaves, in order.
  LeafReads through(int64_t rootLeaf,
                    llvm::ArrayRef<LeafReads> arguments) const;

  static inline Counts counts_ = nullptr;
  const Module &module;
  int32_t number;
  /// For each leaf of an instruction, each element's reads: of operand leaves.
  std::vector<std::vector<std::vector<Reads>>> reads;
  std::vector<std::vector<Values>> values;
  /// By instruction, and the number of the computation among those it calls.
  std::map<std::pair<int32_t, int32_t>, std::unique_ptr<ProgramRun>> calls;
};

/// The world of one run: elements are those that the run has computed.
class RunWorld : public World {
 public:
  RunWorld(const ProgramRun &run, const ProgramIndexing &maps)
      : World(0), run(run), maps(maps) {}
  std::optional<int64_t> element(int64_t tensor,
                                 llvm::ArrayRef<int64_t> index) const override;

 private:
  const ProgramRun &run;
  const ProgramIndexing &maps;
};

/// All pairs of all pieces.
std::vector<Pair> pairsOf(const IndexingRelation &relation, const World &world);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_PROGRAM_RUN_H
