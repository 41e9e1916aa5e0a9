// Scatter, whose update computation is looked into.
//
//   r = f32[8] scatter(x, i, u), to_apply=add, …
//   add(x, u) reads x, whatever the values are: result 0 reads input 0 exactly
#include "indexical/import/hlo/opcodes/builders.h"
#include "indexical/program/module/parameter_reads.h"

namespace indexical {
namespace opcodes {
namespace {

bool isScalarOf(const Instruction &instruction) {
  return instruction.shape->isArray() && instruction.shape->array.isScalar();
}

/// Two scalars an input, one scalar a result.
bool fitsScatter(const Computation &body, size_t inputs) {
  if (body.parameters.size() != 2 * inputs) return false;
  for (int32_t parameter : body.parameters)
    if (!isScalarOf(body.instructions[parameter])) return false;
  const ShapeList &results = shapesOf(body.instructions[body.root].op).results;
  if (results.size() != inputs) return false;
  for (const ArrayShape &result : results)
    if (!result.isScalar()) return false;
  return true;
}

bool takeBody(const ResolvedInstruction &in, ScatterOp &op) {
  if (in.called.empty() || in.called[0].computation < 0) return true;
  const Computation &body = in.module.computations[in.called[0].computation];
  const size_t inputs = op.results.size();
  if (!fitsScatter(body, inputs))
    return in.fail("`" + body.name +
                   "`, the update computation, must take two scalars for each "
                   "of " +
                   countOf(inputs, "input") +
                   ", its element and its update, and give the new element "
                   "(C23)");
  op.bodyReads = scatterReads(in.module, in.called[0].computation, inputs);
  return true;
}

}  // namespace

bool buildScatter(const ResolvedInstruction &in, const Shape &result,
                  OpDraft &out) {
  auto *op = makeOfArrays<ScatterOp>(in, result, out, Results::OneOrTuple);
  if (!op) return false;
  op->partlyOutside = ScatterOp::PartlyOutside::SkipSlice;
  const Attributes &a = in.attributes;
  return a.requiredIntegers("update_window_dims", op->updateWindowDims) &&
         a.integers("inserted_window_dims", op->insertedWindowDims) &&
         a.requiredIntegers("scatter_dims_to_operand_dims",
                            op->scatterDimsToOperandDims) &&
         a.integers("input_batching_dims", op->inputBatchingDims) &&
         a.integers("scatter_indices_batching_dims",
                    op->scatterIndicesBatchingDims) &&
         a.requiredInteger("index_vector_dim", op->indexVectorDim) &&
         takeBody(in, *op);
}

bool inferScatter(const ResolvedInstruction &in, Shape &shape) {
  const size_t inputs = in.operands.size() / 2;
  if (inputs < 2) return inferAsFirst(in, shape);
  std::vector<Shape> results;
  for (size_t k = 0; k < inputs; ++k) results.push_back(*in.operands[k]);
  shape = Shape::ofTuple(std::move(results));
  return true;
}

}  // namespace opcodes
}  // namespace indexical
