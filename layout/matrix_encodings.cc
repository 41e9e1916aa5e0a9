// Encodings of matrix instructions: results and operands.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/layout/encoding_parts.h"

namespace indexical::layouts::encodings {

namespace {

absl::Status refuse(llvm::StringRef what) {
  return absl::UnimplementedError(
      absl::StrCat(what.str(), " is not understood"));
}

/// What a matrix encoding says of itself.
struct Matrix {
  size_t rank = 0;
  int64_t version = 0;
  Coordinates warps, instruction, tiles;
  bool isTransposed = false;
  int64_t row() const { return static_cast<int64_t>(rank) - 2; }
  int64_t column() const { return static_cast<int64_t>(rank) - 1; }
};

absl::StatusOr<Matrix> matrixOf(const Encoding &of, size_t rank,
                                llvm::StringRef version) {
  if (rank != 2 && rank != 3)
    return absl::InvalidArgumentError(absl::StrCat(
        "#ttg.", of.kind, " has two or three dimensions, and the tile ", rank));
  Matrix made;
  made.rank = rank;
  INDEXICAL_ASSIGN_OR_RETURN(made.version, needNumber(of, version));
  if (const auto instruction = of.numbers("instrShape"))
    made.instruction = *instruction;
  INDEXICAL_RETURN_IF_ERROR(checkPowers(made.instruction, "instrShape"));
  made.tiles.assign(rank, 1);
  if (of.numbers("tilesPerWarp")) {
    INDEXICAL_ASSIGN_OR_RETURN(made.tiles, need(of, "tilesPerWarp", rank));
    INDEXICAL_RETURN_IF_ERROR(checkPowers(made.tiles, "tilesPerWarp"));
  }
  if (of.parameters.count("warpsPerCTA")) {
    INDEXICAL_ASSIGN_OR_RETURN(made.warps, need(of, "warpsPerCTA", rank));
    INDEXICAL_RETURN_IF_ERROR(checkPowers(made.warps, "warpsPerCTA"));
  }
  made.isTransposed = of.isTrue("isTransposed") || of.isTrue("isTranspose");
  return made;
}

absl::Status needWarps(const Encoding &of, const Matrix &matrix) {
  if (!matrix.warps.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("#ttg.", of.kind, " lacks warpsPerCTA"));
}

/// Gives out the fragments of 8 rows by 4 lanes, each lane with `width`
/// elements in a row, that make a tile.
absl::Status addFragments(Bases &bases, int64_t inner, int64_t rows,
                          int64_t outer, int64_t columns, int64_t width) {
  if (rows % 8 != 0 || columns % (width * 4) != 0)
    return absl::InvalidArgumentError(
        absl::StrCat("an instruction of ", rows, " x ", columns,
                     " has no fragments of 8 x ", width * 4));
  bases.along(kRegister, inner, width);
  bases.along(kLane, inner, 4);
  bases.along(kLane, outer, 8);
  bases.along(kRegister, outer, rows / 8);
  bases.along(kRegister, inner, columns / (width * 4));
  return absl::OkStatus();
}

Fastest warpOrder(const Matrix &matrix) {
  return matrix.version == 3 ? Fastest::Row : Fastest::Column;
}

absl::StatusOr<Matrix> nvidiaOf(const Encoding &of, size_t rank) {
  INDEXICAL_ASSIGN_OR_RETURN(Matrix matrix, matrixOf(of, rank, "versionMajor"));
  if (matrix.version != 2 && matrix.version != 3)
    return refuse(
        absl::StrCat("version ", matrix.version, " of #ttg.", of.kind));
  INDEXICAL_RETURN_IF_ERROR(needWarps(of, matrix));
  if (matrix.version == 3 && (rank != 2 || matrix.instruction.size() < 2))
    return refuse("a matrix of version 3 that is not of two dimensions");
  // An instruction of a version may say more dimensions than it tiles.
  if (matrix.version == 2 && matrix.instruction.size() != rank)
    return absl::InvalidArgumentError(
        absl::StrCat("instrShape has ", matrix.instruction.size(),
                     " numbers, and the tile ", rank, " dimensions"));
  return matrix;
}

struct Operand {
  int64_t index = 0, width = 1;
  bool isFirst() const { return index == 0; }
  /// The dimension that is summed over, and the other one.
  int64_t inner(size_t rank) const { return isFirst() ? rank - 1 : rank - 2; }
  int64_t outer(size_t rank) const { return isFirst() ? rank - 2 : rank - 1; }
  Coordinates order(size_t rank) const {
    return matrixOrder(rank, isFirst() ? Fastest::Column : Fastest::Row);
  }
};

/// Gives out warps along all dimensions but the one that is summed over, whose
/// warps hold the same.
void addOperandWarps(Bases &bases, const Matrix &matrix, int64_t inner) {
  for (int64_t k : matrixOrder(matrix.rank, warpOrder(matrix)))
    if (k == inner)
      bases.copies(kWarp, matrix.warps[k]);
    else
      bases.along(kWarp, k, matrix.warps[k]);
}

absl::StatusOr<Bases> nvidiaOperand(const Encoding &parent, Operand operand,
                                    llvm::ArrayRef<int64_t> shape) {
  const size_t rank = shape.size();
  INDEXICAL_ASSIGN_OR_RETURN(const Matrix matrix, nvidiaOf(parent, rank));
  INDEXICAL_RETURN_IF_ERROR(checkPowers({operand.width}, "kWidth"));
  INDEXICAL_ASSIGN_OR_RETURN(const Cluster cluster, clusterOf(parent, shape));
  Bases bases(4, rank);
  const int64_t rows = matrix.instruction[matrix.version == 3 ? 0 : rank - 2];
  const int64_t inner = operand.inner(rank);
  INDEXICAL_RETURN_IF_ERROR(addFragments(
      bases, inner, operand.isFirst() ? rows : 8, operand.outer(rank),
      operand.width * (rows == 8 ? 4 : 8), operand.width));
  addOperandWarps(bases, matrix, inner);
  cluster.finish(bases, kBlock, operand.order(rank));
  return bases;
}

absl::StatusOr<Bases> fmaOperand(const Encoding &parent, Operand operand,
                                 llvm::ArrayRef<int64_t> shape) {
  const size_t rank = shape.size();
  if (rank < 2) return refuse("an operand of one dimension");
  INDEXICAL_ASSIGN_OR_RETURN(const auto order,
                             needOrder(parent, rank, "order"));
  INDEXICAL_ASSIGN_OR_RETURN(Coordinates elements,
                             need(parent, "sizePerThread", rank));
  INDEXICAL_ASSIGN_OR_RETURN(const auto lanes,
                             need(parent, "threadsPerWarp", rank));
  INDEXICAL_ASSIGN_OR_RETURN(const auto warps,
                             need(parent, "warpsPerCTA", rank));
  for (llvm::ArrayRef<int64_t> each :
       {llvm::ArrayRef(elements), llvm::ArrayRef(lanes), llvm::ArrayRef(warps)})
    INDEXICAL_RETURN_IF_ERROR(checkPowers(each, "#ttg.blocked"));
  INDEXICAL_ASSIGN_OR_RETURN(const Cluster cluster, clusterOf(parent, shape));
  const int64_t inner = operand.inner(rank);
  elements[inner] = cluster.tile[inner];
  Bases bases(4, rank);
  bases.along(kRegister, elements, order);
  for (const auto &[input, counts] :
       {std::pair(kLane, &lanes), std::pair(kWarp, &warps)})
    for (int64_t k : order)
      if (k == inner)
        bases.copies(input, (*counts)[k]);
      else
        bases.along(input, k, (*counts)[k]);
  cluster.finish(bases, kBlock, order);
  return bases;
}

absl::StatusOr<Matrix> mfmaOf(const Encoding &of, size_t rank) {
  // Triton up to 3.3 says `versionMajor = 3, versionMinor = 0` for version 3.
  // The minor version chooses instructions, and no layout.
  const char *version =
      of.parameters.count("version") == 0 ? "versionMajor" : "version";
  INDEXICAL_ASSIGN_OR_RETURN(Matrix matrix, matrixOf(of, rank, version));
  INDEXICAL_RETURN_IF_ERROR(needWarps(of, matrix));
  if (matrix.instruction.size() < 2)
    return absl::InvalidArgumentError("#ttg.amd_mfma lacks instrShape");
  const int64_t m = matrix.instruction[0], n = matrix.instruction[1];
  if (m > 64 || n > 64 || m < 4 || n < 4 || m * n < 256)
    return refuse(absl::StrCat("a matrix instruction of ", m, " x ", n));
  return matrix;
}

absl::StatusOr<Bases> mfmaOperand(const Encoding &parent, Operand operand,
                                  llvm::ArrayRef<int64_t> shape) {
  const size_t rank = shape.size();
  INDEXICAL_ASSIGN_OR_RETURN(const Matrix matrix, mfmaOf(parent, rank));
  INDEXICAL_RETURN_IF_ERROR(checkPowers({operand.width}, "kWidth"));
  INDEXICAL_ASSIGN_OR_RETURN(const Cluster cluster, clusterOf(parent, shape));
  const int64_t inner = operand.inner(rank), outer = operand.outer(rank);
  const int64_t m = matrix.instruction[0], n = matrix.instruction[1];
  const int64_t side = operand.isFirst() ? m : n;
  Bases bases(4, rank);
  bases.along(kRegister, inner, operand.width);
  bases.along(kLane, outer, side);
  bases.along(kLane, inner, 64 / side);
  // A thin instruction takes the long side sixteen times.
  if (side == 64 && (operand.isFirst() ? n : m) == 4)
    bases.along(kRegister, inner, 16);
  if (shape[inner] > bases.sizes()[inner])
    bases.along(kRegister, inner, shape[inner] / bases.sizes()[inner]);
  bases.along(kRegister, outer, matrix.tiles[outer]);
  // Warps along the inner dimension count past its end, and hold the same.
  bases.along(kWarp, matrix.warps, matrixOrder(rank, Fastest::Column));
  cluster.finish(bases, kBlock, operand.order(rank));
  return bases;
}

/// The warps of an instruction of version 1 to 3 of WMMA: bases in tiles.
struct Warps {
  std::vector<Coordinates> registers, warps;
};

absl::StatusOr<Warps> wmmaWarps(const Encoding &of, const Matrix &matrix) {
  Warps made;
  const auto layout = of.parameters.find("ctaLayout");
  if (layout == of.parameters.end()) {
    INDEXICAL_RETURN_IF_ERROR(needWarps(of, matrix));
    Bases bases(2, matrix.rank);
    for (int64_t k : matrixOrder(matrix.rank, Fastest::Column)) {
      bases.along(0, k, matrix.tiles[k]);
      bases.along(1, k, matrix.warps[k]);
    }
    INDEXICAL_RETURN_IF_ERROR(bases.check());
    made.registers = bases.bits(0).vec();
    made.warps = bases.bits(1).vec();
    return made;
  }
  if (layout->second.encoding.empty())
    return absl::InvalidArgumentError("ctaLayout is {warp = …}");
  for (const auto &[name, value] : layout->second.encoding.front().parameters)
    for (const EncodingValue &each : value.list) {
      const auto basis = each.numbers();
      if (!basis || basis->size() != matrix.rank)
        return absl::InvalidArgumentError(
            "a basis of ctaLayout has a number for each dimension");
      INDEXICAL_RETURN_IF_ERROR(
          llvm::all_of(*basis, [](int64_t n) { return n >= 0 && n < 1 << 20; })
              ? absl::OkStatus()
              : absl::InvalidArgumentError(
                    "a number in ctaLayout is out of range"));
      if (name == "warp")
        made.warps.push_back(*basis);
      else if (name == "register")
        made.registers.push_back(*basis);
      else
        return absl::InvalidArgumentError(
            absl::StrCat("ctaLayout has no ", name));
    }
  return made;
}

/// Adds the tiles of a warp, then the warps, behind the instruction's tile.
absl::Status addTiles(Bases &bases, const Warps &warps) {
  const Coordinates unit(bases.sizes().begin(), bases.sizes().end());
  Coordinates sizes = unit;
  for (const auto *list : {&warps.registers, &warps.warps})
    for (const Coordinates &basis : *list)
      for (auto [number, step, size] : llvm::zip(basis, unit, sizes)) {
        const auto end = checkedMul(
            static_cast<int64_t>(llvm::PowerOf2Ceil(number + 1)), step);
        if (!end)
          return absl::InvalidArgumentError(
              "a size of the layout leaves 64 bits");
        size = std::max(size, *end);
      }
  bases.add(kRegister, warps.registers, unit);
  bases.add(kWarp, warps.warps, unit);
  bases.setSizes(sizes);
  return absl::OkStatus();
}

absl::StatusOr<Matrix> wmmaOf(const Encoding &of, size_t rank) {
  INDEXICAL_ASSIGN_OR_RETURN(Matrix matrix, matrixOf(of, rank, "version"));
  if (matrix.version < 1 || matrix.version > 3)
    return refuse(
        absl::StrCat("version ", matrix.version, " of #ttg.", of.kind));
  if (matrix.instruction.empty()) matrix.instruction = {16, 16, 16};
  if (matrix.instruction.size() != 3)
    return absl::InvalidArgumentError("instrShape has three numbers");
  const int64_t m = matrix.instruction[0], n = matrix.instruction[1];
  if (n != 16 || (m != 16 && m != 32))
    return refuse(absl::StrCat("a matrix instruction of ", m, " x ", n));
  return matrix;
}

absl::StatusOr<Bases> wmmaOperand(const Encoding &parent, Operand operand,
                                  llvm::ArrayRef<int64_t> shape) {
  const size_t rank = shape.size();
  INDEXICAL_ASSIGN_OR_RETURN(const Matrix matrix, wmmaOf(parent, rank));
  INDEXICAL_RETURN_IF_ERROR(checkPowers({operand.width}, "kWidth"));
  INDEXICAL_ASSIGN_OR_RETURN(Warps warps, wmmaWarps(parent, matrix));
  INDEXICAL_ASSIGN_OR_RETURN(const Cluster cluster, clusterOf(parent, shape));
  const int64_t inner = operand.inner(rank), outer = operand.outer(rank);
  const int64_t side = matrix.instruction[operand.isFirst() ? 0 : 1];
  const int64_t depth = matrix.instruction[2];
  Bases bases(4, rank);
  bases.along(kRegister, inner, operand.width);
  bases.along(kLane, outer, 16);
  if (matrix.version == 1)
    bases.copies(kLane, 2);
  else
    bases.along(kLane, inner, 2);
  bases.along(kRegister, inner, depth / (2 * operand.width));
  bases.along(kRegister, outer, side / 16);
  // Warps along the inner dimension hold the same.
  for (auto *list : {&warps.registers, &warps.warps})
    for (Coordinates &basis : *list) basis[inner] = 0;
  llvm::erase_if(warps.registers, [](const Coordinates &basis) {
    return llvm::all_of(basis, [](int64_t number) { return number == 0; });
  });
  INDEXICAL_RETURN_IF_ERROR(addTiles(bases, warps));
  cluster.finish(bases, kBlock, operand.order(rank));
  return bases;
}

}  // namespace

absl::StatusOr<Bases> nvidiaMma(const Encoding &of,
                                llvm::ArrayRef<int64_t> shape) {
  const size_t rank = shape.size();
  INDEXICAL_ASSIGN_OR_RETURN(const Matrix matrix, nvidiaOf(of, rank));
  INDEXICAL_ASSIGN_OR_RETURN(const Cluster cluster, clusterOf(of, shape));
  Bases bases(4, rank);
  const int64_t at = matrix.version == 3 ? 0 : matrix.row();
  INDEXICAL_RETURN_IF_ERROR(addFragments(bases, matrix.column(),
                                         matrix.instruction[at], matrix.row(),
                                         matrix.instruction[at + 1], 2));
  bases.along(kWarp, matrix.warps, matrixOrder(rank, warpOrder(matrix)));
  cluster.finish(bases, kBlock, matrixOrder(rank, Fastest::Column));
  return bases;
}

absl::StatusOr<Bases> amdMfma(const Encoding &of,
                              llvm::ArrayRef<int64_t> shape) {
  const size_t rank = shape.size();
  INDEXICAL_ASSIGN_OR_RETURN(const Matrix matrix, mfmaOf(of, rank));
  INDEXICAL_ASSIGN_OR_RETURN(const Cluster cluster, clusterOf(of, shape));
  const int64_t row = matrix.row(), column = matrix.column();
  const int64_t m = matrix.instruction[0], n = matrix.instruction[1];
  // A lane has a few elements in a row along the side that is not its own.
  const int64_t height = of.number("elementBitWidth") == 64 ? 1 : 4;
  const int64_t own = matrix.isTransposed ? row : column;
  const int64_t other = matrix.isTransposed ? column : row;
  const int64_t side = matrix.isTransposed ? m : n;
  Bases bases(4, rank);
  bases.along(kRegister, other, height);
  bases.along(kLane, own, side);
  bases.along(kLane, other, 64 / side);
  bases.along(kRegister, other, m * n / (64 * height));
  bases.along(kRegister, column, matrix.tiles[column]);
  bases.along(kWarp, column, matrix.warps[column]);
  if (shape[column] > bases.sizes()[column])
    bases.along(kRegister, column, shape[column] / bases.sizes()[column]);
  bases.along(kRegister, row, matrix.tiles[row]);
  bases.along(kWarp, row, matrix.warps[row]);
  if (rank == 3) bases.along(kWarp, 0, matrix.warps[0]);
  cluster.finish(bases, kBlock, matrixOrder(rank, Fastest::Column));
  return bases;
}

absl::StatusOr<Bases> amdWmma(const Encoding &of,
                              llvm::ArrayRef<int64_t> shape) {
  const size_t rank = shape.size();
  INDEXICAL_ASSIGN_OR_RETURN(const Matrix matrix, wmmaOf(of, rank));
  INDEXICAL_ASSIGN_OR_RETURN(const Warps warps, wmmaWarps(of, matrix));
  INDEXICAL_ASSIGN_OR_RETURN(const Cluster cluster, clusterOf(of, shape));
  const int64_t lanes = matrix.isTransposed ? matrix.row() : matrix.column();
  const int64_t elements = matrix.isTransposed ? matrix.column() : matrix.row();
  Bases bases(4, rank);
  bases.along(kLane, lanes, 16);
  if (matrix.version == 1) {
    // Both halves of a warp take turns.
    bases.along(kLane, elements, 2);
    bases.along(kRegister, elements, 8);
  } else {
    bases.along(kRegister, elements, 8);
    bases.along(kLane, elements, 2);
    if (matrix.instruction[0] == 32) bases.along(kRegister, elements, 2);
  }
  INDEXICAL_RETURN_IF_ERROR(addTiles(bases, warps));
  cluster.finish(bases, kBlock, matrixOrder(rank, Fastest::Column));
  return bases;
}

absl::StatusOr<Bases> dotOperand(const Encoding &of,
                                 llvm::ArrayRef<int64_t> shape) {
  Operand operand;
  INDEXICAL_ASSIGN_OR_RETURN(operand.index, needNumber(of, "opIdx"));
  if (operand.index != 0 && operand.index != 1)
    return absl::InvalidArgumentError(
        absl::StrCat("the opIdx ", operand.index, " is neither 0 nor 1"));
  const auto at = of.parameters.find("parent");
  if (at == of.parameters.end() || at->second.encoding.empty())
    return absl::InvalidArgumentError("#ttg.dot_op lacks parent");
  const Encoding &parent = at->second.encoding.front();
  if (parent.kind == "blocked") return fmaOperand(parent, operand, shape);
  INDEXICAL_ASSIGN_OR_RETURN(operand.width, needNumber(of, "kWidth"));
  if (parent.kind == "nvidia_mma") return nvidiaOperand(parent, operand, shape);
  if (parent.kind == "amd_mfma") return mfmaOperand(parent, operand, shape);
  if (parent.kind == "amd_wmma") return wmmaOperand(parent, operand, shape);
  return refuse(absl::StrCat("an operand of #ttg.", parent.kind));
}

}  // namespace indexical::layouts::encodings
