#include "indexical/same/equality/parameter_names.h"

#include "llvm/ADT/StringExtras.h"

namespace indexical {

std::string leafName(const Computation &entry, int32_t parameter, LeafId leaf) {
  const Instruction &i = entry.instructions[entry.parameters[parameter]];
  return i.name.str() +
         (i.shape->isArray() ? "" : " leaf " + std::to_string(leaf));
}

std::string sizeName(const Computation &entry, int32_t parameter, LeafId leaf,
                     int64_t dimension) {
  return "size " + std::to_string(dimension) + " of " +
         leafName(entry, parameter, leaf);
}

std::string elementName(const std::string &leaf,
                        llvm::ArrayRef<std::string> index) {
  return index.empty() ? leaf : leaf + "(" + llvm::join(index, ", ") + ")";
}

void nameInputs(const Computation &entry, Witness &witness) {
  for (Witness::Input &input : witness.inputs)
    input.name = leafName(entry, input.parameter, LeafId(input.leaf));
}

}  // namespace indexical
