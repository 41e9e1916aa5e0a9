// All layouts that files name, and what moving between them takes.
//
//   %1 = ttg.convert_layout %0 : tensor<64xf16, #a> -> tensor<64xf16, #b>
//
//   layouts   those of #a and #b
//   moves     one, from registers to registers
#ifndef INDEXICAL_ANSWERS_LAYOUT_LISTING_H
#define INDEXICAL_ANSWERS_LAYOUT_LISTING_H

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/answers/inputs/layout_sources.h"
#include "indexical/answers/layout/layout.h"

namespace indexical {

/// It refers to the sources.
struct LayoutListing {
  struct Listed {
    const LayoutSource *source;
    const layouts::ListedLayout *layout;
    std::optional<DescribedLayout> described;
    std::string reason;  ///< why it is not described
  };
  struct Moved {
    const LayoutSource *source;
    const layouts::ListedMove *move;
    size_t from, to;  ///< in `layouts`
    std::optional<LayoutMove> found;
    std::string reason;  ///< why it is not found
  };
  std::vector<Listed> layouts;
  std::vector<Moved> moves;
};

/// Describes the layouts, and asks what the moves take.
LayoutListing listingOf(llvm::ArrayRef<LayoutSource> sources,
                        const LayoutQuestion &question = {});

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_LAYOUT_LISTING_H
