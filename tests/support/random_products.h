// Ops that combine parts of arrays, for random programs: products, windows,
// slices that are scattered, and equations.
//
//   Product p = *randomProduct({4, 3}, random);
//   // f32[4,2] ragged-dot(an f32[4,3], an f32[2,3,2], an s32[2]), …
#ifndef INDEXICAL_TESTS_SUPPORT_RANDOM_PRODUCTS_H
#define INDEXICAL_TESTS_SUPPORT_RANDOM_PRODUCTS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/op_trees.h"
#include "tests/support/random.h"

namespace indexical::testing {

/// An instruction whose first operand is given.
struct Product {
  struct Operand {
    Sizes sizes;
    bool integral = false;
  };
  std::string opcode;
  std::vector<Operand> others;
  std::string attributes;  ///< `, window={size=2}`
  Sizes result;
};

/// Returns an instruction whose first operand has these sizes, or nothing if no
/// instruction is found for them. The computation `sum` reduces.
std::optional<Product> randomProduct(const Sizes &sizes, Random &random);
/// Returns one that reduces windows, with strides and padding.
Product randomReduceWindow(const Sizes &sizes, Random &random);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_RANDOM_PRODUCTS_H
