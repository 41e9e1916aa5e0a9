// Apart from dialect.cc, because it needs every group of ops, and they need
// that.
#include "indexical/import/stablehlo/dialect/stablehlo.h"

namespace indexical::stablehlo {

void StablehloDialect::initialize() {
  addAttributes();
  addTypes();
  addElementwiseOps();
  addMovementOps();
  addReductionOps();
  addContractionOps();
  addDynamicOps();
  addControlOps();
  addCollectiveOps();
}

}  // namespace indexical::stablehlo
