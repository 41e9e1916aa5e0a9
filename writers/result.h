// The result of a command for an input, before it has a format.
//
// A command makes a Result, and the writer of the requested format
// (writers/format.h) writes it. So a command depends on no format, and a format
// on no command. A result has these forms:
//
//   text       for people, in words of the command's own
//   structure  as members and lists of items, for json, jsonl and others, and
//              for objects of Python:
//
//     to.head({"root": "add.5"})                 {"root": "add.5",
//     to.beginList("tiles", …)                    "tiles": [
//     to.item({kind "tile", members …})             {"instruction": "p0", …},
//     to.item({kind "tile", members …})             {"instruction": "p1", …}
//     to.endList()                               ]}
//
//   rows       as a table of the columns that the command's record names
//   picture    as SVG
//   matrix     as a file of Matrix Market
//   page       the structure, and the data that a page computes with
//
// Nothing is stored: a result is streamed to the output.
#ifndef INDEXICAL_WRITERS_RESULT_H
#define INDEXICAL_WRITERS_RESULT_H

#include <cstdint>
#include <optional>
#include <utility>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace indexical {

class IndexingMap;
class ValueSink;
struct ArrayShape;

/// Gives members of an object that is open.
using Members = llvm::function_ref<void(ValueSink &)>;

/// Gives the keys and values of a row.
using WriteRow = llvm::function_ref<void(ValueSink &)>;

/// An item of a list. The format json nests it in its list; jsonl makes it a
/// line, which can be read alone.
struct ListItem {
  static void nothing(ValueSink &) {}

  /// The kind of its line: `instruction`. Empty: only items in its lists have
  /// one.
  llvm::StringRef kind;
  Members members = nothing;
  /// Members that a line has for the place of the item.
  Members context = nothing;
  /// `name`, the first member, and the members next to it that `context`
  /// implies.
  std::optional<llvm::StringRef> name = std::nullopt;
  Members implied = nothing;
  /// The JSON of an object with the members, or empty: `members` is called.
  /// Such texts let several threads write items. Not for a structure that takes
  /// no texts.
  llvm::StringRef written = "";
  /// Items with the same non-null place have the same context.
  const void *place = nullptr;
};

/// How the items of a list are laid out in one document.
enum class ItemLayout : uint8_t { Flowing, OneALine };

/// The decimals of a sum that is not an integer.
constexpr int kSumDecimals = 6;

/// A sum over items: an integer, or a number.
struct ItemSum {
  llvm::StringRef name;
  int64_t integer = 0;
  std::optional<double> number = std::nullopt;
};

class Structure {
 public:
  virtual ~Structure() = default;

  /// Members of the document itself.
  virtual void head(Members members) = 0;
  virtual void beginList(llvm::StringRef key,
                         ItemLayout layout = ItemLayout::Flowing) = 0;
  virtual void beginItem(const ListItem &item) = 0;
  virtual void endItem() = 0;
  virtual void endList() = 0;
  /// Sums over the items, which save readers of lines an addition. The sums of
  /// several inputs are added up. Without sums, the line has only the head.
  using Sums = llvm::ArrayRef<ItemSum>;
  virtual void summary(Sums sums) = 0;
  /// Returns whether items may be texts of JSON that were written before.
  virtual bool takesTexts() const { return true; }

  void item(const ListItem &item) {
    beginItem(item);
    endItem();
  }
};

/// The style of a text.
enum class TextStyle : uint8_t {
  Plain,
  Attributes,  ///< maps as #xla.indexing_map
  Xla,         ///< maps as XLA's newest parser reads them
  Manual,      ///< for man
};

/// Takes the data that a page computes with. The page finds maps and arrays by
/// their texts in the structure.
class PageData {
 public:
  virtual ~PageData() = default;
  virtual void map(const IndexingMap &map) = 0;
  virtual void array(const ArrayShape &shape) = 0;
  /// Adds to a sum over all results that the page shows: it adds up none of
  /// the whole.
  virtual void addTotal(llvm::StringRef key, double value) = 0;
};

class Result {
 public:
  virtual ~Result() = default;
  virtual void text(llvm::raw_ostream &os, TextStyle style) = 0;
  virtual void structure(Structure &) {}
  /// Calls `row` for each row of the table, with a function that gives the
  /// row's cells, by the names of columns.
  using Row = llvm::function_ref<void(WriteRow)>;
  virtual void rows(Row) {}
  virtual void picture(llvm::raw_ostream &) {}
  virtual void matrix(llvm::raw_ostream &) {}
  /// Takes figures that are summed over several results and written at the end
  /// of a text, each with its words.
  using AddTotal = llvm::function_ref<void(llvm::StringRef words, int64_t)>;
  virtual void totals(AddTotal) {}
  virtual void page(Structure &to, PageData &) { structure(to); }
  /// Writes its part of a page without a script: the HTML of a section, whose
  /// anchors begin with `anchor`.
  virtual void section(llvm::raw_ostream &, llvm::StringRef /*anchor*/) {}
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_RESULT_H
