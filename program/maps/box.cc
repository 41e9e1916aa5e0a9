#include "indexical/program/maps/box.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// Adds to the members, in the order of the collectives; whether they grew.
bool addMembers(llvm::SmallVectorImpl<AnyMember> &into,
                llvm::ArrayRef<AnyMember> members) {
  bool grew = false;
  for (const AnyMember &member : members) {
    auto *at = llvm::find_if(into, [&](const AnyMember &other) {
      return other.collective >= member.collective;
    });
    if (at == into.end() || at->collective != member.collective) {
      into.insert(at, member);
      grew = true;
      continue;
    }
    const Interval all = at->positions.hull(member.positions);
    grew |= all != at->positions;
    at->positions = all;
  }
  return grew;
}

bool isEmpty(const Box &box) {
  for (const Interval &interval : box.from)
    if (interval.isEmpty()) return true;
  for (size_t k = 0; k < box.to.size(); ++k)
    if (box.indices(k).isEmpty()) return true;
  return false;
}

std::optional<Box> unlessEmpty(Box box) {
  if (isEmpty(box)) return std::nullopt;
  return box;
}

bool isTaken(const Box &box, int64_t dimension) {
  return llvm::any_of(box.to, [&](const Box::Target &target) {
    return target.equal == dimension;
  });
}

std::optional<Box> boxOf(const IndexingMap &map, const ArrayShape &from,
                         const ArrayShape &to) {
  Box box;
  auto boundsOf = [&](VariableId id) { return map.variable(id).bounds; };
  FormBounds bounds(map.expressions(), boundsOf);
  for (size_t k = 0; k < map.dimensions().size(); ++k)
    box.from.push_back(
        map.dimensions()[k].bounds.intersect(indicesOf(from, k)));
  for (size_t k = 0; k < map.results().size(); ++k) {
    const FormId form = map.results()[k];
    auto variable = map.expressions().asVariable(form);
    Box::Target target;
    // Indices outside of the tensor are not read.
    target.range = bounds(form).intersect(indicesOf(to, k));
    if (variable && variable->kind == VariableKind::Dimension &&
        !isTaken(box, variable->index)) {
      target.equal = variable->index;
      Interval &indices = box.from[target.equal];
      indices = indices.intersect(indicesOf(to, k));
    }
    box.to.push_back(target);
  }
  for (size_t i = 0; i < map.members().size(); ++i)
    addMembers(box.members, {{map.collectives()[i], bounds(map.members()[i])}});
  return unlessEmpty(std::move(box));
}

}  // namespace

std::optional<Box> identityBox(const ArrayShape &shape) {
  Box box;
  for (int64_t k = 0; k < shape.rank(); ++k) {
    box.from.push_back(indicesOf(shape, k));
    box.to.push_back({k, Interval()});
  }
  return unlessEmpty(std::move(box));
}

std::optional<Box> everythingBox(const ArrayShape &from, const ArrayShape &to) {
  Box box;
  for (int64_t k = 0; k < from.rank(); ++k)
    box.from.push_back(indicesOf(from, k));
  for (int64_t k = 0; k < to.rank(); ++k)
    box.to.push_back({-1, indicesOf(to, k)});
  return unlessEmpty(std::move(box));
}

std::optional<Box> boxOf(const IndexingRelation &relation,
                         const ArrayShape &from, const ArrayShape &to) {
  std::optional<Box> box;
  for (const IndexingMap &piece : relation.pieces()) {
    auto next = boxOf(piece, from, to);
    if (next) next->precision = std::min(relation.precision(), next->precision);
    if (box && next)
      join(*box, *next);
    else if (next)
      box = std::move(next);
  }
  return box;
}

std::optional<Box> composed(const Box &first, const Box &second) {
  Box box;
  box.from = first.from;
  box.precision = std::min(first.precision, second.precision);
  box.members = first.members;
  addMembers(box.members, second.members);
  llvm::SmallVector<Interval, 4> middle;
  for (size_t k = 0; k < first.to.size(); ++k) {
    const Interval met = first.indices(k).intersect(second.from[k]);
    if (met.isEmpty()) return std::nullopt;
    if (first.to[k].equal >= 0) box.from[first.to[k].equal] = met;
    middle.push_back(met);
  }
  for (const Box::Target &target : second.to) {
    if (target.equal < 0)
      box.to.push_back(target);
    else
      box.to.push_back({first.to[target.equal].equal, middle[target.equal]});
  }
  return box;
}

bool join(Box &box, const Box &other) {
  bool grew = other.precision < box.precision;
  box.precision = std::min(box.precision, other.precision);
  grew |= addMembers(box.members, other.members);
  for (size_t k = 0; k < box.to.size(); ++k) {
    Box::Target &target = box.to[k];
    if (target.equal >= 0 && target.equal == other.to[k].equal) continue;
    const Interval all = box.indices(k).hull(other.indices(k));
    grew |= target.equal >= 0 || all != target.range;
    target = {-1, all};
  }
  for (size_t k = 0; k < box.from.size(); ++k) {
    const Interval all = box.from[k].hull(other.from[k]);
    grew |= all != box.from[k];
    box.from[k] = all;
  }
  return grew;
}

bool contains(const Box &box, const Box &other) {
  Box both = box;
  return !join(both, other);
}

void widen(Box &box, const Box &before, const ArrayShape &from,
           const ArrayShape &to) {
  for (size_t k = 0; k < box.to.size(); ++k)
    if (box.to[k].equal < 0 && box.indices(k) != before.indices(k))
      box.to[k].range = indicesOf(to, k);
  for (size_t k = 0; k < box.from.size(); ++k) {
    if (box.from[k] == before.from[k]) continue;
    box.from[k] = indicesOf(from, k);
    for (size_t j = 0; j < box.to.size(); ++j)
      if (box.to[j].equal == static_cast<int64_t>(k))
        box.from[k] = box.from[k].intersect(indicesOf(to, j));
  }
}

absl::StatusOr<IndexingRelation> relationOf(const Box &box, Direction direction,
                                            llvm::ArrayRef<AnyMember> members) {
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 4> read;
  if (direction == Direction::OutputToInput) {
    for (const Interval &indices : box.from)
      read.push_back(b.dimension(indices));
    for (const Box::Target &target : box.to)
      b.result(target.equal < 0 ? b.range(target.range) : read[target.equal]);
  } else {
    llvm::SmallVector<std::optional<Expr>, 4> equal(box.from.size());
    for (size_t k = 0; k < box.to.size(); ++k) {
      Expr d = b.dimension(box.indices(k));
      if (box.to[k].equal >= 0) equal[box.to[k].equal] = d;
    }
    for (size_t k = 0; k < box.from.size(); ++k)
      b.result(equal[k] ? *equal[k] : b.range(box.from[k]));
  }
  for (const AnyMember &member : members)
    b.member(member.collective, b.range(member.positions));
  auto map = b.build();
  INDEXICAL_RETURN_IF_ERROR(map.status());
  SimplifyOptions options;
  options.rename = true;
  map = simplify(*map, options);
  INDEXICAL_RETURN_IF_ERROR(map.status());
  return IndexingRelation(*std::move(map), box.precision);
}

std::vector<IndexingRelation> waysOf(const IndexingRelation &relation) {
  std::vector<IndexingRelation> ways;
  for (const IndexingMap &piece : relation.pieces()) {
    auto same = llvm::find_if(ways, [&](const IndexingRelation &way) {
      return way.pieces()[0].collectives() == piece.collectives();
    });
    if (same == ways.end()) same = ways.emplace(ways.end());
    same->add(piece);
    same->weaken(relation.precision());
  }
  return ways;
}

std::vector<AnyMember> membersOf(const IndexingRelation &way) {
  std::vector<AnyMember> members;
  for (const IndexingMap &piece : way.pieces()) {
    auto boundsOf = [&](VariableId id) { return piece.variable(id).bounds; };
    FormBounds bounds(piece.expressions(), boundsOf);
    members.resize(piece.members().size(), {0, Interval::none()});
    for (size_t k = 0; k < members.size(); ++k) {
      members[k].collective = piece.collectives()[k];
      members[k].positions =
          members[k].positions.hull(bounds(piece.members()[k]));
    }
  }
  return members;
}

}  // namespace indexical
