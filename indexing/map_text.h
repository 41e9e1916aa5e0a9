// Maps from text and to text (formats.md, section 1).
//
//   (d0, d1)[s0]{rt0} -> (d0 + rt0, d1, s0),
//   domain:
//   d0 in [0, 9],
//   d1 in [0, 19],
//   s0 in [0, 3],
//   rt0 in [0, 26],
//   d0 + s0 in [0, 10]
//
// Law (tests/indexing/map_text_test.cc): parse(print(m)) == m, up to the
// sources and clamps of runtime variables and hidden ones, which the text does
// not have.
#ifndef INDEXICAL_INDEXING_MAP_TEXT_H
#define INDEXICAL_INDEXING_MAP_TEXT_H

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/indexing_map.h"

namespace indexical {

enum class MapTextStyle : uint8_t {
  Lines,  ///< a line for each variable and constraint
  OneLine,
  Attribute,  ///< `#xla.indexing_map<"…">`
};

/// Returns the text of the map.
std::string printMap(const IndexingMap &map,
                     MapTextStyle style = MapTextStyle::Lines);
/// Returns the map on one line as XLA's newest parser reads it: with `/`,
/// functions of two arguments, and open bounds as the least and the greatest
/// number.
std::string printMapForXla(const IndexingMap &map);
/// Returns the text of one expression of the map.
std::string printExpression(const IndexingMap &map, FormId form);
/// Returns the text of an expression whose variables have these names.
std::string printExpression(const ExpressionTable &table, FormId form,
                            llvm::function_ref<std::string(VariableId)> nameOf);

/// Returns the map of a text. Also accepts `/` and `%`, `ceildiv`, `floorDiv`
/// and `ceilDiv`, `min(…)` and `max(…)` of two or more expressions, range and
/// runtime variables that share `[…]`, any names, `#xla.indexing_map<"…">`, any
/// white space, and `KNOWN EMPTY`. An error has the line and column in `text`
/// and says what was expected.
absl::StatusOr<IndexingMap> parseMap(llvm::StringRef text);

/// Returns the maps of a maps file, in order. Lines `// -----` between them,
/// and lines that begin with `# ` or `//`, are skipped.
absl::StatusOr<std::vector<IndexingMap>> parseMaps(llvm::StringRef text);

/// Returns the maps as parseMaps() does, with std::nullopt for each
/// `UNDEFINED`, which XLA prints for an unknown map. The functions above return
/// an error for it.
absl::StatusOr<std::vector<std::optional<IndexingMap>>> parseMapsOrUndefined(
    llvm::StringRef text);

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_MAP_TEXT_H
