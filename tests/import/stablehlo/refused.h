// Modules that are refused: the text of the error, and its place.
//
//   expectRefused("func.func @f(%x: tensor<2xf32>) {\n"
//                 "  %y = stablehlo.reverse %x, dims = [0, 0]\n"
//                 "       : tensor<2xf32>\n"
//                 "  return\n}",
//                 {2, 8}, "C2: dimensions must not repeat");
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_REFUSED_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_REFUSED_H

#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "gtest/gtest.h"

#include "indexical/import/stablehlo/dialect/parse.h"

namespace indexical {

/// Returns one context for all of a test: to make one takes longer than to read
/// a line.
inline mlir::MLIRContext &testContext() {
  static mlir::MLIRContext *const context = makeMlirContext().release();
  return *context;
}

/// Returns the numbered constraints that the refused modules have broken so
/// far: {"stablehlo.reverse", 2}.
inline std::set<std::pair<std::string, int>> &brokenConstraints() {
  static auto *const broken = new std::set<std::pair<std::string, int>>();
  return *broken;
}

/// Notes the op and the number of a message such as `'stablehlo.reverse' op C2:
/// dimensions must …`.
inline void noteConstraint(const std::string &message) {
  const size_t at = message.find("' op C");
  const size_t name = message.rfind('\'', at - 1);
  if (at == std::string::npos || name == std::string::npos) return;
  brokenConstraints().insert({message.substr(name + 1, at - name - 1),
                              std::atoi(message.c_str() + at + 6)});
}

inline void expectRefused(const std::string &text, Place place,
                          const std::string &message) {
  absl::StatusOr<MlirModule> parsed =
      parseMlirModule(testContext(), {text, 1}, "test.mlir");
  ASSERT_FALSE(parsed.ok())
      << "accepted, where `" << message << "` is expected:\n"
      << text;
  std::string found(parsed.status().message());
  noteConstraint(found);
  EXPECT_NE(found.find(message), std::string::npos)
      << "`" << message << "` is not in: " << found << "\n"
      << text;
  Place where = placeOf(parsed.status()).value_or(Place());
  EXPECT_EQ(where.line, place.line) << found << "\n" << text;
  EXPECT_EQ(where.column, place.column) << found << "\n" << text;
}

inline void expectRead(const std::string &text) {
  absl::StatusOr<MlirModule> parsed =
      parseMlirModule(testContext(), {text, 1}, "test.mlir");
  EXPECT_TRUE(parsed.ok()) << parsed.status().message() << "\n" << text;
}

}  // namespace indexical

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_REFUSED_H
