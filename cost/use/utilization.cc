#include "indexical/cost/use/utilization.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/address.h"
#include "indexical/simplifier/enumeration.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {

//===-- One footprint -----------------------------------------------------===//

namespace {

/// The reads of one leaf of the result, with the values of runtime variables.
struct Reads {
  IndexingRelation relation;
  bool elementsKnown = true, countKnown = true;
  /// Else the elements are known up to a step that is the same for all.
  bool placeKnown = true;
  Unfound why = Unfound::Nothing;
  int64_t sameAs = -1;  ///< an earlier one says all of it
};

std::optional<int64_t> valueOf(const std::optional<llvm::DynamicAPInt> &value) {
  if (!value || *value > llvm::DynamicAPInt(Interval::kInfinity))
    return std::nullopt;
  return static_cast<int64_t>(*value);
}

class Finder {
 public:
  Finder(const ArrayShape &shape, const UtilizationOptions &options,
         int64_t times)
      : shape_(shape), options_(options), times_(times) {}

  absl::StatusOr<Footprint> run(llvm::ArrayRef<IndexingRelation> relations,
                                const Share &share) {
    found_.size = shape_.elementCount();
    std::vector<Reads> all;
    size_t first = 0;  // of a run of equal ones, as a sort's results have
    for (size_t i = 0; i < relations.size(); ++i) {
      if (i > 0 && relations[i] == relations[first]) {
        all.emplace_back();
        all.back().sameAs = first;
        continue;
      }
      first = i;
      INDEXICAL_ASSIGN_OR_RETURN(auto reads,
                                 readsOf(relations[i], share.points));
      all.push_back(std::move(reads));
    }
    addReads(all);
    if (options_.readsOnly && found_.reads) return std::move(found_);
    llvm::erase_if(all, [](const Reads &reads) { return reads.sameAs >= 0; });
    bool isPlaced = true;
    for (Reads &reads : all) {
      isPlaced &= reads.placeKnown;
      // Which elements several leaves have in common depends on their steps.
      if (!reads.placeKnown && isOfSeveral(relations))
        reads.elementsKnown = false;
    }
    IndexingRelation elements;
    for (const Reads &reads : all) {
      if (!reads.elementsKnown) {
        found_.why = reads.why;
        return std::move(found_);
      }
      if (!isOfSeveral(relations)) {
        elements = reads.relation;
        continue;
      }
      for (const IndexingMap &piece : reads.relation.pieces()) {
        INDEXICAL_ASSIGN_OR_RETURN(auto map, withoutIndex(piece));
        elements.add(std::move(map));
      }
    }
    if (found_.size == 1) keepOne(elements);
    addElements(elements);
    if (!share.points) {
      const size_t rank = relations.empty() ? 0 : rankOf(relations[0]);
      found_.overlap.assign(rank, 0);
    }
    for (const auto &next : share.next)
      found_.overlap.push_back(isPlaced || llvm::all_of(relations, isPlacedOnce)
                                   ? overlapWith(relations, elements, next)
                                   : std::nullopt);
    if (!isPlaced && found_.distinct != 0) {
      found_.box.clear();
      found_.hasBox = false;
      note(Unfound::NotGiven);
    } else if (options_.unread) {
      addUnread(elements);
    }
    if (found_.why == Unfound::Nothing) found_.dependsOn.clear();
    return std::move(found_);
  }

 private:
  /// Whether several leaves of the result read, or none.
  bool isOfSeveral(llvm::ArrayRef<IndexingRelation> relations) const {
    return relations.size() != 1 || times_ > 1;
  }

  static size_t rankOf(const IndexingRelation &relation) {
    return relation.isEmpty() ? 0 : relation.pieces()[0].dimensions().size();
  }

  /// Keeps the first reason only.
  void note(Unfound why, llvm::StringRef decision = "") {
    if (found_.why != Unfound::Nothing) return;
    found_.why = why;
    found_.decision = decision.str();
  }
  template <typename Answer>
  void noteUndecided(const absl::StatusOr<Answer> &answer) {
    note(Unfound::Undecided,
         answer.ok() ? answer->reason : std::string(answer.status().message()));
  }

  absl::StatusOr<Reads> readsOf(const IndexingRelation &relation,
                                const std::optional<IndexingMap> &points) {
    Reads reads;
    if (relation.precision() != Precision::Exact) {
      reads.elementsKnown = reads.countKnown = false;
      reads.why = Unfound::Cover;
      return reads;
    }
    for (const IndexingMap &piece : relation.pieces()) {
      IndexingMap map = piece;
      if (points) {
        INDEXICAL_ASSIGN_OR_RETURN(map, compose(*points, piece));
      }
      INDEXICAL_ASSIGN_OR_RETURN(auto fixed, withValues(map, reads));
      reads.relation.add(std::move(fixed));
    }
    // Which pairs several pieces have in common depends on the values.
    if (relation.pieces().size() > 1 && !reads.placeKnown)
      reads.elementsKnown = false;
    if (relation.pieces().size() > 1 && !reads.elementsKnown)
      reads.countKnown = false;
    return reads;
  }

  /// Whether the runtime variable's element is another for some indices.
  static bool varies(const IndexingMap &map, size_t i, VariableKind least,
                     unsigned depth = 0) {
    bool found = depth > map.runtime().size();
    map.expressions().visitVariables(
        map.runtime()[i].index, [&](VariableId id) {
          if (id.kind == VariableKind::Runtime)
            found = found || varies(map, id.index, least, depth + 1);
          else
            found |= id.kind >= least;
        });
    return found;
  }

  /// The map without runtime variables and collectives.
  absl::StatusOr<IndexingMap> withValues(const IndexingMap &given,
                                         Reads &reads) {
    IndexingMap map = given;
    while (!map.isKnownEmpty() && map.visibleRuntimeCount() > 0) {
      const RuntimeVariable &variable = map.runtime()[0];
      int64_t value = variable.bounds.hasLower()   ? variable.bounds.lower
                      : variable.bounds.hasUpper() ? variable.bounds.upper
                                                   : 0;
      if (varies(map, 0, VariableKind::Dimension) ||
          variable.source.kind == RuntimeSource::Kind::Size) {
        reads.elementsKnown = false;
        reads.countKnown &=
            variable.source.kind == RuntimeSource::Kind::Element &&
            !varies(map, 0, VariableKind::Range) && onlyShifts(map);
        reads.why = variable.source.kind == RuntimeSource::Kind::Size
                        ? Unfound::UnknownSize
                        : Unfound::Varies;
        dependOn(variable.source);
      } else if (auto chosen = options_.runtimeValue
                                   ? options_.runtimeValue(map, 0)
                                   : std::nullopt) {
        if (variable.clamped)
          value =
              std::clamp(*chosen, variable.bounds.lower, variable.bounds.upper);
        else if (variable.bounds.contains(*chosen))
          value = *chosen;
        else
          return IndexingMap::knownEmpty();
      } else if (variable.bounds.count() != 1 || variable.restricts()) {
        reads.placeKnown = false;
        if (!onlyShifts(map)) reads.elementsKnown = reads.countKnown = false;
        if (reads.why == Unfound::Nothing) reads.why = Unfound::NotGiven;
        dependOn(variable.source);
      }
      auto next = replaceRuntime(
          map, 0, [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr>) {
            return b.constant(value);
          });
      if (!next.ok()) return next;
      next = simplify(*next);
      if (!next.ok()) return next;
      map = *std::move(next);
    }
    if (map.isKnownEmpty() || map.collectives().empty()) return map;
    IndexingMapBuilder b;  // the operands of all devices count as one
    for (const Variable &v : map.dimensions()) b.dimension(v.bounds);
    for (const Variable &v : map.ranges()) b.range(v.bounds);
    auto replace = [&](VariableId id) { return b.pool().variable(id); };
    ExpressionImport import(map.expressions(), b.pool(), replace);
    for (FormId form : map.results()) b.result(b.expression(import(form)));
    for (const Constraint &c : map.constraints())
      b.constraint(b.expression(import(c.form)), c.bounds);
    auto plain = b.build();
    return plain.ok() ? simplify(*plain) : plain;
  }

  void dependOn(const RuntimeSource &source) {
    if (source.kind == RuntimeSource::Kind::Element &&
        !llvm::is_contained(found_.dependsOn, source.tensor))
      found_.dependsOn.push_back(source.tensor);
  }

  /// Returns a map to the same elements without dimensions, which become
  /// ranges: leaves of a result may be of different ranks.
  static absl::StatusOr<IndexingMap> withoutIndex(const IndexingMap &map) {
    if (map.isKnownEmpty()) return map;
    const uint32_t rank = map.dimensions().size();
    IndexingMapBuilder b;
    for (const Variable &v : map.dimensions()) b.range(v.bounds);
    for (const Variable &v : map.ranges()) b.range(v.bounds);
    auto replace = [&](VariableId id) {
      const uint32_t first = id.kind == VariableKind::Range ? rank : 0;
      return b.pool().variable({VariableKind::Range, first + id.index});
    };
    ExpressionImport import(map.expressions(), b.pool(), replace);
    for (FormId form : map.results()) b.result(b.expression(import(form)));
    for (const Constraint &c : map.constraints())
      b.constraint(b.expression(import(c.form)), c.bounds);
    auto turned = b.build();
    return turned.ok() ? simplify(*turned) : turned;
  }

  /// Whether the first runtime variable moves the elements of each index and
  /// does nothing else.
  static bool onlyShifts(const IndexingMap &map) {
    const ExpressionTable &table = map.expressions();
    auto uses = [&](llvm::ArrayRef<FormId> forms) {
      bool found = false;
      table.visitVariables(forms, [&](VariableId id) {
        found |= id.kind == VariableKind::Runtime && id.index == 0;
      });
      return found;
    };
    for (const Constraint &c : map.constraints())
      if (uses(c.form)) return false;
    for (FormId form : map.results())
      for (const Term &term : table.terms(form)) {
        if (uses(table.atom(term.atom).operands())) return false;
      }
    return !map.runtime()[0].restricts();
  }

  //===-- Points, one by one ----------------------------------------------===//

  struct Sets {
    llvm::DenseSet<std::pair<int64_t, int64_t>> pairs;
    llvm::DenseSet<int64_t> elements;
    llvm::SmallVector<Interval, 4> box;
  };

  static int64_t place(llvm::ArrayRef<int64_t> index,
                       llvm::ArrayRef<Interval> sides) {
    int64_t at = 0;
    for (size_t k = 0; k < index.size(); ++k)
      at = at * sides[k].count() + index[k] - sides[k].lower;
    return at;
  }

  /// Returns nothing if there are too many points, or if they cannot be
  /// numbered.
  std::optional<Sets> goThrough(const IndexingRelation &relation) {
    if (!found_.size) return std::nullopt;
    Sets sets;
    sets.box.assign(shape_.dimensions.size(), Interval::none());
    Meter meter(options_.mostPoints, options_.exact.stop);
    llvm::SmallVector<Interval, 4> sides;
    for (int64_t size : shape_.dimensions) sides.push_back({0, size - 1});
    for (const IndexingMap &piece : relation.pieces()) {
      SimplifyOptions asItIs;
      asItIs.foldPoints = false;
      auto set = simplify(asSet(piece), asItIs);
      if (!set.ok()) return std::nullopt;
      if (set->isKnownEmpty()) continue;
      const size_t rank = piece.dimensions().size();
      llvm::SmallVector<Interval, 6> from;
      int64_t count = 1;
      for (const Variable &v : piece.dimensions()) {
        from.push_back(v.bounds);
        if (__builtin_mul_overflow(count, v.bounds.count(), &count))
          return std::nullopt;
      }
      PointValues values(set->expressions());
      const bool done =
          Enumeration(*set, meter).visit([&](llvm::ArrayRef<int64_t> point) {
            if (!values.set(point)) return false;
            llvm::SmallVector<int64_t, 6> element;
            for (FormId form : set->results()) {
              auto value = values(form);
              if (!value) return false;
              element.push_back(*value);
            }
            const int64_t at = place(element, sides);
            sets.elements.insert(at);
            sets.pairs.insert({place(point.take_front(rank), from), at});
            for (size_t k = 0; k < element.size(); ++k)
              sets.box[k] = sets.box[k].hull(Interval::point(element[k]));
            return true;
          });
      if (!done) return std::nullopt;
    }
    return sets;
  }

  //===-- The figures -----------------------------------------------------===//

  static constexpr const char *kTooMany =
      "there are more than 64 bits can count";

  std::optional<int64_t> numberOf(
      const std::optional<llvm::DynamicAPInt> &count) {
    auto number = valueOf(count);
    if (!number) note(Unfound::Undecided, kTooMany);
    return number;
  }

  /// Whether a piece reads at more indices than 64 bits can count: each is a
  /// pair. It says nothing of a piece that has conditions.
  static bool hasTooManyIndices(const IndexingMap &piece) {
    if (piece.isKnownEmpty() || !piece.constraints().empty() ||
        !piece.runtime().empty())
      return false;
    int64_t count = 1;
    for (llvm::ArrayRef<Variable> variables :
         {piece.dimensions(), piece.ranges()})
      for (const Variable &v : variables)
        if (v.bounds.isEmpty() || !v.bounds.hasLower() || !v.bounds.hasUpper())
          return false;
    return llvm::any_of(piece.dimensions(), [&](const Variable &v) {
      return __builtin_mul_overflow(count, v.bounds.count(), &count);
    });
  }

  /// Keeps one piece of the reads of a tensor of one element, if that piece has
  /// no conditions: the others add nothing.
  static void keepOne(IndexingRelation &elements) {
    for (const IndexingMap &piece : elements.pieces())
      if (piece.constraints().empty() && piece.runtime().empty()) {
        elements = IndexingRelation(piece, elements.precision());
        return;
      }
  }

  void addReads(llvm::ArrayRef<Reads> all) {
    int64_t sum = 0;
    std::optional<int64_t> count;
    for (const Reads &reads : all) {
      if (reads.sameAs < 0)
        count = reads.countKnown ? pairsOf(reads.relation) : std::nullopt;
      int64_t counted;
      if (!count || __builtin_mul_overflow(*count, times_, &counted) ||
          __builtin_add_overflow(sum, counted, &sum)) {
        note(reads.why == Unfound::Nothing ? Unfound::Undecided : reads.why);
        return;
      }
    }
    found_.reads = sum;
  }

  std::optional<int64_t> pairsOf(const IndexingRelation &relation) {
    if (relation.isEmpty()) return 0;
    if (llvm::any_of(relation.pieces(), hasTooManyIndices)) {
      note(Unfound::Undecided, kTooMany);
      return std::nullopt;
    }
    auto count = countPairs(relation, options_.exact);
    if (count.ok() && count->value) return numberOf(count->value);
    if (auto sets = goThrough(relation)) return sets->pairs.size();
    noteUndecided(count);
    return std::nullopt;
  }

  std::optional<int64_t> elementsOf(const IndexingRelation &relation) {
    if (relation.isEmpty()) return 0;
    auto count = countImage(relation, options_.exact);
    if (count.ok() && count->value) return numberOf(count->value);
    if (auto sets = goThrough(relation)) return sets->elements.size();
    noteUndecided(count);
    return std::nullopt;
  }

  void addElements(const IndexingRelation &elements) {
    found_.distinct = elementsOf(elements);
    if (!found_.distinct) return;
    const int64_t bits = storedBits(shape_);
    int64_t all;
    if (bits > 0 && !__builtin_mul_overflow(*found_.distinct, bits, &all))
      found_.bytes = all / 8 + (all % 8 != 0);
    if (*found_.distinct == 0) {
      if (!found_.reads) found_.reads = 0;
      return;
    }
    if (found_.reads)
      found_.reuse = static_cast<double>(*found_.reads) /
                     static_cast<double>(*found_.distinct);
    addBox(elements);
    if (!found_.hasBox) return;
    double volume = 1;
    for (const Interval &side : found_.box)
      volume *= static_cast<double>(side.count());
    found_.density = static_cast<double>(*found_.distinct) / volume;
  }

  void addBox(const IndexingRelation &elements) {
    auto ends = extremes(elements, options_.exact);
    if (ends.ok()) {
      for (const Extremes &of : *ends) {
        if (!of.least || !of.greatest) break;
        found_.box.push_back({*of.least, *of.greatest});
      }
      found_.hasBox = found_.box.size() == shape_.dimensions.size();
      if (found_.hasBox) return;
    }
    if (auto sets = goThrough(elements)) {
      found_.box = sets->box;
      found_.hasBox = true;
      return;
    }
    found_.box.clear();
    if (ends.ok())
      note(Unfound::NoBox);
    else
      note(Unfound::Undecided, std::string(ends.status().message()));
  }

  /// Whether the reads of all elements are placed by the same values, as those
  /// of a slice are, and not each by its own, as those of a gather.
  static bool isPlacedOnce(const IndexingRelation &relation) {
    return llvm::all_of(relation.pieces(), [](const IndexingMap &map) {
      return llvm::all_of(map.runtime(), [&](const RuntimeVariable &variable) {
        bool isSame = true;
        for (const FormId form : variable.elementIndex())
          map.expressions().visitVariables(form, [&](VariableId id) {
            isSame &= id.kind == VariableKind::Runtime;
          });
        return isSame;
      });
    });
  }

  std::optional<int64_t> overlapWith(llvm::ArrayRef<IndexingRelation> relations,
                                     const IndexingRelation &elements,
                                     const std::optional<IndexingMap> &next) {
    if (!next) return 0;
    if (!found_.distinct) return std::nullopt;
    if (*found_.distinct == 0) return 0;
    IndexingRelation others, both = elements;
    for (size_t i = 0; i < relations.size(); ++i) {
      if (i > 0 && relations[i] == relations[i - 1]) continue;
      auto reads = readsOf(relations[i], next);
      if (!reads.ok() || !reads->elementsKnown) return std::nullopt;
      for (const IndexingMap &piece : reads->relation.pieces()) {
        auto map = isOfSeveral(relations) ? withoutIndex(piece)
                                          : absl::StatusOr<IndexingMap>(piece);
        if (!map.ok()) return std::nullopt;
        others.add(*std::move(map));
      }
    }
    both.unite(others);
    const auto theirs = elementsOf(others), all = elementsOf(both);
    if (!theirs || !all) return std::nullopt;
    return *found_.distinct + *theirs - *all;
  }

  void addUnread(const IndexingRelation &elements) {
    if (shape_.hasUnknownSize() || shape_.isEmpty()) return;
    IndexingMapBuilder b;
    for (int64_t size : shape_.dimensions) b.dimension({0, size - 1});
    auto every = b.build();
    if (!every.ok()) return;
    auto simple = simplify(*every);
    auto read = image(elements);
    if (!simple.ok() || !read.ok() ||
        (!read->isEmpty() && read->precision() != Precision::Exact))
      return;
    auto rest = difference(IndexingRelation(*simple), *read, options_.exact);
    if (rest.ok() && (rest->isEmpty() || rest->precision() == Precision::Exact))
      found_.unread = *std::move(rest);
  }

  const ArrayShape &shape_;
  const UtilizationOptions &options_;
  const int64_t times_;  ///< so many leaves read as each relation says
  Footprint found_;
};

}  // namespace

absl::StatusOr<Footprint> footprintOf(
    llvm::ArrayRef<IndexingRelation> relations, const ArrayShape &shape,
    const Share &share, const UtilizationOptions &options) {
  return footprintOf(relations, shape, share, options, /*times=*/1);
}

absl::StatusOr<Footprint> footprintOf(
    llvm::ArrayRef<IndexingRelation> relations, const ArrayShape &shape,
    const Share &share, const UtilizationOptions &options, int64_t times) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack(
        [&] { return footprintOf(relations, shape, share, options, times); });
  auto footprint = Finder(shape, options, times).run(relations, share);
  INDEXICAL_RETURN_IF_ERROR(options.exact.check());
  return footprint;
}

}  // namespace indexical
