// The maps of a program, as a stream of items in the order of its text.
//
//   module       DumpSink::beginModule
//     computation  beginComputation: its own maps, or none
//       instruction  instruction: its leaves, its maps
//
// The walk finds the maps of one item, and a renderer of the sink makes texts
// of them, on any thread. The sink gets the texts in the order of the program,
// and the walk drops them: memory does not grow with the program.
#ifndef INDEXICAL_ANSWERS_DUMP_DUMP_H
#define INDEXICAL_ANSWERS_DUMP_DUMP_H

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/dump/items.h"
#include "indexical/answers/dump/question.h"
#include "indexical/answers/dump/selection.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// The text of an item, as a sink writes it: pieces, each with a name of the
/// sink's own. An instruction is one piece.
using Rendered = llvm::SmallVector<std::pair<llvm::StringRef, std::string>, 4>;

/// Makes the texts of items on one thread.
class ItemRenderer {
 public:
  virtual ~ItemRenderer() = default;
  /// Renders an instruction, or a computation if `instruction` is null. `maps`
  /// has the item's sources.
  virtual Rendered render(const ProgramIndexing &maps, const Item &item,
                          const Instruction *instruction) = 0;
};

class DumpSink {
 public:
  virtual ~DumpSink() = default;
  /// Returns a renderer for one thread. Several threads render at once, also
  /// while the sink writes. The sink outlives it.
  virtual std::unique_ptr<ItemRenderer> renderer() const = 0;

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

/// Passes the selected items to the sink. A map that could not be found is an
/// error among the messages; if the question is strict, an opaque map is one
/// too. If the stop of `ask` is reached, the document ends early, and is still
/// complete in itself. Calls `ask.itemDone` after each instruction.
void dumpOf(const Program &program, const Selection &selection,
            const DumpQuestion &question, const Ask &ask, DumpSink &sink);

/// An item of a dump: an instruction, or a computation if `instruction` is -1.
struct DumpedItem {
  size_t module = 0;
  ComputationId computation;
  InstructionId instruction;
  const Item &item;
  const ProgramIndexing &maps;  ///< with the sources of runtime variables
};

/// Calls `take` for each item of the program that the question selects, one
/// after another on this thread, until it returns false. Returns an error if
/// the program does not have a name of the question, or if the stop of `ask` is
/// reached.
absl::Status dumpOf(const Program &program, const DumpQuestion &question,
                    llvm::function_ref<bool(const DumpedItem &)> take,
                    const Ask &ask = {});

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_DUMP_DUMP_H
