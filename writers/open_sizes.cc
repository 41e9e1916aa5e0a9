#include "indexical/writers/open_sizes.h"

namespace indexical {

void writeOpenSizes(llvm::raw_ostream &os, const Module &module,
                    llvm::ArrayRef<NamedSize> sizes) {
  for (const NamedSize &size : sizes)
    os << "    where " << size.name << " = size of "
       << instructionOf(module, size.tensor).name << ", dimension "
       << size.dimension << '\n';
}

}  // namespace indexical
