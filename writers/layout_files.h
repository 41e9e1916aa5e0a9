// What `indexical layout` says of files, and of a search for a memory.
#ifndef INDEXICAL_WRITERS_LAYOUT_FILES_H
#define INDEXICAL_WRITERS_LAYOUT_FILES_H

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/answers/inputs/layout_sources.h"
#include "indexical/layout/listing.h"
#include "indexical/layout/search.h"
#include "indexical/writers/layout.h"
#include "indexical/writers/result.h"

namespace indexical {

/// The layouts of files, and their moves, each with its line.
class ListingResult : public Result {
 public:
  /// Describes the layouts, and asks what the moves take.
  ListingResult(llvm::ArrayRef<LayoutSource> sources,
                const LayoutQuestions &asked);

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;

 private:
  struct Listed {
    const LayoutSource *source;
    const layouts::ListedLayout *layout;
    std::optional<DescribedLayout> described;
    std::string reason;  ///< why it is not described
  };
  struct Moved {
    const LayoutSource *source;
    const layouts::ListedMove *move;
    size_t from, to;  ///< in layouts_
    std::optional<LayoutMove> found;
    std::string reason;
  };
  void add(const LayoutSource &source);
  std::vector<Listed> layouts_;
  std::vector<Moved> moves_;
  const LayoutQuestions &asked_;
};

/// The best shared memories for some accesses.
class MemorySearchResult : public Result {
 public:
  MemorySearchResult(std::vector<DescribedLayout> accesses,
                     layouts::MemorySearch search)
      : accesses_(std::move(accesses)), search_(std::move(search)) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;

 private:
  std::vector<DescribedLayout> accesses_;
  layouts::MemorySearch search_;
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_LAYOUT_FILES_H
