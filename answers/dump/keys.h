// The keys of a dump (answers/fields.h), as docs/keys.md has them.
#ifndef INDEXICAL_ANSWERS_DUMP_KEYS_H
#define INDEXICAL_ANSWERS_DUMP_KEYS_H

#include <cstdint>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/dump/items.h"
#include "indexical/answers/fields.h"
#include "indexical/ops/shape.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// The document, and the input that it is about.
struct DumpEntry {
  llvm::StringRef path, format;
};
struct InputEntry {
  llvm::StringRef path, format;
};

/// Gives a map: most of a program's maps are equal, so a writer may have its
/// text already.
using GiveMap = llvm::function_ref<void(const IndexingMap &, KeyValue &)>;

struct ComputationEntry {
  const Item &item;
  GiveMap in;
};
struct InstructionEntry {
  const Instruction &instruction;
  const Item &item;
  GiveMap in;
};

struct BoundEntry {
  int64_t size;
};

struct AnswerEntry {
  const LeafAnswer &answer;
  GiveMap in;
};

struct WayEntry {
  const WayAnswer &way;
  GiveMap in;
};

template <>
KeyList<DumpEntry> keysOf<DumpEntry>();
template <>
KeyList<InputEntry> keysOf<InputEntry>();
template <>
KeyList<Module> keysOf<Module>();
template <>
KeyList<ComputationEntry> keysOf<ComputationEntry>();
template <>
KeyList<InstructionEntry> keysOf<InstructionEntry>();
template <>
KeyList<ArrayShape> keysOf<ArrayShape>();
template <>
KeyList<BoundEntry> keysOf<BoundEntry>();
template <>
KeyList<OperandEntry> keysOf<OperandEntry>();
template <>
KeyList<AnswerEntry> keysOf<AnswerEntry>();
template <>
KeyList<WayEntry> keysOf<WayEntry>();

/// Returns the tables of all of these, in the order of keys.md.
std::vector<Described> dumpTables();

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_DUMP_KEYS_H
