#include "indexical/answers/dump/physical.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

using Order = llvm::SmallVector<int64_t, 6>;
using SourceShape = llvm::function_ref<const ArrayShape &(int64_t)>;

bool isIdentity(llvm::ArrayRef<int64_t> order) {
  return llvm::all_of(llvm::enumerate(order), [](auto at) {
    return static_cast<int64_t>(at.index()) == at.value();
  });
}

/// A map rebuilt with its dimensions, its results and the indices of its
/// sources in another order.
class Reordering {
 public:
  Reordering(const IndexingMap &map, SourceShape sourceShape)
      : map_(map), sourceShape_(sourceShape) {}

  absl::StatusOr<IndexingMap> run(llvm::ArrayRef<int64_t> dimensions,
                                  llvm::ArrayRef<int64_t> results) {
    declareVariables(dimensions);
    auto replace = [&](VariableId id) {
      return forms_[size_t(id.kind)][id.index];
    };
    ExpressionImport import(map_.expressions(), builder_.pool(), replace);
    for (int64_t r : results)
      builder_.result(builder_.expression(import(map_.results()[r])));
    for (auto [i, collective] : llvm::enumerate(map_.collectives()))
      builder_.member(collective,
                      builder_.expression(import(map_.members()[i])));
    for (const Constraint &constraint : map_.constraints())
      builder_.constraint(builder_.expression(import(constraint.form)),
                          constraint.bounds);
    importSources(import);
    INDEXICAL_ASSIGN_OR_RETURN(IndexingMap map, builder_.build());
    SimplifyOptions options;
    options.foldPoints = false;
    return simplify(map, options);
  }

 private:
  void declareVariables(llvm::ArrayRef<int64_t> dimensions) {
    auto &forms = forms_[size_t(VariableKind::Dimension)];
    forms.resize(dimensions.size());
    for (int64_t d : dimensions) {
      const Variable &variable = map_.dimensions()[d];
      forms[d] = builder_.dimension(variable.bounds, variable.name).form();
    }
    for (const Variable &variable : map_.ranges())
      forms_[size_t(VariableKind::Range)].push_back(
          builder_.range(variable.bounds, variable.name).form());
    for (RuntimeVariable variable : map_.runtime()) {
      if (variable.source.kind == RuntimeSource::Kind::Size)
        variable.source.dimension = positionOf(variable.source);
      variable.index.clear();
      forms_[size_t(VariableKind::Runtime)].push_back(
          builder_.runtime(std::move(variable)).form());
    }
  }

  int64_t positionOf(const RuntimeSource &source) {
    Order order = physicalOrder(sourceShape_(source.tensor));
    return llvm::find(order, source.dimension) - order.begin();
  }

  void importSources(ExpressionImport &import) {
    for (auto [i, variable] : llvm::enumerate(map_.runtime())) {
      if (variable.index.empty()) continue;
      llvm::SmallVector<FormId, 4> index;
      Order order;
      if (!variable.elementIndex().empty())
        order = physicalOrder(sourceShape_(variable.source.tensor));
      for (int64_t d : order) index.push_back(import(variable.index[d]));
      for (FormId member : variable.members()) index.push_back(import(member));
      builder_.setSourceIndex(i, index);
    }
  }

  const IndexingMap &map_;
  SourceShape sourceShape_;
  IndexingMapBuilder builder_;
  llvm::SmallVector<FormId, 6> forms_[3];  // by kind and number of the variable
};

}  // namespace

llvm::SmallVector<int64_t, 6> physicalOrder(const ArrayShape &shape) {
  Order order = shape.minorToMajor();
  std::reverse(order.begin(), order.end());
  return order;
}

ArrayShape physicalShape(const ArrayShape &shape) {
  ArrayShape physical = shape;
  Order order = physicalOrder(shape);
  for (auto [position, d] : llvm::enumerate(order)) {
    physical.dimensions[position] = shape.dimensions[d];
    if (!shape.dynamic.empty()) physical.dynamic[position] = shape.dynamic[d];
  }
  physical.layout.reset();
  return physical;
}

Shape physicalShape(Shape shape) {
  if (shape.isArray()) shape.array = physicalShape(shape.array);
  for (Shape &element : shape.elements)
    element = physicalShape(std::move(element));
  return shape;
}

absl::StatusOr<IndexingRelation> physicalRelation(
    const IndexingRelation &relation, const ArrayShape &from,
    const ArrayShape &to, SourceShape sourceShape) {
  Order dimensions = physicalOrder(from), results = physicalOrder(to);
  IndexingRelation physical;
  for (const IndexingMap &piece : relation.pieces()) {
    if (piece.runtime().empty() && isIdentity(dimensions) &&
        isIdentity(results)) {
      physical.add(piece);
      continue;
    }
    INDEXICAL_ASSIGN_OR_RETURN(
        IndexingMap map,
        Reordering(piece, sourceShape).run(dimensions, results));
    physical.add(std::move(map));
  }
  physical.weaken(relation.precision());
  return physical;
}

}  // namespace indexical
