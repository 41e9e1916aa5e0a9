#include "indexical/analysis/equality/module_equality.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/transforms.h"
#include "indexical/program/fold.h"
#include "indexical/program/program_indexing.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

// The search for a way looks at so many instructions.
constexpr int64_t kMostSteps = 2000;

/// A leaf of a parameter of the entry.
struct Entry {
  int32_t parameter;
  int64_t leaf;
  ArrayShape shape;
};

/// One module with the maps of its entry.
class Side {
 public:
  Side(const Module &module, int64_t number, const Budget &budget)
      : module_(module),
        maps_(module, /*prover=*/nullptr, budget),
        number_(number) {}

  const Computation &entry() const {
    return module_.computations[module_.entry];
  }

  ShapeList results() const {
    return entry().instructions[entry().root].shape.leaves();
  }
  std::vector<Entry> parameters() const {
    std::vector<Entry> all;
    for (auto [n, instruction] : llvm::enumerate(entry().parameters)) {
      if (instruction < 0) continue;
      ShapeList leaves = entry().instructions[instruction].shape.leaves();
      for (size_t leaf = 0; leaf < leaves.size(); ++leaf)
        all.push_back({static_cast<int32_t>(n), static_cast<int64_t>(leaf),
                       leaves[leaf]});
    }
    return all;
  }

  /// What the result reads of the parameter; sources are numbers of entries, or
  /// below 0, another one for each, where they are no parameter's.
  absl::StatusOr<IndexingRelation> reads(int64_t result, const Entry &of) {
    auto relation = maps_.computation(module_.entry, Direction::OutputToInput,
                                      result, of.parameter, of.leaf);
    if (!relation.ok()) return relation;
    IndexingRelation traced;
    for (const IndexingMap &piece : relation->pieces()) {
      auto map = trace(piece);
      if (!map.ok()) return map.status();
      traced.add(*std::move(map));
    }
    traced.weaken(relation->precision());
    return traced;
  }

  std::vector<std::string> way(int64_t result, const Entry &to,
                               const Witness *reads);

 private:
  absl::StatusOr<IndexingMap> trace(const IndexingMap &map);
  int64_t entryNumber(int32_t instruction, int64_t leaf) const;
  bool wayFrom(int32_t instruction, int64_t leaf, const Entry &to,
               const IndexingRelation &soFar, const Witness *reads,
               std::vector<std::string> &names, int64_t &steps);

  const Module &module_;
  ProgramIndexing maps_;
  const int64_t number_;
};

int64_t Side::entryNumber(int32_t instruction, int64_t leaf) const {
  int64_t number = 0;
  for (const Entry &entry : parameters()) {
    if (this->entry().parameters[entry.parameter] == instruction &&
        entry.leaf == leaf)
      return number;
    ++number;
  }
  return -1;
}

/// The map with its sources followed to parameters.
absl::StatusOr<IndexingMap> Side::trace(const IndexingMap &map) {
  auto traced =
      withRuntime(map, [&](IndexingMapBuilder &b, RuntimeVariable &variable) {
        if (variable.source.kind == RuntimeSource::Kind::None) return;
        int64_t number = -1;
        const Value value = maps_.value(variable.source.tensor);
        if (value.computation == module_.entry && value.calls.empty() &&
            variable.collectives.empty()) {
          MovedElement element{value.instruction, value.result, {}};
          for (FormId form : variable.index)
            element.index.push_back(b.expression(form));
          if (variable.source.kind == RuntimeSource::Kind::Element)
            element = movedFrom(entry(), std::move(element), b);
          number = entryNumber(element.instruction, element.leaf);
          if (number >= 0) {
            variable.index.clear();
            for (Expr expression : element.index)
              variable.index.push_back(expression.form());
          }
        }
        // Odd and even: of the one module and the other.
        variable.source.tensor =
            number >= 0 ? number : -2 - 2 * variable.source.tensor - number_;
      });
  if (!traced.ok()) return traced.status();
  SimplifyOptions options;
  options.rename = true;
  return simplify(*traced, options);
}

bool hasPairs(const absl::StatusOr<IndexingRelation> &relation) {
  if (!relation.ok()) return false;
  auto decision = isEmpty(*relation);
  return decision.ok() && decision->answer != Answer::Yes;
}

/// Whether the relation reads the element, at any index.
bool readsElement(const IndexingRelation &relation,
                  llvm::ArrayRef<int64_t> element) {
  IndexingMapBuilder b;
  for (int64_t e : element) b.dimension(Interval::point(e));
  auto there = b.build();
  return there.ok() && hasPairs(compose(relation, IndexingRelation(*there)));
}

/// Depth first, along operands of which something is read at the index.
bool Side::wayFrom(int32_t instruction, int64_t leaf, const Entry &to,
                   const IndexingRelation &soFar, const Witness *reads,
                   std::vector<std::string> &names, int64_t &steps) {
  if (++steps > kMostSteps) return false;
  const Instruction &i = entry().instructions[instruction];
  names.push_back(i.name.str());
  if (entry().parameters[to.parameter] == instruction && leaf == to.leaf) {
    if (!reads || readsElement(soFar, reads->element)) return true;
  } else {
    auto operands = entry().operandLeaves(instruction);
    for (size_t k = 0; k < operands.size(); ++k) {
      auto step = maps_.instruction(module_.entry, instruction,
                                    Direction::OutputToInput, leaf, k);
      if (!step.ok()) continue;
      auto next = compose(soFar, *step);
      if (next.ok() && hasPairs(next) &&
          wayFrom(operands[k].instruction, operands[k].result, to, *next, reads,
                  names, steps))
        return true;
    }
  }
  names.pop_back();
  return false;
}

std::vector<std::string> Side::way(int64_t result, const Entry &to,
                                   const Witness *reads) {
  IndexingMapBuilder b;
  const ArrayShape shape = results()[result];
  for (auto [i, size] : llvm::enumerate(shape.dimensions)) {
    Interval bounds = size == kDynamicSize ? Interval{0, Interval::kInfinity}
                                           : Interval{0, size - 1};
    if (reads) bounds = bounds.intersect(Interval::point(reads->index[i]));
    b.result(b.dimension(bounds));
  }
  std::vector<std::string> names;
  auto start = b.build();
  int64_t steps = 0;
  if (start.ok())
    wayFrom(entry().root, result, to, IndexingRelation(*start), reads, names,
            steps);
  return names;
}

std::string describe(const ArrayShape &shape) {
  return Shape::ofArray(shape).str();
}

/// An error where the leaves are not of the same shapes.
absl::Status checkLeaves(const char *what, llvm::ArrayRef<ArrayShape> first,
                         llvm::ArrayRef<ArrayShape> second) {
  if (first.size() != second.size())
    return absl::InvalidArgumentError(
        "the first module has " + std::to_string(first.size()) + " " + what +
        "s and the second " + std::to_string(second.size()));
  for (size_t i = 0; i < first.size(); ++i)
    if (first[i].type != second[i].type || !sameDimensions(first[i], second[i]))
      return absl::InvalidArgumentError(
          std::string(what) + " " + std::to_string(i) + " is " +
          describe(first[i]) + " in the first module and " +
          describe(second[i]) + " in the second");
  return absl::OkStatus();
}

std::vector<ArrayShape> shapesOf(const std::vector<Entry> &entries) {
  std::vector<ArrayShape> shapes;
  for (const Entry &entry : entries) shapes.push_back(entry.shape);
  return shapes;
}

bool passesCollective(const IndexingRelation &relation) {
  return llvm::any_of(relation.pieces(), [](const IndexingMap &piece) {
    return !piece.collectives().empty();
  });
}

/// Why a difference would show nothing.
Doubt doubtOf(const IndexingRelation &relation) {
  if (relation.precision() == Precision::Opaque) return Doubt::UnknownOp;
  if (relation.precision() == Precision::Cover) return Doubt::Cover;
  if (passesCollective(relation)) return Doubt::Collective;
  for (const IndexingMap &piece : relation.pieces())
    for (const RuntimeVariable &v : piece.runtime())
      if (v.source.kind != RuntimeSource::Kind::None && v.source.tensor < 0)
        return Doubt::UnknownSource;
  return Doubt::None;
}

/// Sets decision and doubt of the leaf.
void compare(const IndexingRelation &a, const IndexingRelation &b,
             const ExactOptions &options, LeafEquality &leaf) {
  for (const IndexingRelation *relation : {&a, &b})
    if (passesCollective(*relation)) {
      leaf.doubt = doubtOf(*relation);
      return;
    }
  const Doubt first = doubtOf(a);
  const Doubt doubt = first == Doubt::None ? doubtOf(b) : first;
  if (a.precision() != Precision::Exact || b.precision() != Precision::Exact) {
    leaf.doubt = doubt;
    return;
  }
  auto equal = areEqual(a, b, options);
  if (!equal.ok()) {
    leaf.decision.reason = std::string(equal.status().message());
    return;
  }
  leaf.decision = *std::move(equal);
  if (leaf.decision.answer != Answer::No || doubt == Doubt::None) return;
  leaf.doubt = doubt;
  leaf.decision.answer = Answer::Undecided;
  leaf.decision.reason.clear();
  leaf.decision.witness.reset();
}

}  // namespace

absl::StatusOr<ModuleEquality> compareReads(const Module &first,
                                            const Module &second,
                                            const ExactOptions &options) {
  for (const Module *module : {&first, &second})
    if (module->entry < 0 || module->computations[module->entry].root < 0)
      return absl::InvalidArgumentError("a module has no entry computation");
  Side sides[2] = {Side(first, 0, options), Side(second, 1, options)};
  const auto parameters = sides[0].parameters();
  const auto others = sides[1].parameters();
  if (auto status =
          checkLeaves("parameter", shapesOf(parameters), shapesOf(others));
      !status.ok())
    return status;
  const ShapeList results = sides[0].results();
  const ShapeList otherResults = sides[1].results();
  if (auto status = checkLeaves(
          "result", std::vector<ArrayShape>(results.begin(), results.end()),
          std::vector<ArrayShape>(otherResults.begin(), otherResults.end()));
      !status.ok())
    return status;
  ModuleEquality equality;
  for (size_t r = 0; r < results.size(); ++r)
    for (size_t p = 0; p < parameters.size(); ++p) {
      auto a = sides[0].reads(r, parameters[p]);
      if (!a.ok()) return a.status();
      auto b = sides[1].reads(r, others[p]);
      if (!b.ok()) return b.status();
      LeafEquality leaf;
      leaf.result = r;
      leaf.parameter = p;
      compare(*a, *b, options, leaf);
      if (absl::Status end = options.check(); !end.ok()) return end;
      if (const auto &witness = leaf.decision.witness)
        for (int side = 0; side < 2; ++side) {
          bool reads = (witness->onlyIn == Witness::Side::Second) == side;
          leaf.paths[side] = sides[side].way(
              r, side ? others[p] : parameters[p], reads ? &*witness : nullptr);
        }
      equality.engine = std::max(equality.engine, leaf.decision.engine);
      if (leaf.decision.answer == Answer::No)
        equality.answer = Answer::No;
      else if (leaf.decision.answer == Answer::Undecided &&
               equality.answer == Answer::Yes)
        equality.answer = Answer::Undecided;
      equality.leaves.push_back(std::move(leaf));
    }
  return equality;
}

}  // namespace indexical
