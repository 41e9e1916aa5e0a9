// Layouts of any notation: what one is, whether two are equal, what moving from
// one to the other takes, and which shared memory suits them.
//
//   f32[4,8]{1,0} and f32[4,8]{0,1}
//     equality   no: at (0, 1) the first has 1, the second 4
//     move       a copy with vectors of 1: no two elements lie beside each
//                other in both
//
// answers/layout/listing.h is about all layouts that a file names.
#ifndef INDEXICAL_ANSWERS_LAYOUT_LAYOUT_H
#define INDEXICAL_ANSWERS_LAYOUT_LAYOUT_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/cost/memory/device.h"
#include "indexical/layout/access.h"
#include "indexical/layout/layout.h"
#include "indexical/layout/operations.h"
#include "indexical/layout/parse.h"
#include "indexical/layout/search.h"

namespace indexical {

/// The options of a question about layouts.
struct LayoutQuestion {
  std::vector<std::pair<std::string, int64_t>> at;  ///< by input
  std::optional<std::vector<int64_t>> element;
  std::string type;  ///< of an element; "": what the layouts say
  layouts::Notes::Memory space = layouts::Notes::Memory::Unknown;
  layouts::RegisterOrder registers = layouts::RegisterOrder::Any;
  const Device *device = &defaultDevice();
};

/// Accesses to memory, with which memory it is.
struct LayoutAccess {
  layouts::Memory memory = layouts::Memory::Shared;
  layouts::AccessFigures figures;
};

struct DescribedLayout {
  layouts::Layout layout;
  layouts::Facts facts;
  std::vector<Interval> bounds;
  std::string map;  ///< "": a number on the way leaves 64 bits
  std::optional<std::string> cute, linear, xla;
  std::optional<layouts::Coordinates> value;
  std::optional<std::vector<layouts::Coordinates>> holders;
  std::optional<LayoutAccess> access;
};

/// The data movement from the first layout to the second.
struct LayoutMove {
  enum class Kind : uint8_t { Convert, Access, Copy };
  Kind kind = Kind::Convert;
  layouts::Conversion conversion;
  std::optional<LayoutAccess> access;       ///< of Access
  std::optional<LayoutAccess> store, load;  ///< through shared memory
  int64_t vector = 1;                       ///< of Copy
};

/// Returns the answers about one layout. Returns an error if a question does
/// not fit it.
absl::StatusOr<DescribedLayout> describeLayout(const layouts::Layout &layout,
                                               const LayoutQuestion &question);

/// Returns what the move takes, through the shared memory if there is one.
/// Returns nothing if the layouts do not say whether they are of registers or
/// of memory, have other numbers of outputs, or are too large.
absl::StatusOr<std::optional<LayoutMove>> moveBetween(
    const layouts::Layout &from, const layouts::Layout &to,
    const std::optional<layouts::Layout> &through,
    const LayoutQuestion &question);

/// One layout, or two that are compared.
struct LayoutPair {
  std::vector<DescribedLayout> layouts;
  std::optional<layouts::Equality> equality;  ///< of two
  std::optional<LayoutMove> move;             ///< as moveBetween()
};
/// Compares the layouts, which are described already, if they are two.
absl::StatusOr<LayoutPair> comparedLayouts(
    std::vector<DescribedLayout> described,
    const std::optional<layouts::Layout> &through,
    const LayoutQuestion &question);
/// Describes one layout, or two and compares these.
absl::StatusOr<LayoutPair> layoutsOf(llvm::ArrayRef<layouts::Layout> layouts,
                                     const LayoutQuestion &question = {});

/// The best shared memories for some accesses.
struct SuitedMemories {
  std::vector<DescribedLayout> accesses;
  layouts::MemorySearch search;
};
/// Returns at most `most` memories, the best first. Returns an error if neither
/// the question nor an access says the type of an element, or an access does
/// not go from threads to coordinates.
absl::StatusOr<SuitedMemories> memoriesFor(
    std::vector<DescribedLayout> accesses, size_t most,
    const LayoutQuestion &question);

/// `equal`, `different`, `undecided`.
llvm::StringRef nameOf(const layouts::Equality &equality);
/// `shared`, `global`.
llvm::StringRef nameOf(layouts::Memory memory);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_LAYOUT_LAYOUT_H
