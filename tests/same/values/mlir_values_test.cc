// Values of MLIR's own ops: linalg, tensor, vector, loops of scf and affine.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/stablehlo/import/import.h"
#include "indexical/same/values/sameness.h"

namespace indexical::testing {
namespace {

absl::StatusOr<Sameness> comparedPrograms(const absl::StatusOr<Program> &first,
                                          const absl::StatusOr<Program> &second,
                                          FloatLaws floats = FloatLaws::None) {
  if (!first.ok()) return first.status();
  if (!second.ok()) return second.status();
  SamenessOptions options;
  options.values = ValueOptions{floats};
  return compare(first->modules[0], second->modules[0], options);
}

std::string verdictOf(const std::string &first, const std::string &second) {
  const auto same = comparedPrograms(importMlir(first), importMlir(second));
  if (!same.ok()) return std::string(same.status().message());
  std::string text = wordOf(same->verdict.answer).str();
  if (same->verdict.answer != Verdict::Same && same->values)
    for (const auto &leaf : same->values->leaves)
      text += "; " + leaf.reason + " " + leaf.terms[0] + " | " + leaf.terms[1];
  return text;
}

struct Pair {
  const char *name, *first, *second;
  const char *verdict;  ///< with which the answer begins
};

#define MAPS(...) "indexing_maps = [" __VA_ARGS__ "]"
#define ID1 "affine_map<(d0) -> (d0)>"
#define ID2 "affine_map<(d0, d1) -> (d0, d1)>"
#define TURNED "affine_map<(d0, d1) -> (d1, d0)>"
#define ROW "affine_map<(d0, d1) -> (d0)>"

constexpr char kExp[] =
    "func.func @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {\n"
    "  %e = tensor.empty() : tensor<4x6xf32>\n"
    "  %r = linalg.exp ins(%x : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>)"
    " -> tensor<4x6xf32>\n"
    "  return %r : tensor<4x6xf32>\n}";
constexpr char kExpGeneric[] =
    "func.func @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {\n"
    "  %e = tensor.empty() : tensor<4x6xf32>\n"
    "  %r = linalg.generic {" MAPS(TURNED ", " TURNED)
    ", iterator_types = [\"parallel\", \"parallel\"]}"
    " ins(%x : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {\n"
    "  ^bb0(%a: f32, %b: f32):\n"
    "    %c = math.exp %a : f32\n    linalg.yield %c : f32\n"
    "  } -> tensor<4x6xf32>\n"
    "  return %r : tensor<4x6xf32>\n}";
constexpr char kExpTiled[] =
    "func.func @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {\n"
    "  %c0 = arith.constant 0 : index\n  %c2 = arith.constant 2 : index\n"
    "  %c4 = arith.constant 4 : index\n"
    "  %e = tensor.empty() : tensor<4x6xf32>\n"
    "  %r = scf.for %i = %c0 to %c4 step %c2 iter_args(%o = %e)"
    " -> (tensor<4x6xf32>) {\n"
    "    %s = tensor.extract_slice %x[%i, 0] [2, 6] [1, 1]"
    " : tensor<4x6xf32> to tensor<2x6xf32>\n"
    "    %t = tensor.extract_slice %o[%i, 0] [2, 6] [1, 1]"
    " : tensor<4x6xf32> to tensor<2x6xf32>\n"
    "    %u = linalg.exp ins(%s : tensor<2x6xf32>) outs(%t : tensor<2x6xf32>)"
    " -> tensor<2x6xf32>\n"
    "    %v = tensor.insert_slice %u into %o[%i, 0] [2, 6] [1, 1]"
    " : tensor<2x6xf32> into tensor<4x6xf32>\n"
    "    scf.yield %v : tensor<4x6xf32>\n  }\n"
    "  return %r : tensor<4x6xf32>\n}";
constexpr char kExpForall[] =
    "func.func @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {\n"
    "  %e = tensor.empty() : tensor<4x6xf32>\n"
    "  %r = scf.forall (%i, %j) in (2, 3) shared_outs(%o = %e)"
    " -> (tensor<4x6xf32>) {\n"
    "    %k = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)\n"
    "    %l = affine.apply affine_map<(d0) -> (d0 * 2)>(%j)\n"
    "    %s = tensor.extract_slice %x[%k, %l] [2, 2] [1, 1]"
    " : tensor<4x6xf32> to tensor<2x2xf32>\n"
    "    %t = tensor.extract_slice %o[%k, %l] [2, 2] [1, 1]"
    " : tensor<4x6xf32> to tensor<2x2xf32>\n"
    "    %u = linalg.exp ins(%s : tensor<2x2xf32>) outs(%t : tensor<2x2xf32>)"
    " -> tensor<2x2xf32>\n"
    "    scf.forall.in_parallel {\n"
    "      tensor.parallel_insert_slice %u into %o[%k, %l] [2, 2] [1, 1]"
    " : tensor<2x2xf32> into tensor<4x6xf32>\n    }\n  }\n"
    "  return %r : tensor<4x6xf32>\n}";
constexpr char kSum[] =
    "func.func @main(%x: tensor<4x6xf32>, %z: tensor<4xf32>) -> tensor<4xf32> "
    "{\n"
    "  %r = linalg.reduce ins(%x : tensor<4x6xf32>) outs(%z : tensor<4xf32>)"
    " dimensions = [1]\n    (%a: f32, %b: f32) {\n"
    "      %c = arith.addf %a, %b : f32\n      linalg.yield %c : f32\n    }\n"
    "  return %r : tensor<4xf32>\n}";
constexpr char kSumGeneric[] =
    "func.func @main(%x: tensor<4x6xf32>, %z: tensor<4xf32>) -> tensor<4xf32> "
    "{\n"
    "  %r = linalg.generic {" MAPS(ID2 ", " ROW)
    ", iterator_types = [\"parallel\", \"reduction\"]}"
    " ins(%x : tensor<4x6xf32>) outs(%z : tensor<4xf32>) {\n"
    "  ^bb0(%a: f32, %b: f32):\n"
    "    %c = arith.addf %b, %a : f32\n    linalg.yield %c : f32\n"
    "  } -> tensor<4xf32>\n"
    "  return %r : tensor<4xf32>\n}";
constexpr char kMatmul[] =
    "func.func @main(%x: tensor<4x6xf32>, %y: tensor<6x5xf32>) -> "
    "tensor<4x5xf32> {\n"
    "  %c = arith.constant 0.0 : f32\n"
    "  %e = tensor.empty() : tensor<4x5xf32>\n"
    "  %f = linalg.fill ins(%c : f32) outs(%e : tensor<4x5xf32>)"
    " -> tensor<4x5xf32>\n"
    "  %r = linalg.matmul ins(%x, %y : tensor<4x6xf32>, tensor<6x5xf32>)"
    " outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>\n"
    "  return %r : tensor<4x5xf32>\n}";
constexpr char kMatmulTurned[] =
    "func.func @main(%x: tensor<4x6xf32>, %y: tensor<6x5xf32>) -> "
    "tensor<4x5xf32> {\n"
    "  %c = arith.constant dense<0.0> : tensor<4x5xf32>\n"
    "  %e = tensor.empty() : tensor<5x6xf32>\n"
    "  %t = linalg.transpose ins(%y : tensor<6x5xf32>)"
    " outs(%e : tensor<5x6xf32>) permutation = [1, 0]\n"
    "  %r = linalg.matmul indexing_maps = ["
    "affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,"
    " affine_map<(m, n, k) -> (m, n)>]"
    " ins(%x, %t : tensor<4x6xf32>, tensor<5x6xf32>)"
    " outs(%c : tensor<4x5xf32>) -> tensor<4x5xf32>\n"
    "  return %r : tensor<4x5xf32>\n}";
constexpr char kLookup[] =
    "func.func @main(%t: tensor<10x3xf32>, %i: tensor<4xi64>) -> "
    "tensor<4x3xf32> {\n"
    "  %e = tensor.empty() : tensor<4x3xf32>\n"
    "  %r = linalg.generic {" MAPS(ROW ", " ID2)
    ", iterator_types = [\"parallel\", \"parallel\"]}"
    " ins(%i : tensor<4xi64>) outs(%e : tensor<4x3xf32>) {\n"
    "  ^bb0(%a: i64, %b: f32):\n"
    "    %c = arith.index_cast %a : i64 to index\n"
    "    %d = linalg.index 1 : index\n"
    "    %v = tensor.extract %t[%c, %d] : tensor<10x3xf32>\n"
    "    linalg.yield %v : f32\n  } -> tensor<4x3xf32>\n"
    "  return %r : tensor<4x3xf32>\n}";
constexpr char kLookupTurned[] =
    "func.func @main(%t: tensor<10x3xf32>, %i: tensor<4xi64>) -> "
    "tensor<4x3xf32> {\n"
    "  %e = tensor.empty() : tensor<4x3xf32>\n"
    "  %r = linalg.generic {" MAPS("affine_map<(d0, d1) -> (d1)>, " TURNED)
    ", iterator_types = [\"parallel\", \"parallel\"]}"
    " ins(%i : tensor<4xi64>) outs(%e : tensor<4x3xf32>) {\n"
    "  ^bb0(%a: i64, %b: f32):\n"
    "    %c = arith.index_cast %a : i64 to index\n"
    "    %d = linalg.index 0 : index\n"
    "    %v = tensor.extract %t[%c, %d] : tensor<10x3xf32>\n"
    "    linalg.yield %v : f32\n  } -> tensor<4x3xf32>\n"
    "  return %r : tensor<4x3xf32>\n}";
constexpr char kLookupWrong[] =
    "func.func @main(%t: tensor<10x3xf32>, %i: tensor<4xi64>) -> "
    "tensor<4x3xf32> {\n"
    "  %e = tensor.empty() : tensor<4x3xf32>\n"
    "  %two = arith.constant 2 : index\n"
    "  %r = linalg.generic {" MAPS(ROW ", " ID2)
    ", iterator_types = [\"parallel\", \"parallel\"]}"
    " ins(%i : tensor<4xi64>) outs(%e : tensor<4x3xf32>) {\n"
    "  ^bb0(%a: i64, %b: f32):\n"
    "    %c = arith.index_cast %a : i64 to index\n"
    "    %d = linalg.index 1 : index\n"
    "    %f = arith.subi %two, %d : index\n"
    "    %v = tensor.extract %t[%c, %f] : tensor<10x3xf32>\n"
    "    linalg.yield %v : f32\n  } -> tensor<4x3xf32>\n"
    "  return %r : tensor<4x3xf32>\n}";
constexpr char kPacked[] =
    "func.func @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {\n"
    "  %e = tensor.empty() : tensor<2x3x2x2xf32>\n"
    "  %d = tensor.empty() : tensor<4x6xf32>\n"
    "  %p = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [2, 2]"
    " into %e : tensor<4x6xf32> -> tensor<2x3x2x2xf32>\n"
    "  %q = linalg.exp ins(%p : tensor<2x3x2x2xf32>)"
    " outs(%e : tensor<2x3x2x2xf32>) -> tensor<2x3x2x2xf32>\n"
    "  %r = linalg.unpack %q inner_dims_pos = [0, 1] inner_tiles = [2, 2]"
    " into %d : tensor<2x3x2x2xf32> -> tensor<4x6xf32>\n"
    "  return %r : tensor<4x6xf32>\n}";
constexpr char kWhile[] =
    "func.func @main(%x: tensor<9xf32>) -> f32 {\n"
    "  %c0 = arith.constant 0 : index\n  %c2 = arith.constant 2 : index\n"
    "  %c5 = arith.constant 5 : index\n"
    "  %r = scf.while (%v = %c0) : (index) -> index {\n"
    "    %g = arith.cmpi slt, %v, %c5 : index\n"
    "    scf.condition(%g) %v : index\n  } do {\n  ^bb0(%a: index):\n"
    "    %n = arith.addi %a, %c2 : index\n    scf.yield %n : index\n  }\n"
    "  %e = tensor.extract %x[%r] : tensor<9xf32>\n  return %e : f32\n}";
constexpr char kSix[] =
    "func.func @main(%x: tensor<9xf32>) -> f32 {\n"
    "  %c = arith.constant 6 : index\n"
    "  %e = tensor.extract %x[%c] : tensor<9xf32>\n  return %e : f32\n}";
constexpr char kFour[] =
    "func.func @main(%x: tensor<9xf32>) -> f32 {\n"
    "  %c = arith.constant 4 : index\n"
    "  %e = tensor.extract %x[%c] : tensor<9xf32>\n  return %e : f32\n}";
constexpr char kAffine[] =
    "func.func @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {\n"
    "  %e = tensor.empty() : tensor<4x6xf32>\n"
    "  %r = affine.for %i = 0 to 6 step 3 iter_args(%o = %e)"
    " -> (tensor<4x6xf32>) {\n"
    "    %s = tensor.extract_slice %x[0, %i] [4, 3] [1, 1]"
    " : tensor<4x6xf32> to tensor<4x3xf32>\n"
    "    %t = tensor.extract_slice %o[0, %i] [4, 3] [1, 1]"
    " : tensor<4x6xf32> to tensor<4x3xf32>\n"
    "    %u = linalg.exp ins(%s : tensor<4x3xf32>) outs(%t : tensor<4x3xf32>)"
    " -> tensor<4x3xf32>\n"
    "    %v = tensor.insert_slice %u into %o[0, %i] [4, 3] [1, 1]"
    " : tensor<4x3xf32> into tensor<4x6xf32>\n"
    "    affine.yield %v : tensor<4x6xf32>\n  }\n"
    "  return %r : tensor<4x6xf32>\n}";
// Tiles of the reduced dimension, one after the other.
constexpr char kSumTiled[] =
    "func.func @main(%x: tensor<4x6xf32>, %z: tensor<4xf32>) -> tensor<4xf32> "
    "{\n"
    "  %c0 = arith.constant 0 : index\n  %c3 = arith.constant 3 : index\n"
    "  %c6 = arith.constant 6 : index\n"
    "  %r = scf.for %i = %c0 to %c6 step %c3 iter_args(%o = %z)"
    " -> (tensor<4xf32>) {\n"
    "    %s = tensor.extract_slice %x[0, %i] [4, 3] [1, 1]"
    " : tensor<4x6xf32> to tensor<4x3xf32>\n"
    "    %u = linalg.reduce ins(%s : tensor<4x3xf32>) outs(%o : tensor<4xf32>)"
    " dimensions = [1]\n    (%a: f32, %b: f32) {\n"
    "      %c = arith.addf %a, %b : f32\n      linalg.yield %c : f32\n    }\n"
    "    scf.yield %u : tensor<4xf32>\n  }\n"
    "  return %r : tensor<4xf32>\n}";
constexpr char kIf[] =
    "func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %t = arith.constant true\n"
    "  %r = scf.if %t -> (tensor<4xf32>) {\n    scf.yield %x : tensor<4xf32>\n"
    "  } else {\n    scf.yield %y : tensor<4xf32>\n  }\n"
    "  return %r : tensor<4xf32>\n}";
constexpr char kX[] =
    "func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  return %x : tensor<4xf32>\n}";

constexpr char kTwice[] =
    "func.func @main(%x: tensor<6xi32>) -> tensor<6xi32> {\n"
    "  %r = arith.addi %x, %x : tensor<6xi32>\n"
    "  return %r : tensor<6xi32>\n}";
constexpr char kTwiceTiled[] =
    "func.func @main(%x: tensor<6xi32>) -> tensor<6xi32> {\n"
    "  %c0 = arith.constant 0 : index\n  %c2 = arith.constant 2 : index\n"
    "  %c6 = arith.constant 6 : index\n  %e = tensor.empty() : tensor<6xi32>\n"
    "  %r = scf.for %i = %c0 to %c6 step %c2 iter_args(%o = %e)"
    " -> (tensor<6xi32>) {\n"
    "    %s = tensor.extract_slice %x[%i] [2] [1]"
    " : tensor<6xi32> to tensor<2xi32>\n"
    "    %u = arith.addi %s, %s : tensor<2xi32>\n"
    "    %v = tensor.insert_slice %u into %o[%i] [2] [1]"
    " : tensor<2xi32> into tensor<6xi32>\n"
    "    scf.yield %v : tensor<6xi32>\n  }\n"
    "  return %r : tensor<6xi32>\n}";

// The second result sums what the first is after each iteration, which is not
// what it was in the beginning.
constexpr char kPrefixes[] =
    "func.func @main(%x: tensor<4xi32>) -> tensor<i32> {\n"
    "  %z = arith.constant dense<0> : tensor<i32>\n"
    "  %r:2 = linalg.generic {" MAPS("affine_map<(d0) -> (d0)>, "
                                     "affine_map<(d0) -> ()>, "
                                     "affine_map<(d0) -> ()>")
    ", iterator_types = [\"reduction\"]} ins(%x : tensor<4xi32>)"
    " outs(%z, %z : tensor<i32>, tensor<i32>) {\n"
    "  ^bb0(%a: i32, %s: i32, %p: i32):\n"
    "    %t = arith.addi %s, %a : i32\n    %q = arith.addi %p, %s : i32\n"
    "    linalg.yield %t, %q : i32, i32\n  } -> (tensor<i32>, tensor<i32>)\n"
    "  return %r#1 : tensor<i32>\n}";
constexpr char kZero[] =
    "func.func @main(%x: tensor<4xi32>) -> tensor<i32> {\n"
    "  %z = arith.constant dense<0> : tensor<i32>\n"
    "  return %z : tensor<i32>\n}";
// A body that subtracts is not a sum.
constexpr char kMinus[] =
    "func.func @main(%x: tensor<4xi32>) -> tensor<i32> {\n"
    "  %z = arith.constant dense<0> : tensor<i32>\n"
    "  %r = linalg.generic {" MAPS("affine_map<(d0) -> (d0)>, "
                                   "affine_map<(d0) -> ()>")
    ", iterator_types = [\"reduction\"]} ins(%x : tensor<4xi32>)"
    " outs(%z : tensor<i32>) {\n  ^bb0(%a: i32, %s: i32):\n"
    "    %t = arith.subi %a, %s : i32\n    linalg.yield %t : i32\n"
    "  } -> tensor<i32>\n  return %r : tensor<i32>\n}";
constexpr char kPadded[] =
    "func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %z = arith.constant 0.0 : f32\n"
    "  %p = tensor.pad %x low[1] high[2] {\n  ^bb0(%i: index):\n"
    "    tensor.yield %z : f32\n  } : tensor<4xf32> to tensor<7xf32>\n"
    "  %r = tensor.extract_slice %p[1] [4] [1]"
    " : tensor<7xf32> to tensor<4xf32>\n"
    "  return %r : tensor<4xf32>\n}";

// Vectors of one product, of a float type and another index map.
constexpr char kVectors[] =
    "func.func @main(%a: tensor<4x6xf32>, %b: tensor<6x3xf32>)"
    " -> tensor<4x3xf32> {\n"
    "  %c0 = arith.constant 0 : index\n  %p = arith.constant 0.0 : f32\n"
    "  %z = arith.constant dense<0.0> : vector<4x3xf32>\n"
    "  %e = tensor.empty() : tensor<4x3xf32>\n"
    "  %x = vector.transfer_read %a[%c0, %c0], %p {in_bounds = [true, true]}"
    " : tensor<4x6xf32>, vector<4x6xf32>\n"
    "  %y = vector.transfer_read %b[%c0, %c0], %p {in_bounds = [true, true],"
    " permutation_map = affine_map<(d0, d1) -> (d1, d0)>}"
    " : tensor<6x3xf32>, vector<3x6xf32>\n"
    "  %r = vector.contract {" MAPS("affine_map<(d0, d1, d2) -> (d0, d2)>, "
                                    "affine_map<(d0, d1, d2) -> (d1, d2)>, "
                                    "affine_map<(d0, d1, d2) -> (d0, d1)>")
    ", iterator_types = [\"parallel\", \"parallel\", \"reduction\"],"
    " kind = #vector.kind<add>} %x, %y, %z : vector<4x6xf32>, vector<3x6xf32>"
    " into vector<4x3xf32>\n"
    "  %w = vector.transfer_write %r, %e[%c0, %c0] {in_bounds = [true, true]}"
    " : vector<4x3xf32>, tensor<4x3xf32>\n"
    "  return %w : tensor<4x3xf32>\n}";
constexpr char kNamedProduct[] =
    "func.func @main(%a: tensor<4x6xf32>, %b: tensor<6x3xf32>)"
    " -> tensor<4x3xf32> {\n"
    "  %p = arith.constant 0.0 : f32\n"
    "  %e = tensor.empty() : tensor<4x3xf32>\n"
    "  %f = linalg.fill ins(%p : f32) outs(%e : tensor<4x3xf32>)"
    " -> tensor<4x3xf32>\n"
    "  %r = linalg.matmul ins(%a, %b : tensor<4x6xf32>, tensor<6x3xf32>)"
    " outs(%f : tensor<4x3xf32>) -> tensor<4x3xf32>\n"
    "  return %r : tensor<4x3xf32>\n}";
// Loops without an order that sum, and the same as a reduction.
constexpr char kSumAll[] =
    "func.func @main(%x: tensor<4x6xf32>, %z: tensor<f32>) -> tensor<f32> {\n"
    "  %r = linalg.reduce ins(%x : tensor<4x6xf32>) outs(%z : tensor<f32>)"
    " dimensions = [0, 1]\n    (%a: f32, %b: f32) {\n"
    "      %c = arith.addf %a, %b : f32\n      linalg.yield %c : f32\n    }\n"
    "  return %r : tensor<f32>\n}";
constexpr char kParallel[] =
    "func.func @main(%x: tensor<4x6xf32>, %z: tensor<f32>) -> tensor<f32> {\n"
    "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
    "  %c2 = arith.constant 2 : index\n  %c4 = arith.constant 4 : index\n"
    "  %c12 = arith.constant 12 : index\n"
    "  %i = tensor.extract %z[] : tensor<f32>\n"
    "  %s = scf.parallel (%j, %k) = (%c0, %c0) to (%c12, %c4) step (%c2, %c1)"
    " init(%i) -> f32 {\n"
    "    %h = arith.divsi %j, %c2 : index\n"
    "    %v = tensor.extract %x[%k, %h] : tensor<4x6xf32>\n"
    "    scf.reduce(%v : f32) {\n    ^bb0(%a: f32, %b: f32):\n"
    "      %c = arith.addf %a, %b : f32\n      scf.reduce.return %c : f32\n"
    "    }\n  }\n"
    "  %r = tensor.from_elements %s : tensor<f32>\n"
    "  return %r : tensor<f32>\n}";
constexpr char kSumOfAll[] =
    "func.func @main(%x: tensor<4x6xi32>) -> tensor<i32> {\n"
    "  %m = arith.constant dense<0> : tensor<i32>\n"
    "  %r = linalg.reduce ins(%x : tensor<4x6xi32>) outs(%m : tensor<i32>)"
    " dimensions = [0, 1]\n    (%a: i32, %b: i32) {\n"
    "      %c = arith.addi %a, %b : i32\n      linalg.yield %c : i32\n    }\n"
    "  return %r : tensor<i32>\n}";
constexpr char kAffineParallel[] =
    "func.func @main(%x: tensor<4x6xi32>) -> tensor<i32> {\n"
    "  %s = affine.parallel (%j, %k) = (1, 0) to (7, 4) reduce (\"addi\")"
    " -> i32 {\n"
    "    %c1 = arith.constant 1 : index\n"
    "    %h = arith.subi %j, %c1 : index\n"
    "    %v = tensor.extract %x[%k, %h] : tensor<4x6xi32>\n"
    "    affine.yield %v : i32\n  }\n"
    "  %r = tensor.from_elements %s : tensor<i32>\n"
    "  return %r : tensor<i32>\n}";

// A branch that a value decides, and a choice between its elements.
constexpr char kBranch[] =
    "func.func @main(%p: i1, %x: tensor<4xi32>, %y: tensor<4xi32>)"
    " -> tensor<4xi32> {\n"
    "  %t = arith.constant true\n  %q = arith.xori %p, %t : i1\n"
    "  %r = scf.if %q -> (tensor<4xi32>) {\n"
    "    %s = arith.addi %x, %y : tensor<4xi32>\n"
    "    scf.yield %s : tensor<4xi32>\n"
    "  } else {\n    scf.yield %y : tensor<4xi32>\n  }\n"
    "  return %r : tensor<4xi32>\n}";
constexpr char kChoice[] =
    "func.func @main(%p: i1, %x: tensor<4xi32>, %y: tensor<4xi32>)"
    " -> tensor<4xi32> {\n"
    "  %s = arith.addi %y, %x : tensor<4xi32>\n"
    "  %r = arith.select %p, %y, %s : i1, tensor<4xi32>\n"
    "  return %r : tensor<4xi32>\n}";
// The inner elements are those of x.
constexpr char kAffineIf[] =
    "func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>)"
    " -> tensor<4xi32> {\n"
    "  %r = affine.for %i = 0 to 4 iter_args(%o = %y) -> (tensor<4xi32>) {\n"
    "    %v = affine.if affine_set<(d0) : (d0 - 1 >= 0, 2 - d0 >= 0)>(%i)"
    " -> tensor<4xi32> {\n"
    "      %s = tensor.extract %x[%i] : tensor<4xi32>\n"
    "      %w = tensor.insert %s into %o[%i] : tensor<4xi32>\n"
    "      affine.yield %w : tensor<4xi32>\n"
    "    } else {\n      affine.yield %o : tensor<4xi32>\n    }\n"
    "    affine.yield %v : tensor<4xi32>\n  }\n"
    "  return %r : tensor<4xi32>\n}";
constexpr char kInner[] =
    "func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>)"
    " -> tensor<4xi32> {\n"
    "  %k = affine.apply affine_map<() -> (1)>()\n"
    "  %s = tensor.extract_slice %x[%k] [2] [1]"
    " : tensor<4xi32> to tensor<2xi32>\n"
    "  %r = tensor.insert_slice %s into %y[1] [2] [1]"
    " : tensor<2xi32> into tensor<4xi32>\n"
    "  return %r : tensor<4xi32>\n}";

TEST(MlirValues, PairsHaveTheirVerdict) {
  std::string choiceWrong = kChoice;
  choiceWrong.replace(choiceWrong.find("%y, %s :"), 6, "%s, %y");
  std::string innerWrong = kInner;
  innerWrong.replace(innerWrong.find("%y[1]"), 5, "%y[2]");
  std::string expWrong = kExpTiled;
  expWrong.replace(expWrong.find("%x[%i, 0]"), 9, "%x[%c2, 0]");
  std::string twiceWrong = kTwiceTiled;
  twiceWrong.replace(twiceWrong.find("%x[%i]"), 6, "%x[%c2]");
  std::string vectorsWrong = kVectors;
  vectorsWrong.replace(vectorsWrong.find("<add>"), 5, "<mul>");
  std::string parallelWrong = kParallel;
  parallelWrong.replace(parallelWrong.find("%c12, %c4)"), 10, "%c4, %c4)");
  const Pair pairs[] = {
      {"a named op is its generic form", kExp, kExpGeneric, "equal"},
      {"tiles of a loop", kExp, kExpTiled, "equal"},
      {"one tile is another one", kExp, expWrong.c_str(), "different"},
      {"one tile of a sum is another one", kTwice, twiceWrong.c_str(),
       "different"},
      {"tiles of a sum", kTwice, kTwiceTiled, "equal"},
      {"tiles of threads", kExp, kExpForall, "equal"},
      {"tiles of affine", kExp, kAffine, "equal"},
      {"a reduction", kSum, kSumGeneric, "equal"},
      {"a reduction in tiles", kSum, kSumTiled, "undecided"},
      {"a product", kMatmul, kMatmulTurned, "equal"},
      {"what another result is", kPrefixes, kZero, "undecided"},
      {"a difference of differences", kMinus, kMinus, "equal"},
      {"a padding that is cut off", kPadded, kX, "equal"},
      {"a lookup", kLookup, kLookupTurned, "equal"},
      {"another lookup", kLookup, kLookupWrong, "different"},
      {"packed and unpacked", kExp, kPacked, "equal"},
      {"the number that a loop ends with", kWhile, kSix, "equal"},
      {"another number", kWhile, kFour, "different"},
      {"a branch", kIf, kX, "fewer reads"},
      {"a product of vectors", kNamedProduct, kVectors, "equal"},
      {"another product of vectors", kNamedProduct, vectorsWrong.c_str(),
       "different"},
      {"loops without an order", kSumAll, kParallel, "equal"},
      {"fewer of these", kSumAll, parallelWrong.c_str(), "different"},
      {"loops of affine without an order", kSumOfAll, kAffineParallel, "equal"},
      {"a branch that a value decides", kBranch, kChoice, "equal"},
      {"the other branch", kBranch, choiceWrong.c_str(), "different"},
      {"conditions of affine", kAffineIf, kInner, "fewer reads"},
      {"other conditions", kAffineIf, innerWrong.c_str(), "different"},
  };
  for (const Pair &pair : pairs) {
    const std::string verdict = verdictOf(pair.first, pair.second);
    EXPECT_EQ(llvm::StringRef(verdict).split(';').first.str(), pair.verdict)
        << pair.name << ": " << verdict;
  }
}

//===-- Rewrites that users reported --------------------------------------===//

std::string textOfFile(const std::string &path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Of a loop of any number of iterations, the op that ends its body combines
// them by a region of its own.
TEST(MlirValues, WhatEndsARegionHasRegions) {
  auto text = [](const std::string &by) {
    return "func.func @f(%n: index, %q: f32) -> f32 {\n"
           "  %c0 = arith.constant 0 : index\n"
           "  %c1 = arith.constant 1 : index\n"
           "  %z = arith.constant 1.0 : f32\n"
           "  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> "
           "f32 "
           "{\n    scf.reduce(%q : f32) {\n    ^bb0(%a: f32, %b: f32):\n"
           "      %s = " +
           by +
           " %a, %b : f32\n      scf.reduce.return %s : f32\n    }\n  }\n"
           "  return %r : f32\n}\n";
  };
  EXPECT_EQ(verdictOf(text("arith.addf"), text("arith.addf")), "equal");
  EXPECT_EQ(verdictOf(text("arith.addf"), text("arith.mulf")).find("undecided"),
            0U);
}

TEST(MlirValues, RewritesOfUsers) {
  const char *corpus = std::getenv("INDEXICAL_CORPUS");
  const std::string folder = std::string(corpus ? corpus : "") + "/../rewrites";
  std::istringstream index(textOfFile(folder + "/index.tsv"));
  std::string line;
  int right = 0, decided = 0;
  std::getline(index, line);
  if (line.empty())
    GTEST_SKIP() << "INDEXICAL_CORPUS names no folder beside rewrites";
  while (std::getline(index, line)) {
    const std::string name = line.substr(0, line.find('\t'));
    if (llvm::StringRef(name).starts_with("part_")) continue;
    std::string texts[2];
    bool isHlo = false;
    for (int k : {0, 1}) {
      const std::string path = folder + "/" + name + (k ? ".after" : ".before");
      texts[k] = textOfFile(path + ".mlir");
      isHlo = texts[k].empty();
      if (isHlo) texts[k] = textOfFile(path + ".hlo");
    }
    const bool isRight = line.find("\tright\t") != std::string::npos;
    // Some of the right ones sum floats in another order.
    const FloatLaws floats = isRight ? FloatLaws::Real : FloatLaws::None;
    const auto same =
        isHlo ? comparedPrograms(parseHlo(texts[0]), parseHlo(texts[1]), floats)
              : comparedPrograms(importMlir(texts[0]), importMlir(texts[1]),
                                 floats);
    ASSERT_TRUE(same.ok()) << name << ": " << same.status();
    const bool isSame = same->verdict.answer == Verdict::Same ||
                        same->verdict.answer == Verdict::FewerReads ||
                        same->verdict.answer == Verdict::OtherReads;
    right += isRight;
    decided += isRight && isSame;
    std::cout << name << ": " << wordOf(same->verdict.answer).str() << "\n";
    if (isRight) {
      EXPECT_NE(same->reads.answer, Answer::Undecided) << name;
    }
    EXPECT_TRUE(isRight || !isSame) << name;
  }
  EXPECT_EQ(decided, right);
  std::cout << decided << " of " << right << " right ones are decided\n";
}

// What an op with a region of its own computes is not known of its region
// alone: here it says nothing of where the array begins.
TEST(MlirValuesTest, PadsOfOtherAmountsAreNotEqual) {
  auto padded = [](int low, int high, const std::string &body) {
    return "func.func @main(%y: tensor<2xi32>) -> tensor<5xi32> {\n"
           "  %r = tensor.pad %y low[" +
           std::to_string(low) + "] high[" + std::to_string(high) +
           "] {\n  ^bb0(%k: index):\n" + body +
           "    tensor.yield %z : i32\n"
           "  } : tensor<2xi32> to tensor<5xi32>\n"
           "  return %r : tensor<5xi32>\n}";
  };
  for (const std::string body :
       {"    %z = arith.constant 0 : i32\n",
        "    %z = arith.index_cast %k : index to i32\n",
        "    %o = arith.constant 1 : index\n"
        "    %z = tensor.extract %y[%o] : tensor<2xi32>\n"})
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) {
        const std::string verdict =
            verdictOf(padded(a, 3 - a, body), padded(b, 3 - b, body));
        if (a == b)
          EXPECT_EQ(verdict, "equal");
        else
          EXPECT_NE(llvm::StringRef(verdict).split(';').first, "equal")
              << a << " " << b << body << verdict;
        EXPECT_FALSE(a != b && llvm::StringRef(verdict).contains("reads"))
            << verdict;
      }
}

}  // namespace
}  // namespace indexical::testing
