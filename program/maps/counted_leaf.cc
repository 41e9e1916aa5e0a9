#include "indexical/program/maps/counted_leaf.h"

#include <cstdlib>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/access.h"
#include "indexical/program/maps/fold_known.h"
#include "indexical/program/maps/merged_variables.h"
#include "indexical/program/values/known_values.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

constexpr int64_t kInfinity = Interval::kInfinity;
constexpr int64_t kMinusInfinity = Interval::kMinusInfinity;

}  // namespace

std::optional<int64_t> numberIn(const std::map<Value, int64_t> &numbers,
                                const Value &value) {
  const auto number = numbers.find(value);
  if (number == numbers.end()) return std::nullopt;
  return number->second;
}

std::optional<Line> lineOf(const Module &module, const Value &value,
                           const CountedLoop &loop, Interval values) {
  IndexingMapBuilder b;
  const Expr variable = b.range(values);
  auto bounds = [&](VariableId) { return values; };
  auto given = [&](const Value &at,
                   IndexingMapBuilder &) -> std::optional<Expr> {
    if (isSameValue(at, loop.value)) return variable;
    const auto number = numberIn(loop.numbers, at);
    if (!number) return std::nullopt;
    return b.constant(*number);
  };
  const auto known = knownElement(module, value, {}, b, bounds, nullptr, given);
  if (!known) return std::nullopt;
  if (const auto number = b.valueOf(*known)) return Line{0, *number};
  const auto terms = b.pool().terms(known->form());
  if (terms.size() != 1) return std::nullopt;
  const int64_t slope = terms[0].coefficient;
  const auto offset = b.valueOf(*known - variable * slope);
  if (!offset) return std::nullopt;
  return Line{slope, *offset};
}

std::optional<IndexingRelation> CountedLeaf::ofCounter(
    const IndexingRelation &relation) {
  if (relation.precision() != Precision::Exact) return std::nullopt;
  auto given = [&](const Value &at,
                   IndexingMapBuilder &b) -> std::optional<Expr> {
    if (isSameValue(at, loop_.value)) return counterIn(b);
    const auto number = numberIn(loop_.numbers, at);
    if (!number) return std::nullopt;
    return b.constant(*number);
  };
  auto known = [&](const RuntimeSource &source, IndexingMapBuilder &b,
                   llvm::ArrayRef<Expr> index, IndexBounds bounds,
                   Choices &) -> std::optional<Expr> {
    if (source.kind != RuntimeSource::Kind::Element || source.tensor == number_)
      return std::nullopt;
    // The counter is the only runtime variable of which bounds are known.
    bool isRuntime = false;
    for (Expr e : index)
      b.pool().visitVariables({e.form()}, [&](VariableId id) {
        isRuntime |= id.kind == VariableKind::Runtime;
      });
    if (isRuntime) return std::nullopt;
    auto within = [&](VariableId id) {
      return id.kind == VariableKind::Runtime ? loop_.values() : bounds(id);
    };
    return knownElement(module_, values_[source.tensor], index, b, within,
                        nullptr, given);
  };
  auto folded = foldKnown(relation, known);
  if (!folded.ok()) return std::nullopt;
  IndexingRelation plain;
  for (IndexingMap map : folded->pieces()) {
    if (!map.collectives().empty()) return std::nullopt;
    for (size_t i = 0; i < map.runtime().size(); ++i) {
      const RuntimeVariable &rt = map.runtime()[i];
      if (!isCounter(rt)) return std::nullopt;
      if (rt.clamped && !rt.bounds.contains(loop_.values()))
        return std::nullopt;
      const Interval bounds = rt.bounds;
      // The new one comes last; as often as there are others.
      auto again = [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr>) {
        const Expr counter = counterIn(b);
        b.constraint(counter, bounds);
        return counter;
      };
      if (!rt.clamped && bounds == loop_.values()) continue;
      auto made = replaceRuntime(map, i, again);
      if (!made.ok()) return std::nullopt;
      map = *std::move(made);
      --i;
    }
    plain.add(std::move(map));
  }
  auto merged = withVariablesMerged(plain);
  if (!merged.ok()) return std::nullopt;
  for (const IndexingMap &map : merged->pieces())
    if (map.runtime().size() > 1) return std::nullopt;
  return *std::move(merged);
}

namespace {

/// A constraint that holds in one trip at most, given all other variables:
/// `rest + slope * counter in bounds`. The bounds are no wider than the step of
/// one trip.
struct OneTrip {
  FormId form;  ///< in the map
  int64_t slope = 0;
  int64_t step = 0;  ///< what a trip adds, more than the least number
  Interval bounds;
};

std::optional<OneTrip> oneTripOf(const IndexingMap &map,
                                 const CountedLoop &loop) {
  const ExpressionTable &table = map.expressions();
  auto isCounter = [](VariableId id) {
    return id.kind == VariableKind::Runtime;
  };
  for (const Constraint &constraint : map.constraints()) {
    if (!constraint.bounds.hasLower() || !constraint.bounds.hasUpper())
      continue;
    OneTrip found = {constraint.form, 0, 0, constraint.bounds};
    bool isElsewhere = false;
    for (const Term &term : table.terms(constraint.form)) {
      const Atom &atom = table.atom(term.atom);
      if (atom.kind == AtomKind::Variable) {
        if (isCounter(atom.variable())) found.slope = term.coefficient;
        continue;
      }
      table.visitVariables(atom.operands(), [&](VariableId id) {
        isElsewhere |= isCounter(id);
      });
    }
    const auto step = checkedMul(found.slope, loop.step);
    const auto span = checkedSub(found.bounds.upper, found.bounds.lower);
    if (isElsewhere || found.slope == 0 || !step || !span) continue;
    if (*step == INT64_MIN || *span >= std::abs(*step)) continue;
    found.step = *step;
    return found;
  }
  return std::nullopt;
}

}  // namespace

/// Returns the map in any trip, where `restrict` holds. The counter is that of
/// the one trip that a constraint fixes, or a range.
std::optional<IndexingMap> CountedLeaf::inAnyTrip(IndexingMap map,
                                                  Restrict restrict) {
  if (map.runtime().empty()) {
    auto add = [&](IndexingMapBuilder &b, MapBody &) { counterIn(b); };
    auto with = withBody(map, add);
    if (!with.ok()) return std::nullopt;
    map = *std::move(with);
  }
  const auto one = oneTripOf(map, loop_);
  auto value = [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr>) {
    const Interval trips = {0, loop_.trips - 1};
    std::optional<Expr> trip;
    if (one) {
      // Without the counter, which is 0 here.
      auto same = [&](VariableId id) {
        return id.kind == VariableKind::Runtime ? b.pool().constantForm(0)
                                                : b.pool().variable(id);
      };
      ExpressionImport import(map.expressions(), b.pool(), same);
      const Expr rest = b.expression(import(one->form)) +
                        b.constant(loop_.first) * one->slope;
      trip = one->step < 0 ? floorDiv(rest - one->bounds.lower, -one->step)
                           : floorDiv(-rest + one->bounds.upper, one->step);
      b.constraint(*trip, trips);
    } else {
      trip = b.range(trips);
    }
    const Expr counter = *trip * loop_.step + loop_.first;
    if (restrict) restrict(b, counter);
    return counter;
  };
  auto made = replaceRuntime(map, 0, value);
  if (!made.ok()) return std::nullopt;
  SimplifyOptions options;
  options.rename = true;
  auto simple = simplify(*made, options);
  if (!simple.ok()) return std::nullopt;
  return *std::move(simple);
}

std::optional<IndexingRelation> CountedLeaf::ofTrips(
    const IndexingRelation &relation) {
  IndexingRelation all;
  for (const IndexingMap &piece : relation.pieces()) {
    auto map = inAnyTrip(piece, nullptr);
    if (!map) return std::nullopt;
    if (!map->isKnownEmpty()) all.add(*std::move(map));
  }
  return all;
}

std::optional<WrittenSlice> CountedLeaf::writtenBy(const Value &root,
                                                   const Value &before) {
  const Value update = originOf(module_, root);
  const auto *op = instructionOf(module_, update).op.as<DynamicUpdateSliceOp>();
  if (!op ||
      !isSameValue(originOf(module_, operandOf(module_, update, LeafId(0))),
                   before))
    return std::nullopt;
  const int64_t rank = op->results[0].rank();
  if (static_cast<int64_t>(op->operands.size()) != rank + 2)
    return std::nullopt;
  WrittenSlice slice;
  bool isApart = loop_.trips <= 1;
  for (int64_t k = 0; k < rank; ++k) {
    const int64_t size = op->operands[1].dimensions[k];
    const auto start =
        lineOf(module_, operandOf(module_, update, LeafId(2 + k)), loop_,
               loop_.values());
    if (!start || size < 1) return std::nullopt;
    const Interval fits = {0, op->results[0].dimensions[k] - size};
    if (!fits.contains(start->over(loop_.values()))) return std::nullopt;
    const auto stride = checkedMul(start->slope, loop_.step);
    isApart |= stride && (*stride >= size || *stride <= -size);
    slice.push_back({*start, size});
  }
  if (!isApart) return std::nullopt;
  return slice;
}

bool CountedLeaf::isWithin(const IndexingRelation &relation,
                           const WrittenSlice &slice) {
  for (const IndexingMap &piece : relation.pieces())
    for (uint32_t k = 0; k < slice.size(); ++k)
      for (bool isBefore : {true, false}) {
        auto restrict = [&](IndexingMapBuilder &b, Expr counter) {
          const Expr d =
              b.expression(b.pool().variable({VariableKind::Dimension, k}));
          const Expr place =
              d - counter * slice[k].start.slope - slice[k].start.offset;
          b.constraint(place, isBefore ? Interval{kMinusInfinity, -1}
                                       : Interval{slice[k].size, kInfinity});
        };
        auto map = inAnyTrip(piece, restrict);
        if (!map || !map->isKnownEmpty()) return false;
      }
  return true;
}

bool CountedLeaf::isOutside(const IndexingRelation &relation,
                            const WrittenSlice &slice) {
  for (const IndexingMap &piece : relation.pieces()) {
    auto restrict = [&](IndexingMapBuilder &b, Expr counter) {
      for (uint32_t k = 0; k < slice.size(); ++k) {
        const Expr d =
            b.expression(b.pool().variable({VariableKind::Dimension, k}));
        b.constraint(d - counter * slice[k].start.slope - slice[k].start.offset,
                     {0, slice[k].size - 1});
      }
    };
    auto map = inAnyTrip(piece, restrict);
    if (!map || !map->isKnownEmpty()) return false;
  }
  return true;
}

/// One dimension may move. Slices of more than one element that leave gaps are
/// no stretch.
std::optional<IndexingRelation> CountedLeaf::kept(const ArrayShape &shape,
                                                  const WrittenSlice &slice,
                                                  Direction direction) {
  struct Strided {
    int64_t start, size, stride;
  };
  llvm::SmallVector<Strided, 4> parts;
  int moving = 0;
  for (const Written &w : slice) {
    const Interval starts = w.start.over(loop_.values());
    if (w.start.slope == 0 || loop_.trips == 1) {
      parts.push_back({starts.lower, w.size, 1});
      continue;
    }
    if (++moving > 1) return std::nullopt;
    const int64_t step = w.start.slope * loop_.step;
    const int64_t stride = step < 0 ? -step : step;
    if (stride == w.size)
      parts.push_back({starts.lower, w.size * loop_.trips, 1});
    else if (w.size == 1)
      parts.push_back({starts.lower, loop_.trips, stride});
    else
      return std::nullopt;
  }
  AccessList list;
  addOutside(list, parts.size(), [&](Access &access) {
    access.result = access.operand = access.loopsOver(shape);
    llvm::SmallVector<Stretch, 6> box;
    for (size_t k = 0; k < parts.size(); ++k)
      box.push_back({access.result[k], access.constant(parts[k].start),
                     access.constant(parts[k].size),
                     access.constant(parts[k].stride)});
    return box;
  });
  auto relation = relationOf(list, direction, shape, shape);
  if (!relation.ok() || relation->precision() != Precision::Exact)
    return std::nullopt;
  return *std::move(relation);
}

}  // namespace indexical
