#include "stablehlo/dialect/elementwise.h"

#include "stablehlo/dialect/format.h"

#define GET_OP_CLASSES
#include "stablehlo/dialect/elementwise.cc.inc"

namespace indexical::stablehlo {

void StablehloDialect::addElementwiseOps() {
  addOperations<
#define GET_OP_LIST
#include "stablehlo/dialect/elementwise.cc.inc"
      >();
}

}  // namespace indexical::stablehlo
