#include "indexical/import/llvm/placed_access.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/llvm/element_terms.h"
#include "indexical/import/llvm/undefined_values.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/status_macros.h"

namespace indexical::compiled {

/// No loop runs so often: at one turn a nanosecond it takes 18 minutes.
constexpr int64_t kMostLoopTurns = int64_t{1} << 40;

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

TermId AccessPlacer::conditionOf(const MemoryOp &op, int64_t width,
                                 TermId within) {
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
  if (op.ignored)
    condition =
        terms_.both(condition, terms_.negated(terms_.integer(op.ignored)));
  if (op.size)
    condition = terms_.both(
        condition,
        terms.make(
            TermKind::LessS, 1,
            {terms.make(TermKind::Mul, 64, {within, terms.constant(width, 64)}),
             terms_.resized(terms_.integer(op.size), 64, false)}));
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

TermId AccessPlacer::withoutValues(TermId mask, TermId element) {
  Terms &terms = terms_.terms();
  const kernels::TermNode node = terms[mask];
  if (node.kind == TermKind::And && node.bits == 1)
    return terms_.both(withoutValues(node.operands[0], element),
                       withoutValues(node.operands[1], element));
  bool hasValue = false;
  for (TermKind kind : {TermKind::Loaded, TermKind::Unknown})
    for (int64_t value : terms.valuesOf(mask, kind)) {
      if (terms.mentions(element, kind, value)) return mask;
      hasValue = true;
    }
  return hasValue ? terms.constant(1, 1) : mask;
}

absl::StatusOr<bool> AccessPlacer::addLoop(const llvm::Loop *loop,
                                           PieceSpace &space, TermId &mask,
                                           PlacedAccess &made) {
  Terms &terms = terms_.terms();
  const int64_t number = terms_.numberOf(loop);
  const TermId turn = terms.leaf(TermKind::Loop, number, 64);
  auto boundsOf = [&](TermId term) {
    return PieceMaker(terms, space, stop_).bounds(term);
  };
  if (const auto trips = terms_.trips(loop)) {
    const auto count = boundsOf(*trips);
    // A number that threads and turns alone decide is known.
    const bool dependsOnValues = terms.mentions(*trips, TermKind::Argument) ||
                                 terms.mentions(*trips, TermKind::Loaded) ||
                                 terms.mentions(*trips, TermKind::Unknown);
    if (!count.ok() &&
        !(dependsOnValues && absl::IsUnimplemented(count.status())))
      return count.status();
    if (count.ok() && count->hasUpper() && count->upper >= 1) {
      space.loops.push_back({number, count->upper, 1});
      if (!count->isPoint())
        mask =
            terms_.both(mask, terms.make(TermKind::LessS, 1, {turn, *trips}));
      return false;
    }
    if (count.ok() && count->hasUpper()) {
      // No thread comes to it; else it has far more turns than a program ends.
      const TermId enters =
          terms.make(TermKind::Select, 64,
                     {terms_.reaches(loop->getHeader()), terms.constant(1, 64),
                      terms.constant(0, 64)});
      INDEXICAL_ASSIGN_OR_RETURN(const auto entered, boundsOf(enters));
      if (entered.upper < 1) return true;
    }
  }
  int64_t count = kMostLoopTurns;
  if (const auto most = terms_.mostTrips(loop)) {
    const auto bounds = boundsOf(*most);
    if (bounds.ok() && bounds->hasUpper() && bounds->lower >= 0 &&
        bounds->upper >= 1) {
      count = std::min(count, bounds->upper);
      if (!bounds->isPoint())
        mask = terms_.both(mask, terms.make(TermKind::LessS, 1, {turn, *most}));
    }
  }
  space.loops.push_back({number, count, 1});
  made.notMeasured = "how often a loop runs is not known";
  return false;
}

/// Lowers the bounds of loops to the turns in which the access is made: those
/// of a loop of unsigned numbers, whose end another loop decides, may be 2^31.
static void narrowLoops(PlacedAccess &made) {
  constexpr size_t kBlockAxes = 3;
  const auto &maps = made.maps.empty() ? made.enumerated : made.maps;
  if (maps.empty()) return;
  for (auto [k, loop] : llvm::enumerate(made.loops)) {
    int64_t count = 1;
    for (const kernels::PointerMap &map : maps)
      if (!map.map.isKnownEmpty())
        count = std::max(count,
                         map.map.dimensions()[kBlockAxes + k].bounds.upper + 1);
    loop.count = std::min(loop.count, count);
  }
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
  TermId mask = conditionOf(op, width, within);
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
    INDEXICAL_ASSIGN_OR_RETURN(const bool isNever,
                               addLoop(loop, space, mask, made));
    if (isNever) return made;
  }
  if (!made.notMeasured.empty()) {
    // Whether a turn is reached is what a turn before it decided, so that other
    // conditions of values that are not known only add cases.
    mask = terms_.both(withoutValues(mask, element),
                       terms_.unknown(op.at->getParent(), 1));
  }
  made.loops = space.loops;
  made.width = width;
  const auto isDefined = [&](const llvm::Instruction &at) {
    return hasResult(terms_, at, space, stop_);
  };
  if (undefinedLeftOut(terms_, op.address, *pointer, Flags::Ignored, isDefined))
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
  auto narrowed = [](PlacedAccess placed) {
    narrowLoops(placed);
    return placed;
  };
  const absl::Status whole = writeMaps(element, mask, space, made);
  const bool isKnown = !terms.mentions(mask, TermKind::Unknown) &&
                       !terms.mentions(mask, TermKind::Loaded);
  if (whole.ok() && (made.mask != MaskKind::Cover || !isKnown))
    return narrowed(std::move(made));
  if (auto apart = placeApart(element, mask, space, made))
    return narrowed(*std::move(apart));
  if (whole.ok()) return narrowed(std::move(made));
  if (auto each = enumerate(element, mask, space, made)) {
    each->reason = std::string(whole.message());
    return narrowed(*std::move(each));
  }
  return whole;
}

absl::Status AccessPlacer::writeMaps(TermId element, TermId mask,
                                     const PieceSpace &space,
                                     PlacedAccess &made, size_t most) const {
  PieceMaker maker(terms_.terms(), space, stop_);
  INDEXICAL_ASSIGN_OR_RETURN(
      auto maps, maker.elements(element, mask == terms_.number(1, 1)
                                             ? std::nullopt
                                             : std::optional<TermId>(mask)));
  if (made.maps.size() + maps.size() > most)
    return absl::UnimplementedError(
        absl::StrCat("an index has more than ", most, " cases"));
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

/// Returns the variables that have several values, with the fewest first: with
/// fewer values there are fewer maps, which are compared in pairs later.
std::vector<AccessPlacer::SpaceVariable> AccessPlacer::variablesOf(
    const PieceSpace &space) const {
  std::vector<SpaceVariable> variables;
  for (const PieceSpace::LoopCount &loop : space.loops)
    variables.push_back({TermKind::Loop, loop.loop, loop.count});
  // No thread has a number behind the last one of its side.
  for (const auto [k, side] : llvm::enumerate(space.tile))
    variables.push_back({TermKind::Coordinate, static_cast<int64_t>(k),
                         k < tile_.counts().size() ? tile_.counts()[k] : side});
  llvm::erase_if(variables, [](const SpaceVariable &variable) {
    return variable.count < 2;
  });
  llvm::stable_sort(variables,
                    [](const SpaceVariable &a, const SpaceVariable &b) {
                      return a.count < b.count;
                    });
  return variables;
}

TermId AccessPlacer::termAt(TermId term, const SpaceVariable &variable,
                            TermId value) {
  Terms &terms = terms_.terms();
  if (variable.kind == TermKind::Loop)
    return terms.inIteration(term, variable.number, value);
  if (variable.kind == TermKind::Program)
    return terms.inProgram(term, variable.number, value);
  llvm::SmallVector<TermId, 4> by;
  for (int64_t k = 0; k < variable.number; ++k)
    by.push_back(terms.coordinate(k));
  by.push_back(value);
  return terms.substitute(term, by);
}

/// Adds the maps of the access for each value of the variables. Returns false,
/// with maps of some, if one of them has none.
bool AccessPlacer::writeEach(llvm::ArrayRef<SpaceVariable> variables,
                             TermId element, TermId mask,
                             const PieceSpace &space, PlacedAccess &made,
                             size_t most) {
  if (variables.empty())
    return writeMaps(element, mask, space, made, most).ok() &&
           made.mask != MaskKind::Cover;
  const SpaceVariable &first = variables.front();
  Terms &terms = terms_.terms();
  const TermId variable = terms.leaf(first.kind, first.number, 64);
  for (int64_t k = 0; k < first.count; ++k) {
    const TermId value = terms.constant(k, 64);
    const TermId here =
        terms_.both(termAt(mask, first, value),
                    terms.make(TermKind::Equal, 1, {variable, value}));
    if (!writeEach(variables.drop_front(), termAt(element, first, value), here,
                   space, made, most))
      return false;
  }
  return true;
}

/// An access whose index has no map for all values of a loop or of a coordinate
/// may have one for each: `1 << t`, or a product of two variables.
std::optional<PlacedAccess> AccessPlacer::placeApart(TermId element,
                                                     TermId mask,
                                                     const PieceSpace &space,
                                                     const PlacedAccess &like) {
  constexpr int64_t kMostValues = 16;
  constexpr int kMostTries = 64;  // of a kernel
  const Terms &terms = terms_.terms();
  for (const SpaceVariable &each : variablesOf(space)) {
    if (each.count > kMostValues || tries_ >= kMostTries ||
        (!terms.mentions(element, each.kind, each.number) &&
         !terms.mentions(mask, each.kind, each.number)))
      continue;
    ++tries_;
    PlacedAccess made = like;
    made.maps.clear();
    if (made.mask == MaskKind::Cover) made.mask = MaskKind::Exact;
    if (writeEach(each, element, mask, space, made, PieceMaker::kMostPieces))
      return made;
  }
  return std::nullopt;
}

/// Enumerates an access of which too many values have maps to be written: of
/// one variable, or of several together.
std::optional<PlacedAccess> AccessPlacer::enumerate(TermId element, TermId mask,
                                                    const PieceSpace &space,
                                                    const PlacedAccess &like) {
  constexpr int64_t kMostMaps = 1024;       // of an access
  constexpr int64_t kMostOfKernel = 16384;  // tried
  if (!like.notMeasured.empty()) return std::nullopt;
  const Terms &terms = terms_.terms();
  std::vector<SpaceVariable> variables = variablesOf(space);
  for (int64_t axis = 0; axis < 3; ++axis)
    if (kernel_.grid[axis] > 1)
      variables.push_back({TermKind::Program, axis, kernel_.grid[axis]});
  llvm::erase_if(variables, [&](const SpaceVariable &each) {
    return each.count > kMostMaps ||
           (!terms.mentions(element, each.kind, each.number) &&
            !terms.mentions(mask, each.kind, each.number));
  });
  // Sets of one variable, then of two, then of more.
  const size_t count = std::min<size_t>(variables.size(), 6);
  for (size_t size = 1; size <= count; ++size)
    for (unsigned set = 1; set < (1u << count); ++set) {
      std::vector<SpaceVariable> chosen;
      int64_t maps = 1;
      for (size_t k = 0; k < count; ++k)
        if (set >> k & 1) {
          chosen.push_back(variables[k]);
          maps = std::min(kMostMaps + 1, maps * variables[k].count);
        }
      if (chosen.size() != size || maps > kMostMaps ||
          enumerated_ > kMostOfKernel)
        continue;
      PlacedAccess made = like;
      made.maps.clear();
      if (made.mask != MaskKind::None) made.mask = MaskKind::Exact;
      const bool isWhole =
          writeEach(chosen, element, mask, space, made, kMostMaps);
      enumerated_ += static_cast<int>(made.maps.size()) + 1;
      if (!isWhole) continue;
      made.enumerated = std::move(made.maps);
      made.maps.clear();
      return made;
    }
  return std::nullopt;
}

}  // namespace indexical::compiled
