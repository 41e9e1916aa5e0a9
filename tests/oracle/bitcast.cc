// Bitcasts, by bits: an element of the result is defined by the operand's
// elements whose bits it takes.
#include <map>
#include <numeric>

#include "tests/oracle/definitions.h"

namespace indexical::testing {
namespace {

int64_t widthOf(ElementType type) {
  switch (type) {
    case ElementType::S1:
    case ElementType::U1:
      return 1;
    case ElementType::S2:
    case ElementType::U2:
      return 2;
    case ElementType::S4:
    case ElementType::U4:
    case ElementType::F4E2M1FN:
      return 4;
    case ElementType::S16:
    case ElementType::U16:
    case ElementType::F16:
    case ElementType::BF16:
      return 16;
    case ElementType::S32:
    case ElementType::U32:
    case ElementType::F32:
      return 32;
    case ElementType::S64:
    case ElementType::U64:
    case ElementType::F64:
    case ElementType::C64:
      return 64;
    case ElementType::C128:
      return 128;
    default:
      return 8;
  }
}

int64_t storedWidthOf(const ArrayShape &shape) {
  if (shape.layout && shape.layout->elementBits > 0)
    return shape.layout->elementBits;
  return widthOf(shape.type);
}

/// An index and its sizes: dimensions as they lie in memory, most major first.
struct Position {
  Index sizes, index;
};

/// Cuts the most minor dimensions by the tile: first the numbers of the tiles,
/// then the places in the tile. The last tile may stick out of the tensor.
Position tiled(const Position &position, llvm::ArrayRef<int64_t> tile) {
  Position padded = position;
  while (padded.sizes.size() < tile.size()) {
    padded.sizes.insert(padded.sizes.begin(), 1);
    padded.index.insert(padded.index.begin(), 0);
  }
  const size_t untiled = padded.sizes.size() - tile.size();
  Position result = padded;
  for (size_t k = 0; k < tile.size(); ++k) {
    const int64_t size = padded.sizes[untiled + k];
    const int64_t index = padded.index[untiled + k];
    result.sizes[untiled + k] = (size + tile[k] - 1) / tile[k];
    result.index[untiled + k] = index / tile[k];
    result.sizes.push_back(tile[k]);
    result.index.push_back(index % tile[k]);
  }
  return result;
}

/// For each element, in row major order of the indices, its place in memory,
/// counted in elements.
std::vector<int64_t> placesInMemory(const ArrayShape &shape) {
  std::vector<int64_t> places;
  forEachIndex(shape.dimensions, [&](const Index &index) {
    Position position;
    for (int64_t k = shape.rank() - 1; k >= 0; --k) {
      int64_t dimension =
          shape.layout ? shape.layout->minorToMajor[k] : shape.rank() - 1 - k;
      position.sizes.push_back(shape.dimensions[dimension]);
      position.index.push_back(index[dimension]);
    }
    if (shape.layout)
      for (const Tile &tile : shape.layout->tiles)
        position = tiled(position, tile.dimensions);
    places.push_back(rowMajor(position.sizes, position.index));
  });
  return places;
}

}  // namespace

/// An element at place p takes the bits [p * width, (p + 1) * width), in pieces
/// that no element of the other tensor cuts.
Tensors define(const BitcastOp &op, const Tensors &operands) {
  Tensors results = emptyResults(op);
  const int64_t to = storedWidthOf(op.results[0]);
  const int64_t from = storedWidthOf(op.operands[0]);
  const int64_t piece = std::gcd(from, to);
  std::map<int64_t, size_t> elementAtBit;
  std::vector<int64_t> places = placesInMemory(op.operands[0]);
  for (size_t i = 0; i < places.size(); ++i)
    for (int64_t bit = 0; bit < from; bit += piece)
      elementAtBit[places[i] * from + bit] = i;
  places = placesInMemory(op.results[0]);
  for (size_t i = 0; i < places.size(); ++i)
    for (int64_t bit = 0; bit < to; bit += piece) {
      auto found = elementAtBit.find(places[i] * to + bit);
      if (found != elementAtBit.end())
        unite(results[0].elements[i], operands[0].elements[found->second]);
    }
  return results;
}

Tensors define(const BitcastConvertOp &op, const Tensors &operands) {
  Tensors results = emptyResults(op);
  const size_t operandRank = operands[0].sizes.size();
  forEachIndex(results[0].sizes, [&](const Index &to) {
    forEachIndex(operands[0].sizes, [&](const Index &from) {
      for (size_t k = 0; k < std::min(operandRank, to.size()); ++k)
        if (to[k] != from[k]) return;
      unite(results[0].at(to), operands[0].at(from));
    });
  });
  return results;
}

}  // namespace indexical::testing
