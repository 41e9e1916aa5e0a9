// Ops whose operands say sizes. Here all sizes are known.
#include "tests/oracle/definitions.h"

namespace indexical::testing {

Tensors define(const SetDimensionSizeOp &op, const Tensors &operands) {
  Tensors results = emptyResults(op);
  forEachIndex(results[0].sizes, [&](const Index &index) {
    results[0].at(index) = operands[0].at(index);
    unite(results[0].at(index), operands[1].at({}));
  });
  return results;
}

Tensors define(const DynamicReshapeOp &op, const Tensors &operands) {
  Tensors results = emptyResults(op);
  int64_t counter = 0;
  forEachIndex(results[0].sizes, [&](const Index &to) {
    results[0].at(to) = operands[0].elements[counter++];
    for (size_t k = 1; k < operands.size(); ++k)
      for (const Reads &size : operands[k].elements)
        unite(results[0].at(to), size);
  });
  return results;
}

}  // namespace indexical::testing
