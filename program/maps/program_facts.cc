#include "indexical/program/maps/program_facts.h"

#include <utility>

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/shape.h"
#include "indexical/program/maps/fold_known.h"
#include "indexical/program/maps/joined_clamps.h"
#include "indexical/program/module/value.h"
#include "indexical/program/values/known_values.h"

namespace indexical {

ProgramShapes &ProgramFacts::shapesOf(ComputationId c) {
  std::unique_ptr<ProgramShapes> &known = shapes_[c];
  if (!known) {
    auto numbered = [this, c](InstructionLeaf leaf) {
      return values_.number(c, leaf.instruction, leaf.leaf);
    };
    auto called = [this](ComputationId callee) {
      return shapesOfCallee(callee);
    };
    shapesInWork_.insert(c);
    auto made = std::make_unique<ProgramShapes>(module_.computations[c],
                                                numbered, called);
    shapesInWork_.erase(c);
    known = std::move(made);
  }
  return *known;
}

/// Returns null for a computation that calls itself, which no module may have.
ProgramShapes *ProgramFacts::shapesOfCallee(ComputationId c) {
  return shapesInWork_.count(c) ? nullptr : &shapesOf(c);
}

/// Returns the size in terms of the sizes from which it follows, or nothing if
/// it follows from no others.
std::optional<Expr> ProgramFacts::knownSize(Value value, int64_t dimension,
                                            IndexingMapBuilder &b) {
  if (!value.calls.empty()) return std::nullopt;
  ProgramShapes &sizes = shapesOf(value.computation);
  const auto form = sizes.size({value.instruction, value.result}, dimension);
  if (!form) {  // of the type
    const Op &op = module_.computations[value.computation]
                       .instructions[value.instruction]
                       .op;
    return b.constant(
        indexical::shapesOf(op).results[value.result].dimensions[dimension]);
  }
  if (auto id = sizes.table().asVariable(*form)) {
    const RuntimeSource &source = sizes.variable(id->index).source;
    if (source.kind == RuntimeSource::Kind::Size &&
        source.tensor == SizeFacts::kOutside + values_.number(value) &&
        source.dimension == dimension)
      return std::nullopt;
  }
  std::map<uint32_t, FormId> made;
  auto replace = [&](VariableId id) {
    auto [found, isNew] = made.insert({id.index, 0});
    if (!isNew) return found->second;
    const SizeFacts::Variable &known = sizes.variable(id.index);
    RuntimeVariable variable;
    variable.source = known.source;
    variable.source.tensor -= SizeFacts::kOutside;
    variable.bounds = known.bounds;
    for (int64_t i : known.index)
      variable.index.push_back(b.pool().constantForm(i));
    return found->second = b.runtime(std::move(variable)).form();
  };
  ExpressionImport import(sizes.table(), b.pool(), replace);
  return b.expression(import(*form));
}

absl::StatusOr<IndexingRelation> ProgramFacts::folded(
    const IndexingRelation &relation, Known what) {
  bool hasRuntime = false;
  for (const IndexingMap &piece : relation.pieces())
    hasRuntime |= !piece.runtime().empty();
  if (!hasRuntime) return relation;
  auto known = [&](const RuntimeSource &source, IndexingMapBuilder &b,
                   llvm::ArrayRef<Expr> index, IndexBounds bounds,
                   Choices &choices) -> std::optional<Expr> {
    const Value &value = values_[source.tensor];
    if (source.kind == RuntimeSource::Kind::Size) {
      if (what == Known::Elements) return std::nullopt;
      return knownSize(value, source.dimension, b);
    }
    if (!index.empty())
      return knownElement(module_, value, index, b, bounds, &choices);
    if (unknownScalars_.count(source.tensor)) return std::nullopt;
    auto scalar = knownElement(module_, value, index, b, bounds, &choices);
    if (!scalar) unknownScalars_.insert(source.tensor);
    return scalar;
  };
  INDEXICAL_ASSIGN_OR_RETURN(const auto folded, foldKnown(relation, known));
  return withClampsJoined(folded, Joined::Clamped,
                          [&](int64_t tensor) { return valuesAt(tensor); });
}

Interval ProgramFacts::valuesAt(int64_t tensor) const {
  const Value &value = values_[tensor];
  const ElementType type = indexical::shapesOf(instructionOf(module_, value).op)
                               .results[value.result]
                               .type;
  const Interval values = valuesOf(type);
  // No bounds hold the upper half of 64 bits without a sign.
  return bitsOf(type) >= 64 && values.hasLower() ? Interval::all() : values;
}

}  // namespace indexical
