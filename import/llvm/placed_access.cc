#include "indexical/import/llvm/placed_access.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/llvm/element_terms.h"
#include "indexical/import/llvm/undefined_values.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/status_macros.h"

namespace indexical::compiled {

using kernels::MaskKind;
using kernels::PieceMaker;
using kernels::PieceSpace;
using kernels::Terms;

std::optional<std::set<int64_t>> arraysOf(const MemoryOp &op,
                                          ValueTerms &terms) {
  const auto pointer = terms.pointer(op.address);
  return pointer ? terms.terms().buffersOf(*pointer) : std::nullopt;
}

PieceSpace AccessPlacer::space(int64_t order) const {
  PieceSpace space;
  space.grid = kernel_.grid;
  for (auto [number, argument] : llvm::enumerate(kernel_.arguments)) {
    space.argumentNames.push_back(argument.name);
    if (argument.value) space.values[number] = *argument.value;
  }
  for (const llvm::Value *memory : terms_.otherMemory())
    space.argumentNames.push_back(memory->getName().str());
  space.readOnly = readOnly_;
  space.number = order;
  return space;
}

TermId AccessPlacer::conditionOf(const MemoryOp &op) {
  Terms &terms = terms_.terms();
  TermId condition = terms_.reaches(op.at->getParent());
  if (op.predicate) {
    const TermId holds = terms_.integer(op.predicate);
    const TermId is =
        terms[holds].bits == 1
            ? holds
            : terms.make(TermKind::NotEqual, 1,
                         {holds, terms.constant(0, terms[holds].bits)});
    condition = terms_.both(condition, op.isNegated ? terms_.negated(is) : is);
  }
  if (op.size) {
    const TermId bytes = terms_.integer(op.size);
    condition = terms_.both(
        condition, terms.make(TermKind::NotEqual, 1,
                              {bytes, terms.constant(0, terms[bytes].bits)}));
  }
  if (op.lanes > 0)
    condition = terms_.both(
        condition, terms.make(TermKind::LessS, 1,
                              {terms.make(TermKind::RemS, 64,
                                          {terms_.threadInBlock(),
                                           terms.constant(kernel_.lanes, 64)}),
                               terms.constant(op.lanes, 64)}));
  return condition;
}

/// Returns the condition that the thread is there, though the tile is larger.
TermId AccessPlacer::thereIs() {
  Terms &terms = terms_.terms();
  TermId all = terms.constant(1, 1);
  for (size_t k = 0; k < tile_.sides().size(); ++k)
    if (tile_.counts()[k] < tile_.sides()[k])
      all = terms_.both(all,
                        terms.make(TermKind::LessS, 1,
                                   {terms.coordinate(static_cast<int64_t>(k)),
                                    terms.constant(tile_.counts()[k], 64)}));
  return all;
}

absl::StatusOr<PlacedAccess> AccessPlacer::place(const MemoryOp &op,
                                                 int64_t order, int64_t width,
                                                 llvm::ArrayRef<int64_t> tile,
                                                 Misaligned misaligned) {
  if (terms_.isInStrangeCycle(op.at->getParent()))
    return absl::UnimplementedError(
        "a cycle of the control flow has several entries");
  const auto pointer = terms_.pointer(op.address);
  if (!pointer) return absl::UnimplementedError("the pointer is not known");
  Terms &terms = terms_.terms();
  const bool isVector = tile.size() > tile_.sides().size();
  const TermId within =
      isVector ? terms.coordinate(static_cast<int64_t>(tile.size()) - 1)
               : terms.constant(0, 64);
  const TermId moved = terms_.moved(*pointer, terms.constant(op.offset, 64));
  compiled::ElementTerms elements(terms);
  const TermId element = elements.inElements(moved, width, within);
  TermId mask = conditionOf(op);
  PlacedAccess made;
  if (mask != terms.constant(1, 1)) made.mask = MaskKind::Exact;
  mask = terms_.both(mask, thereIs());
  PieceSpace space = this->space(order);
  space.tile.assign(tile.begin(), tile.end());
  llvm::SmallVector<const llvm::Loop *, 4> loops;
  for (const llvm::Loop *loop = terms_.loopOf(op.at->getParent()); loop;
       loop = loop->getParentLoop())
    loops.insert(loops.begin(), loop);
  for (const llvm::Loop *loop : loops) {
    const auto trips = terms_.trips(loop);
    if (!trips)
      return absl::UnimplementedError("how often a loop runs is not known");
    INDEXICAL_ASSIGN_OR_RETURN(const auto count,
                               PieceMaker(terms, space, stop_).bounds(*trips));
    if (!count.hasUpper())
      return absl::UnimplementedError("how often a loop runs is not known");
    if (count.upper < 1) {
      // No thread comes to it; else it has far more turns than a program ends.
      const TermId enters =
          terms.make(TermKind::Select, 64,
                     {terms_.reaches(loop->getHeader()), terms.constant(1, 64),
                      terms.constant(0, 64)});
      INDEXICAL_ASSIGN_OR_RETURN(
          const auto entered, PieceMaker(terms, space, stop_).bounds(enters));
      if (entered.upper < 1) return made;  // never
      return absl::UnimplementedError("how often a loop runs is not known");
    }
    space.loops.push_back({terms_.numberOf(loop), count.upper, 1});
    if (count.isPoint()) continue;
    mask = terms_.both(
        mask, terms.make(TermKind::LessS, 1,
                         {terms.leaf(TermKind::Loop, terms_.numberOf(loop), 64),
                          *trips}));
  }
  made.loops = space.loops;
  made.width = width;
  if (undefinedLeftOut(terms_, op.address, *pointer, space, stop_))
    return absl::UnimplementedError(
        "an op of the address has no result for some numbers");
  // A number that no element of that width has.
  for (const auto &[id, by] : elements.unsure()) {
    const auto rest = PieceMaker(terms, space, stop_)
                          .bounds(terms.make(TermKind::RemS, 64,
                                             {id, terms.constant(by, 64)}));
    if (rest.ok() && *rest == Interval::point(0)) continue;
    if (const auto arrays = terms.buffersOf(*pointer);
        arrays && misaligned == Misaligned::Narrows)
      narrowed_.insert(arrays->begin(), arrays->end());
    return absl::UnimplementedError(
        "an address is not a multiple of the element's size");
  }
  const absl::Status whole = writeMaps(element, mask, space, made);
  const bool isKnown = !terms.mentions(mask, TermKind::Unknown) &&
                       !terms.mentions(mask, TermKind::Loaded);
  if (whole.ok() && (made.mask != MaskKind::Cover || !isKnown)) return made;
  if (auto apart = placeApart(element, mask, space, made)) return *apart;
  if (!whole.ok()) return whole;
  return made;
}

absl::Status AccessPlacer::writeMaps(TermId element, TermId mask,
                                     const PieceSpace &space,
                                     PlacedAccess &made) const {
  PieceMaker maker(terms_.terms(), space, stop_);
  INDEXICAL_ASSIGN_OR_RETURN(
      auto maps, maker.elements(element, mask == terms_.number(1, 1)
                                             ? std::nullopt
                                             : std::optional<TermId>(mask)));
  if (made.maps.size() + maps.size() > PieceMaker::kMostPieces)
    return absl::UnimplementedError(absl::StrCat(
        "an index has more than ", PieceMaker::kMostPieces, " cases"));
  // Addresses are numbers of 64 bits: 2^62 elements of 4 bytes are none.
  const Interval whole{INT64_MIN / made.width, INT64_MAX / made.width};
  for (const kernels::PointerMap &map : maps) {
    if (map.map.isKnownEmpty()) continue;
    const Interval bounds = boundsOfResults(map.map)[0];
    if ((bounds.hasLower() && !whole.contains(bounds.lower)) ||
        (bounds.hasUpper() && !whole.contains(bounds.upper)))
      return absl::UnimplementedError("its address leaves 64 bits");
  }
  for (kernels::PointerMap &map : maps) made.maps.push_back(std::move(map));
  for (const RuntimeVariable &value : maker.runtime())
    made.values[value.name] = value.bounds;
  if (maker.isCover()) made.mask = MaskKind::Cover;
  return absl::OkStatus();
}

/// An access whose index has no map for all values of a loop or of a coordinate
/// may have one for each: `1 << t`, or a product of two variables.
std::optional<PlacedAccess> AccessPlacer::placeApart(TermId element,
                                                     TermId mask,
                                                     const PieceSpace &space,
                                                     const PlacedAccess &like) {
  constexpr int64_t kMostValues = 16;
  constexpr int kMostTries = 64;  // of a kernel
  Terms &terms = terms_.terms();
  auto tried = [&](TermKind kind, int64_t number,
                   int64_t count) -> std::optional<PlacedAccess> {
    if (count < 2 || count > kMostValues || tries_ >= kMostTries)
      return std::nullopt;
    if (!terms.mentions(element, kind, number) &&
        !terms.mentions(mask, kind, number))
      return std::nullopt;
    ++tries_;
    auto at = [&](TermId term, TermId value) {
      if (kind == TermKind::Loop) return terms.inIteration(term, number, value);
      llvm::SmallVector<TermId, 4> by;
      for (int64_t k = 0; k < number; ++k) by.push_back(terms.coordinate(k));
      by.push_back(value);
      return terms.substitute(term, by);
    };
    PlacedAccess made = like;
    made.maps.clear();
    if (made.mask == MaskKind::Cover) made.mask = MaskKind::Exact;
    const TermId variable = terms.leaf(kind, number, 64);
    for (int64_t k = 0; k < count; ++k) {
      const TermId value = terms.constant(k, 64);
      const TermId here = terms_.both(
          at(mask, value), terms.make(TermKind::Equal, 1, {variable, value}));
      if (!writeMaps(at(element, value), here, space, made).ok() ||
          made.mask == MaskKind::Cover)
        return std::nullopt;
    }
    return made;
  };
  // With fewer values there are fewer maps, which are compared in pairs later.
  struct Variable {
    TermKind kind;
    int64_t number, count;
  };
  std::vector<Variable> variables;
  for (const PieceSpace::LoopCount &loop : space.loops)
    variables.push_back({TermKind::Loop, loop.loop, loop.count});
  // No thread has a number behind the last one of its side.
  for (const auto [k, side] : llvm::enumerate(space.tile))
    variables.push_back({TermKind::Coordinate, static_cast<int64_t>(k),
                         k < tile_.counts().size() ? tile_.counts()[k] : side});
  llvm::stable_sort(variables, [](const Variable &a, const Variable &b) {
    return a.count < b.count;
  });
  for (const Variable &each : variables)
    if (auto made = tried(each.kind, each.number, each.count)) return made;
  return std::nullopt;
}

}  // namespace indexical::compiled
