// Runtime variables whose value is computed of others, written by cases.
//
//   (d0, d1){rt0} -> (rt0, d1)    rt0 in [0, 7] clamped, element () of
//                                 s = select(i < 0, i + 8, i)
//     -> (d0, d1){rt0} -> (max(rt0 + 8, 0), d1)    rt0 in [-inf, -1]
//                                                   element () of i
//        (d0, d1){rt0} -> (min(rt0, 7), d1)         rt0 in [0, inf]
//
// Below, inside and above of each case are split, and joined to a clamp
// (joined_clamps.h) where that is one map. What compares maps takes them apart.
#include <deque>
#include <set>
#include <utility>

#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/transforms.h"
#include "indexical/program/maps/joined_clamps.h"
#include "indexical/program/maps/state.h"
#include "indexical/program/values/known_values.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

// The most pieces that one map becomes; a variable that would need more stays.
// Callers that compare can do with more pieces than readers.
constexpr size_t kMostCases = 4;
constexpr size_t kMostCompared = 24;

// A variable that makes a relation longer than this stays.
constexpr size_t kMostCasePieces = 64;

// A value that more comparisons decide stays a variable.
constexpr size_t kMostDecided = 6;

// The most restarts: each finds a step that cannot be followed.
constexpr int kMostRestarts = 50;

using Pieces = std::vector<IndexingMap>;
/// The tensor of which a variable is an element, and whether it is clamped.
using Source = std::pair<int64_t, bool>;

Source sourceOf(const RuntimeVariable &variable) {
  return {variable.source.tensor, variable.clamped};
}

/// Splits one map.
class Splitting {
 public:
  Splitting(const Module &module, Choices::Number number,
            llvm::function_ref<Value(int64_t)> value,
            llvm::function_ref<Interval(int64_t)> valuesOf, Cases which)
      : module_(module),
        number_(std::move(number)),
        value_(value),
        valuesOf_(valuesOf),
        which_(which),
        most_(which == Cases::Computed ? kMostCases : kMostCompared) {}

  Pieces operator()(const IndexingMap &map) {
    Pieces done;
    std::deque<IndexingMap> open{map};
    while (!open.empty()) {
      const IndexingMap next = open.front();
      open.pop_front();
      auto pieces = atFirst(next);
      if (!pieces) {
        done.push_back(next);
      } else if (done.size() + open.size() + pieces->size() > most_) {
        left_.insert(split_);
        open.push_front(next);
      } else {
        open.insert(open.end(), pieces->begin(), pieces->end());
      }
    }
    return done;
  }

 private:
  /// Splits the map at the first of its variables that can be split.
  std::optional<Pieces> atFirst(const IndexingMap &map) {
    for (size_t i = 0; i < map.runtime().size(); ++i) {
      const RuntimeVariable &rt = map.runtime()[i];
      if (rt.source.kind != RuntimeSource::Kind::Element ||
          !rt.collectives.empty() || left_.count(sourceOf(rt)))
        continue;
      split_ = sourceOf(rt);
      if (auto pieces = at(map, i)) return joined(*std::move(pieces));
      left_.insert(split_);
    }
    return std::nullopt;
  }

  /// Returns the pieces below, inside and above as one clamp, for a reader.
  Pieces joined(Pieces pieces) const {
    if (which_ != Cases::Computed) return pieces;
    IndexingRelation relation;
    for (const IndexingMap &piece : pieces) relation.add(piece);
    const auto few =
        withClampsJoined(relation, Joined::ClampedOrMinima, valuesOf_);
    if (!few.ok()) return pieces;
    return {few->pieces().begin(), few->pieces().end()};
  }

  enum class Part { Inside, Below, Above };

  std::optional<Pieces> at(const IndexingMap &map, size_t variable) {
    const RuntimeVariable &rt = map.runtime()[variable];
    llvm::SmallVector<Part, 3> parts{Part::Inside};
    if (rt.clamped && rt.bounds.hasLower()) parts.push_back(Part::Below);
    if (rt.clamped && rt.bounds.hasUpper()) parts.push_back(Part::Above);
    Choices choices(number_);
    Pieces pieces;
    const bool isWanted = which_ == Cases::AllClamped && rt.clamped;
    bool isComputed = false;
    int restarts = 0;
    do {
      if (choices.depth() > kMostDecided) return std::nullopt;
      for (Part part : parts) {
        auto piece = partOf(map, variable, part, choices);
        if (choices.mustRestart()) break;
        if (!piece) return std::nullopt;
        isComputed |= choices.isComputed();
        if (!isComputed && !isWanted) return std::nullopt;
        if (!piece->isKnownEmpty()) pieces.push_back(*std::move(piece));
        if (pieces.size() > most_) return std::nullopt;
      }
      if (choices.mustRestart()) {
        pieces.clear();
        isComputed = false;
        if (++restarts > kMostRestarts) return std::nullopt;
      }
    } while (choices.mustRestart() || choices.advance());
    return pieces;
  }

  /// Returns the part of the map in which the way's conditions hold and the
  /// value is in `part`.
  std::optional<IndexingMap> partOf(const IndexingMap &map, size_t variable,
                                    Part part, Choices &choices) {
    const RuntimeVariable &rt = map.runtime()[variable];
    // Numbers of runtime variables change if one is replaced.
    auto bounds = [&](VariableId id) {
      return id.kind == VariableKind::Runtime ? Interval::all()
                                              : map.variable(id).bounds;
    };
    bool isKnown = false;
    auto value = [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> index) {
      const auto element = knownElement(module_, value_(rt.source.tensor),
                                        index, b, bounds, &choices);
      if (!element) return b.constant(0);
      isKnown = true;
      for (const auto &[expression, within] : choices.conditions())
        b.constraint(expression, within);
      if (part == Part::Below)
        b.constraint(*element, {Interval::kMinusInfinity, rt.bounds.lower - 1});
      else if (part == Part::Above)
        b.constraint(*element, {rt.bounds.upper + 1, Interval::kInfinity});
      else
        b.constraint(*element, rt.bounds);
      if (part == Part::Inside) return *element;
      return b.constant(part == Part::Below ? rt.bounds.lower
                                            : rt.bounds.upper);
    };
    auto piece = replaceRuntime(map, variable, value);
    if (!isKnown || !piece.ok()) return std::nullopt;
    SimplifyOptions options;
    options.rename = true;
    auto simple = simplify(*piece, options);
    if (!simple.ok()) return std::nullopt;
    return *std::move(simple);
  }

  const Module &module_;
  const Choices::Number number_;
  llvm::function_ref<Value(int64_t)> value_;
  llvm::function_ref<Interval(int64_t)> valuesOf_;
  const Cases which_;
  const size_t most_;
  std::set<Source> left_;
  Source split_;
};

}  // namespace

IndexingRelation ProgramIndexing::byCases(const IndexingRelation &relation,
                                          Cases which) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return byCases(relation, which); });
  auto number = [this](const Value &value) {
    return state_->values.number(value);
  };
  auto value = [this](int64_t number) { return values_[number]; };
  auto valuesOf = [this](int64_t tensor) {
    return state_->facts.valuesAt(tensor);
  };
  IndexingRelation split;
  size_t left = relation.pieces().size();
  for (const IndexingMap &piece : relation.pieces()) {
    Pieces pieces = Splitting(module_, number, value, valuesOf, which)(piece);
    --left;
    if (split.pieces().size() + pieces.size() + left > kMostCasePieces)
      pieces.assign(1, piece);
    for (IndexingMap &each : pieces) split.add(std::move(each));
  }
  split.weaken(relation.precision());
  if (which != Cases::Computed) return split;
  auto joined = withClampsJoined(split, Joined::ClampedOrMinima, valuesOf);
  return joined.ok() ? *std::move(joined) : split;
}

}  // namespace indexical
