#include "tests/documents/run_points.h"

#include "indexical/ops/shape.h"

namespace indexical::testing {

absl::StatusOr<RelationPoints> pointsOfRun(const IndexingRelation &relation,
                                           const ProgramIndexing &maps,
                                           const Computation &computation,
                                           const RunTensors &run,
                                           const Sizes &from, const Sizes &to) {
  std::vector<ArrayShape> shapes;
  OperandValues elements;
  for (const IndexingMap &piece : relation.pieces())
    for (const RuntimeVariable &variable : piece.runtime()) {
      const size_t tensor = variable.source.tensor;
      const Value &value = maps.value(tensor);
      const std::string name =
          computation.instructions[value.instruction].name.str();
      const auto found = run.find(name);
      if (found == run.end())
        return absl::NotFoundError("the run does not say what `" + name +
                                   "` is");
      if (shapes.size() <= tensor) {
        shapes.resize(tensor + 1);
        elements.resize(tensor + 1);
      }
      shapes[tensor].dimensions.assign(found->second.sizes.begin(),
                                       found->second.sizes.end());
      elements[tensor] = found->second.elements;
    }
  return pointsWithin(relation, from, to,
                      {shapes, elements, /*mostOfRange=*/12, /*strict=*/true});
}

}  // namespace indexical::testing
