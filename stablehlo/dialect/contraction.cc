#include "stablehlo/dialect/contraction.h"

#include "stablehlo/dialect/format.h"

#define GET_OP_CLASSES
#include "stablehlo/dialect/contraction.cc.inc"

namespace indexical::stablehlo {

void StablehloDialect::addContractionOps() {
  addOperations<
#define GET_OP_LIST
#include "stablehlo/dialect/contraction.cc.inc"
      >();
}

}  // namespace indexical::stablehlo
