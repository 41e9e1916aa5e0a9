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
#include "absl/strings/str_cat.h"

#include "indexical/ops/core/family.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {
namespace families {
namespace {

using Kind = FftOp::Kind;

const char *nameOf(Kind kind) {
  switch (kind) {
    case Kind::Fft:
      return "FFT";
    case Kind::Ifft:
      return "IFFT";
    case Kind::Rfft:
      return "RFFT";
    case Kind::Irfft:
      return "IRFFT";
  }
  return "";
}

absl::Status verifyType(const FftOp &op, const char *what,
                        const ArrayShape &shape, bool complex) {
  if (shape.type == ElementType::Unknown ||
      (isComplex(shape.type) == complex && !isInteger(shape.type)))
    return absl::OkStatus();
  return invalid(absl::StrCat("fft_type ", nameOf(op.kind), ": the ", what, " ",
                              textOf(shape), " would be ",
                              complex ? "complex" : "floating point"));
}

/// The real side of the transform has the lengths for sizes; the other one has
/// all but the last, and of that one half.
absl::Status verifyReal(const FftOp &op, const ArrayShape &real,
                        const ArrayShape &complex) {
  Int64s realSizes, complexSizes;
  const int64_t first = real.rank() - op.lengths.size();
  for (int64_t k = 0; k < real.rank(); ++k) {
    const int64_t size = k >= first            ? op.lengths[k - first]
                         : isFixed(real, k)    ? real.dimensions[k]
                         : isFixed(complex, k) ? complex.dimensions[k]
                                               : kDynamicSize;
    realSizes.push_back(size);
    complexSizes.push_back(size);
  }
  if (complexSizes.back() > 0)
    complexSizes.back() = complexSizes.back() / 2 + 1;
  const std::string from = absl::StrCat("fft_type ", nameOf(op.kind),
                                        " and fft_length ", textOf(op.lengths));
  const bool toReal = op.kind == Kind::Irfft;
  if (auto s = checkSizes(toReal ? "the result" : "the operand", real,
                          realSizes, from);
      !s.ok())
    return s;
  return checkSizes(toReal ? "the operand" : "the result", complex,
                    complexSizes, from);
}

SharedDimensions batchOf(const FftOp &op) {
  SharedDimensions batch;
  const int64_t count = op.operands[0].rank() - op.lengths.size();
  for (int64_t k = 0; k < count; ++k) batch.push_back({k, k});
  return batch;
}

}  // namespace

absl::Status verify(const FftOp &op) {
  if (auto status = checkLeaves(op, 1, 1); !status.ok()) return status;
  const ArrayShape &operand = op.operands[0], &result = op.results[0];
  const int64_t count = op.lengths.size();
  if (count < 1 || count > 3 || count > operand.rank())
    return invalid(absl::StrCat(
        "fft_length ", textOf(op.lengths), " has ", counted(count, "value"),
        "; it would have 1 to 3, one for each of the last dimensions of ",
        textOf(operand)));
  for (int64_t length : op.lengths)
    if (length < 0)
      return invalid(absl::StrCat("fft_length ", textOf(op.lengths), ": ",
                                  length, " is negative"));
  if (operand.rank() != result.rank())
    return invalid(absl::StrCat("the result ", textOf(result),
                                " would have the rank of the operand ",
                                textOf(operand)));
  if (auto s = verifyType(op, "operand", operand, op.kind != Kind::Rfft);
      !s.ok())
    return s;
  if (auto s = verifyType(op, "result", result, op.kind != Kind::Irfft);
      !s.ok())
    return s;
  if (op.kind == Kind::Rfft) return verifyReal(op, operand, result);
  if (op.kind == Kind::Irfft) return verifyReal(op, result, operand);
  // The lengths say something of real signals only.
  if (canAgree(result, operand)) return absl::OkStatus();
  return invalid(absl::StrCat(
      "fft_type ", nameOf(op.kind), ": the result ", textOf(result),
      " would have the sizes of the operand ", textOf(operand)));
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
