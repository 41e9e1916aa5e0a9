// The integers that a program computes, as far as they are needed to say which
// elements its maps name.
//
//   IntegerValues values(module, module.entry, {{}, {4}});
//   values.of({7}, 0);     // elements of leaf 0 of instruction 7
//   values.of({3, 2}, 0);  // of instruction 2 of what instruction 3 calls
//
// Arithmetic, constants, sizes and ops that only move elements are computed.
// Every other op gives some values, the same ones in every run. Sizes are
// known.
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_INTEGER_VALUES_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_INTEGER_VALUES_H

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "indexical/program/module/program.h"

namespace indexical::testing {

class IntegerValues {
 public:
  using Values = std::vector<int64_t>;
  /// Instructions that call, outermost first, then the instruction.
  using Path = std::vector<int32_t>;

  /// `arguments` has the elements of the parameters' leaves. A leaf that is not
  /// given has none.
  IntegerValues(const Module &module, int32_t computation,
                const std::vector<Values> &arguments);

  /// Returns the values in row major order. The list is empty if they are no
  /// integers, or too many.
  Values of(const Path &path, int64_t leaf) const;

 private:
  void run(const Path &path, int32_t computation,
           const std::vector<Values> &arguments);
  Values valuesOf(const Path &path, int32_t computation, int32_t instruction,
                  int64_t leaf, const std::vector<Values> &operands);

  const Module &module_;
  std::map<std::pair<Path, int64_t>, Values> values_;
};

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_INTEGER_VALUES_H
