// The instruction that is drawn, and its pictures.
//
//   reads.cc   (d0, d1) -> (d1, d0 * 2), at (1, 5); an element of an op
//   warp.cc    warp 1 of a fusion, of a custom call, of a kernel of Triton
#ifndef INDEXICAL_ANSWERS_DRAW_SUBJECT_H
#define INDEXICAL_ANSWERS_DRAW_SUBJECT_H

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/draw/draw.h"
#include "indexical/answers/inputs/input.h"
#include "indexical/answers/pictures/picture.h"
#include "indexical/answers/report/rows.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/ops/shape.h"
#include "indexical/program/module/program.h"

namespace indexical::drawing {

struct Subject {
  const Module &module;
  ComputationId computation;
  InstructionId instruction;

  const Computation &where() const { return module.computations[computation]; }
  const Instruction &root() const { return where().instructions[instruction]; }
  std::string title(const ArrayShape &shape) const {
    return root().name.str() + " " + shape.str(/*withLayout=*/true);
  }
  absl::Status error(const absl::Status &status) const {
    return errorAt(root().place, std::string(status.message()));
  }
};

/// Draws what an element or a tile of the instruction reads of its operands.
absl::StatusOr<Picture> reads(const PictureQuestion &question,
                              const Subject &subject, const Ask &ask);
/// Draws a warp of an instruction, as the compiler launches it.
absl::StatusOr<Picture> warp(const PictureQuestion &question,
                             const Subject &subject, const Ask &ask);
/// Draws a warp of a kernel of Triton that was measured.
absl::StatusOr<Picture> triton(const PictureQuestion &question,
                               const Subject &subject,
                               const Measurement &measured);
/// Draws the warp of a kernel in a text of Triton or a record. The function's
/// name and, for a record, the launch choose the kernel.
absl::StatusOr<Picture> kernel(const Input &input,
                               const PictureQuestion &question, const Ask &ask);

}  // namespace indexical::drawing

#endif  // INDEXICAL_ANSWERS_DRAW_SUBJECT_H
