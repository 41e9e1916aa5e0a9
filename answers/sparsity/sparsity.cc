#include "indexical/answers/sparsity/sparsity.h"

#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/find_instruction.h"
#include "indexical/cost/use/constant_indices.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/derivative.h"
#include "indexical/program/maps/derivative_reads.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical {

using llvm::StringRef;

namespace {

/// An array of the root or of the parameters.
struct Side {
  const Instruction *instruction;
  int32_t parameter = -1;  ///< its number, of a parameter
  int64_t leaf = 0;
  ElementType type;
};

void addLeaves(const Instruction &of, std::vector<Side> &sides) {
  for (auto [leaf, shape] : llvm::enumerate(of.shape->leaves()))
    sides.push_back(
        {&of, of.parameterNumber, static_cast<int64_t>(leaf), shape.type});
}

/// Returns the number of the side that is asked about: the given one, or the
/// first that carries derivatives. `kind` is `result` or `parameter`.
absl::StatusOr<size_t> chosen(llvm::ArrayRef<Side> sides,
                              std::optional<int64_t> number, StringRef kind,
                              const Computation &of) {
  auto isFloat = [](const Side &side) { return carriesDerivatives(side.type); };
  const std::string where =
      "`" + of.name.str() + "` has " + std::to_string(sides.size()) +
      (sides.size() == 1 ? " array of " : " arrays of ") + kind.str() + "s";
  if (!number) {
    const auto *first = llvm::find_if(sides, isFloat);
    if (first == sides.end())
      return errorAt(of.place, where + ", and none holds floats");
    return first - sides.begin();
  }
  if (*number < 0 || *number >= static_cast<int64_t>(sides.size()))
    return errorAt(of.place, where + ", counted from 0: there is no --" +
                                 kind.str() + "=" + std::to_string(*number));
  if (!isFloat(sides[*number]))
    return errorAt(sides[*number].instruction->place,
                   kind.str() + " " + std::to_string(*number) + " holds " +
                       elementTypeName(sides[*number].type).str() +
                       ", which has no derivative");
  return *number;
}

/// Returns why the relation is a cover, or "" if it is exact.
std::string reasonOf(const IndexingRelation &relation, const Module &module,
                     ComputationId computation, const ProgramIndexing &maps) {
  std::vector<std::string> names;
  bool isUnknown = false;
  for (const IndexingMap &piece : relation.pieces())
    for (const RuntimeVariable &variable :
         piece.runtime().take_front(piece.visibleRuntimeCount())) {
      if (variable.source.kind != RuntimeSource::Kind::Element &&
          variable.source.kind != RuntimeSource::Kind::Size) {
        isUnknown = true;
        continue;
      }
      std::string name = "`" +
                         sourceName(module, computation, nullptr,
                                    maps.value(variable.source.tensor))
                             .str() +
                         "`";
      if (!llvm::is_contained(names, name)) names.push_back(std::move(name));
    }
  if (!names.empty()) {
    llvm::sort(names);
    return "the values of " + llvm::join(names, ", ") +
           " decide which entries there are";
  }
  if (isUnknown) return "values of the run decide which entries there are";
  switch (relation.precision()) {
    case Precision::Opaque:
      return "an op's meaning is not known";
    case Precision::Cover:
      return "an op on the way is covered, or its derivative is not known";
    case Precision::Exact:
      return "";
  }
  return "";
}

}  // namespace

ArrayShape Sparsity::resultShape() const {
  return root->shape->leaves()[resultNumber];
}
ArrayShape Sparsity::parameterShape() const {
  return parameter->shape->leaves()[leaf_];
}

absl::StatusOr<Sparsity> sparsityOf(const Program &program,
                                    const SparsityQuestion &question,
                                    const Ask &ask) {
  INDEXICAL_ASSIGN_OR_RETURN(
      const auto named, findInstruction(program, question.computation, ""));
  if (named.inOthers)
    ask.messages.note({}, "several modules have it; the first one's is meant");
  Sparsity found;
  found.module = &program.modules[named.module];
  found.computation = &found.module->computations[named.computation];
  const Computation &own = *found.computation;
  std::vector<Side> results, parameters;
  addLeaves(own.instructions[own.root], results);
  for (InstructionId parameter : own.parameters)
    addLeaves(own.instructions[parameter], parameters);
  INDEXICAL_ASSIGN_OR_RETURN(const size_t r,
                             chosen(results, question.result, "result", own));
  INDEXICAL_ASSIGN_OR_RETURN(
      const size_t p, chosen(parameters, question.parameter, "parameter", own));
  found.root = results[r].instruction;
  found.parameter = parameters[p].instruction;
  found.resultNumber = static_cast<int64_t>(r);
  found.parameterNumber = static_cast<int64_t>(p);
  found.leaf_ = parameters[p].leaf;

  ProgramIndexing maps(*found.module, /*prover=*/nullptr, ask.budget);
  INDEXICAL_ASSIGN_OR_RETURN(
      auto relation,
      DerivativeReads(maps).of(
          named.computation, LeafId(found.resultNumber),
          {parameters[p].parameter, LeafId(parameters[p].leaf)}));
  // A constant that lists a graph's edges has an element for each.
  constexpr int64_t kMostConstantElements = 1 << 14;
  INDEXICAL_ASSIGN_OR_RETURN(
      relation, withConstantIndices(maps, relation, kMostConstantElements));
  JacobianOptions how;
  how.exact = ExactOptions(ask.budget);
  const ArrayShape result = found.resultShape();
  const ArrayShape parameter = found.parameterShape();
  auto jacobian =
      jacobianOf(relation, result.dimensions, parameter.dimensions, how);
  if (!jacobian.ok()) return withPlace(jacobian.status(), found.root->place);
  found.jacobian = *std::move(jacobian);
  if (!found.jacobian.isExact)
    found.reason = reasonOf(relation, *found.module, named.computation, maps);
  if (!found.jacobian.pattern) return found;
  const SparsePattern &pattern = *found.jacobian.pattern;
  found.blocks = blocksOf(pattern);
  found.parts = partsOf(pattern);
  found.ofColumns = coloringOf(pattern);
  found.ofRows = coloringOf(pattern.transposed());
  INDEXICAL_RETURN_IF_ERROR(ask.budget.check());
  return found;
}

}  // namespace indexical
