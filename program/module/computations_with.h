// The computations that run an instruction of a kind, themselves or in what
// they call.
//
//   f    ROOT u = f32[] rng(…)
//   g    ROOT v = f32[] fusion(), calls=f
//
//   those with a draw    f and g
//   the first in g       f, u
//
// Whether two executions give the same, whether only some devices meet in a
// collective, whether something leaves the module: each is a question about an
// instruction, asked of all that may run.
//
// The calls are followed from the computations that have such an instruction to
// their callers, each once: neither depth nor computations that call themselves
// count.
//
// Law (tests/program/module/computations_with_test.cc): on random graphs of
// calls the answers are those of a walk from each computation.
#ifndef INDEXICAL_PROGRAM_MODULE_COMPUTATIONS_WITH_H
#define INDEXICAL_PROGRAM_MODULE_COMPUTATIONS_WITH_H

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "indexical/program/module/program.h"

namespace indexical {

class ComputationsWith {
 public:
  using Place = std::pair<ComputationId, InstructionId>;

  /// `is` says whether an instruction is of the kind, whatever it calls. It is
  /// kept. Of computations that the module does not have nothing is asked.
  ComputationsWith(const Module &module,
                   std::function<bool(const Instruction &)> is);

  /// Returns whether an execution of the computation may run such an
  /// instruction.
  bool has(ComputationId computation) const {
    return ways_[computation].has_value();
  }
  /// Returns whether an execution of the instruction may run one.
  bool has(const Instruction &instruction) const;

  /// Returns such an instruction that the computation runs by the fewest calls,
  /// the first in the text of those that it runs by as many; nothing if it runs
  /// none.
  std::optional<Place> first(ComputationId computation) const;

 private:
  /// The instruction, or the one that calls what has it.
  struct Way {
    InstructionId instruction;
    std::optional<ComputationId> callee;
  };

  std::function<bool(const Instruction &)> is_;
  std::vector<std::optional<Way>> ways_;  // by computation
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MODULE_COMPUTATIONS_WITH_H
