// A map as a JSON object (formats.md, section 2, MAP).
//
//   {"text": "(d0)[s0] -> (s0, d0), domain: …",
//    "dimensions": [{"name": "d0", "lower": 0, "upper": 7}], "ranges": […],
//    "runtime": [], "results": ["s0", "d0"], "constraints": [], "empty": false}
#ifndef INDEXICAL_WRITERS_JSON_MAP_H
#define INDEXICAL_WRITERS_JSON_MAP_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/program/program_indexing.h"

namespace indexical {

class MapWriter {
 public:
  /// `program` names the sources of runtime variables; null: the names are
  /// unknown.
  explicit MapWriter(llvm::json::OStream &json,
                     const ProgramIndexing *program = nullptr)
      : json_(json), program_(program) {}

  void object(const IndexingMap &map);
  /// Writes only the members, into an open object.
  void members(const IndexingMap &map);

 private:
  /// Sources nest: the index of a source may have runtime variables, too. In
  /// chains of gathers their number can double with each gather, so it is
  /// limited. Beyond the limit, sources have no "map".
  static constexpr unsigned kMostNestedMaps = 4096;

  void variable(const IndexingMap &map, VariableId id);
  void runtimeVariable(const IndexingMap &map, uint32_t index);
  void source(const IndexingMap &map, uint32_t index);
  void way(const IndexingMap &map, llvm::ArrayRef<int64_t> collectives,
           llvm::ArrayRef<FormId> members);
  llvm::json::Value nameOf(int64_t number) const;
  void value(const Value &value);

  llvm::json::OStream &json_;
  const ProgramIndexing *program_;
  unsigned nestedMaps_ = 0, depth_ = 0;
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_JSON_MAP_H
