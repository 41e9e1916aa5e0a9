#include "indexical/import/stablehlo/dialect/reduction.h"

#include "indexical/import/stablehlo/dialect/format.h"

#define GET_OP_CLASSES
#include "indexical/import/stablehlo/dialect/reduction.cc.inc"

namespace indexical::stablehlo {

void StablehloDialect::addReductionOps() {
  addOperations<
#define GET_OP_LIST
#include "indexical/import/stablehlo/dialect/reduction.cc.inc"
      >();
}

}  // namespace indexical::stablehlo
