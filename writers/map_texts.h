// Texts of maps. Most of a program's thousands of maps equal one of a few
// hundred: each of these is written once.
//
//   (d0, d1) -> (d1, d0) of an instruction   is written
//   that of each of a hundred others         is known
//   (d0){rt0} -> (d0 + rt0)                  is written: rt0 is a value of
//                                            each one's own
//
// An object is for one thread and one way of writing.
#ifndef INDEXICAL_WRITERS_MAP_TEXTS_H
#define INDEXICAL_WRITERS_MAP_TEXTS_H

#include <cstddef>
#include <string>
#include <unordered_map>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/answers/dump/dump.h"
#include "indexical/indexing/indexing_map.h"

namespace indexical {

class MapTexts {
 public:
  /// Returns the map's text, which is valid until the next call.
  const std::string &of(const IndexingMap &map,
                        llvm::function_ref<std::string()> write) {
    if (!isKept(map)) return other_ = write();
    if (auto known = texts_.find(map); known != texts_.end())
      return known->second;
    if (texts_.size() == kMost) texts_.clear();
    return texts_.emplace(map, write()).first->second;
  }

 private:
  static constexpr size_t kMost = 10'000;

  struct Hash {
    size_t operator()(const IndexingMap &map) const { return map.hash(); }
  };

  /// Returns whether equal maps have the same text: the map names no value of
  /// the program, and no variable has a name of its own.
  static bool isKept(const IndexingMap &map) {
    auto hasName = [](const Variable &v) { return !v.name.empty(); };
    return map.runtime().empty() && map.collectives().empty() &&
           llvm::none_of(map.dimensions(), hasName) &&
           llvm::none_of(map.ranges(), hasName);
  }

  std::unordered_map<IndexingMap, std::string, Hash> texts_;
  std::string other_;
};

/// The renderer of a sink whose `render` takes such texts.
template <typename Sink>
class CachingRenderer : public ItemRenderer {
 public:
  explicit CachingRenderer(const Sink &sink) : sink_(sink) {}

  Rendered render(const ProgramIndexing &maps, const Item &item,
                  const Instruction *instruction) override {
    return sink_.render(maps, item, instruction, texts_);
  }

 private:
  const Sink &sink_;
  MapTexts texts_;
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_MAP_TEXTS_H
