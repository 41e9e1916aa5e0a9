// Maps from their text, for tests. A text that cannot be read is a failure.
//
//   IndexingMap m = mapOf("(d0) -> (d0 floordiv 2), domain: d0 in [0, 9]");
#ifndef INDEXICAL_TESTS_SIMPLIFIER_PARSED_MAP_H
#define INDEXICAL_TESTS_SIMPLIFIER_PARSED_MAP_H

#include "gtest/gtest.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::testing {

/// Returns the map as it is written, not simplified.
inline IndexingMap mapOf(llvm::StringRef text) {
  auto map = parseMap(text);
  EXPECT_TRUE(map.ok()) << text.str() << "\n" << map.status();
  return map.ok() ? *map : IndexingMap();
}

inline IndexingMap simplifiedMapOf(llvm::StringRef text) {
  auto map = simplify(mapOf(text));
  EXPECT_TRUE(map.ok()) << text.str() << "\n" << map.status();
  return map.ok() ? *map : IndexingMap();
}

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SIMPLIFIER_PARSED_MAP_H
