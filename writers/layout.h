// The output of `indexical layout` about one layout, two, those that files
// name, and a search for a memory.
#ifndef INDEXICAL_WRITERS_LAYOUT_H
#define INDEXICAL_WRITERS_LAYOUT_H

#include <cstdint>
#include <optional>

#include "absl/status/status.h"

#include "indexical/answers/layout/layout.h"
#include "indexical/answers/layout/listing.h"
#include "indexical/layout/parse.h"
#include "indexical/writers/result.h"

namespace indexical {

/// The contents of a table of a layout.
enum class LayoutView : uint8_t {
  Elements,  ///< elements, with their holders
  Hardware,  ///< lanes by registers, with their elements
};

/// The parts of a layout that a text shows.
struct LayoutShown {
  std::optional<layouts::Notation> to;  ///< this notation alone
  std::string type;                     ///< of an element, for notations
  bool table = false;
  LayoutView view = LayoutView::Elements;
  bool wantsTable() const { return table || view != LayoutView::Elements; }
};

class LayoutResult : public Result {
 public:
  LayoutResult(const LayoutPair &found, const LayoutShown &shown)
      : found_(found), shown_(shown) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;

 private:
  const LayoutPair &found_;
  const LayoutShown &shown_;
};

/// The layouts of files, and their moves, each with its line.
class ListingResult : public Result {
 public:
  explicit ListingResult(const LayoutListing &listing) : listing_(listing) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;

 private:
  const LayoutListing &listing_;
};

/// The best shared memories for some accesses.
class MemorySearchResult : public Result {
 public:
  explicit MemorySearchResult(const SuitedMemories &memories)
      : memories_(memories) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;

 private:
  const SuitedMemories &memories_;
};

/// Writes a layout as a table. Returns an error if it has more than 4,096
/// cells, or if it has no such table.
absl::Status writeLayoutTable(const layouts::Layout &layout, LayoutView view,
                              llvm::raw_ostream &os);

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_LAYOUT_H
