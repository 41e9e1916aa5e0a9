// Tables of ops that are accepted or refused.
//
//   checkCases({{"%x: tensor<2xf32>",
//                "stablehlo.reverse %x, dims = [1] : tensor<2xf32>",
//                "C3: dimensions must be in [0, 1)"}});
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_VERIFY_CASES_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_VERIFY_CASES_H

#include <string>
#include <vector>

#include "tests/import/stablehlo/refused.h"

namespace indexical {

struct OpCase {
  std::string arguments;  ///< of the function
  std::string op;         ///< one op, or several lines
  std::string message;    ///< "" where it is accepted
  int results = 1;        ///< or 2
};

// The op stands at 2:8, behind `  %r = `, or behind `  %r:2 = `.
inline void checkCases(const std::vector<OpCase> &cases) {
  for (const OpCase &each : cases) {
    std::string text = "func.func @f(" + each.arguments + ") {\n  " +
                       (each.results == 1 ? "%r = " : "%r:2 = ") + each.op +
                       "\n  return\n}\n";
    if (each.message.empty())
      expectRead(text);
    else
      expectRefused(text, {2, each.results == 1 ? 8u : 10u}, each.message);
  }
}

}  // namespace indexical

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_VERIFY_CASES_H
