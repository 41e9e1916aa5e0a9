// Normalisations, sorts and solvers of libraries, as XLA and JAX call them.
//
//   f64[3,1] custom-call(a, b), custom_call_target="lapack_dtrsm_ffi",
//     backend_config={diag = 78 : ui8, side = 76 : ui8, uplo = 85 : ui8, …}
//
// Letters of LAPACK are written as their numbers: 76 is `L`.
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/ops/families.h"
#include "indexical/program/module/library_parts.h"

namespace indexical {
namespace library {
namespace {

//===-- Attributes --------------------------------------------------------===//

/// Returns a value of the configuration: `diag = 78 : ui8` in MLIR's syntax,
/// `"diag":"78"` in JSON.
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

/// Returns the letter that a number of LAPACK stands for.
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

/// The last two operands, epsilon and the number of the feature's dimension,
/// are scalars. The number is known if only one dimension has its size.
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

/// Returns a cover: each element reads its own index in all but the last `rank`
/// dimensions.
static std::optional<Op> ofBatches(const CustomCall &call, int64_t rank) {
  const ShapeList operands = leavesOf(call.operands);
  const ShapeList results = call.result.leaves();
  if (operands.empty() || operands[0].rank() < rank) return std::nullopt;
  const int64_t batch = operands[0].rank() - rank;
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

std::optional<Op> ofMatrices(const CustomCall &call) {
  return ofBatches(call, 2);
}

std::optional<Op> ofRows(const CustomCall &call) { return ofBatches(call, 1); }

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
  // The other results are buffers that the library works in.
  for (size_t r = count; r < results.size(); ++r)
    if (!isWorkspace(results[r]) && results[r].rank() != 1) return std::nullopt;
  return custom(operands, results, std::move(parts));
}

}  // namespace library
}  // namespace indexical
