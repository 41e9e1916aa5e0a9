// The document of `indexical dump`, in one walk over a program.
//
//   module       DumpSink::beginModule
//     computation  beginComputation: its own maps, or none
//       instruction  instruction: its leaves, its maps
//
// The walk finds the maps of one item, and the sink renders them to text, on
// any thread. The sink gets the texts in the order of the document, and the
// walk drops them: memory does not grow with the program. There is a sink for
// people (dump_text.cc), one for tools, and one for pages (dump_structure.cc).
#ifndef INDEXICAL_TOOLS_DUMP_H
#define INDEXICAL_TOOLS_DUMP_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/indexing/relation.h"
#include "indexical/module/program.h"
#include "indexical/ops/shape.h"
#include "indexical/program/program_indexing.h"
#include "indexical/sharding/groups.h"
#include "indexical/tools/dump_options.h"
#include "indexical/tools/map_texts.h"
#include "indexical/tools/result.h"

namespace indexical {

/// An array leaf that an item reads.
struct OperandEntry {
  llvm::StringRef instruction;  ///< its producer
  LeafId result;                ///< which leaf of the producer
  int32_t parameter = 0;        ///< which operand or parameter of the reader
  bool captured = false;        ///< by a region; no operand of the op
};

/// The relation of one (result, operand) pair.
struct LeafAnswer {
  LeafId result, operand;
  IndexingRelation relation;
};

/// The devices of a collective: the members of its groups in order, or the
/// pairs (source, target) of a permute.
struct ItemDevices {
  bool isPermute = false;
  DeviceLists groups;
  std::vector<std::pair<int64_t, int64_t>> pairs;
};

/// An instruction, or a computation taken as one. A direction that was not
/// requested is absent.
struct Item {
  ShapeList results;
  std::vector<OperandEntry> operands;
  ShapeList operandShapes;
  std::optional<std::vector<LeafAnswer>> outputToInput, inputToOutput;
  std::optional<ItemDevices> devices;  ///< if they were requested
  std::vector<absl::Status> errors;    ///< answers that could not be found

  /// Whether an answer's precision is opaque.
  bool isOpaque() const;
};

/// The text of an item, as a sink writes it: pieces, each with a name of the
/// sink's own. An instruction is one piece.
using Rendered = llvm::SmallVector<std::pair<llvm::StringRef, std::string>, 4>;

class DumpSink {
 public:
  virtual ~DumpSink() = default;
  /// Renders an instruction, or a computation if `instruction` is null. `maps`
  /// has the item's sources. Several threads may call it at once, also while
  /// the sink writes; each has `texts` of its own.
  virtual Rendered render(const ProgramIndexing &maps, const Item &item,
                          const Instruction *instruction,
                          MapTexts &texts) const = 0;

  virtual void begin() {}
  virtual void beginModule(const Module &module, size_t number) = 0;
  /// `own` is null if the computation's own maps were not requested.
  virtual void beginComputation(const Computation &computation,
                                const Rendered *own) = 0;
  virtual void instruction(const Instruction &instruction,
                           const Rendered &item) = 0;
  virtual void endComputation() {}
  virtual void endModule() {}
  virtual void end() {}
};

std::unique_ptr<DumpSink> makeTextSink(llvm::raw_ostream &os,
                                       const DumpOptions &options,
                                       TextStyle style);
/// `path` and `format` are those of the source, for the document.
std::unique_ptr<DumpSink> makeStructureSink(Structure &to, llvm::StringRef path,
                                            llvm::StringRef format);
/// Like makeStructureSink, and passes every map of an answer to `data`, in no
/// particular order.
std::unique_ptr<DumpSink> makePageSink(Structure &to, llvm::StringRef path,
                                       llvm::StringRef format, PageData &data);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_DUMP_H
