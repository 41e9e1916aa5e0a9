// The chains of dumps that a call names.
//
//   dumps/          the chains among the files of the folder, by their names,
//                   and those in texts of mlir-opt
//   a.hlo b.hlo     files whose names put them in no chain make one chain, in
//                   this order
//   log.mlir, -     the sections of a text (--mlir-print-ir-after-all)
//   @LIST           lines of one word as elsewhere; a line of two is a pair
#ifndef INDEXICAL_ANSWERS_INPUTS_DUMP_CHAINS_H
#define INDEXICAL_ANSWERS_INPUTS_DUMP_CHAINS_H

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/answers/inputs/input.h"
#include "indexical/answers/inputs/read_program.h"
#include "indexical/answers/passes/passes.h"
#include "indexical/same/passes/dump_chain.h"

namespace indexical {

struct DumpChains {
  std::vector<DumpChain> chains;   ///< by name, pairs of lists last
  std::vector<std::string> notes;  ///< for input that is skipped
};

/// Returns an error if a file or list cannot be read, or no two dumps belong
/// together.
absl::StatusOr<DumpChains> chainsOf(llvm::ArrayRef<std::string> words);

/// Returns the text of a dump. If the dump is a part of a file, empty lines
/// before it keep the line numbers of the file. Keeps the whole file in `file`,
/// which the next call does not read again.
absl::StatusOr<Input> readDump(const Dump &dump, Input &file);

/// Returns what passesOf() reads dumps by: the files of a chain, as programs.
std::function<ReadDumpText()> dumpReader(ReadAs readAs);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_INPUTS_DUMP_CHAINS_H
