// Gather and scatter of the tensor dialect
// (reference/tensor_gather_scatter_rfc.txt).
#include <string>

#include "gtest/gtest.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/stablehlo/import/import.h"

namespace indexical {
namespace {

std::string scatter(const std::string &destination, const std::string &result) {
  return "func.func @f(%s: tensor<2x1x3xf32>, %d: " + destination +
         ", %i: tensor<2x1xindex>) -> " + result +
         " {\n  %r = tensor.scatter %s into %d[%i] scatter_dims([0]) unique\n"
         "      : (tensor<2x1x3xf32>, " +
         destination + ", tensor<2x1xindex>) -> " + result +
         "\n  return %r : " + result + "\n}\n";
}

/// "It insert a subset of the elements from an input tensor into a destination
/// tensor at the given indices": the result is the destination, with others.
TEST(TensorGatherScatter, ScattersIntoTheTypeOfTheDestination) {
  for (const char *type : {"tensor<4x3xf32>", "tensor<?x3xf32>"})
    EXPECT_TRUE(importMlir(scatter(type, type)).ok());
  for (const char *type :
       {"tensor<5x3xf32>", "tensor<4x4xf32>", "tensor<?x3xf32>"}) {
    const auto program = importMlir(scatter("tensor<4x3xf32>", type));
    ASSERT_FALSE(program.ok()) << type;
    EXPECT_EQ(
        std::string(program.status().message()).find(type) == std::string::npos,
        false)
        << program.status();
    EXPECT_EQ(placeOf(program.status()).value_or(Place()).line, 2u)
        << program.status();
  }
}

}  // namespace
}  // namespace indexical
