#include "indexical/import/stablehlo/import/call_check.h"

#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include "indexical/import/stablehlo/describe/shapes.h"
#include "indexical/ops/families.h"
#include "indexical/program/module/callees.h"

namespace indexical {

absl::Status checkCall(ModuleImport &import, const Computation &computation,
                       const Instruction &instruction,
                       const CalledComputation &called) {
  const Op &op = innermost(instruction.op);
  mlir::Region &region = *import.regions[called.computation];
  const llvm::StringRef name =
      import.module.computations[called.computation].name;
  const size_t parameters =
      region.getNumArguments() + import.captures.of(region).size();
  if (parameters != called.arguments.size())
    return errorAt(instruction.place,
                   ("`" + name + "` has " + llvm::Twine(parameters) +
                    " parameters, `" + instruction.name + "` hands it " +
                    llvm::Twine(called.arguments.size()))
                       .str());
  const auto *scan = op.as<ScanOp>();
  auto agrees = [&](const ArrayShape &whole, size_t number, size_t count,
                    const ArrayShape &taken) {
    return scan ? sameDimensions(sliceOf(*scan, whole, number, count), taken)
                : sameDimensions(whole, taken);
  };
  const OpShapes &shapes = shapesOf(op);
  for (auto [p, argument] : llvm::enumerate(region.getArguments())) {
    auto wanted = shapeOf(argument.getType());
    if (!wanted.ok()) return withPlace(wanted.status(), instruction.place);
    const int32_t k = called.arguments[p];
    const Shape *passed =
        &*computation.instructions[instruction.operands[k]].shape;
    if (instruction.elements[k] >= 0)
      passed = &passed->elements[instruction.elements[k]];
    const bool fits =
        scan ? passed->isArray() && wanted->isArray() &&
                   agrees(passed->array, p, scan->inputs() + scan->carries,
                          wanted->array)
             : sameUpToLayout(*passed, *wanted);
    if (!fits)
      return errorAt(instruction.place,
                     ("parameter " + llvm::Twine(p) + " of `" + name + "` is " +
                      wanted->str() + ", `" + instruction.name + "` hands it " +
                      (scan ? "a part of " : "") + passed->str())
                         .str());
  }
  if (called.role == CallRole::Condition || region.empty() ||
      region.front().empty())
    return absl::OkStatus();
  auto given = shapeOf(mlir::TypeRange(region.back().back().getOperands()));
  if (!given.ok()) return withPlace(given.status(), instruction.place);
  const ShapeList leaves = given->leaves();
  const ShapeList &results = shapes.results;
  bool fits = leaves.size() == results.size();
  for (size_t r = 0; fits && r < leaves.size(); ++r)
    fits = agrees(results[r], r, results.size(), leaves[r]);
  if (fits) return absl::OkStatus();
  return errorAt(instruction.place, "`" + name.str() + "` returns " +
                                        given->str() + ", `" +
                                        instruction.name.str() + "` is " +
                                        instruction.shape->str());
}

}  // namespace indexical
