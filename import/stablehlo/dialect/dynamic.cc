#include "indexical/import/stablehlo/dialect/dynamic.h"

#include "indexical/import/stablehlo/dialect/format.h"

#define GET_OP_CLASSES
#include "indexical/import/stablehlo/dialect/dynamic.cc.inc"

namespace indexical::stablehlo {

void StablehloDialect::addDynamicOps() {
  addOperations<
#define GET_OP_LIST
#include "indexical/import/stablehlo/dialect/dynamic.cc.inc"
      >();
}

}  // namespace indexical::stablehlo
