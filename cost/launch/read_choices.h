// Loads behind a choice, as XLA's compiler leaves them; private to cost/launch.
//
//   r = bf16[5120,2048] concatenate(a, b, c, d, e)     threads of 4 elements
//     each element has its own branches, one an operand, and LLVM joins the
//     loads of the branches to one whose pointer is chosen: 4 loads of one
//     element, and not one of 4
//
//   r = bf16[256] pad(broadcast(s), 0), s bf16[]       15 elements of s
//     s can always be loaded, so that LLVM loads it in front of the branch: all
//     256 lanes load
//
// An update in place whose update is a part of the same array is such a choice,
// too: one load serves both, at a place that is chosen.
//
// tests/cost/launch/compiled_model_test.py holds the model to compiled kernels.
#ifndef INDEXICAL_COST_LAUNCH_READ_CHOICES_H
#define INDEXICAL_COST_LAUNCH_READ_CHOICES_H

#include <vector>

#include "absl/status/status.h"

#include "indexical/cost/launch/kernels.h"
#include "indexical/ops/op.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// The last choice of operands on the way to a read.
struct ReadChoice {
  InstructionId choice{-1};  ///< that chooses; -1: none does
  /// Whether the op only moves elements on the way from the choice to the read.
  bool onlyMoves = true;

  bool isChosen() const { return choice >= 0; }
  /// Returns the choice behind which an operand of instruction `i` is read,
  /// whose result is read behind this one.
  ReadChoice through(InstructionId i, const Op &op) const;
  /// Returns what is known of a read that is made along both ways.
  ReadChoice both(const ReadChoice &other) const;
};

/// Changes the reads of the kernel to those that are left by the compiler.
/// Reads of one choice that move elements of one array become one; chosen reads
/// have one element at a time; an address that depends on no index is read by
/// all lanes of its launch. `choices` has the choice of each read, by its
/// place. Returns an error if a map cannot be made.
absl::Status applyChoices(const std::vector<ReadChoice> &choices,
                          Kernel &kernel);

}  // namespace indexical

#endif  // INDEXICAL_COST_LAUNCH_READ_CHOICES_H
