// Helpers of the headers' examples.
#ifndef INDEXICAL_TESTS_DOCS_HEADER_EXAMPLES_H
#define INDEXICAL_TESTS_DOCS_HEADER_EXAMPLES_H

#include <string>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/map_text.h"
#include "indexical/indexing/relation.h"

namespace indexical {

inline IndexingMap mapOf(llvm::StringRef text) {
  auto map = parseMap(text);
  EXPECT_TRUE(map.ok()) << map.status();
  return map.ok() ? *map : IndexingMap();
}

inline std::string oneLine(const absl::StatusOr<IndexingRelation> &relation) {
  if (!relation.ok()) return std::string(relation.status().message());
  std::string text;
  for (const IndexingMap &piece : relation->pieces())
    text += (text.empty() ? "" : "; ") + piece.strOneLine();
  return text;
}

}  // namespace indexical

#endif  // INDEXICAL_TESTS_DOCS_HEADER_EXAMPLES_H
