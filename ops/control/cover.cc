// Ops that are not known, or not by this library: everything reads everything.
//
//   custom-call(f32[4]) -> f32[2,3]
//   output to input   (d0, d1)[s0] -> (s0)        opaque
//   input to output   (d0)[s0, s1] -> (s0, s1)    opaque
//
// A fusion or call answers so too. The called computation decides what it
// reads; program/ looks into that.
#include "indexical/ops/core/family.h"

namespace indexical {
namespace families {

absl::Status verify(const CoverOp &op) {
  if (op.precision != Precision::Exact) return absl::OkStatus();
  return invalid(
      "precision exact of an op that is covered; it would be cover "
      "or opaque");
}

Answer reads(const CoverOp &op, const Sides &sides, int64_t, int64_t) {
  return sides.everything(op.precision);
}

absl::Status verify(const ReadAllOp &) { return absl::OkStatus(); }

Answer reads(const ReadAllOp &, const Sides &sides, int64_t, int64_t) {
  return sides.everything();
}

absl::Status verify(const CallOp &) { return absl::OkStatus(); }

Answer reads(const CallOp &, const Sides &sides, int64_t, int64_t) {
  return sides.everything(Precision::Cover);
}

}  // namespace families
}  // namespace indexical
