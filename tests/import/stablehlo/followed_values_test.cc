// Numbers that maps are written with, behind the ops that compute them: those
// that keep the number are followed, those that do not are not.
//
//   %i = arith.extsi %c : tensor<i1> to tensor<i32>      -1 where %c is true
//   %r = stablehlo.dynamic_slice %a, %i, sizes = [4]     (d0) -> (d0), not
//                                                        (d0) -> (d0 + 1)
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "tests/import/stablehlo/imported.h"

namespace indexical::testing {
namespace {

struct Case {
  std::string ops;  ///< which compute %i
  std::string type;
  std::string reads;  ///< what the result reads of %a, or a part of it
};

const char kFollowed[] = "(d0) -> (d0 + 3), domain: d0 in [0, ";

/// A slice of 4 of 10 that begins at %i, which composition folds.
std::string startAt(const Case &each) {
  return reads(imported("func.func @main(%a: tensor<10xf32>) -> tensor<4xf32> "
                        "{\n" +
                        each.ops + "\n%r = stablehlo.dynamic_slice %a, %i, " +
                        "sizes = [4] : (tensor<10xf32>, tensor<" + each.type +
                        ">) -> tensor<4xf32>\nreturn %r : tensor<4xf32>\n}"),
               "main", 0, 0);
}

/// A slice to the end of 200 that begins at %i, which the sizes' computation
/// follows.
std::string sliceFrom(const Case &each) {
  const std::string list = "tensor<1x" + each.type + ">";
  return reads(
      imported("func.func @main(%a: tensor<200xf32>) -> tensor<?xf32> {\n" +
               each.ops + "\n%limit = stablehlo.constant dense<100> : " + list +
               "\n%one = stablehlo.constant dense<1> : " + list +
               "\n%r = stablehlo.real_dynamic_slice %a, %i, %limit, %one : "
               "(tensor<200xf32>, " +
               list + ", " + list + ", " + list +
               ") -> tensor<?xf32>\nreturn %r : tensor<?xf32>\n}"),
      "main", 0, 0);
}

TEST(FollowedValuesTest, StartsThatAreFolded) {
  const std::vector<Case> cases = {
      {"%i = stablehlo.constant dense<3> : tensor<i32>", "i32", kFollowed},
      {"%c = stablehlo.constant dense<3> : tensor<i8>\n"
       "%i = stablehlo.convert %c : (tensor<i8>) -> tensor<i64>",
       "i64", kFollowed},
      {"%c = arith.constant dense<3> : tensor<i8>\n"
       "%i = arith.extsi %c : tensor<i8> to tensor<i32>",
       "i32", kFollowed},
      // -1, which is clamped to 0.
      {"%c = arith.constant dense<true> : tensor<i1>\n"
       "%i = arith.extsi %c : tensor<i1> to tensor<i32>",
       "i32", "(d0){rt0} -> (d0 + rt0), domain: "},
      // 259 as 3.
      {"%c = stablehlo.constant dense<259> : tensor<i32>\n"
       "%i = stablehlo.convert %c : (tensor<i32>) -> tensor<i8>",
       "i8", "(d0){rt0} -> (d0 + rt0), domain: "},
      // -1 as the largest of all.
      {"%c = stablehlo.constant dense<-1> : tensor<i64>\n"
       "%i = stablehlo.convert %c : (tensor<i64>) -> tensor<ui64>",
       "ui64", "(d0){rt0} -> (d0 + rt0), domain: "},
  };
  for (const Case &each : cases)
    EXPECT_NE(startAt(each).find(each.reads), std::string::npos)
        << each.ops << "\n"
        << startAt(each);
}

TEST(FollowedValuesTest, ComputationsOfSizes) {
  const char *const kLost = "(d0){rt0";
  const std::vector<Case> cases = {
      {"%i = stablehlo.constant dense<3> : tensor<1xi32>", "i32", kFollowed},
      {"%c = stablehlo.constant dense<3> : tensor<1xi8>\n"
       "%i = arith.extui %c : tensor<1xi8> to tensor<1xi32>",
       "i32", kFollowed},
      // 255.
      {"%c = stablehlo.constant dense<-1> : tensor<1xi8>\n"
       "%i = arith.extui %c : tensor<1xi8> to tensor<1xi32>",
       "i32", kLost},
      // -1, and 2.
      {"%c = arith.constant dense<true> : tensor<1xi1>\n"
       "%d = arith.extsi %c : tensor<1xi1> to tensor<1xi32>\n"
       "%e = stablehlo.constant dense<3> : tensor<1xi32>\n"
       "%i = arith.addi %d, %e : tensor<1xi32>",
       "i32", kLost},
      // 259 as 3.
      {"%c = stablehlo.constant dense<259> : tensor<1xi32>\n"
       "%i = stablehlo.convert %c : (tensor<1xi32>) -> tensor<1xi8>",
       "i8", kLost},
      // 100 + 100 as -56.
      {"%c = stablehlo.constant dense<100> : tensor<1xi8>\n"
       "%d = stablehlo.add %c, %c : tensor<1xi8>\n"
       "%i = stablehlo.convert %d : (tensor<1xi8>) -> tensor<1xi32>",
       "i32", kLost},
      // 2 - 3 as the largest of all.
      {"%c = stablehlo.constant dense<2> : tensor<1xui32>\n"
       "%d = stablehlo.constant dense<3> : tensor<1xui32>\n"
       "%i = stablehlo.subtract %c, %d : tensor<1xui32>",
       "ui32", kLost},
      // The lesser of two is not the negative one.
      {"%c = arith.constant dense<-1> : tensor<1xi32>\n"
       "%d = arith.constant dense<5> : tensor<1xi32>\n"
       "%e = arith.minui %c, %d : tensor<1xi32>\n"
       "%f = arith.constant dense<4> : tensor<1xi32>\n"
       "%i = arith.addi %e, %f : tensor<1xi32>",
       "i32", kLost},
      {"%c = arith.constant dense<3> : tensor<1xi32>\n"
       "%d = arith.constant dense<5> : tensor<1xi32>\n"
       "%i = arith.minui %c, %d : tensor<1xi32>",
       "i32", kFollowed},
      // Clamps, on either side and inside.
      {"%c = stablehlo.constant dense<0> : tensor<1xi32>\n"
       "%l = stablehlo.constant dense<3> : tensor<1xi32>\n"
       "%h = stablehlo.constant dense<5> : tensor<1xi32>\n"
       "%i = stablehlo.clamp %l, %c, %h : tensor<1xi32>",
       "i32", kFollowed},
      {"%c = stablehlo.constant dense<9> : tensor<1xi32>\n"
       "%l = stablehlo.constant dense<1> : tensor<i32>\n"
       "%h = stablehlo.constant dense<3> : tensor<i32>\n"
       "%i = stablehlo.clamp %l, %c, %h : (tensor<i32>, tensor<1xi32>, "
       "tensor<i32>) -> tensor<1xi32>",
       "i32", kFollowed},
      {"%c = stablehlo.constant dense<3> : tensor<1xi32>\n"
       "%l = stablehlo.constant dense<1> : tensor<i32>\n"
       "%h = stablehlo.constant dense<7> : tensor<i32>\n"
       "%i = stablehlo.clamp %l, %c, %h : (tensor<i32>, tensor<1xi32>, "
       "tensor<i32>) -> tensor<1xi32>",
       "i32", kFollowed},
  };
  for (const Case &each : cases)
    EXPECT_NE(sliceFrom(each).find(each.reads), std::string::npos)
        << each.ops << "\n"
        << sliceFrom(each);
}

}  // namespace
}  // namespace indexical::testing
