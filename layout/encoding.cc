// Encodings of registers, from their parameters.
#include "indexical/layout/encoding.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/layout/bases.h"
#include "indexical/layout/encoding_parts.h"
#include "indexical/layout/operations.h"

namespace indexical::layouts {

using encodings::checkPowers;
using encodings::Cluster;
using encodings::clusterOf;
using encodings::kBlock;
using encodings::kLane;
using encodings::kRegister;
using encodings::kWarp;
using encodings::matrixOrder;
using encodings::need;
using encodings::needNumber;

std::optional<Coordinates> EncodingValue::numbers() const {
  if (number || !encoding.empty()) return std::nullopt;
  Coordinates all;
  for (const EncodingValue &each : list) {
    if (!each.number) return std::nullopt;
    all.push_back(*each.number);
  }
  return all;
}

std::optional<int64_t> Encoding::number(llvm::StringRef name) const {
  const auto at = parameters.find(name.str());
  return at == parameters.end() ? std::nullopt : at->second.number;
}

std::optional<Coordinates> Encoding::numbers(llvm::StringRef name) const {
  const auto at = parameters.find(name.str());
  return at == parameters.end() ? std::nullopt : at->second.numbers();
}

namespace encodings {

absl::Status checkPowers(llvm::ArrayRef<int64_t> numbers,
                         llvm::StringRef name) {
  for (int64_t number : numbers) {
    if (number < 1 || !llvm::isPowerOf2_64(number))
      return absl::InvalidArgumentError(
          absl::StrCat(number, " in ", name.str(), " is not a power of two"));
    if (number > int64_t{1} << 40)
      return absl::InvalidArgumentError(
          absl::StrCat(number, " in ", name.str(), " is larger than 2^40"));
  }
  return absl::OkStatus();
}

absl::StatusOr<Coordinates> need(const Encoding &of, llvm::StringRef name,
                                 size_t rank) {
  const auto numbers = of.numbers(name);
  if (!numbers)
    return absl::InvalidArgumentError(
        absl::StrCat("#ttg.", of.kind, " lacks ", name.str()));
  if (numbers->size() != rank)
    return absl::InvalidArgumentError(
        absl::StrCat(name.str(), " has ", numbers->size(),
                     " numbers, and the tile ", rank, " dimensions"));
  return *numbers;
}

absl::StatusOr<int64_t> needNumber(const Encoding &of, llvm::StringRef name) {
  if (const auto number = of.number(name)) return *number;
  return absl::InvalidArgumentError(
      absl::StrCat("#ttg.", of.kind, " lacks ", name.str()));
}

absl::StatusOr<Coordinates> needOrder(const Encoding &of, size_t rank,
                                      llvm::StringRef name) {
  INDEXICAL_ASSIGN_OR_RETURN(const Coordinates order, need(of, name, rank));
  llvm::SmallVector<bool, 4> seen(rank, false);
  for (int64_t dimension : order) {
    if (dimension < 0 || dimension >= static_cast<int64_t>(rank))
      return absl::InvalidArgumentError(absl::StrCat(
          name.str(), " names the dimension ", dimension, " of ", rank));
    if (seen[dimension])
      return absl::InvalidArgumentError(absl::StrCat(
          name.str(), " names the dimension ", dimension, " twice"));
    seen[dimension] = true;
  }
  return order;
}

Coordinates matrixOrder(size_t rank, Fastest fastest) {
  Coordinates order;
  for (size_t k = rank; k-- > 0;) order.push_back(static_cast<int64_t>(k));
  if (fastest == Fastest::Row && rank > 1) std::swap(order[0], order[1]);
  return order;
}

absl::StatusOr<Cluster> clusterOf(const Encoding &of,
                                  llvm::ArrayRef<int64_t> shape) {
  const size_t rank = shape.size();
  Cluster made;
  Bases bases(1, rank);
  const auto given = of.parameters.find("CGALayout");
  if (given != of.parameters.end()) {
    Coordinates sizes(rank, 1);
    std::vector<Coordinates> rows;
    for (const EncodingValue &each : given->second.list) {
      const auto basis = each.numbers();
      if (!basis || basis->size() != rank)
        return absl::InvalidArgumentError(
            "CGALayout has a number for each dimension in each basis");
      for (auto [number, size] : llvm::zip(*basis, sizes)) {
        if (number < 0 || number > int64_t{1} << 20)
          return absl::InvalidArgumentError(
              absl::StrCat(number, " in CGALayout is out of range"));
        size = std::max(size,
                        static_cast<int64_t>(llvm::PowerOf2Ceil(number + 1)));
      }
      rows.push_back(*basis);
    }
    bases.add(0, rows, Coordinates(rank, 1));
    bases.setSizes(sizes);
  } else if (of.numbers("CTAsPerCGA")) {
    INDEXICAL_ASSIGN_OR_RETURN(const auto blocks, need(of, "CTAsPerCGA", rank));
    INDEXICAL_ASSIGN_OR_RETURN(const auto parts, need(of, "CTASplitNum", rank));
    INDEXICAL_ASSIGN_OR_RETURN(const auto order,
                               needOrder(of, rank, "CTAOrder"));
    INDEXICAL_RETURN_IF_ERROR(checkPowers(blocks, "CTAsPerCGA"));
    INDEXICAL_RETURN_IF_ERROR(checkPowers(parts, "CTASplitNum"));
    for (int64_t k : order) {
      bases.along(0, k, parts[k]);
      bases.copies(0, std::max<int64_t>(1, blocks[k] / parts[k]));
    }
  }
  INDEXICAL_RETURN_IF_ERROR(bases.check());
  for (auto [size, side] : llvm::zip(bases.sizes(), shape))
    made.sizes.push_back(std::min(size, side));
  for (Coordinates basis : bases.bits(0)) {
    for (auto [number, size] : llvm::zip(basis, made.sizes)) number &= size - 1;
    made.bits.push_back(std::move(basis));
  }
  for (auto [side, size] : llvm::zip(shape, made.sizes))
    made.tile.push_back(std::max<int64_t>(1, side / size));
  return made;
}

void Cluster::finish(Bases &bases, size_t block,
                     llvm::ArrayRef<int64_t> order) const {
  bases.fit(tile, order);
  bases.add(block, bits, tile);
  Coordinates all;
  for (auto [side, size] : llvm::zip(tile, sizes)) all.push_back(side * size);
  bases.setSizes(all);
}

}  // namespace encodings

namespace {

using encodings::Fastest;
using encodings::needOrder;

absl::StatusOr<Bases> tensorBases(const Encoding &of,
                                  llvm::ArrayRef<int64_t> shape);

absl::StatusOr<Bases> blocked(const Encoding &of,
                              llvm::ArrayRef<int64_t> shape) {
  const size_t rank = shape.size();
  INDEXICAL_ASSIGN_OR_RETURN(const auto order, needOrder(of, rank, "order"));
  INDEXICAL_ASSIGN_OR_RETURN(const Cluster cluster, clusterOf(of, shape));
  Bases bases(4, rank);
  const std::pair<const char *, size_t> parts[] = {{"sizePerThread", kRegister},
                                                   {"threadsPerWarp", kLane},
                                                   {"warpsPerCTA", kWarp}};
  for (const auto &[name, input] : parts) {
    INDEXICAL_ASSIGN_OR_RETURN(const auto counts, need(of, name, rank));
    INDEXICAL_RETURN_IF_ERROR(checkPowers(counts, name));
    bases.along(input, counts, order);
  }
  cluster.finish(bases, kBlock, order);
  return bases;
}

absl::StatusOr<std::vector<Coordinates>> basisList(const EncodingValue &value,
                                                   llvm::StringRef name,
                                                   size_t rank) {
  std::vector<Coordinates> all;
  for (const EncodingValue &each : value.list) {
    const auto basis = each.numbers();
    if (!basis || basis->size() != rank)
      return absl::InvalidArgumentError(absl::StrCat(
          "a basis of ", name.str(), " has a number for each dimension"));
    for (int64_t number : *basis)
      if (number < 0)
        return absl::InvalidArgumentError(
            absl::StrCat(number, " in ", name.str(), " is negative"));
    all.push_back(*basis);
  }
  return all;
}

absl::StatusOr<Bases> linear(const Encoding &of, llvm::ArrayRef<int64_t> shape,
                             llvm::ArrayRef<llvm::StringRef> inputs) {
  Bases bases(inputs.size(), shape.size());
  for (const auto &[input, name] : llvm::enumerate(inputs)) {
    const auto at = of.parameters.find(name.str());
    if (at == of.parameters.end()) continue;
    INDEXICAL_ASSIGN_OR_RETURN(const auto list,
                               basisList(at->second, name, shape.size()));
    for (const Coordinates &basis : list)
      for (auto [number, side] : llvm::zip(basis, shape))
        if (number >= side)
          return absl::InvalidArgumentError(
              absl::StrCat(number, " in ", name.str(),
                           " is past a dimension of size ", side));
    bases.add(input, list, Coordinates(shape.size(), 1));
  }
  bases.setSizes(shape);
  return bases;
}

/// Returns the dimensions in the order in which registers move along them, then
/// the others, the last one first.
Coordinates registerOrder(llvm::ArrayRef<Coordinates> registers, size_t rank) {
  Coordinates order;
  const auto take = [&](size_t k) {
    if (!llvm::is_contained(order, static_cast<int64_t>(k)))
      order.push_back(static_cast<int64_t>(k));
  };
  for (const Coordinates &basis : registers)
    for (size_t k = 0; k < rank; ++k)
      if (basis[k] != 0) take(k);
  for (size_t k = rank; k-- > 0;) take(k);
  return order;
}

/// Whether sums of the bases, bit by bit, are all coordinates below the sizes,
/// which are powers of two.
bool reachAll(std::vector<Coordinates> bases, llvm::ArrayRef<int64_t> sizes) {
  size_t used = 0;
  for (size_t k = 0; k < sizes.size(); ++k)
    for (int64_t bit = 1; bit < sizes[k]; bit *= 2) {
      size_t found = used;
      while (found < bases.size() && (bases[found][k] & bit) == 0) ++found;
      if (found == bases.size()) return false;
      std::swap(bases[used], bases[found]);
      for (size_t n = used + 1; n < bases.size(); ++n)
        if ((bases[n][k] & bit) != 0)
          for (auto [number, own] : llvm::zip(bases[n], bases[used]))
            number ^= own;
      ++used;
    }
  return true;
}

/// A linear layout has sizes of its own. Of a larger tile it takes more
/// registers; of a smaller one it lacks the registers past the end, and lanes
/// and warps past it hold what others hold. A basis that leads past the tile
/// thus belongs to a layout that reaches every element of a larger one, and
/// leads there along whole tiles.
absl::Status checkPastTile(const std::vector<Coordinates> &bases,
                           llvm::ArrayRef<int64_t> sizes,
                           llvm::ArrayRef<int64_t> shape) {
  std::optional<std::pair<int64_t, int64_t>> past;  // a number, and the side
  for (const Coordinates &basis : bases)
    for (auto [number, side] : llvm::zip(basis, shape)) {
      if (number < side) continue;
      if (number % side != 0)
        return absl::InvalidArgumentError(absl::StrCat(
            number, " leaves a dimension of size ", side, " in part"));
      past = {number, side};
    }
  if (!past || reachAll(bases, sizes)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(past->first, " is past a dimension of size ", past->second,
                   ", and the bases do not reach every element before it"));
}

absl::StatusOr<Bases> linearTensor(const Encoding &of,
                                   llvm::ArrayRef<int64_t> shape) {
  static constexpr llvm::StringLiteral kInputs[] = {"register", "lane", "warp",
                                                    "block"};
  const size_t rank = shape.size();
  Bases bases(4, rank);
  Coordinates sizes(rank, 1);
  std::vector<Coordinates> all, ofRegisters;
  for (const auto &[input, name] : llvm::enumerate(kInputs)) {
    const auto at = of.parameters.find(name.str());
    if (at == of.parameters.end()) continue;
    INDEXICAL_ASSIGN_OR_RETURN(auto list, basisList(at->second, name, rank));
    for (const Coordinates &basis : list)
      for (auto [number, size] : llvm::zip(basis, sizes)) {
        if (number >= int64_t{1} << 40)
          return absl::InvalidArgumentError(
              absl::StrCat(number, " in ", name.str(), " is out of range"));
        size = std::max(size,
                        static_cast<int64_t>(llvm::PowerOf2Ceil(number + 1)));
      }
    all.insert(all.end(), list.begin(), list.end());
    if (input == kRegister) {
      ofRegisters = list;
      llvm::erase_if(list, [&](const Coordinates &basis) {
        bool isPast = false;
        for (auto [number, side] : llvm::zip(basis, shape)) {
          if ((number & (side - 1)) != 0) return false;
          isPast |= number != 0;
        }
        return isPast;
      });
    }
    bases.add(input, list, Coordinates(rank, 1));
  }
  INDEXICAL_RETURN_IF_ERROR(checkPastTile(all, sizes, shape));
  bases.setSizes(sizes);
  bases.fit(shape, registerOrder(ofRegisters, rank));
  return bases;
}

absl::StatusOr<Bases> slice(const Encoding &of, llvm::ArrayRef<int64_t> shape) {
  INDEXICAL_ASSIGN_OR_RETURN(const int64_t dim, needNumber(of, "dim"));
  if (dim < 0 || dim > static_cast<int64_t>(shape.size()))
    return absl::InvalidArgumentError(
        absl::StrCat("the dim ", dim, " of a slice is out of range"));
  const auto parent = of.parameters.find("parent");
  if (parent == of.parameters.end() || parent->second.encoding.empty())
    return absl::InvalidArgumentError("#ttg.slice lacks parent");
  Coordinates around(shape.begin(), shape.end());
  around.insert(around.begin() + dim, 1);
  INDEXICAL_ASSIGN_OR_RETURN(
      Bases bases, tensorBases(parent->second.encoding.front(), around));
  bases.dropDimension(dim);
  bases.dropCopies(kRegister);
  return bases;
}

absl::StatusOr<Bases> tensorBases(const Encoding &of,
                                  llvm::ArrayRef<int64_t> shape) {
  if (of.kind == "blocked") return blocked(of, shape);
  if (of.kind == "linear") return linearTensor(of, shape);
  if (of.kind == "slice") return slice(of, shape);
  if (of.kind == "nvidia_mma") return encodings::nvidiaMma(of, shape);
  if (of.kind == "amd_mfma") return encodings::amdMfma(of, shape);
  if (of.kind == "amd_wmma") return encodings::amdWmma(of, shape);
  if (of.kind == "dot_op") return encodings::dotOperand(of, shape);
  return absl::UnimplementedError(
      absl::StrCat("the layout #ttg.", of.kind, " is not understood"));
}

absl::Status checkShape(llvm::ArrayRef<int64_t> shape) {
  int64_t all = 1;
  for (int64_t side : shape) {
    INDEXICAL_RETURN_IF_ERROR(checkPowers({side}, "the shape"));
    if (llvm::MulOverflow(all, side, all) || all > int64_t{1} << 60)
      return absl::InvalidArgumentError("the tile has more than 2^60 elements");
  }
  return absl::OkStatus();
}

/// Returns the layout with a leading dimension of so many copies, one behind
/// the other.
absl::StatusOr<Layout> stacked(const Layout &tile, int64_t copies) {
  std::vector<Space> inputs = {tile.inputs().begin(), tile.inputs().end()};
  std::vector<Space> outputs = {{"dim0", copies}};
  const int64_t size = inputs[0].size;
  int64_t all;
  if (llvm::MulOverflow(size, copies, all))
    return absl::InvalidArgumentError("the copies of the tile leave 64 bits");
  inputs[0].size = all;
  std::vector<Sum> sums(1);
  if (copies > 1) sums[0].digits.push_back({0, size, copies, 1});
  for (auto [sum, space] : llvm::zip(*tile.form(), tile.outputs())) {
    sums.push_back(sum);
    outputs.push_back({absl::StrCat("dim", outputs.size()), space.size});
  }
  return Layout::of(inputs, outputs, sums);
}

/// Returns the layout of copies of a padded tile: the padding goes through them
/// as if they were one tile, whose slowest dimension counts them.
absl::StatusOr<Layout> paddedCopies(const Encoding &encoding,
                                    llvm::ArrayRef<int64_t> shape) {
  const auto order = encoding.numbers("order");
  if (!order)
    return absl::UnimplementedError(
        "copies of a padded tile with bases are not understood");
  Encoding whole = encoding;
  auto &list = whole.parameters["order"].list;
  for (EncodingValue &each : list) ++*each.number;
  list.emplace_back().number = 0;
  return encodings::padded(whole, shape);
}

/// Returns how many dimensions the encoding has, if it says so.
std::optional<size_t> rankOf(const Encoding &encoding) {
  for (const char *name : {"order", "CTAsPerCGA"})
    if (const auto numbers = encoding.numbers(name)) return numbers->size();
  if (const auto rank = encoding.number("rank"); rank && *rank > 0)
    return static_cast<size_t>(*rank);
  const auto cluster = encoding.parameters.find("CGALayout");
  if (cluster != encoding.parameters.end() && !cluster->second.list.empty())
    return cluster->second.list.front().list.size();
  return std::nullopt;
}

/// Returns the layout of a tile of memory that has no copies.
absl::StatusOr<Layout> tileMemory(const Encoding &encoding,
                                  llvm::ArrayRef<int64_t> shape,
                                  llvm::StringRef elementType) {
  INDEXICAL_RETURN_IF_ERROR(checkShape(shape));
  if (encoding.kind == "padded_shared")
    return encodings::padded(encoding, shape);
  absl::StatusOr<Bases> bases =
      encoding.kind == "shared_linear"
          ? linear(encoding, shape, {"offset", "block"})
          : encodings::memoryBases(encoding, shape, bitsOfType(elementType));
  INDEXICAL_RETURN_IF_ERROR(bases.status());
  return bases->layout({"offset", "block"});
}

}  // namespace

absl::StatusOr<Layout> encodedTensor(const Encoding &encoding,
                                     llvm::ArrayRef<int64_t> shape,
                                     llvm::StringRef elementType) {
  INDEXICAL_RETURN_IF_ERROR(checkShape(shape));
  INDEXICAL_ASSIGN_OR_RETURN(const Bases bases, tensorBases(encoding, shape));
  INDEXICAL_ASSIGN_OR_RETURN(
      const Layout made, bases.layout({"register", "lane", "warp", "block"}));
  Notes notes;
  notes.elementType = elementType.str();
  notes.memory = Notes::Memory::Registers;
  return made.withNotes(std::move(notes));
}

absl::StatusOr<Layout> encodedMemory(const Encoding &encoding,
                                     llvm::ArrayRef<int64_t> shape,
                                     llvm::StringRef elementType) {
  const auto rank = rankOf(encoding);
  // Where the encoding does not say it, a tile of tensor cores has two
  // dimensions, if such a tile is one.
  const bool mayStack = !rank && encoding.kind == "nvmma_shared";
  absl::StatusOr<Layout> made = absl::UnknownError("");
  if (shape.size() > 1 &&
      (rank ? *rank + 1 == shape.size() : mayStack && shape.size() == 3)) {
    // Several copies of a tile need not be a power of two.
    made = tileMemory(encoding, shape.drop_front(), elementType);
    if (made.ok())
      made = encoding.kind == "padded_shared" ? paddedCopies(encoding, shape)
                                              : stacked(*made, shape.front());
  }
  if (!made.ok() && (!rank || *rank == shape.size()))
    made = tileMemory(encoding, shape, elementType);
  INDEXICAL_RETURN_IF_ERROR(made.status());
  Notes notes;
  notes.elementType = elementType.str();
  notes.memory = Notes::Memory::Shared;
  return made->withNotes(std::move(notes));
}

std::optional<int64_t> bitsOfType(llvm::StringRef type) {
  type.consume_front("tensor.");
  if (type.starts_with("!tt.ptr") || type == "index") return 64;
  // A truth value takes a byte of memory.
  if (type == "pred" || type == "i1") return 8;
  if (type == "c64") return 64;
  if (type == "c128") return 128;
  // The bits are the first number: f8E5M2, bf16, ui32, s4.
  const llvm::StringRef digits =
      type.drop_until([](char c) { return c >= '0' && c <= '9'; })
          .take_while([](char c) { return c >= '0' && c <= '9'; });
  const llvm::StringRef letters =
      type.take_until([](char c) { return c >= '0' && c <= '9'; });
  int64_t bits = 0;
  if (digits.getAsInteger(10, bits) || bits < 1 || bits > 128)
    return std::nullopt;
  for (llvm::StringRef known : {"f", "bf", "tf", "i", "si", "ui", "s", "u"})
    if (letters == known) return bits;
  return std::nullopt;
}

}  // namespace indexical::layouts
