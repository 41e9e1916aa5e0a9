#include "indexical/import/stablehlo/dialect/contraction.h"

#include "indexical/import/stablehlo/dialect/format.h"

#define GET_OP_CLASSES
#include "indexical/import/stablehlo/dialect/contraction.cc.inc"

namespace indexical::stablehlo {

void StablehloDialect::addContractionOps() {
  addOperations<
#define GET_OP_LIST
#include "indexical/import/stablehlo/dialect/contraction.cc.inc"
      >();
}

}  // namespace indexical::stablehlo
