// The document of `indexical dump`: what is shown, walked once.
//
//   module       DumpSink::beginModule
//     computation  beginComputation: its own maps, or none
//       instruction  instruction: its leaves, its maps
//
// The walk asks the maps of one item, hands the item to the sink, which writes
// it, and forgets it: memory does not grow with the program. There is a sink
// for people (dump_text.cc) and one for tools (dump_structure.cc).
#ifndef INDEXICAL_TOOLS_DUMP_H
#define INDEXICAL_TOOLS_DUMP_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/indexing/relation.h"
#include "indexical/ops/shape.h"
#include "indexical/program/program.h"
#include "indexical/program/program_indexing.h"
#include "indexical/tools/dump_options.h"
#include "indexical/tools/result.h"

namespace indexical {

/// An array leaf that an item reads.
struct OperandEntry {
  llvm::StringRef instruction;  ///< its producer
  int32_t result = 0;           ///< which leaf of the producer
  int32_t parameter = 0;        ///< which operand or parameter of the reader
  bool captured = false;        ///< by a region, and no operand of its own
};

/// What is known of one (result, operand) pair.
struct LeafAnswer {
  int64_t result = 0, operand = 0;
  IndexingRelation relation;
};

/// An instruction, or a computation taken as one. A direction that was not
/// asked for is absent.
struct Item {
  std::vector<ArrayShape> results;
  std::vector<OperandEntry> operands;
  std::vector<ArrayShape> operandShapes;
  std::optional<std::vector<LeafAnswer>> outputToInput, inputToOutput;

  /// Whether an answer's precision is opaque.
  bool isOpaque() const;
};

class DumpSink {
 public:
  virtual ~DumpSink() = default;
  virtual void begin() {}
  virtual void beginModule(const ProgramIndexing &maps, size_t number) = 0;
  /// `own` is null where the computation's own maps were not asked for.
  virtual void beginComputation(const Computation &computation,
                                const Item *own) = 0;
  virtual void instruction(const Instruction &instruction,
                           const Item &item) = 0;
  virtual void endComputation() {}
  virtual void endModule() {}
  virtual void end() {}
};

std::unique_ptr<DumpSink> makeTextSink(llvm::raw_ostream &os,
                                       const DumpOptions &options,
                                       TextStyle style);
/// `path` and `format` are the source's, as the document says them.
std::unique_ptr<DumpSink> makeStructureSink(Structure &to, llvm::StringRef path,
                                            llvm::StringRef format);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_DUMP_H
