// Convolutions, normalisations, sorts and solvers of libraries, as XLA and JAX
// call them.
//
//   (f32[8,30,30,64], u8[0]) custom-call(x, w), window={size=3x3},
//     dim_labels=b01f_01io->b01f, custom_call_target="__cudnn$convForward"
//   f64[3,1] custom-call(a, b), custom_call_target="lapack_dtrsm_ffi",
//     backend_config={diag = 78 : ui8, side = 76 : ui8, uplo = 85 : ui8, …}
//
// Letters of LAPACK are written as their numbers: 76 is `L`.
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/program/library_parts.h"

namespace indexical {
namespace library {
namespace {

//===-- Attributes --------------------------------------------------------===//

/// The numbers of `3x3` or `1_1x0_2`, all of them in a row.
std::optional<Int64s> numbersIn(llvm::StringRef text) {
  Int64s numbers;
  llvm::SmallVector<llvm::StringRef, 8> words;
  llvm::SplitString(text, words, "x_");
  for (llvm::StringRef word : words) {
    int64_t number = 0;
    if (word.getAsInteger(10, number)) return std::nullopt;
    numbers.push_back(number);
  }
  return numbers;
}

/// `{size=3x3 pad=1_1x1_1}`.
bool takeWindow(llvm::StringRef text, ConvolutionOp &op) {
  text = text.trim();
  text.consume_front("{");
  text.consume_back("}");
  llvm::SmallVector<llvm::StringRef, 6> words;
  llvm::SplitString(text, words, " ");
  op.window.resize(op.inputSpatial.size());
  for (llvm::StringRef word : words) {
    const auto [key, value] = word.split('=');
    const auto numbers = numbersIn(value);
    const size_t each = key == "pad" ? 2 : 1;
    if (!numbers || numbers->size() != each * op.window.size()) return false;
    for (auto [k, w] : llvm::enumerate(op.window)) {
      const int64_t number = (*numbers)[k * each];
      if (key == "size") {
        w.size = number;
      } else if (key == "stride") {
        w.stride = number;
      } else if (key == "pad") {
        w.padLow = number;
        w.padHigh = (*numbers)[k * each + 1];
      } else if (key == "lhs_dilate") {
        w.baseDilation = number;
      } else if (key == "rhs_dilate") {
        w.windowDilation = number;
      } else if (key != "rhs_reversal") {
        // A kernel that is turned around is read whole all the same.
        return false;
      }
    }
  }
  return true;
}

/// Two letters and the digits of the window's dimensions.
bool takePlaces(llvm::StringRef labels, char first, int64_t &firstPlace,
                char second, int64_t &secondPlace, Int64s &spatial) {
  firstPlace = secondPlace = -1;
  spatial.assign(labels.size() < 2 ? 0 : labels.size() - 2, -1);
  for (auto [k, label] : llvm::enumerate(labels)) {
    const int64_t place = k;
    if (label == first)
      firstPlace = place;
    else if (label == second)
      secondPlace = place;
    else if (label >= '0' && static_cast<size_t>(label - '0') < spatial.size())
      spatial[label - '0'] = place;
    else
      return false;
  }
  return firstPlace >= 0 && secondPlace >= 0 &&
         !llvm::is_contained(spatial, -1);
}

/// `b01f_01io->b01f`.
bool takeLabels(llvm::StringRef text, ConvolutionOp &op) {
  const auto [operands, output] = text.trim().split("->");
  const auto [input, kernel] = operands.split('_');
  return takePlaces(input, 'b', op.inputBatch, 'f', op.inputFeature,
                    op.inputSpatial) &&
         takePlaces(kernel, 'i', op.kernelInputFeature, 'o',
                    op.kernelOutputFeature, op.kernelSpatial) &&
         takePlaces(output, 'b', op.outputBatch, 'f', op.outputFeature,
                    op.outputSpatial);
}

/// `diag = 78 : ui8` of a configuration in MLIR's syntax, `"diag":"78"` of one
/// in JSON.
std::optional<llvm::StringRef> valueOf(llvm::StringRef text,
                                       llvm::StringRef key) {
  for (size_t at = 0; (at = text.find(key, at)) != llvm::StringRef::npos;) {
    const bool begins = at == 0 || !llvm::isAlnum(text[at - 1]);
    llvm::StringRef rest = text.drop_front(at += key.size()).ltrim("\" ");
    if (!begins || !(rest.consume_front("=") || rest.consume_front(":")))
      continue;
    return rest.ltrim("\" ").take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_'; });
  }
  return std::nullopt;
}

/// The letter that a number of LAPACK stands for.
char letterOf(const CustomCall &call, llvm::StringRef key) {
  const auto value = valueOf(call.backendConfig, key);
  int letter = 0;
  if (!value || value->getAsInteger(10, letter)) return 0;
  return static_cast<char>(letter);
}

bool sameSizes(const ArrayShape &a, const ArrayShape &b) {
  return a.dimensions == b.dimensions;
}

/// The sizes of the batch.
bool isOfBatch(const ArrayShape &shape, const ArrayShape &matrix) {
  return llvm::ArrayRef<int64_t>(shape.dimensions) ==
         llvm::ArrayRef<int64_t>(matrix.dimensions).drop_back(2);
}

}  // namespace

//===-- Neural networks ---------------------------------------------------===//

std::optional<Op> convolution(const CustomCall &call) {
  const ShapeList operands = leavesOf(call.operands);
  const ShapeList results = call.result.leaves();
  if (operands.size() < 2 || results.empty()) return std::nullopt;
  ConvolutionOp op;
  op.operands = {ArrayShape(operands[0].type, operands[0].dimensions),
                 ArrayShape(operands[1].type, operands[1].dimensions)};
  const ArrayShape out(results[0].type, results[0].dimensions);
  op.results = {out};
  if (!takeLabels(call.attribute("dim_labels"), op) ||
      !takeWindow(call.attribute("window"), op))
    return std::nullopt;
  const llvm::StringRef groups = call.attribute("feature_group_count").trim();
  if (!groups.empty() && groups.getAsInteger(10, op.featureGroups))
    return std::nullopt;
  Parts parts;
  parts.add({0, 0, op, 0});
  parts.add({0, 1, op, 1});
  // A bias, what is added beside it, and scales.
  for (size_t k = 2; k < operands.size(); ++k) {
    const ArrayShape &more = operands[k];
    const int64_t number = k;
    if (more.isScalar())
      parts.add({0, number, along(more, out, {})});
    else if (sameSizes(more, out))
      parts.add({0, number, identity(out)});
    else if (more.rank() == 1 &&
             more.dimensions[0] == out.dimensions[op.outputFeature])
      parts.add({0, number, along(more, out, {op.outputFeature})});
    else
      return std::nullopt;
  }
  for (size_t r = 1; r < results.size(); ++r)
    if (!isWorkspace(results[r])) return std::nullopt;
  return custom(operands, results, std::move(parts));
}

/// The last two operands, epsilon and the number of the feature's dimension,
/// are scalars; that number is known where one dimension alone has its size.
std::optional<Op> batchNorm(const CustomCall &call) {
  const ShapeList operands = leavesOf(call.operands);
  const ShapeList results = call.result.leaves();
  BatchNormOp op;
  if (call.target.ends_with("ForwardInference"))
    op.kind = BatchNormOp::Kind::Inference;
  else if (call.target.ends_with("Backward"))
    op.kind = BatchNormOp::Kind::Gradient;
  const size_t arrays = op.kind == BatchNormOp::Kind::Training ? 3 : 5;
  if (operands.size() != arrays + 2 || operands[1].rank() != 1)
    return std::nullopt;
  const auto &sizes = operands[0].dimensions;
  if (llvm::count(sizes, operands[1].dimensions[0]) != 1) return std::nullopt;
  op.featureIndex =
      llvm::find(sizes, operands[1].dimensions[0]) - sizes.begin();
  for (size_t k = 0; k < arrays; ++k)
    op.operands.push_back(ArrayShape(operands[k].type, operands[k].dimensions));
  for (const ArrayShape &result : results)
    op.results.push_back(ArrayShape(result.type, result.dimensions));
  if (!verify(op).ok()) return std::nullopt;
  Parts parts;
  for (int64_t r = 0; r < static_cast<int64_t>(results.size()); ++r) {
    for (int64_t k = 0; k < static_cast<int64_t>(arrays); ++k)
      parts.add({r, k, op, k, r});
    for (size_t k = arrays; k < operands.size(); ++k) {
      if (!operands[k].isScalar()) return std::nullopt;
      parts.add(
          {r, static_cast<int64_t>(k), along(operands[k], results[r], {})});
    }
  }
  return custom(operands, results, std::move(parts));
}

//===-- Matrices ----------------------------------------------------------===//

std::optional<Op> cholesky(const CustomCall &call) {
  const ShapeList operands = leavesOf(call.operands);
  const ShapeList results = call.result.leaves();
  const auto configuration = configurationOf(call, "cholesky_options");
  if (!configuration || operands.size() != 1 || results.empty() ||
      results[0].dimensions != operands[0].dimensions || results[0].rank() < 2)
    return std::nullopt;
  auto factor = opOf<CholeskyOp>(operands[0], results[0]);
  factor.lower = configuration->getBoolean("lower").value_or(false);
  Parts parts;
  parts.add({0, 0, factor});
  const int64_t batch = results[0].rank() - 2;
  for (size_t r = 1; r < results.size(); ++r) {
    if (isWorkspace(results[r]) || results[r].type == operands[0].type)
      continue;
    if (results[r].type != ElementType::S32 ||
        !isOfBatch(results[r], operands[0]))
      return std::nullopt;
    // A status: a reduction of the matrix.
    ReduceOp all;
    const ArrayShape init(operands[0].type, {});
    all.operands = {ArrayShape(operands[0].type, operands[0].dimensions), init};
    all.results = {ArrayShape(operands[0].type, results[r].dimensions)};
    all.dimensions = {batch, batch + 1};
    parts.add({static_cast<int64_t>(r), 0, all});
  }
  return custom(operands, results, std::move(parts));
}

std::optional<Op> triangularSolve(const CustomCall &call) {
  const ShapeList operands = leavesOf(call.operands);
  const ShapeList results = call.result.leaves();
  if (operands.size() != 2 || results.empty() || operands[0].rank() < 2 ||
      !sameSizes(results[0], operands[1]))
    return std::nullopt;
  TriangularSolveOp op;
  op.operands = {ArrayShape(operands[0].type, operands[0].dimensions),
                 ArrayShape(operands[1].type, operands[1].dimensions)};
  op.results = {ArrayShape(results[0].type, results[0].dimensions)};
  if (call.target.starts_with("__cublas$")) {
    const auto options = configurationOf(call, "triangular_solve_options");
    if (!options) return std::nullopt;
    op.leftSide = options->getBoolean("left_side").value_or(false);
    op.lower = options->getBoolean("lower").value_or(false);
    op.unitDiagonal = options->getBoolean("unit_diagonal").value_or(false);
    const llvm::StringRef turned =
        options->getString("transpose_a").value_or("NO_TRANSPOSE");
    op.transposed = turned == "TRANSPOSE" || turned == "ADJOINT";
  } else {
    const char side = letterOf(call, "side"), half = letterOf(call, "uplo"),
               unit = letterOf(call, "diag"),
               turned = letterOf(call, "trans_x");
    if (!llvm::is_contained({'L', 'R'}, side) ||
        !llvm::is_contained({'L', 'U'}, half) ||
        !llvm::is_contained({'N', 'U'}, unit) ||
        !llvm::is_contained({'N', 'T', 'C'}, turned))
      return std::nullopt;
    op.leftSide = side == 'L';
    op.lower = half == 'L';
    op.unitDiagonal = unit == 'U';
    op.transposed = turned != 'N';
  }
  Parts parts;
  parts.add({0, 0, op, 0});
  parts.add({0, 1, op, 1});
  for (size_t r = 1; r < results.size(); ++r)
    if (!isWorkspace(results[r])) return std::nullopt;
  return custom(operands, results, std::move(parts));
}

std::optional<Op> ofMatrices(const CustomCall &call) {
  const ShapeList operands = leavesOf(call.operands);
  const ShapeList results = call.result.leaves();
  if (operands.empty() || operands[0].rank() < 2) return std::nullopt;
  const int64_t batch = operands[0].rank() - 2;
  auto hasBatch = [&](const ArrayShape &shape) {
    return shape.rank() >= batch &&
           llvm::ArrayRef<int64_t>(shape.dimensions).take_front(batch) ==
               llvm::ArrayRef<int64_t>(operands[0].dimensions)
                   .take_front(batch) &&
           !shape.hasUnknownSize();
  };
  Parts parts;
  for (size_t r = 0; r < results.size(); ++r) {
    if (isWorkspace(results[r]) && batch == 0) continue;
    if (!hasBatch(results[r])) return std::nullopt;
    for (size_t k = 0; k < operands.size(); ++k) {
      if (!hasBatch(operands[k])) return std::nullopt;
      parts.add(
          {static_cast<int64_t>(r), static_cast<int64_t>(k),
           wholeOfBatch(ArrayShape(operands[k].type, operands[k].dimensions),
                        ArrayShape(results[r].type, results[r].dimensions),
                        batch)});
    }
  }
  return custom(operands, results, std::move(parts));
}

//===-- Sorts -------------------------------------------------------------===//

/// Keys, and values that go with them, along the last dimension.
std::optional<Op> sort(const CustomCall &call) {
  const ShapeList operands = leavesOf(call.operands);
  const ShapeList results = call.result.leaves();
  const size_t count = operands.size();
  if (count < 1 || count > 2 || results.size() < count ||
      operands[0].isScalar())
    return std::nullopt;
  SortOp op;
  op.dimension = operands[0].rank() - 1;
  for (size_t k = 0; k < count; ++k) {
    if (!sameSizes(operands[k], results[k])) return std::nullopt;
    op.operands.push_back(ArrayShape(operands[k].type, operands[k].dimensions));
    op.results.push_back(ArrayShape(results[k].type, results[k].dimensions));
  }
  Parts parts;
  // Values do not move keys.
  for (size_t r = 0; r < count; ++r)
    for (size_t k = 0; k <= r; ++k) {
      const int64_t result = r, operand = k;
      parts.add({result, operand, op, operand, result});
    }
  // What the library works in.
  for (size_t r = count; r < results.size(); ++r)
    if (!isWorkspace(results[r]) && results[r].rank() != 1) return std::nullopt;
  return custom(operands, results, std::move(parts));
}

}  // namespace library
}  // namespace indexical
