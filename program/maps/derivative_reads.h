// Derivatives of a program: which elements of a result can change with a small
// step of an element of a parameter.
//
//   f { p = f32[8] parameter(0), k = s32[] constant(1)
//       a = f32[8] floor(p)
//       b = f32[7] slice(p), slice={[0:7]}, c = f32[7] slice(a), slice={[1:8]}
//       ROOT r = f32[7] multiply(b, c) }
//
//   reads of r        (d0) -> (d0) and (d0) -> (d0 + 1)
//   derivatives of r  (d0) -> (d0)
//
// A derivative also goes through integers that hold the bits of floats
// (bitcast-convert there and back): exactly if bits are but moved, else the
// answer is a cover.
//
// They are what is read (ProgramIndexing::computation), without the steps that
// carry no derivative (ops/derivative.h), also in computations that are called.
// A step of which that is not known is followed, and the answer is a cover. An
// exact answer is exact about the steps, not about their values: it does not
// know that x * 0 is zero, that x - x is, or that a select takes x alone
// because its predicate is a constant.
//
// Law (tests/program/maps/derivative_reads_test.cc): the pairs are those of a
// run that leaves these steps out; a step that changes a result is among them.
#ifndef INDEXICAL_PROGRAM_MAPS_DERIVATIVE_READS_H
#define INDEXICAL_PROGRAM_MAPS_DERIVATIVE_READS_H

#include <memory>

#include "absl/status/statusor.h"

#include "indexical/indexing/relation.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical {

class DerivativeReads {
 public:
  /// Answers for the module of `maps`, with its budget. `maps` must outlive the
  /// object; it gives numbers to the sources of runtime variables.
  explicit DerivativeReads(ProgramIndexing &maps);
  ~DerivativeReads();

  /// Returns the relation from the elements of a leaf of the root to those of a
  /// parameter's leaf. Its runtime variables' sources are numbers of
  /// ProgramIndexing::value. It is empty if either leaf holds integers.
  absl::StatusOr<IndexingRelation> of(ComputationId computation,
                                      LeafId rootLeaf, ParameterLeaf parameter);

 private:
  struct State;
  ProgramIndexing &maps_;
  std::unique_ptr<State> state_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_DERIVATIVE_READS_H
