#include "indexical/import/stablehlo/dialect/collective.h"

#include "indexical/import/stablehlo/dialect/format.h"

#define GET_OP_CLASSES
#include "indexical/import/stablehlo/dialect/collective.cc.inc"

namespace indexical::stablehlo {

void StablehloDialect::addCollectiveOps() {
  addOperations<
#define GET_OP_LIST
#include "indexical/import/stablehlo/dialect/collective.cc.inc"
      >();
}

}  // namespace indexical::stablehlo
