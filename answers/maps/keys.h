// The keys of a map (answers/fields.h), as docs/keys.md has them.
//
//   {"text": "(d0)[s0] -> (s0, d0), domain: …",
//    "dimensions": [{"name": "d0", "lower": 0, "upper": 7}], "ranges": […],
//    "runtime": [], "results": ["s0", "d0"], "constraints": [], "empty": false}
#ifndef INDEXICAL_ANSWERS_MAPS_KEYS_H
#define INDEXICAL_ANSWERS_MAPS_KEYS_H

#include <cstdint>
#include <string>
#include <vector>

#include "indexical/answers/fields.h"
#include "indexical/answers/maps/open_sizes.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical {

class MapEntry {
 public:
  /// `program` names the sources of runtime variables; null: they are unknown.
  explicit MapEntry(IndexingMap map, const ProgramIndexing *program = nullptr)
      : map(std::move(map)), program(program) {}
  /// A map that is not known.
  static MapEntry undefined() {
    MapEntry entry{IndexingMap()};
    entry.isUndefined = true;
    return entry;
  }
  /// A map of a source of that one.
  MapEntry(IndexingMap map, const MapEntry &outer)
      : map(std::move(map)),
        program(outer.program),
        outermost_(outer.outermost_ ? outer.outermost_ : &outer) {}

  /// Takes one of the maps of sources that one map may have. Sources nest: the
  /// index of a source may have runtime variables, too. In chains of gathers
  /// their number can double with each gather, so it is limited. Beyond the
  /// limit, sources have no map.
  bool takeNested() const {
    unsigned &taken = outermost_ ? outermost_->nested_ : nested_;
    return ++taken <= kMostNestedMaps;
  }

  const IndexingMap map;  ///< a copy costs a pointer
  const ProgramIndexing *const program;
  bool isUndefined = false;

 private:
  static constexpr unsigned kMostNestedMaps = 4096;

  const MapEntry *outermost_ = nullptr;  ///< null: this one
  mutable unsigned nested_ = 0;
};

struct VariableEntry {
  const IndexingMap &map;
  VariableId id;
};
struct RuntimeVariableEntry {
  const MapEntry &in;
  uint32_t index;

  const RuntimeVariable &variable() const { return in.map.runtime()[index]; }
};
struct ConstraintEntry {
  std::string expression;
  Interval bounds;
};
/// A collective that is passed, and the member of its group that is read.
struct MemberEntry {
  const MapEntry &in;
  int64_t collective;
  FormId member;
};
/// The source of a runtime variable.
struct SourceEntry : RuntimeVariableEntry {
  const RuntimeSource &source() const { return variable().source; }
};
struct CallEntry {
  const ProgramIndexing &program;
  const CallSite &call;

  const Computation &caller() const {
    return program.module().computations[call.computation];
  }
  const Instruction &site() const {
    return caller().instructions[call.instruction];
  }
};
struct TensorSizeEntry {
  const Module &module;
  const Value &tensor;
  int64_t dimension;

  const Computation &computation() const {
    return module.computations[tensor.computation];
  }
};
struct NamedSizeEntry {
  const Module &module;
  const NamedSize &size;
};
struct DevicePlaceEntry {
  const SourceEntry &of;
};

template <>
KeyList<MapEntry> keysOf<MapEntry>();
template <>
KeyList<VariableEntry> keysOf<VariableEntry>();
template <>
KeyList<RuntimeVariableEntry> keysOf<RuntimeVariableEntry>();
template <>
KeyList<ConstraintEntry> keysOf<ConstraintEntry>();
template <>
KeyList<MemberEntry> keysOf<MemberEntry>();
template <>
KeyList<SourceEntry> keysOf<SourceEntry>();
template <>
KeyList<CallEntry> keysOf<CallEntry>();
template <>
KeyList<TensorSizeEntry> keysOf<TensorSizeEntry>();
template <>
KeyList<DevicePlaceEntry> keysOf<DevicePlaceEntry>();
template <>
KeyList<NamedSizeEntry> keysOf<NamedSizeEntry>();

/// Gives the sizes, or nothing if there are none.
void openSizes(const Module &module, llvm::ArrayRef<NamedSize> sizes,
               KeyValue &to);

/// Returns the tables of all of these, in the order of keys.md.
std::vector<Described> mapTables();

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_MAPS_KEYS_H
