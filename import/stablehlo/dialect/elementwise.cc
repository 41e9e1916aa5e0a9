#include "indexical/import/stablehlo/dialect/elementwise.h"

#include "indexical/import/stablehlo/dialect/format.h"

#define GET_OP_CLASSES
#include "indexical/import/stablehlo/dialect/elementwise.cc.inc"

namespace indexical::stablehlo {

void StablehloDialect::addElementwiseOps() {
  addOperations<
#define GET_OP_LIST
#include "indexical/import/stablehlo/dialect/elementwise.cc.inc"
      >();
}

}  // namespace indexical::stablehlo
