// Fft: every element of a transform reads the whole signal.
//
//   c64[4,16,8] -> c64[4,16,8], fft_type=FFT, fft_length={16,8}
//   both directions   (d0, d1, d2)[s0, s1] -> (d0, s0, s1)
//                     s0 in [0, 15], s1 in [0, 7]
//
// A real signal of n elements has n floordiv 2 + 1 coefficients that count:
//
//   f32[4,16] -> c64[4,9], fft_type=RFFT, fft_length={16}
//   output to input   (d0, d1)[s0] -> (d0, s0),  d1 in [0, 8], s0 in [0, 15]
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/rules.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {
namespace families {
namespace {

using FftKind = FftOp::Kind;

const char *nameOf(FftKind kind) {
  switch (kind) {
    case FftKind::Fft:
      return "FFT";
    case FftKind::Ifft:
      return "IFFT";
    case FftKind::Rfft:
      return "RFFT";
    case FftKind::Irfft:
      return "IRFFT";
  }
  return "";
}

absl::Status verifyType(const FftOp &op, Name what, const ArrayShape &shape,
                        bool complex) {
  if (shape.type == ElementType::Unknown ||
      (isComplex(shape.type) == complex && !isInteger(shape.type)))
    return absl::OkStatus();
  return Broken("C2") << what << " must be "
                      << (complex ? "complex" : "floating point")
                      << " for fft_type " << nameOf(op.kind) << ", but is "
                      << shape;
}

/// The real side of the transform has the lengths for sizes; the other one has
/// all but the last, and of that one half.
absl::Status verifyReal(const FftOp &op, const ArrayShape &real,
                        const ArrayShape &complex) {
  Int64s sizes;
  const int64_t first = real.rank() - op.lengths.size();
  for (int64_t k = 0; k < real.rank(); ++k) {
    const int64_t known = fixedSize(real, k);
    sizes.push_back(k >= first              ? op.lengths[k - first]
                    : known != kDynamicSize ? known
                                            : fixedSize(complex, k));
  }
  const bool toReal = op.kind == FftKind::Irfft;
  const Name sides[] = {toReal ? "result" : "operand",
                        toReal ? "operand" : "result"};
  const Name why = "with fft_length in the last dimensions";
  INDEXICAL_RETURN_IF_ERROR(checkShape("C4", sides[0], real, sizes, why));
  if (sizes.back() > 0) sizes.back() = sizes.back() / 2 + 1;
  return checkShape("C5", sides[1], complex, sizes, why);
}

SharedDimensions batchOf(const FftOp &op) {
  SharedDimensions batch;
  const int64_t count = op.operands[0].rank() - op.lengths.size();
  for (int64_t k = 0; k < count; ++k) batch.push_back({k, k});
  return batch;
}

}  // namespace

absl::Status verify(const FftOp &op) {
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, 1, 1));
  const ArrayShape &operand = op.operands[0], &result = op.results[0];
  const int64_t count = op.lengths.size();
  if (count < 1 || count > 3 || count > operand.rank())
    return Broken(count > operand.rank() ? "C1" : "C3")
           << "fft_length must have 1 to 3 entries and at most the rank of "
              "operand, "
           << operand.rank() << ", but is " << op.lengths;
  absl::Status status = checkLeast("", "fft_length", op.lengths, 0);
  if (status.ok() && operand.rank() != result.rank())
    status = Broken("C5") << "result must have the rank of operand, "
                          << operand.rank() << ", but has " << result.rank();
  status.Update(verifyType(op, "operand", operand, op.kind != FftKind::Rfft));
  status.Update(verifyType(op, "result", result, op.kind != FftKind::Irfft));
  INDEXICAL_RETURN_IF_ERROR(status);
  if (op.kind == FftKind::Rfft) return verifyReal(op, operand, result);
  if (op.kind == FftKind::Irfft) return verifyReal(op, result, operand);
  // The lengths say something of real signals only.
  return checkSameShape("C5", "operand", operand, "result", result);
}

Answer reads(const FftOp &op, const Sides &sides, int64_t, int64_t) {
  return sides.sharing(batchOf(op));
}

void addSizeRules(const FftOp &op, SizeCollector &c) {
  c.same(0, 1,
         op.kind == FftOp::Kind::Rfft || op.kind == FftOp::Kind::Irfft
             ? op.operands[0].rank() - 1
             : -1);
}

}  // namespace families
}  // namespace indexical
