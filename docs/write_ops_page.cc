#include "llvm/Support/raw_ostream.h"

#include "docs/ops_page.h"

int main() { llvm::outs() << indexical::opsPage(); }
