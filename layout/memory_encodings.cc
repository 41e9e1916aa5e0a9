// Encodings of shared memory.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/layout/encoding_parts.h"
#include "indexical/layout/operations.h"

namespace indexical::layouts::encodings {

namespace {

constexpr size_t kOffset = 0, kOffsetBlock = 1;

struct Phases {
  int64_t vec = 1, perPhase = 1, maxPhase = 1;
};

absl::StatusOr<Phases> phasesOf(const Encoding &of) {
  Phases made;
  for (const auto &[name, number] :
       {std::pair("vec", &made.vec), std::pair("perPhase", &made.perPhase),
        std::pair("maxPhase", &made.maxPhase)}) {
    INDEXICAL_ASSIGN_OR_RETURN(*number, needNumber(of, name));
    INDEXICAL_RETURN_IF_ERROR(checkPowers({*number}, name));
  }
  return made;
}

/// Rows whose groups of elements are permuted by the row's phase. `phase` gives
/// that of a row, of which only the bits below the width count.
template <typename Phase>
absl::StatusOr<Bases> phased(const Encoding &of, llvm::ArrayRef<int64_t> shape,
                             Phase phase) {
  const size_t rank = shape.size();
  INDEXICAL_ASSIGN_OR_RETURN(const auto order, needOrder(of, rank, "order"));
  INDEXICAL_ASSIGN_OR_RETURN(const Cluster cluster, clusterOf(of, shape));
  Bases bases(2, rank);
  bases.along(kOffset, order[0], cluster.tile[order[0]]);
  if (rank > 1) {
    const int64_t width = cluster.tile[order[0]];
    std::vector<Coordinates> rows;
    for (int64_t row = 1; row < cluster.tile[order[1]]; row *= 2) {
      Coordinates &basis = rows.emplace_back(rank, 0);
      basis[order[1]] = row;
      basis[order[0]] = phase(row) & (width - 1);
    }
    bases.add(kOffset, rows, Coordinates(rank, 1));
    Coordinates sizes(rank, 1);
    for (int64_t k : {order[0], order[1]}) sizes[k] = cluster.tile[k];
    bases.setSizes(sizes);
    for (int64_t k : llvm::ArrayRef(order).drop_front(2))
      bases.along(kOffset, k, cluster.tile[k]);
  }
  cluster.finish(bases, kOffsetBlock, order);
  return bases;
}

/// What a swizzle of so many bytes does: after how many rows of 8 its phase
/// changes, and how many phases there are.
absl::StatusOr<Phases> nvmmaPhases(int64_t bytes, int64_t bits) {
  switch (bytes) {
    case 0:
      return Phases{128 / bits, 1, 1};
    case 32:
      return Phases{128 / bits, 4, 2};
    case 64:
      return Phases{128 / bits, 2, 4};
    case 128:
      return Phases{128 / bits, 1, 8};
    default:
      return absl::InvalidArgumentError(absl::StrCat(
          "swizzlingByteWidth is 0, 32, 64 or 128, and not ", bytes));
  }
}

/// Returns the elements of a box of a bulk copy in the order of the memory. The
/// box is a table of `height` rows, its last dimension fastest, and lies there
/// in tiles of 8 rows.
std::vector<Coordinates> boxBits(llvm::ArrayRef<int64_t> box, int64_t height,
                                 int64_t width, const Phases &phases,
                                 int64_t columns, bool isPadded) {
  // Of 16 places of a padded tile 8 hold elements.
  const auto packed = [&](int64_t column) {
    return isPadded ? column / 16 * 8 + column % 8 : column;
  };
  std::vector<std::pair<int64_t, int64_t>> flat;
  for (int64_t c = 1; c < columns; c *= 2) flat.push_back({0, packed(c)});
  for (int64_t r = 1; r < 8; r *= 2)
    flat.push_back(
        {r, packed(phases.vec * (r / phases.perPhase % phases.maxPhase))});
  for (int64_t r = 8; r < height; r *= 2) flat.push_back({r, 0});
  for (int64_t c = isPadded ? columns / 2 : columns; c < width; c *= 2)
    flat.push_back({0, c});
  std::vector<Coordinates> bits;
  for (const auto &[row, column] : flat) {
    Coordinates &basis = bits.emplace_back(box.size(), 0);
    int64_t place = row * width + column;
    for (size_t k = box.size(); k-- > 0; place /= box[k])
      basis[k] = place % box[k];
  }
  return bits;
}

absl::StatusOr<Bases> nvmma(const Encoding &of, llvm::ArrayRef<int64_t> shape,
                            std::optional<int64_t> elementBits) {
  const size_t rank = shape.size();
  const auto given = of.number("elementBitWidth");
  if (given) elementBits = given;
  if (!elementBits)
    return absl::InvalidArgumentError(
        "#ttg.nvmma_shared lacks elementBitWidth");
  INDEXICAL_RETURN_IF_ERROR(checkPowers({*elementBits}, "elementBitWidth"));
  if (*elementBits < 4 || *elementBits > 64 || rank < 2)
    return absl::UnimplementedError(
        absl::StrCat("#ttg.nvmma_shared of ", rank, " dimensions and ",
                     *elementBits, " bits is not understood"));
  INDEXICAL_ASSIGN_OR_RETURN(const int64_t bytes,
                             needNumber(of, "swizzlingByteWidth"));
  INDEXICAL_ASSIGN_OR_RETURN(const Phases phases,
                             nvmmaPhases(bytes, *elementBits));
  INDEXICAL_ASSIGN_OR_RETURN(const Cluster cluster, clusterOf(of, shape));
  const bool isTransposed = of.isTrue("transposed");
  const bool isPadded = of.isTrue("fp4Padded");
  const int64_t columns = 8 * std::max<int64_t>(16, bytes) / *elementBits;
  const int64_t wide = isPadded ? columns / 2 : columns;
  // The dimensions of the box, the contiguous one last.
  Coordinates dimensions;
  for (size_t k = isTransposed ? 1 : 0; k < rank; ++k)
    dimensions.push_back(static_cast<int64_t>(k));
  if (isTransposed) dimensions.push_back(0);
  Coordinates box;
  for (int64_t k : dimensions)
    box.push_back(std::min<int64_t>(cluster.tile[k], 256));
  if (bytes != 0) box.back() = std::min(box.back(), wide);
  Bases bases(2, rank);
  if (bytes == 0 && !isPadded) {
    // Rows of the box, along its contiguous dimension.
    for (size_t n = rank; n-- > 0;) bases.along(kOffset, dimensions[n], box[n]);
  } else {
    // All dimensions but the last one of the shape are one side of the table.
    const size_t last = isTransposed ? rank - 2 : rank - 1;
    int64_t others = 1;
    for (size_t k = 0; k < rank; ++k)
      if (k != last) others *= box[k];
    const int64_t height = isTransposed ? box[last] : others;
    const int64_t width = isTransposed ? others : box[last];
    if (height < 8 || width < wide)
      return absl::InvalidArgumentError(
          absl::StrCat("#ttg.nvmma_shared of ", bytes,
                       " bytes has at least 8 rows of ", wide, " elements"));
    std::vector<Coordinates> bits;
    for (const Coordinates &each :
         boxBits(box, height, width, phases, columns, isPadded)) {
      Coordinates &basis = bits.emplace_back(rank, 0);
      for (auto [k, number] : llvm::zip(dimensions, each)) basis[k] = number;
    }
    bases.add(kOffset, bits, Coordinates(rank, 1));
    Coordinates sizes(rank, 1);
    for (auto [k, side] : llvm::zip(dimensions, box)) sizes[k] = side;
    bases.setSizes(sizes);
  }
  // Boxes follow one another, dimension 0 first.
  Coordinates order;
  for (size_t k = 0; k < rank; ++k) order.push_back(static_cast<int64_t>(k));
  cluster.finish(bases, kOffsetBlock, order);
  return bases;
}

}  // namespace

absl::StatusOr<Bases> memoryBases(const Encoding &of,
                                  llvm::ArrayRef<int64_t> shape,
                                  std::optional<int64_t> elementBits) {
  if (of.kind == "nvmma_shared") return nvmma(of, shape, elementBits);
  const bool isRotating = of.kind == "amd_rotating_shared";
  if (of.kind != "swizzled_shared" && of.kind != "shared" && !isRotating)
    return absl::UnimplementedError(
        absl::StrCat("the layout #ttg.", of.kind, " is not understood"));
  INDEXICAL_ASSIGN_OR_RETURN(const Phases p, phasesOf(of));
  return phased(of, shape, [&](int64_t row) {
    const int64_t turn = row / p.perPhase % p.maxPhase;
    const int64_t block =
        isRotating ? row / p.maxPhase / p.perPhase % p.maxPhase : 0;
    // A phase past 64 bits is past the width, too: both are powers of two.
    return static_cast<int64_t>(static_cast<uint64_t>(p.vec) * (turn ^ block));
  });
}

absl::StatusOr<Layout> padded(const Encoding &of,
                              llvm::ArrayRef<int64_t> shape) {
  std::vector<Space> inputs;
  std::vector<Sum> sums(1);
  Coordinates box(shape.begin(), shape.end());
  for (const auto &[k, side] : llvm::enumerate(shape))
    inputs.push_back({absl::StrCat("dim", k), side});
  if (of.parameters.count("offset")) {
    Encoding inner = of;
    inner.kind = "shared_linear";
    inner.gaps.clear();
    INDEXICAL_ASSIGN_OR_RETURN(const Layout places,
                               encodedMemory(inner, shape, ""));
    INDEXICAL_ASSIGN_OR_RETURN(const Layout turned, inverted(places));
    // Dimensions of size 1 are not in the inverse.
    std::vector<int> numbers;
    for (const auto &[k, side] : llvm::enumerate(shape))
      if (side > 1) numbers.push_back(static_cast<int>(k));
    if (!turned.form()->empty()) sums[0] = turned.form()->front();
    for (Digit &digit : sums[0].digits) digit.input = numbers[digit.input];
    for (Parity &parity : sums[0].parities)
      for (Bit &bit : parity.bits) bit.first = numbers[bit.first];
  } else {
    INDEXICAL_ASSIGN_OR_RETURN(const auto order,
                               needOrder(of, shape.size(), "order"));
    int64_t step = 1;
    for (int64_t k : order) {
      if (shape[k] > 1)
        sums[0].digits.push_back({static_cast<int>(k), 1, shape[k], step});
      step *= shape[k];
    }
  }
  const Sum plain = sums[0];
  for (const auto &[interval, gap] : of.gaps) {
    INDEXICAL_RETURN_IF_ERROR(checkPowers({interval}, "the intervals"));
    if (gap < 0 || gap > int64_t{1} << 20)
      return absl::InvalidArgumentError(
          absl::StrCat("a padding of ", gap, " is out of range"));
    const auto rows = digitOf(plain, interval, 0, box);
    if (!rows)
      return absl::UnimplementedError("the padding cuts where offsets carry");
    const auto wide = scaled(*rows, gap);
    if (!wide || !add(*wide, sums[0]))
      return absl::InvalidArgumentError("an offset leaves 64 bits");
  }
  return Layout::of(inputs, {{"offset", 0}}, sums);
}

}  // namespace indexical::layouts::encodings
