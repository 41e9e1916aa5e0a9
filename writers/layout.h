// What `indexical layout` says of one layout, or of two.
#ifndef INDEXICAL_WRITERS_LAYOUT_H
#define INDEXICAL_WRITERS_LAYOUT_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/analysis/memory/device.h"
#include "indexical/layout/access.h"
#include "indexical/layout/layout.h"
#include "indexical/layout/operations.h"
#include "indexical/layout/parse.h"
#include "indexical/writers/result.h"

namespace indexical {

/// What a table of a layout has.
enum class LayoutView : uint8_t {
  Elements,  ///< elements, with their holders
  Hardware,  ///< lanes by registers, with their elements
};

/// What a call asks besides the layouts.
struct LayoutQuestions {
  std::vector<std::pair<std::string, int64_t>> at;  ///< by input
  std::optional<std::vector<int64_t>> element;
  std::string type;  ///< of an element; "": what the layouts say
  layouts::Notes::Memory space = layouts::Notes::Memory::Unknown;
  layouts::RegisterOrder registers = layouts::RegisterOrder::Any;
  std::string through;  ///< a layout of shared memory; "": none
  std::optional<layouts::Notation> to;
  const Device *device = &defaultDevice();
  bool searches = false;  ///< for a memory without conflicts
  bool table = false;
  LayoutView view = LayoutView::Elements;
  bool wantsTable() const { return table || view != LayoutView::Elements; }
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

/// What moving from the first layout to the second takes.
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
                                               const LayoutQuestions &asked);

/// Returns what the move takes, through the shared memory if there is one.
/// Returns nothing if the layouts do not say whether they are of registers or
/// of memory, have other numbers of outputs, or are too large.
absl::StatusOr<std::optional<LayoutMove>> moveBetween(
    const layouts::Layout &from, const layouts::Layout &to,
    const std::optional<layouts::Layout> &through,
    const LayoutQuestions &asked);

/// Returns the bits of an element: of the type that the call says, else of that
/// which the layout says. Nothing: neither does.
absl::StatusOr<std::optional<int64_t>> elementBitsOf(
    const layouts::Layout &layout, const LayoutQuestions &asked);
/// Returns the banks, sectors and vectors of the device that is asked about.
layouts::MemorySizes memorySizesOf(const LayoutQuestions &asked);

// What is written of one layout, one move and one access.
void writeLayout(const DescribedLayout &described, llvm::raw_ostream &os);
void writeMove(const LayoutMove &move, llvm::raw_ostream &os);
void writeFigures(const LayoutAccess &access, llvm::raw_ostream &os);
void layoutMembers(const DescribedLayout &described, llvm::json::OStream &json);
void moveMembers(const LayoutMove &move, llvm::json::OStream &json);
void accessMembers(const LayoutAccess &access, llvm::json::OStream &json);

class LayoutResult : public Result {
 public:
  LayoutResult(std::vector<DescribedLayout> described,
               std::optional<layouts::Equality> equality,
               std::optional<LayoutMove> move, const LayoutQuestions &asked)
      : described_(std::move(described)),
        equality_(std::move(equality)),
        move_(std::move(move)),
        asked_(asked) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;

 private:
  std::vector<DescribedLayout> described_;
  std::optional<layouts::Equality> equality_;
  std::optional<LayoutMove> move_;
  const LayoutQuestions &asked_;
};

/// Writes a layout as a table. Returns an error if it has more than 4,096
/// cells, or if it has no such table.
absl::Status writeLayoutTable(const layouts::Layout &layout, LayoutView view,
                              llvm::raw_ostream &os);

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_LAYOUT_H
