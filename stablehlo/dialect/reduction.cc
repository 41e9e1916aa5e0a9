#include "stablehlo/dialect/reduction.h"

#include "stablehlo/dialect/format.h"

#define GET_OP_CLASSES
#include "stablehlo/dialect/reduction.cc.inc"

namespace indexical::stablehlo {

void StablehloDialect::addReductionOps() {
  addOperations<
#define GET_OP_LIST
#include "stablehlo/dialect/reduction.cc.inc"
      >();
}

}  // namespace indexical::stablehlo
