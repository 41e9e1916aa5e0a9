// The instruction at which two modules part: private to analysis/partitioned/.
//
//   GLOBAL  a = add(x, y)    m = multiply(a, a)    r = tanh(m)
//   LOCAL   a = add(x, y)    m = multiply(a, x)    r = tanh(m)
//
//   a is a value of both; m is where they part, and r follows from it
//
// Values are compared on the way as terms: a value of LOCAL is one of GLOBAL's
// if each of its elements, on every device, is an element that GLOBAL computes
// somewhere. Results of a model read everything, so that a difference in a
// result does not say where it comes from; this does. A sum over a part of the
// devices is no value of GLOBAL, so a difference counts only if no later value
// makes up for it.
#ifndef INDEXICAL_ANALYSIS_PARTITIONED_VALUES_ON_THE_WAY_H
#define INDEXICAL_ANALYSIS_PARTITIONED_VALUES_ON_THE_WAY_H

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "indexical/analysis/partitioned/all_devices.h"
#include "indexical/module/program.h"

namespace indexical {

class ValuesOnTheWay {
 public:
  explicit ValuesOnTheWay(const ElementSets &sets, CellElementId padding)
      : sets_(sets), padding_(padding) {}

  /// Takes what GLOBAL computes.
  void addGlobal(const DeviceLeaves &leaves);
  /// Takes what an instruction of LOCAL computes, in one of its runs.
  void addLocal(ComputationId computation, InstructionId instruction,
                const DeviceLeaves &leaves);

  /// An instruction of LOCAL, and the first device that has another value.
  struct Parting {
    ComputationId computation;
    InstructionId instruction;
    int64_t device;
  };
  /// Returns the first instruction, in the order of its computation, that has
  /// another value than all of GLOBAL's, from operands that are values of both,
  /// and from which the entry's root follows. Returns nothing if there is none.
  std::optional<Parting> parting(const Module &local) const;

 private:
  /// Returns the first device on which LOCAL's instruction has an element that
  /// GLOBAL computes nowhere, or nothing if there is no such device.
  std::optional<int64_t> otherOn(ComputationId computation,
                                 InstructionId instruction) const;
  /// Calls itself for called computations. Both modules ran, so these are not
  /// nested deeply.
  std::optional<Parting> partingIn(const Module &local,
                                   ComputationId computation) const;

  const ElementSets &sets_;
  const CellElementId padding_;
  std::set<TermNumber> global_;
  std::map<std::pair<ComputationId, InstructionId>, int64_t> others_;
};

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_PARTITIONED_VALUES_ON_THE_WAY_H
