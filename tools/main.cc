#include "llvm/Support/raw_ostream.h"

#include "indexical/tools/run.h"

int main(int argc, char **argv) {
  return indexical::runIndexical(argc, argv, llvm::outs(), llvm::errs());
}
