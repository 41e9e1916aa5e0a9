// Maps from their text, for tests. A text that cannot be read is a failure.
//
//   IndexingMap m = mapOf("(d0) -> (d0 floordiv 2), domain: d0 in [0, 9]");
#ifndef INDEXICAL_TESTS_SIMPLIFIER_PARSED_MAP_H
#define INDEXICAL_TESTS_SIMPLIFIER_PARSED_MAP_H

#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/expression.h"
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

/// The map without results on a domain, which names its dimensions.
inline IndexingMap mapOn(const std::string &domain) {
  std::string dimensions = "d0";
  for (int i = 1; domain.find("d" + std::to_string(i) + " in") != domain.npos;
       ++i)
    dimensions += ", d" + std::to_string(i);
  return mapOf("(" + dimensions + ") -> (), domain: " + domain);
}

/// The pool's form and bounds of a constraint that is written.
inline Constraint constraintOf(const std::string &on, const std::string &text,
                               ExpressionPool &pool) {
  const IndexingMap map = mapOn(on + ", " + text);
  EXPECT_EQ(map.constraints().size(), 1u) << text;
  if (map.constraints().size() != 1) return {pool.constantForm(0), {}};
  auto same = [&](VariableId id) { return pool.variable(id); };
  ExpressionImport import(map.expressions(), pool, same);
  return {import(map.constraints()[0].form), map.constraints()[0].bounds};
}

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SIMPLIFIER_PARSED_MAP_H
