// Elements that an op moves: where in an operand the element of an index stands.
//
//   c1 = f32[400,16] dynamic-update-slice(c0, p, 7, 0)
//     row 7 is p[0, d1], the others are c0[d0, d1]
//   c  = f32[400,16] concatenate(p0, …, p399), dimensions={0}
//     row i is pi[0, d1]
//
// An array that is written row by row, and one that is joined of 400 parts, are
// asked for one row 400 times, and each time all but one of the pieces are
// beside it. So starts that are numbers are put into an op's pieces once
// (placedPieces), and bounds say which pieces a map misses, and which one
// leaves its indices as they are. The others are composed.
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/identity.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/same/values/element_terms.h"
#include "indexical/same/values/moved_operands.h"
#include "indexical/same/values/regions.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

// Below updates that values place, so many runtime variables say where the
// array is left as it was. Further ones no longer tell its elements apart: each
// update would double them.
constexpr size_t kMostPlaced = 4;

/// Whether bounds show that the piece has none of the map's indices.
bool misses(llvm::ArrayRef<Interval> results, const IndexingMap &piece) {
  return llvm::any_of(llvm::zip(piece.dimensions(), results),
                      [](const auto &each) {
                        const auto &[dimension, result] = each;
                        return dimension.bounds.intersect(result).isEmpty();
                      });
}

/// Whether the piece gives each index of the map back as it is.
bool keepsIndices(const IndexingMap &piece, const IndexingMap &map) {
  if (piece.results().size() != piece.dimensions().size() ||
      !piece.ranges().empty() || !piece.runtime().empty() ||
      !piece.collectives().empty())
    return false;
  for (uint32_t k = 0; k < piece.results().size(); ++k)
    if (!(piece.expressions().asVariable(piece.results()[k]) ==
          VariableId{VariableKind::Dimension, k}))
      return false;
  return asksForNothing(piece, map);
}

}  // namespace

/// Returns the relation, simplified, with its sources numbered below -1;
/// nothing if it is not exact, or has ranges or collectives.
const std::optional<IndexingRelation> &ElementTerms::relationOf(
    const Op &op, int64_t result, int64_t operand) {
  auto [entry, isNew] = relations_[op].try_emplace({result, operand});
  if (!isNew) return entry->second;
  auto own = indexing(op, Direction::OutputToInput, result, operand);
  if (!own.ok() || own->precision() != Precision::Exact) return entry->second;
  auto below = [](int64_t tensor) { return -2 - tensor; };
  auto same = [](int64_t collective) { return collective; };
  IndexingRelation simple;
  for (const IndexingMap &piece : own->pieces()) {
    if (!piece.ranges().empty() || !piece.collectives().empty())
      return entry->second;
    auto map = simplify(piece);
    if (!map.ok()) return entry->second;
    simple.add(withSources(*map, {below, same}));
  }
  entry->second = std::move(simple);
  return entry->second;
}

/// Returns the pieces of the relation, with starts that are one number for the
/// whole program in place of their runtime variables.
std::optional<llvm::ArrayRef<IndexingMap>> ElementTerms::placedPieces(
    Site site, size_t operand) {
  const auto &relation = relationOf(instruction(site).op, 0, operand);
  if (!relation) return std::nullopt;
  if (llvm::all_of(relation->pieces(), [](const IndexingMap &piece) {
        return piece.runtime().empty();
      }))
    return relation->pieces();
  const auto key = std::make_tuple(site.frame, site.instruction, operand);
  if (auto known = placed_.find(key); known != placed_.end())
    return known->second;
  std::vector<IndexingMap> placed;
  for (const IndexingMap &piece : relation->pieces()) {
    auto own = withNumbers(site, piece);
    if (!own.isKnownEmpty()) placed.push_back(std::move(own));
  }
  return placed_.emplace(key, std::move(placed)).first->second;
}

/// Returns the piece, with a number for each scalar of the program that is one;
/// as it is, if there is none.
IndexingMap ElementTerms::withNumbers(Site site, const IndexingMap &piece) {
  absl::StatusOr<IndexingMap> numbered = piece;
  for (size_t r = piece.runtime().size(); numbered.ok() && r-- > 0;) {
    const RuntimeSource &source = piece.runtime()[r].source;
    if (source.kind != RuntimeSource::Kind::Element || source.tensor >= 0)
      continue;
    const OperandLeaf leaf = computation(site).operandLeaf(
        site.instruction, LeafId(-2 - source.tensor));
    if (leaf.instruction < 0) continue;
    const Site scalar{site.frame, leaf.instruction, leaf.result};
    if (!shapeOf(scalar).dimensions.empty()) continue;
    const ElementId element = elementAt(scalar, regionOf(shapeOf(scalar)));
    if (element == kParts) {
      parts_.clear();
    } else if (const auto number = table_.indexOf(element)) {
      numbered = withNumber(*numbered, r, *number);
      if (numbered.ok() && numbered->isKnownEmpty()) return *numbered;
    }
  }
  if (numbered.ok()) numbered = simplify(*numbered);
  return numbered.ok() ? *std::move(numbered) : piece;
}

std::optional<IndexingMap> ElementTerms::composed(
    Site site, const IndexingMap &map, const IndexingMap &piece,
    const IndexingMap *iteration) {
  if (!meter_.spend(kProduct)) return std::nullopt;
  auto product = compose(map, piece);
  if (!product.ok()) return std::nullopt;
  if (product->runtime().empty() || product->isKnownEmpty())
    return *std::move(product);
  std::vector<int64_t> elements;
  std::optional<IndexingMap> region;
  for (size_t r = 0; r < product->runtime().size(); ++r) {
    const RuntimeSource &source = product->runtime()[r].source;
    elements.push_back(source.tensor);
    if (source.kind != RuntimeSource::Kind::Element) return std::nullopt;
    if (source.tensor >= 0) continue;
    if (!region) region = regionIn(iteration ? *iteration : *product);
    if (!region) return std::nullopt;
    auto index = compose(*region, product->sourceMap(r));
    if (!index.ok()) return std::nullopt;
    const ElementId element =
        operandAt(site, -2 - source.tensor, iteration ? *iteration : *index);
    if (element == kParts) return IndexingMap::knownEmpty();
    elements.back() = element;
  }
  size_t next = 0;
  auto named =
      withRuntime(*product, [&](IndexingMapBuilder &, RuntimeVariable &v) {
        v.source.tensor = elements[next++];
        v.index.clear();
      });
  for (size_t r = elements.size();
       named.ok() && !named->isKnownEmpty() && r-- > 0;) {
    if (const auto number = table_.indexOf(elements[r])) {
      named = withNumber(*named, r, *number);
    } else if (product->runtime()[r].source.tensor < 0) {
      const auto from = integerAt(elements[r], *region);
      auto made = from ? withIndex(*named, r, *from) : std::nullopt;
      if (!parts_.empty()) return IndexingMap::knownEmpty();
      if (made) named = *std::move(made);
    }
  }
  SimplifyOptions options;
  options.rename = true;
  if (named.ok()) named = simplify(*named, options);
  if (!named.ok()) return std::nullopt;
  return *std::move(named);
}

/// Sets `parts_` to the regions in which these maps hold.
ElementId ElementTerms::split(llvm::ArrayRef<IndexingMap> maps) {
  return splitByRegions(maps, parts_) ? kParts : unknown();
}

ElementId ElementTerms::movedAt(Site site, const IndexingMap &map) {
  const Op &op = instruction(site).op;
  llvm::SmallVector<IndexingMap, 4> maps;
  llvm::SmallVector<size_t, 4> operands;
  bool isKept = false;
  const auto bounds = boundsOfResults(map);
  for (size_t k : movedOperands(module_, instruction(site))) {
    const auto pieces = placedPieces(site, k);
    if (!pieces) return arrayAt(site, map);
    for (const IndexingMap &piece : *pieces) {
      if (misses(bounds, piece)) continue;
      if (keepsIndices(piece, map)) {
        maps.push_back(map);
        operands.push_back(k);
        isKept = true;
        continue;
      }
      parts_.clear();
      auto behind = composed(site, map, piece);
      if (!behind) return knownAt(site, map);
      // The parts are those of the piece.
      if (!parts_.empty())
        return addRest(parts_, map) ? kParts : knownAt(site, map);
      if (behind->isKnownEmpty()) continue;
      if (!isShort(*behind) && !isIdentity(map, shapeOf(site)))
        return wholeAt(site, map);
      maps.push_back(*std::move(behind));
      operands.push_back(k);
    }
  }
  if (maps.empty()) return ElementTable::kNothing;
  if (maps.size() == 1) {
    const ElementId element = operandAt(site, operands[0], maps[0]);
    return isKept ? passedOn(element) : element;
  }
  if (maps.size() > kMostPieces) return knownAt(site, map);
  if (llvm::none_of(maps, holdsByRuntime)) return split(maps);
  // Values decide which operand it is: the element has a case for each.
  Pieces pieces;
  const bool isPlaced =
      op.is<DynamicUpdateSliceOp>() && map.runtime().size() >= kMostPlaced;
  for (auto [behind, operand] : llvm::zip(maps, operands)) {
    // The updated array has its own index, wherever the update is.
    const ElementId element =
        operandAt(site, operand, isPlaced && operand == 0 ? map : behind);
    // The parts are those of this case.
    if (element == kParts)
      return addRest(parts_, map) ? kParts : knownAt(site, map);
    auto region = regionIn(behind);
    if (!region) return knownAt(site, map);
    pieces.push_back({*std::move(region), element});
  }
  return table_.cases(shapeOf(site).type, pieces);
}

}  // namespace indexical
