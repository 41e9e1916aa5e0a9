// Opcodes that sort, transform, normalize and solve.
#include <optional>

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/import/hlo/opcodes/builders.h"

namespace indexical {
namespace opcodes {
namespace {

/// The value of an attribute that is one of some words, which `known` finds;
/// `words` lists them.
template <typename T, typename Known>
bool takeWord(const ResolvedInstruction &in, llvm::StringRef key, Known known,
              llvm::StringRef words, T &value) {
  llvm::StringRef word = in.attributes.raw(key);
  if (word.empty())
    return in.attributes.failMissing(key, words.split(',').first);
  std::optional<T> found = known(word);
  if (!found)
    return in.source.fail(word, "`" + word + "` is no `" + key + "`: " + words);
  value = *found;
  return true;
}

bool takeFft(const ResolvedInstruction &in, FftOp::Kind &kind,
             Int64s &lengths) {
  using Kind = FftOp::Kind;
  auto known = [](llvm::StringRef word) {
    return llvm::StringSwitch<std::optional<Kind>>(word)
        .Case("FFT", Kind::Fft)
        .Case("IFFT", Kind::Ifft)
        .Case("RFFT", Kind::Rfft)
        .Case("IRFFT", Kind::Irfft)
        .Default(std::nullopt);
  };
  return takeWord(in, "fft_type", known, "FFT, IFFT, RFFT or IRFFT", kind) &&
         in.attributes.requiredIntegers("fft_length", lengths);
}

ElementType complexOf(ElementType type) {
  return type == ElementType::F64 ? ElementType::C128 : ElementType::C64;
}

ElementType realOf(ElementType type) {
  return type == ElementType::C128 ? ElementType::F64 : ElementType::F32;
}

bool buildBatchNorm(const ResolvedInstruction &in, const Shape &result,
                    OpDraft &out, BatchNormOp::Kind kind) {
  auto *op = makeOfArrays<BatchNormOp>(in, result, out, Results::OneOrTuple);
  if (!op) return false;
  op->kind = kind;
  return in.attributes.requiredInteger("feature_index", op->featureIndex);
}

}  // namespace

bool buildSort(const ResolvedInstruction &in, const Shape &result,
               OpDraft &out) {
  auto *op = makeOfArrays<SortOp>(in, result, out, Results::OneOrTuple);
  return op && in.attributes.requiredInteger("dimensions", op->dimension);
}

bool buildTopK(const ResolvedInstruction &in, const Shape &result,
               OpDraft &out) {
  auto *op = makeOfArrays<TopKOp>(in, result, out, Results::OneOrTuple);
  // Whether the largest or the smallest are taken does not matter.
  bool largest = true;
  return op && in.attributes.requiredInteger("k", op->k) &&
         in.attributes.flag("largest", largest);
}

bool inferTopK(const ResolvedInstruction &in, Shape &shape) {
  ArrayShape array;
  int64_t k;
  if (!takeArray(in, 0, array) || !in.attributes.requiredInteger("k", k))
    return false;
  if (array.isScalar() || k < 0) return cannotInfer(in);
  array.dimensions.back() = k;
  if (!array.dynamic.empty()) array.dynamic[array.rank() - 1] = false;
  ArrayShape indices = array;
  indices.type = ElementType::S32;
  shape = Shape::ofTuple({Shape::ofArray(array), Shape::ofArray(indices)});
  return true;
}

bool buildFft(const ResolvedInstruction &in, const Shape &result,
              OpDraft &out) {
  auto *op = makeOfArrays<FftOp>(in, result, out);
  return op && takeFft(in, op->kind, op->lengths);
}

bool inferFft(const ResolvedInstruction &in, Shape &shape) {
  ArrayShape array;
  FftOp::Kind kind;
  Int64s lengths;
  if (!takeArray(in, 0, array) || !takeFft(in, kind, lengths)) return false;
  const bool halves = kind == FftOp::Kind::Rfft;
  if (halves || kind == FftOp::Kind::Irfft) {
    if (array.isScalar() || lengths.empty() || lengths.back() < 0)
      return cannotInfer(in);
    const int64_t last = lengths.back();
    array.dimensions.back() = halves && last > 0 ? last / 2 + 1 : last;
    if (!array.dynamic.empty()) array.dynamic[array.rank() - 1] = false;
    array.type = halves ? complexOf(array.type) : realOf(array.type);
  }
  return finish(shape, std::move(array));
}

bool buildBatchNormTraining(const ResolvedInstruction &in, const Shape &result,
                            OpDraft &out) {
  return buildBatchNorm(in, result, out, BatchNormOp::Kind::Training);
}

bool buildBatchNormInference(const ResolvedInstruction &in, const Shape &result,
                             OpDraft &out) {
  return buildBatchNorm(in, result, out, BatchNormOp::Kind::Inference);
}

bool buildBatchNormGrad(const ResolvedInstruction &in, const Shape &result,
                        OpDraft &out) {
  return buildBatchNorm(in, result, out, BatchNormOp::Kind::Gradient);
}

// The operand's shape, and two of one element a feature.
bool inferBatchNorm(const ResolvedInstruction &in, Shape &shape) {
  ArrayShape array;
  int64_t feature;
  if (!takeArray(in, 0, array) ||
      !in.attributes.requiredInteger("feature_index", feature))
    return false;
  if (feature < 0 || feature >= array.rank()) return cannotInfer(in);
  ArrayShape features(array.type, {array.dimensions[feature]});
  if (!array.dynamic.empty()) {
    features.dynamic.resize(1);
    features.dynamic[0] = array.dynamic[feature];
  }
  const Shape statistic = Shape::ofArray(std::move(features));
  shape =
      Shape::ofTuple({Shape::ofArray(std::move(array)), statistic, statistic});
  return true;
}

bool buildCholesky(const ResolvedInstruction &in, const Shape &result,
                   OpDraft &out) {
  auto *op = makeOfArrays<CholeskyOp>(in, result, out);
  if (!op) return false;
  op->lower = false;  // what is left out is false
  return in.attributes.flag("lower", op->lower);
}

bool buildTriangularSolve(const ResolvedInstruction &in, const Shape &result,
                          OpDraft &out) {
  auto *op = makeOfArrays<TriangularSolveOp>(in, result, out);
  if (!op) return false;
  op->leftSide = op->lower = op->unitDiagonal = false;
  auto isTransposed = [](llvm::StringRef word) {
    return llvm::StringSwitch<std::optional<bool>>(word)
        .Case("NO_TRANSPOSE", false)
        .Case("TRANSPOSE", true)
        .Case("ADJOINT", true)
        .Default(std::nullopt);
  };
  const Attributes &a = in.attributes;
  return a.flag("left_side", op->leftSide) && a.flag("lower", op->lower) &&
         a.flag("unit_diagonal", op->unitDiagonal) &&
         takeWord(in, "transpose_a", isTransposed,
                  "NO_TRANSPOSE, TRANSPOSE or ADJOINT", op->transposed);
}

}  // namespace opcodes
}  // namespace indexical
