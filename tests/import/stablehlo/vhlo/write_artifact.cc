// A module of StableHLO as a portable artifact.
//
//   write_artifact FORMAT FILE.mlir > FILE.artifact
//
// FORMAT is the version of bytecode, 0 to 6; below 6, ops are in their first
// version.
#include <cstdlib>

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/import/stablehlo/dialect/parse.h"
#include "tests/import/stablehlo/vhlo/artifact.h"

int main(int argc, char **argv) {
  using namespace indexical;
  if (argc != 3) {
    llvm::errs() << "write_artifact FORMAT FILE.mlir\n";
    return 2;
  }
  auto text = llvm::MemoryBuffer::getFile(argv[2]);
  if (!text) {
    llvm::errs() << argv[2] << " cannot be read\n";
    return 1;
  }
  absl::StatusOr<MlirFile> file = parseMlir((*text)->getBuffer(), "");
  if (!file.ok()) {
    llvm::errs() << file.status().ToString() << "\n";
    return 1;
  }
  testing::Artifact how;
  how.bytecode = std::atoi(argv[1]);
  how.newest = how.bytecode == 6;
  absl::StatusOr<std::string> bytes =
      testing::writeArtifact(*file->modules[0].module, how);
  if (!bytes.ok()) {
    llvm::errs() << bytes.status().ToString() << "\n";
    return 1;
  }
  llvm::outs() << *bytes;
  return 0;
}
